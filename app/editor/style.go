package editor

import (
	"errors"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Style is how a component looks and behaves; see [model.IsStyle]. The zero Style is empty.
type Style struct {
	kind *model.Kind
	tree *schema.Object
}

// StyleOf returns the style of the selected component. It returns false if the kind of the component is unknown or has no properties of style.
func StyleOf(s State) (style Style, ok bool) {
	c, _, _ := s.Form.Component(s.Selection.Component)
	if c == nil || c.Kind == nil {
		return Style{}, false
	}
	own, config := c.Kind.StyleRows()
	return Style{c.Kind, c.Tree()}, len(own)+len(config) > 0
}

// None reports whether the style is empty.
func (s Style) None() bool { return s.kind == nil }

// PasteStyle gives the selected components a style. A property of the style that a component also has, with the same meaning, gets the value
// that it has in the style; an optional one without a value is removed. Everything else stays. It is one undo step.
type PasteStyle struct{ Style Style }

// Label describes the command.
func (PasteStyle) Label() verb.Phrase { return verb.Paste.With("style") }

// Do fails if none of the selected components has a property of the style.
func (c PasteStyle) Do(s State) (State, error) {
	at, ok := s.Selection.Place(s.Form)
	if !ok || at.Node < 0 {
		return s, errors.New("select components to paste a style")
	}
	chosen := setOf(s.Selection.Parts)
	chosen[s.Selection.Component] = s.Selection.Component != ""
	step, _ := s.Form.Nodes[at.Node].Config.(*model.Step)
	var edits []schema.Edit
	shared := false
	for i := 0; step != nil && i < len(step.Components); i++ {
		if of := step.Components[i]; chosen[of.ID] && of.Kind != nil {
			now, has := c.Style.on(of)
			shared = shared || has
			if !schema.Equal(now, of.Tree()) {
				edits = append(edits, schema.Edit{Path: model.ComponentPath(at.Node, i), Value: now})
			}
		}
	}
	if !shared {
		return s, errors.New("the selection has none of the properties of the copied style")
	}
	return Change{Edits: edits}.Do(s)
}

// on returns a component with the style, and whether the component has a property of it.
func (s Style) on(c *model.Component) (now *schema.Object, shared bool) {
	own, config := c.Kind.StyleRows()
	now, n := restyled(s.kind.Table(), own, s.tree, c.Tree())
	inner, m := restyled(s.kind.Config, config, s.tree.Object("config"), c.Tree().Object("config"))
	if inner.Len() > 0 || c.Kind.ConfigRequired {
		now = now.With("config", inner)
	} else {
		now = now.Without("config")
	}
	return now, n+m > 0
}

// restyled returns an object with the values of a style, and how many properties they share: rows that the table of the style has with the same
// meaning.
func restyled(from, rows schema.Table, style, o *schema.Object) (now *schema.Object, shared int) {
	if now = o; now == nil {
		now = schema.NewObject()
	}
	for _, r := range rows {
		v, has := style.Get(r.Name)
		switch old, listed := from.Row(r.Name); {
		case !listed || !schema.Same(old.Spec, r.Spec):
			continue
		case has:
			now = now.With(r.Name, v)
		case !r.Required:
			now = now.Without(r.Name)
		}
		shared++
	}
	return now, shared
}
