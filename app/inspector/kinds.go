package inspector

import (
	"strings"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// OtherKinds lists the kinds that the selected component can become, by category: those of its own first. There are none if no component of a
// known kind is selected.
func OtherKinds(s editor.State) []*model.Kind {
	c := selected(s)
	if c == nil || c.Kind == nil {
		return nil
	}
	var own, others []*model.Kind
	for _, category := range model.Categories {
		for _, k := range model.KindsByUse(category) {
			switch {
			case k == c.Kind:
			case category == c.Kind.Category:
				own = append(own, k)
			default:
				others = append(others, k)
			}
		}
	}
	return append(own, others...)
}

// selected returns the selected component, nil if there is none.
func selected(s editor.State) *model.Component {
	at, ok := s.Selection.Place(s.Form)
	if !ok || at.Component < 0 {
		return nil
	}
	return s.Form.Nodes[at.Node].Component(at.Component)
}

// Effect says in words what a change of the kind of the selected component would keep and lose.
func Effect(s editor.State, c editor.ChangeKind) string {
	_, kept, lost := c.Convert(selected(s))
	var parts []string
	quoted := func(names []string) string {
		list := make([]string, len(names))
		for i, name := range names {
			list[i] = schema.Quote(name)
		}
		return strings.Join(list, ", ")
	}
	if len(kept) == 1 {
		parts = append(parts, quoted(kept)+" carries over")
	} else if len(kept) > 1 {
		parts = append(parts, quoted(kept)+" carry over")
	}
	if len(lost) > 0 {
		parts = append(parts, quoted(lost)+" would be lost")
	}
	if len(parts) == 0 {
		return "Nothing is set that could be lost."
	}
	return strings.Join(parts, "; ") + "."
}
