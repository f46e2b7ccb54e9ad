package explore

import (
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/run/template/hash"
	"github.com/formgraph/formgraph/model/schema"
)

// The namespaces of variables.
const (
	fields  = "fields"
	vars    = "vars"
	context = "context"
)

// variable is a value that routers compare: a field, or a member of vars or of the context.
type variable struct {
	namespace, key string
	// components ask for the field in each form, nil for none.
	components [sides]*model.Component
	hidden     *model.HiddenField
	domain     []candidate
	// exact reports that no other value leads to another way through the form than one of the candidates.
	exact bool
	// parts are the parts of the value that are compared, each with the values it is compared with.
	parts []part
	paths map[string]int // the parts by their paths
}

// part is a part of a variable's value. The empty path is the whole value.
type part struct {
	path  schema.Path
	leafs *leafs
}

// sides is the number of forms that are compared. A search of a single form uses the first.
const sides = 2

// candidate is a value of a variable, or that it has none.
type candidate struct {
	given   any // what the control contains or comes from outside, nil if the variable is undefined
	defined bool
	in      [sides]outcome
}

// outcome is what a form makes of a candidate.
type outcome struct {
	value    any  // a tree
	defined  bool // whether the variable has the value, and is not undefined
	accepted bool // whether the field accepts it
}

// set is a set of candidates of one variable, by their index.
type set uint64

const maxCandidates = 64

func (s set) has(i int) bool { return s>>i&1 == 1 }

// all returns the set of all candidates.
func (v *variable) all() set { return ^set(0) >> (maxCandidates - len(v.domain)) }

// defined returns the set of the candidates that are values.
func (v *variable) defined() (s set) {
	for i, c := range v.domain {
		if c.defined {
			s |= 1 << i
		}
	}
	return s
}

// accepted returns the set of the candidates that the field of a form accepts.
func (v *variable) accepted(side int) (s set) {
	for i, c := range v.domain {
		if c.in[side].accepted {
			s |= 1 << i
		}
	}
	return s
}

// variables are what the routers of one form, or of two that are compared, read.
type variables struct {
	list   []*variable
	by     map[[2]string]int
	forms  [sides]*model.Form // the second is nil for a single form
	owners [sides]owners
	// opaque is an operand that the search does not know, "" for none.
	opaque string
}

// owners are what gives the fields of a form a value.
type owners struct {
	components map[string]*model.Component // the first one with each id
	hidden     map[string]*model.HiddenField
}

func ownersOf(f *model.Form) owners {
	o := owners{map[string]*model.Component{}, map[string]*model.HiddenField{}}
	for _, n := range f.Nodes {
		step, ok := n.Config.(*model.Step)
		if !ok {
			continue
		}
		for _, c := range step.Components {
			if o.components[c.ID] == nil {
				o.components[c.ID] = c
			}
		}
	}
	for i := range f.Start.Hidden {
		o.hidden[f.Start.Hidden[i].Key] = &f.Start.Hidden[i]
	}
	return o
}

// collect finds the variables of the routers at which a run can be. The second program may be nil.
func collect(programs [sides]*run.Program, reachable [sides][]bool) *variables {
	vs := &variables{by: map[[2]string]int{}}
	for side, p := range programs {
		if p != nil {
			vs.forms[side], vs.owners[side] = p.Form(), ownersOf(p.Form())
		}
	}
	for side, f := range vs.forms {
		if f == nil {
			continue
		}
		for i, n := range f.Nodes {
			router, ok := n.Config.(*model.Router)
			if !ok || !reachable[side][i] {
				continue
			}
			for _, rule := range router.Rules {
				if c, ok := flow.ParseCondition(rule.Condition); ok {
					vs.condition(c)
				}
			}
		}
	}
	vs.changed()
	vs.setDomains()
	return vs
}

// setDomains chooses the candidates of all variables, after everything that is compared is known.
func (vs *variables) setDomains() {
	for _, v := range vs.list {
		v.share()
	}
	for _, v := range vs.list {
		v.setDomain()
	}
}

// changed adds the fields of two forms that may not accept the same answers in both.
func (vs *variables) changed() {
	if vs.forms[1] == nil {
		return
	}
	for _, n := range vs.forms[0].Nodes {
		step, ok := n.Config.(*model.Step)
		if !ok {
			continue
		}
		for _, c := range step.Components {
			now := vs.owners[1].components[c.ID]
			if answertype.Of(c) == answertype.None || now == nil || answertype.Of(now) == answertype.None {
				continue
			}
			if c.Type != now.Type || c.Required != now.Required || !schema.Equal(c.Config(), now.Config()) {
				vs.part(template.Variable{Namespace: fields, Path: schema.Path{schema.Key(c.ID)}})
			}
		}
	}
}

