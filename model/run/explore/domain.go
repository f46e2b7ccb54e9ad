package explore

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// setDomain chooses the candidates of a variable, the most ordinary first.
func (v *variable) setDomain() {
	v.exact = true
	for _, part := range v.parts {
		v.exact = v.exact && part.leafs.root().exact
	}
	if len(v.parts) > 1 || len(v.parts[0].path) > 0 {
		v.exact = v.exact && !v.asked()
	}
	switch {
	case v.asked():
		v.fieldDomain()
		if v.hidden != nil {
			v.exact = false // what comes from outside is not judged
		}
	case v.namespace == fields && v.hidden == nil:
		v.add(candidate{}) // nothing sets it
	default:
		v.freeDomain()
	}
	if v.full() {
		v.domain, v.exact = v.domain[:maxCandidates], false
	}
}

// full reports whether there are more candidates than are tried, so that no further one makes a difference.
func (v *variable) full() bool { return len(v.domain) > maxCandidates }

// add adds a candidate unless there is one that no form distinguishes from it.
func (v *variable) add(c candidate) {
	if v.full() {
		return
	}
	for _, old := range v.domain {
		same := old.defined == c.defined
		for side := range c.in {
			x, y := old.in[side], c.in[side]
			same = same && x.accepted == y.accepted && x.defined == y.defined && schema.Equal(x.value, y.value)
		}
		if same {
			return
		}
	}
	v.domain = append(v.domain, c)
}

// give adds the answer that each form makes of a given value. Given without being checked, a value need not be accepted.
func (v *variable) give(given any) {
	if v.full() {
		return
	}
	c := candidate{given: given, defined: given != nil && given != ""}
	for side, of := range v.components {
		if of == nil {
			c.in[side].accepted = true // the form does not ask
			continue
		}
		a, refusal := answer.Judge(of, given, nil)
		if refusal != nil && c.defined {
			a = given
		}
		c.in[side] = outcome{a, a != nil, refusal == nil}
	}
	v.add(c)
}

// fieldDomain chooses answers to a component: samples, the values that conditions name, and those near them.
func (v *variable) fieldDomain() {
	for _, c := range v.components {
		if c == nil {
			continue
		}
		samples := answer.Samples(c)
		for _, s := range samples {
			v.give(s)
		}
		for _, part := range v.parts {
			for _, leaf := range part.leafs.root().list() {
				if len(part.path) == 0 {
					v.giveLeaf(c, leaf)
					continue
				}
				for _, s := range samples {
					if v.full() {
						break
					}
					whole, _ := answer.Judge(c, s, nil)
					if changed, ok := put(whole, part.path, leaf); ok {
						v.give(changed)
					}
				}
			}
		}
		v.bounds(c)
		switch answertype.Of(c) {
		case answertype.Boolean, answertype.Number, answertype.Option:
		case answertype.Text:
			v.exact = v.exact && v.distinct()
		default:
			v.exact = false
		}
	}
	v.give(nil)
}

// distinct reports whether a text field accepts enough texts that are equal to none that a condition names, and whether no condition
// compares it in an order: bounds of its length might then leave no text between two numbers.
func (v *variable) distinct() bool {
	l := v.parts[0].leafs.root()
	need := 1
	if l.pairs {
		need = 2
	}
	for _, c := range v.domain {
		if c.in[0].defined && c.in[0].accepted && !slices.ContainsFunc(l.values, func(leaf any) bool { return condition.Equal(leaf, c.in[0].value) }) {
			need--
		}
	}
	return need <= 0 && !l.orders
}

func (v *variable) giveLeaf(c *model.Component, leaf any) {
	v.give(leaf)
	if s, ok := template.Spelling(leaf); ok {
		v.give(s)
		if answertype.Of(c) == answertype.Options {
			v.give([]any{leaf})
		}
	}
}

// bounds adds the ends of a field's range, and values beyond them. Every class of numbers that conditions distinguish then has a
// candidate: one between two neighbors is within the range unless it ends there.
func (v *variable) bounds(c *model.Component) {
	l := &leafs{values: v.parts[0].leafs.root().values}
	for _, name := range []string{"min_value", "max_value"} {
		if bound, ok := c.Config().Get(name); ok && answertype.Of(c) == answertype.Number {
			v.give(bound)
			l.values = append(l.values, bound)
		}
	}
	if answertype.Of(c) == answertype.Number {
		for _, near := range l.between() {
			v.give(near)
		}
	}
	for _, name := range []string{"min_length", "max_length"} {
		if n, ok := c.Config().Int(name); ok && n > 0 && n < maxText && answertype.Of(c) == answertype.Text {
			for _, length := range []int{n - 1, n, n + 1} {
				v.give(strings.Repeat("a", length))
			}
		}
	}
}

// maxText bounds the length of texts that are tried.
const maxText = 10_000

// freeDomain chooses values of a variable that comes from outside.
func (v *variable) freeDomain() {
	free := func(value any) {
		v.add(candidate{value, true, [sides]outcome{{value, true, true}, {value, true, true}}})
	}
	if v.hidden != nil && v.hidden.Value != "" {
		if t, _ := template.Parse(v.hidden.Value); t.Static() {
			free(v.hidden.Value)
		} else {
			v.exact = false
		}
	} else {
		v.add(candidate{in: [sides]outcome{{accepted: true}, {accepted: true}}})
	}
	whole := []any{nil}
	for _, part := range v.parts {
		values := part.leafs.root().list()
		if len(part.path) == 0 {
			for _, leaf := range values {
				free(leaf)
			}
			continue
		}
		var more []any
		for _, base := range whole {
			for _, leaf := range values {
				if len(more) > maxCandidates {
					break
				}
				if changed, ok := put(base, part.path, leaf); ok {
					more = append(more, changed)
				} else {
					v.exact = false
				}
			}
		}
		if whole = append(whole, more...); len(whole) > maxCandidates {
			whole, v.exact = whole[:maxCandidates], false
		}
	}
	for _, value := range whole[1:] {
		free(value)
	}
	free(nil)
	free("")
}

// put returns a value with another value at a path, and false if something else is in the way. Where no list has room for an element, it
// is a member of an object, which templates read in the same way.
func put(whole any, path schema.Path, leaf any) (any, bool) {
	if changed, err := schema.Set(whole, path, leaf); err == nil {
		return changed, true
	}
	keys := make(schema.Path, len(path))
	for i, e := range path {
		if keys[i] = e; e.Index >= 0 {
			keys[i] = schema.Key(strconv.Itoa(e.Index))
		}
	}
	changed, err := schema.Set(whole, keys, leaf)
	return changed, err == nil
}

// filled returns an answer for each component of a step that has none and needs one. It returns false and the component if there is
// none that it accepts.
func filled(r *run.Run, step *model.Step) (answers map[string]any, missing *model.Component) {
	answers = map[string]any{}
	for _, c := range step.Components {
		if answertype.Of(c) == answertype.None {
			continue
		}
		if _, refusal := answer.Judge(c, r.Given(c.ID), nil); refusal == nil {
			continue
		}
		samples := answer.Samples(c)
		if len(samples) == 0 {
			return answers, c
		}
		answers[c.ID] = samples[0]
	}
	return answers, nil
}
