package explore

import (
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/template"
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
	component      *model.Component // that asks for the field, nil for none
	hidden         *model.HiddenField
	domain         []candidate
	// exact reports that no other value leads to another way through the form than one of the candidates.
	exact bool
	// parts are the parts of the value that are compared, each with the values it is compared with.
	parts []part
}

// part is a part of a variable's value. The empty path is the whole value.
type part struct {
	path  schema.Path
	leafs *leafs
}

// candidate is a value of a variable.
type candidate struct {
	value    any // a tree
	defined  bool
	given    any  // what the control contains, for a field
	accepted bool // whether the field accepts it
}

// set is a set of candidates of one variable, by their index.
type set uint64

const maxCandidates = 64

func (s set) has(i int) bool { return s>>i&1 == 1 }

// values lists the candidates that a function selects.
func (v *variable) values(which func(candidate) bool) (s set) {
	for i, c := range v.domain {
		if which(c) {
			s |= 1 << i
		}
	}
	return s
}

func (v *variable) all() set { return v.values(func(candidate) bool { return true }) }

func accepted(c candidate) bool { return c.accepted }

func defined(c candidate) bool { return c.defined }

// variables are what the routers of a form compare.
type variables struct {
	list []*variable
	by   map[[2]string]int
}

// collect finds the variables of the routers at which a run can be.
func collect(p *run.Program, reachable []bool) *variables {
	vs := &variables{by: map[[2]string]int{}}
	for i, n := range p.Form().Nodes {
		router, ok := n.Config.(*model.Router)
		if !ok || !reachable[i] {
			continue
		}
		for _, rule := range router.Rules {
			if c, ok := flow.ParseCondition(rule.Condition); ok {
				vs.condition(p.Form(), c)
			}
		}
	}
	for _, v := range vs.list {
		v.share()
	}
	for _, v := range vs.list {
		v.setDomain()
	}
	return vs
}

// share gives the ordinary answers of a field to the variables that it is compared with.
func (v *variable) share() {
	for _, part := range v.parts {
		if l := part.leafs.root(); v.component != nil && l.pairs && len(part.path) == 0 {
			for _, s := range answer.Samples(v.component) {
				a, _ := answer.Judge(v.component, s, nil)
				l.values = append(l.values, a)
			}
			if answer.TypeOf(v.component) == answer.Boolean {
				l.values = append(l.values, true, false)
			}
		}
	}
}

func (vs *variables) condition(f *model.Form, c flow.Condition) {
	switch c := c.(type) {
	case *flow.Group:
		for _, of := range c.Of {
			vs.condition(f, of)
		}
	case *flow.Comparison:
		vs.comparison(f, c)
	}
}

// comparison notes what each variable of a comparison is compared with. Variables that are compared with each other have their values in
// common.
func (vs *variables) comparison(f *model.Form, c *flow.Comparison) {
	var compared []*part
	var literals []any
	exact := true
	for _, operand := range c.Operands {
		refs, single, literal := read(operand)
		if len(refs) == 0 {
			literals = append(literals, literal)
			continue
		}
		exact = exact && single
		for _, ref := range refs {
			if part := vs.part(f, ref); part != nil {
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
	shared.note(c.Operator, literals, exact, len(compared))
}

// read returns the variables in an operand, whether it is exactly one variable, and its value if it has none.
func read(operand any) (refs []template.Variable, single bool, literal any) {
	switch v := operand.(type) {
	case string:
		t, _ := template.Parse(v)
		refs = t.Variables()
		_, single = t.Single()
		if len(refs) == 0 && !t.Static() {
			literal, _ = t.Value(&template.Env{})
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

// part returns the part of a variable that a reference reads, nil for a name that never has a value.
func (vs *variables) part(f *model.Form, ref template.Variable) *part {
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
		vs.list = append(vs.list, newVariable(f, ref.Namespace, key))
	}
	v := vs.list[i]
	for j := range v.parts {
		if v.parts[j].path.Equal(ref.Path[1:]) {
			return &v.parts[j]
		}
	}
	v.parts = append(v.parts, part{ref.Path[1:], &leafs{exact: true}})
	return &v.parts[len(v.parts)-1]
}

func newVariable(f *model.Form, namespace, key string) *variable {
	v := &variable{namespace: namespace, key: key}
	if namespace != fields {
		return v
	}
	if c, _, _ := f.Component(key); c != nil && answer.TypeOf(c) != answer.None {
		v.component = c
	}
	for i := range f.Start.Hidden {
		if f.Start.Hidden[i].Key == key {
			v.hidden = &f.Start.Hidden[i]
		}
	}
	return v
}
