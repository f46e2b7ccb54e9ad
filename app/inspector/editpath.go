package inspector

import (
	"slices"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// texts are the properties of a component's config that hold what people read, in the order in which one is edited.
var texts = []string{"text", "content", "button_text", "alternate_text", "placeholder"}

// EditPath returns the place of what people change first of the one thing that is selected: the label of a field,
// the text of a button or block, the name of a node or rule. It is nil where nothing stands out.
func EditPath(s editor.State) schema.Path {
	n, i := s.Form.Node(s.Selection.Only())
	if i < 0 {
		return nil
	}
	at := schema.Path{schema.Key("nodes"), schema.Index(i)}
	switch c := n.Config.(type) {
	case *model.Step:
		if j := slices.IndexFunc(c.Components, func(c *model.Component) bool { return c.ID == s.Selection.Component }); j >= 0 && s.Selection.Component != "" {
			return textOf(c.Components[j].Kind, at.Key("config").Key("components").Index(j))
		}
	case *model.Router:
		if j := slices.IndexFunc(c.Rules, func(r *model.Rule) bool { return r.ID == s.Selection.Rule }); j >= 0 && s.Selection.Rule != "" {
			return at.Key("config").Key("rules").Index(j).Key("alias")
		}
	case *model.Flow:
	case nil:
		return nil
	}
	return at.Key("alias")
}

// textOf returns the place of the text of a component of a kind that stands at a place.
func textOf(k *model.Kind, at schema.Path) schema.Path {
	switch {
	case k == nil:
		return nil
	case k.Category != model.Block:
		return at.Key("label")
	}
	for _, name := range texts {
		if _, ok := k.Config.Row(name); ok {
			return at.Key("config").Key(name)
		}
	}
	return nil
}
