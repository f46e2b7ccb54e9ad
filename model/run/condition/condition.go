// Package condition judges the conditions of routers and explains the result. It knows no form: a template.Env supplies the values.
package condition

import (
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// Verdict is the result of a condition or of a comparison.
type Verdict int

// The verdicts. Unknown is that of a condition that cannot be judged, such as one with an operator that no table lists.
const (
	False Verdict = iota
	True
	Unknown
)

// String returns "false", "true" or "unknown".
func (v Verdict) String() string { return [...]string{"false", "true", "unknown"}[v] }

// Condition is a condition that is ready to be judged. It is immutable and safe for concurrent use.
type Condition struct{ root judge }

// judge is a part of a condition.
type judge interface {
	judge(env *template.Env) Judgement
}

// Compile prepares a condition, which may be any JSON value. One that flow.ParseCondition does not parse is judged Unknown.
func Compile(v any) *Condition {
	parsed, ok := flow.ParseCondition(v)
	switch {
	case v == nil:
		return &Condition{unknown("there is no condition")}
	case !ok:
		return &Condition{unknown("the condition is not a group of comparisons")}
	}
	return &Condition{compile(parsed)}
}

func compile(c flow.Condition) judge {
	switch c := c.(type) {
	case *flow.Group:
		g := group{all: c.Operator == flow.And, of: make([]judge, len(c.Of))}
		for i, of := range c.Of {
			g.of[i] = compile(of)
		}
		return g
	case *flow.Comparison:
		return compileComparison(c)
	}
	return unknown("the condition is not a group of comparisons")
}

// Judge judges the condition in an environment.
func (c *Condition) Judge(env *template.Env) Judgement { return c.root.judge(env) }

// Judgement is the verdict on a condition and what it rests on.
type Judgement struct {
	Verdict Verdict
	// Facts are the comparisons that decide, in the order of the condition: a single one where it is enough, such as the first
	// false one of AND, otherwise all that were judged alike. There is none for a condition of an unknown shape.
	Facts []Fact
	// Reason is why the verdict is Unknown, else "".
	Reason string
}

// unknown is the reason for which a condition cannot be judged.
type unknown string

func (u unknown) judge(*template.Env) Judgement {
	return Judgement{Verdict: Unknown, Reason: string(u)}
}

// group is true when all or any of its conditions are.
type group struct {
	all bool
	of  []judge
}

// judge stops at the first condition that decides. An unknown one decides nothing: false and unknown is false, true or unknown is true.
func (g group) judge(env *template.Env) Judgement {
	deciding, result := True, Judgement{Verdict: False}
	if g.all {
		deciding, result = False, Judgement{Verdict: True}
	}
	for _, of := range g.of {
		j := of.judge(env)
		if j.Verdict == deciding {
			return j
		}
		if j.Verdict == Unknown && result.Verdict != Unknown {
			result = Judgement{Verdict: Unknown, Reason: j.Reason}
		}
		if j.Verdict == result.Verdict {
			result.Facts = append(result.Facts, j.Facts...)
		}
	}
	return result
}

// comparison is a comparison whose operator is known.
type comparison struct {
	operator flow.Operator
	negated  bool
	means    meaning
	operands []operand
}

func compileComparison(c *flow.Comparison) judge {
	row, ok := flow.OperatorOf(c.Operator)
	if !ok {
		return unresolved{c, "the operator " + schema.Shorten(c.Operator, maxShown) + " is unknown"}
	}
	of := comparison{operator: row, negated: row.Negates != "", operands: make([]operand, len(c.Operands))}
	name := row.Name
	if of.negated {
		name = row.Negates
	}
	if of.means, ok = meanings[name]; !ok {
		return unresolved{c, "the operator " + name + " has no meaning"}
	}
	for i, v := range c.Operands {
		value, static, errs := source(v)
		if len(errs) > 0 {
			return unresolved{c, "the template " + flow.OperandText(v, maxShown) + " " + errs[0].Error()}
		}
		of.operands[i] = operand{flow.OperandText(v, maxShown), value, !static}
	}
	return of
}

func (c comparison) judge(env *template.Env) Judgement {
	f := Fact{Operator: c.operator, Operands: make([]Operand, len(c.operands))}
	for i, o := range c.operands {
		of := &f.Operands[i]
		of.Text, of.Template = o.text, o.template
		of.Value, of.Defined = o.value(env)
	}
	holds, err := c.means(f.Operands)
	switch {
	case err != nil:
		f.Verdict, f.Reason = Unknown, err.Error()
	case holds != c.negated:
		f.Verdict = True
	}
	return Judgement{f.Verdict, []Fact{f}, f.Reason}
}

// unresolved is a comparison that cannot be judged.
type unresolved struct {
	of     *flow.Comparison
	reason string
}

func (u unresolved) judge(*template.Env) Judgement {
	return Judgement{Unknown, []Fact{{
		Operator: flow.Operator{Name: u.of.Operator, Operands: len(u.of.Operands)}, Verdict: Unknown, Reason: u.reason,
	}}, u.reason}
}

// operand is an operand before it is evaluated.
type operand struct {
	text     string
	value    func(*template.Env) (any, bool)
	template bool
}

// source returns a function that evaluates the templates in a tree, and whether there is none. An undefined element of an array is
// null, and an undefined member of an object is left out, as in ECMAScript's JSON.
func source(v any) (value func(*template.Env) (any, bool), static bool, errs []template.Error) {
	switch v := v.(type) {
	case string:
		t, errs := template.Parse(v)
		if !t.Static() {
			return t.Value, false, errs
		}
		return constant(v), true, errs
	case []any:
		members := make([]schema.Member, len(v))
		for i, e := range v {
			members[i].Value = e
		}
		parts, static, errs := sources(members)
		if static {
			return constant(v), true, errs
		}
		return func(env *template.Env) (any, bool) {
			list := make([]any, len(parts))
			for i, part := range parts {
				list[i], _ = part.value(env)
			}
			return list, true
		}, false, errs
	case *schema.Object:
		parts, static, errs := sources(v.Members())
		if static {
			return constant(v), true, errs
		}
		return func(env *template.Env) (any, bool) {
			var members []schema.Member
			for i, part := range parts {
				if e, ok := part.value(env); ok {
					members = append(members, schema.Member{Key: v.Members()[i].Key, Value: e})
				}
			}
			return schema.NewObject(members...), true
		}, false, errs
	}
	return constant(v), true, nil
}

func sources(members []schema.Member) (parts []operand, static bool, errs []template.Error) {
	parts, static = make([]operand, len(members)), true
	for i, m := range members {
		value, constant, mistakes := source(m.Value)
		parts[i].value, static, errs = value, static && constant, append(errs, mistakes...)
	}
	return parts, static, errs
}

func constant(v any) func(*template.Env) (any, bool) {
	return func(*template.Env) (any, bool) { return v, true }
}
