package scope

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/schema"
)

// Analyzer analyzes the forms of one editing session. It remembers the last analysis, and uses it again after an edit that changed no way, no field
// and no reference, as most do. The zero Analyzer is ready to use. It is not safe for concurrent use.
type Analyzer struct{ last *Analysis }

// Analyze returns what the function Analyze returns. same reports whether the last analysis was used again, with the same Findings at the same paths.
func (z *Analyzer) Analyze(f *model.Form) (a *Analysis, same bool) {
	if z.last == nil || !z.last.holds(f) {
		z.last = Analyze(f)
		return z.last, false
	}
	again := *z.last
	again.form = f
	z.last = &again
	return z.last, true
}

// holds reports whether a form has the ways, the fields and the references of the analyzed one.
func (a *Analysis) holds(f *model.Form) bool {
	if !flow.SameWays(a.form, f) || !slices.EqualFunc(a.form.Start.Hidden, f.Start.Hidden, sameHidden) {
		return false
	}
	for i, n := range f.Nodes {
		if was := a.form.Nodes[i]; was != n && !sameFields(was, n) {
			return false
		}
	}
	return sameReferences(a.form.Tree(), f.Tree(), "")
}

func sameHidden(a, b model.HiddenField) bool {
	return a.Key == b.Key && (a.Value == "") == (b.Value == "")
}

// sameFields reports whether two nodes with the same ways ask for the same fields.
func sameFields(a, b *model.Node) bool {
	was, _ := a.Config.(*model.Step)
	is, _ := b.Config.(*model.Step)
	return was == is || slices.EqualFunc(was.Components, is.Components, func(x, y *model.Component) bool {
		return x == y || x.ID == y.ID && x.GoesBack() == y.GoesBack() && answertype.Of(x) == answertype.Of(y)
	})
}

// sameReferences reports whether two values have the same references at the same paths, and the same operators, which decide whether a condition
// allows for a missing field. key is the key of the values in their objects, "" in a list. It compares texts, so it may return false for values with
// the same references.
func sameReferences(a, b any, key string) bool {
	switch was := a.(type) {
	case string:
		if is, ok := b.(string); ok {
			return was == is || key != "operator" && !strings.Contains(was, "{{") && !strings.Contains(is, "{{")
		}
	case []any:
		if is, ok := b.([]any); ok && len(was) == len(is) {
			if len(was) > 0 && &was[0] == &is[0] {
				return true
			}
			for i := range was {
				if !sameReferences(was[i], is[i], "") {
					return false
				}
			}
			return true
		}
	case *schema.Object:
		if is, ok := b.(*schema.Object); ok {
			return was == is || sameMembers(was.Members(), is.Members())
		}
	}
	return !refers(a) && !refers(b)
}

// sameMembers is sameReferences for the members of two objects. A member that only one of them has must have no reference.
func sameMembers(was, is []schema.Member) bool {
	has := func(list []schema.Member, key string) bool {
		return slices.ContainsFunc(list, func(m schema.Member) bool { return m.Key == key })
	}
	for len(was) > 0 && len(is) > 0 {
		switch {
		case was[0].Key == is[0].Key:
			if !sameReferences(was[0].Value, is[0].Value, was[0].Key) {
				return false
			}
			was, is = was[1:], is[1:]
		case !has(is, was[0].Key) && was[0].Key != "operator" && !refers(was[0].Value):
			was = was[1:]
		case !has(was, is[0].Key) && is[0].Key != "operator" && !refers(is[0].Value):
			is = is[1:]
		default:
			return false
		}
	}
	return !slices.ContainsFunc(slices.Concat(was, is), func(m schema.Member) bool { return m.Key == "operator" || refers(m.Value) })
}

// refers reports whether a value has a template.
func refers(v any) bool {
	found := false
	flow.EachString(v, nil, func(s string, _ schema.Path) { found = found || strings.Contains(s, "{{") })
	return found
}