// share gives the ordinary answers of a field to the variables that it is compared with.
func (v *variable) share() {
	for _, part := range v.parts {
		l := part.leafs.root()
		if !l.pairs || len(part.path) > 0 {
			continue
		}
		for _, c := range v.components {
			if c == nil {
				continue
			}
			for _, s := range answer.Samples(c) {
				a, _ := answer.Judge(c, s, nil)
				l.values = append(l.values, a)
			}
			if answertype.Of(c) == answertype.Boolean {
				l.values = append(l.values, true, false)
			}
		}
	}
}

func (vs *variables) condition(c flow.Condition) {
	switch c := c.(type) {
	case *flow.Group:
		for _, of := range c.Of {
			vs.condition(of)
		}
	case *flow.Comparison:
		vs.comparison(c)
	}
}

// comparison notes what each variable of a comparison is compared with. Variables that are compared with each other have their values in
// common.
func (vs *variables) comparison(c *flow.Comparison) {
	var compared []*part
	var literals []any
	exact, within := true, false
	for i, operand := range c.Operands {
		if text := opaque(operand); text != "" {
			vs.opaque = text
		}
		refs, single, literal := read(operand)
		if len(refs) == 0 {
			literals = append(literals, literal)
			continue
		}
		exact = exact && single
		within = within || i > 0 && (c.Operator == "IN" || c.Operator == "NOT_IN")
		for _, ref := range refs {
			if part := vs.part(ref); part != nil {
				compared = append(compared, part)
			}
		}
	}
	if len(compared) == 0 {
		return
	}
	shared := compared[0].leafs.root()
	for _, part := range compared[1:] {
		shared = shared.join(part.leafs.root())
	}
	shared.note(c.Operator, literals, exact && !within, len(compared))
	shared.lists = shared.lists || within
}

// read returns the variables in an operand, whether it is exactly one variable, and its value if it has none.
func read(operand any) (refs []template.Variable, single bool, literal any) {
	switch v := operand.(type) {
	case string:
		t, _ := template.Parse(v)
		refs = t.Variables()
		_, single = t.Single()
		if len(refs) == 0 && !t.Static() {
			literal, _ = t.Value(&template.Env{Hash: hash.Hex})
			return nil, false, literal
		}
	case []any:
		for _, e := range v {
			more, _, _ := read(e)
			refs = append(refs, more...)
		}
	case *schema.Object:
		for _, m := range v.Members() {
			more, _, _ := read(m.Value)
			refs = append(refs, more...)
		}
	}
	return refs, single, operand
}

// opaque returns a template in an operand whose value is not that of its variables, such as a random number, a message, or all variables of
// a namespace at once, and "" if there is none.
func opaque(operand any) string {
	switch v := operand.(type) {
	case string:
		t, _ := template.Parse(v)
		refs := t.Variables()
		if t.Calls() && len(refs) == 0 || slices.ContainsFunc(refs, func(ref template.Variable) bool { return len(ref.Path) == 0 }) {
			return v
		}
	case []any:
		for _, e := range v {
			if text := opaque(e); text != "" {
				return text
			}
		}
	case *schema.Object:
		for _, m := range v.Members() {
			if text := opaque(m.Value); text != "" {
				return text
			}
		}
	}
	return ""
}

// part returns the part of a variable that a reference reads, nil for a name that never has a value.
func (vs *variables) part(ref template.Variable) *part {
	if !slices.Contains([]string{fields, vars, context}, ref.Namespace) || len(ref.Path) == 0 {
		return nil
	}
	key := ref.Path[0].Key
	if ref.Path[0].Index >= 0 {
		key = strconv.Itoa(ref.Path[0].Index)
	}
	i, ok := vs.by[[2]string{ref.Namespace, key}]
	if !ok {
		i = len(vs.list)
		vs.by[[2]string{ref.Namespace, key}] = i
		vs.list = append(vs.list, vs.newVariable(ref.Namespace, key))
	}
	v := vs.list[i]
	path := ref.Path[1:].String()
	if j, ok := v.paths[path]; ok {
		return &v.parts[j]
	}
	v.paths[path] = len(v.parts)
	v.parts = append(v.parts, part{ref.Path[1:], &leafs{exact: true}})
	return &v.parts[len(v.parts)-1]
}

func (vs *variables) newVariable(namespace, key string) *variable {
	v := &variable{namespace: namespace, key: key, paths: map[string]int{}}
	if namespace != fields {
		return v
	}
	for side, of := range vs.owners {
		if c := of.components[key]; c != nil && answertype.Of(c) != answertype.None {
			v.components[side] = c
		}
		if h := of.hidden[key]; h != nil {
			v.hidden = h
		}
	}
	return v
}

// asked reports whether a step of one of the forms asks for the variable.
func (v *variable) asked() bool { return v.components != [sides]*model.Component{} }
