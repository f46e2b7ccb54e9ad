package explore

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answer"
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
		v.exact = v.exact && v.component == nil
	}
	switch {
	case v.component != nil:
		v.fieldDomain()
		if v.hidden != nil {
			v.exact = false // what comes from outside is not judged
		}
	case v.namespace == fields && v.hidden == nil:
		v.add(candidate{}) // nothing sets it
	default:
		v.freeDomain()
	}
	if len(v.domain) > maxCandidates {
		v.domain, v.exact = v.domain[:maxCandidates], false
	}
}

// add adds a candidate unless there is one with the same value.
func (v *variable) add(c candidate) {
	for _, old := range v.domain {
		if old.defined == c.defined && old.accepted == c.accepted && schema.Equal(old.value, c.value) {
			return
		}
	}
	v.domain = append(v.domain, c)
}

// fieldDomain chooses answers to a component: samples, the values that conditions name, and those near them. Given without being
// checked, a value need not be accepted.
func (v *variable) fieldDomain() {
	give := func(given any) {
		a, refusal := answer.Judge(v.component, given, nil)
		switch {
		case refusal == nil && a != nil:
			v.add(candidate{a, true, given, true})
		case given != nil && given != "":
			v.add(candidate{given, true, given, false})
		default:
			v.add(candidate{accepted: refusal == nil})
		}
	}
	samples := answer.Samples(v.component)
	for _, s := range samples {
		give(s)
	}
	for _, part := range v.parts {
		values := part.leafs.root().list()
		for _, leaf := range values {
			if len(part.path) == 0 {
				v.giveLeaf(leaf, give)
				continue
			}
			for _, s := range samples {
				whole, _ := answer.Judge(v.component, s, nil)
				if changed, ok := put(whole, part.path, leaf); ok {
					give(changed)
				}
			}
		}
	}
	give(nil)
	v.bounds(give)
	switch answer.TypeOf(v.component) {
	case answer.Boolean, answer.Number, answer.Option:
	case answer.Text:
		v.exact = v.exact && v.distinct()
	default:
		v.exact = false
	}
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
		if c.defined && c.accepted && !slices.ContainsFunc(l.values, func(leaf any) bool { return template.Text(leaf) == c.value }) {
			need--
		}
	}
	return need <= 0 && !l.orders
}

func (v *variable) giveLeaf(leaf any, give func(any)) {
	give(leaf)
	if s, ok := template.Spelling(leaf); ok {
		give(s)
		if answer.TypeOf(v.component) == answer.Options {
			give([]any{leaf})
		}
	}
}

// bounds adds the ends of a number's range. Every class of numbers that conditions distinguish then has a candidate: one between two
// neighbors is within the range unless it ends there.
func (v *variable) bounds(give func(any)) {
	if answer.TypeOf(v.component) != answer.Number {
		return
	}
	l := &leafs{values: v.parts[0].leafs.root().values}
	for _, name := range []string{"min_value", "max_value"} {
		if bound, ok := v.component.Config().Get(name); ok {
			give(bound)
			l.values = append(l.values, bound)
		}
	}
	for _, near := range l.between() {
		give(near)
	}
}

// freeDomain chooses values of a variable that comes from outside.
func (v *variable) freeDomain() {
	free := func(value any) { v.add(candidate{value, true, value, true}) }
	if v.hidden != nil && v.hidden.Value != "" {
		if t, _ := template.Parse(v.hidden.Value); t.Static() {
			free(v.hidden.Value)
		} else {
			v.exact = false
		}
	} else {
		v.add(candidate{accepted: true})
	}
	whole := []any{schema.NewObject()}
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
				if changed, ok := put(base, part.path, leaf); ok {
					more = append(more, changed)
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

// put returns a value with another value at a path, and false if something else is in the way.
func put(whole any, path schema.Path, leaf any) (any, bool) {
	if whole == nil {
		whole = schema.NewObject()
	}
	changed, err := schema.Set(whole, path, leaf)
	return changed, err == nil
}

// filled returns an answer for each component of a step that has none and needs one. It returns false and the component if there is
// none that it accepts.
func filled(r *run.Run, step *model.Step) (answers map[string]any, missing *model.Component) {
	answers = map[string]any{}
	for _, c := range step.Components {
		if answer.TypeOf(c) == answer.None {
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
