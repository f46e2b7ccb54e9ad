package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// truth is a verdict. In this order AND is the least and OR the greatest of its conditions.
type truth byte

const (
	no truth = iota
	unsure
	yes
)

func truthOf(v condition.Verdict) truth {
	switch v {
	case condition.False:
		return no
	case condition.True:
		return yes
	case condition.Unknown:
	}
	return unsure
}

// span is what a verdict can be, from low to high.
type span struct{ low, high truth }

func (s span) negated() span { return span{yes - s.high, yes - s.low} }

// router is a router with the comparisons of its rules.
type router struct {
	fields     *model.Fields
	config     *model.Router
	conditions []*condition.Condition
	rules      []*expr
	atoms      []*atom
	known      map[string]int // atoms by their key
	parts      []*part
	places     map[string]int // parts by their variable
	firsts     map[string]int // the first rule with each condition
	left       int            // how many steps the searches may still take
	work       *work
	costs      []int // of judging each rule
}

// expr is a condition in a normal form: groups have at least two different members, in an order, none of which is a group with the same
// operator.
type expr struct {
	operator string // flow.And or flow.Or, "" for a comparison
	of       []*expr
	atom     int  // index of the comparison
	negated  bool // whether it holds when the comparison does not
	key      string
}

// atom is a comparison whose operator negates no other. Equal ones of a router are the same.
type atom struct {
	operator string
	operands []any
	judged   *condition.Condition
	cost     int // of judging it with a short value
	steps    int // for each byte of a value: the instructions of a pattern, else 0
	part     int // index of the only part that it reads, or of its own part if it reads several; -1 if it is constant
	slot     int // index among the comparisons of the part
	at       int // index of the first operand that is the part
	// literal is the text of the other operand of two, if spelled is true. twice reports that both are the part.
	literal        string
	spelled, twice bool
	can            span
}

// part is what comparisons read: a variable or a member of one. Alternatively it is a comparison of several, which holds or does not.
type part struct {
	of        template.Variable // no namespace if it is a comparison
	component *model.Component  // the component whose answer the part is, nil if the part can have any value
	atoms     []*atom
	classes   []class
}

func (c *checker) compile(node int, config *model.Router) *router {
	r := &router{
		fields: c.form.Fields(), config: config, known: map[string]int{}, places: map[string]int{}, firsts: map[string]int{}, left: maxTotal,
		work: c.work.part(),
	}
	var parsed []flow.Condition
	for _, rule := range config.Rules {
		r.conditions = append(r.conditions, condition.Compile(rule.Condition))
		c, ok := flow.ParseCondition(rule.Condition)
		if !ok {
			r.rules = append(r.rules, r.unjudged())
			continue
		}
		parsed = append(parsed, c)
		r.rules = append(r.rules, r.compile(c))
	}
	r.costs = make([]int, len(r.rules))
	for i, e := range slices.Backward(r.rules) {
		r.firsts[e.key], r.costs[i] = i, r.cost(e)
	}
	tried := triedOf(c.trier.Try(parsed))
	for _, p := range r.parts {
		if p.of.Namespace == "" {
			continue
		}
		p.component = c.answers.of(p.of, c.form.Nodes[node].ID, r.work)
		p.classes = classesOf(p, values(p.of, tried), r.work)
	}
	for _, a := range r.atoms {
		if a.part >= 0 {
			a.can = r.parts[a.part].span(a.slot)
		}
	}
	return r
}

// triedOf returns what is tried by the namespace and the key of a variable.
func triedOf(list []explore.Tried) map[[2]string][]explore.Value {
	tried := make(map[[2]string][]explore.Value, len(list))
	for _, t := range list {
		tried[[2]string{t.Namespace, t.Key}] = t.Values
	}
	return tried
}

// values returns what is tried for a part.
func values(of template.Variable, tried map[[2]string][]explore.Value) []explore.Value {
	if of.Path[0].Index >= 0 {
		return nil
	}
	list := slices.Clone(tried[[2]string{of.Namespace, of.Path[0].Key}])
	for i, v := range list {
		if v.Defined {
			list[i].Value, list[i].Defined = template.At(v.Value, of.Path[1:])
		}
	}
	return list
}

func (r *router) compile(c flow.Condition) *expr {
	switch c := c.(type) {
	case *flow.Group:
		e := &expr{operator: c.Operator}
		for _, of := range c.Of {
			if member := r.compile(of); member.operator == e.operator {
				e.of = append(e.of, member.of...)
			} else {
				e.of = append(e.of, member)
			}
		}
		slices.SortFunc(e.of, func(a, b *expr) int { return strings.Compare(a.key, b.key) })
		e.of = slices.CompactFunc(e.of, func(a, b *expr) bool { return a.key == b.key })
		if len(e.of) == 1 {
			return e.of[0]
		}
		keys := make([]string, len(e.of))
		for i, of := range e.of {
			keys[i] = of.key
		}
		e.key = e.operator + "(" + strings.Join(keys, ",") + ")"
		return e
	case *flow.Comparison:
		return r.comparison(c)
	}
	return r.unjudged()
}

// leaf returns the condition that is a comparison or its negation.
func (r *router) leaf(i int, negated bool) *expr {
	key := strconv.Itoa(i)
	if negated {
		key = "!" + key
	}
	return &expr{atom: i, negated: negated, key: key}
}

// add adds a comparison.
func (r *router) add(a *atom) int {
	r.atoms = append(r.atoms, a)
	return len(r.atoms) - 1
}

