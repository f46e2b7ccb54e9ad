package inspector

import (
	"strings"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// EditPath returns the path of the property that people usually edit first in the selected element: the label of a field, the text of a
// button or block, the name of a node or rule. It is nil if there is no such property.
func EditPath(s editor.State) schema.Path {
	at, ok := s.Selection.Place(s.Form)
	if !ok || at.Node < 0 {
		return nil
	}
	n, path := s.Form.Nodes[at.Node], at.Path()
	if c := n.Component(at.Component); c != nil {
		return textOf(c.Kind, path)
	}
	if n.Config == nil {
		return nil
	}
	return path.Key("alias") // of a node or a rule
}

// textOf returns the path of the main text of a component of a kind.
func textOf(k *model.Kind, at schema.Path) schema.Path {
	switch {
	case k == nil:
		return nil
	case k.Category != model.Block:
		return at.Key("label")
	}
	if name := k.Caption(); name != "" {
		return at.Key("config").Key(name)
	}
	return nil
}

// PlainText returns the text at EditPath, and its path. It is false for a text with markup or templates, which a single line cannot edit.
func PlainText(s editor.State) (path schema.Path, text string, ok bool) {
	path = EditPath(s)
	if path == nil {
		return nil, "", false
	}
	v, there := schema.Lookup(s.Form.Tree(), path)
	text, ok = v.(string)
	return path, text, (ok || !there) && !strings.ContainsAny(text, "<&\n") && !strings.Contains(text, "{{")
}
