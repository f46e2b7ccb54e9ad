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
	left       int // how many steps the searches may still take
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

func newRouter(f *model.Form, node int, config *model.Router) *router {
	r := &router{fields: f.Fields(), config: config, known: map[string]int{}, left: maxTotal}
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
	tried := explore.Try(f, parsed)
	answers := newAnswers(f, node)
	for _, p := range r.parts {
		if p.of.Namespace == "" {
			continue
		}
		p.component = answers.of(p.of)
		p.classes = classesOf(p, values(p.of, tried))
	}
	for _, a := range r.atoms {
		if a.part >= 0 {
			a.can = r.parts[a.part].span(a.slot)
		}
	}
	return r
}

// values returns what is tried for a part.
func values(of template.Variable, tried []explore.Tried) []explore.Value {
	var list []explore.Value
	for _, t := range tried {
		if t.Namespace != of.Namespace || schema.Key(t.Key) != of.Path[0] {
			continue
		}
		for _, v := range t.Values {
			if v.Defined {
				v.Value, v.Defined = template.At(v.Value, of.Path[1:])
			}
			list = append(list, v)
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
		a.judged = condition.Compile(base.Tree())
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
		a.part = slices.IndexFunc(r.parts, func(p *part) bool { return same(&p.of, of) })
		if a.part < 0 {
			a.part = len(r.parts)
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