// unjudged returns a comparison that cannot be judged. It equals no other, since a function may return something else at each call. A rule
// that decides with some result also can with the result unsure: its own verdict is at least unsure, and those before are at most.
func (r *router) unjudged() *expr {
	return r.leaf(r.add(&atom{part: -1, can: span{unsure, unsure}}), false)
}

func (r *router) comparison(c *flow.Comparison) *expr {
	row, ok := flow.OperatorOf(c.Operator)
	if !ok {
		return r.unjudged()
	}
	a := &atom{operator: row.Name, operands: c.Operands, part: -1, at: -1}
	if row.Negates != "" {
		a.operator = row.Negates
	}
	reads := readOperands(c.Operands)
	if reads.calls || reads.wrong || a.operator == "MATCHES" && reads.varies[1] {
		return r.unjudged()
	}
	parts := []any{a.operator}
	for i, of := range reads.singles {
		if of != nil {
			parts = append(parts, of.Namespace, of.Path.String())
		} else {
			parts = append(parts, []any{c.Operands[i]})
		}
	}
	key := string(schema.Encode(parts))
	i, ok := r.known[key]
	if !ok {
		base := flow.Comparison{Operator: a.operator, Operands: c.Operands}
		a.judged, a.steps = condition.Compile(base.Tree()), stepsOf(a.operator, c.Operands)
		a.cost = 80 + sizeOf(c.Operands)/4 + 40*a.steps // a pattern is compiled each time
		i = r.add(a)
		r.known[key] = i
		r.place(a, reads)
	}
	return r.leaf(i, row.Negates != "")
}

// place gives a comparison to the part that it reads.
func (r *router) place(a *atom, reads reads) {
	of, none := reads.one()
	switch {
	case of != nil:
		a.at = slices.IndexFunc(reads.singles, func(v *template.Variable) bool { return v != nil })
		if len(a.operands) == 2 {
			if a.twice = reads.varies[1-a.at]; !a.twice {
				a.literal, a.spelled = template.Spelling(a.operands[1-a.at])
			}
		}
		name, known := of.Namespace+" "+of.Path.String(), false
		if a.part, known = r.places[name]; !known {
			a.part = len(r.parts)
			r.places[name] = a.part
			r.parts = append(r.parts, &part{of: *of})
		}
	case none:
		v := judge(a, nil, false)
		a.can = span{v, v}
		return
	default:
		a.part = len(r.parts)
		r.parts = append(r.parts, &part{classes: []class{{verdicts: []truth{no}}, {verdicts: []truth{yes}}}})
	}
	p := r.parts[a.part]
	a.slot = len(p.atoms)
	p.atoms = append(p.atoms, a)
}

// stepsOf returns the instructions of the pattern of a comparison, 0 for one without.
func stepsOf(operator string, operands []any) int {
	if operator != "MATCHES" || len(operands) < 2 {
		return 0
	}
	pattern, _ := template.Spelling(operands[1])
	return condition.Instructions(pattern)
}

// cost returns the work of judging a condition with short values.
func (r *router) cost(e *expr) int {
	if e.operator == "" {
		return r.atoms[e.atom].cost
	}
	units := 1
	for _, of := range e.of {
		units += r.cost(of)
	}
	return units
}

// sizeOf returns about how many bytes a value has.
func sizeOf(v any) int {
	n := 16
	switch v := v.(type) {
	case string:
		n += len(v)
	case schema.Number:
		n += len(v)
	case []any:
		for _, e := range v {
			n += sizeOf(e)
		}
	case *schema.Object:
		for _, m := range v.Members() {
			n += len(m.Key) + sizeOf(m.Value)
		}
	}
	return n
}

func same(a, b *template.Variable) bool { return a.Namespace == b.Namespace && a.Path.Equal(b.Path) }

// reads is what operands read.
type reads struct {
	singles []*template.Variable // for each operand, the variable that it is, nil for anything else
	varies  []bool               // for each operand, whether there is a template in it
	calls   bool                 // whether a function is called
	wrong   bool                 // whether a template has a mistake
}

// one returns the only variable that the operands read, and nil if they read several or use one in a text. none reports that they read
// none.
func (r *reads) one() (of *template.Variable, none bool) {
	for i, v := range r.singles {
		switch {
		case v == nil && r.varies[i], v != nil && of != nil && !same(v, of):
			return nil, false
		case v != nil:
			of = v
		}
	}
	return of, of == nil
}

func readOperands(operands []any) reads {
	r := reads{singles: make([]*template.Variable, len(operands)), varies: make([]bool, len(operands))}
	for i, v := range operands {
		r.varies[i] = r.read(v)
		if text, ok := v.(string); ok {
			t, _ := template.Parse(text)
			if of, ok := t.Single(); ok && len(of.Path) > 0 {
				r.singles[i] = &of
			}
		}
	}
	return r
}

// read reports whether there is a template in a value.
func (r *reads) read(v any) bool {
	varies := false
	switch v := v.(type) {
	case string:
		t, errs := template.Parse(v)
		r.calls, r.wrong = r.calls || t.Calls(), r.wrong || len(errs) > 0
		return !t.Static()
	case []any:
		for _, e := range v {
			varies = r.read(e) || varies
		}
	case *schema.Object:
		for _, m := range v.Members() {
			varies = r.read(m.Value) || varies
		}
	}
	return varies
}
