package inspector

import (
	"errors"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Edit returns the command for a text typed into the row. Empty text clears a
// property that may be left out, and an object that may be left out when it was
// the last property in it. Text that the table refuses is put into the form all
// the same and shows as a problem there: nothing that was typed is lost. Text
// that a form cannot hold, in a row that takes any JSON value, stays beside the
// form as an editor.Pending.
func (r Row) Edit(text string) editor.Command {
	text = schema.WellFormed(text)
	if text == "" && r.emptied != nil {
		return editor.Clear{Path: r.emptied}
	}
	switch r.Input {
	case Number:
		v := numberOr(text)
		if _, isText := v.(string); isText && r.free() {
			return editor.SetPending{Path: r.Path, Text: text}
		}
		return editor.Set{Path: r.Path, Value: v}
	case Switch:
		return r.Turn(text == "true")
	case JSON:
		v, ps := schema.Decode([]byte(text))
		if len(ps) > 0 {
			return editor.SetPending{Path: r.Path, Text: text}
		}
		if v == nil && len(r.Path) == 1 {
			// A patch says by null that a property of the form goes.
			return editor.Clear{Path: r.Path}
		}
		return editor.Set{Path: r.Path, Value: v}
	case Pointer:
		if text == "" {
			return editor.Clear{Path: r.Path}
		}
	case Select:
		if r.choice != nil && r.Value != text {
			return r.choose(text)
		}
		if _, isBool := r.Value.(bool); isBool && r.free() {
			return editor.Set{Path: r.Path, Value: text == "true"}
		}
	case Text:
		if _, ok := r.spec.(schema.Either); ok {
			return editor.Set{Path: r.Path, Value: numberOr(text)}
		}
		switch r.identity() {
		case nodeID:
			return editor.RenameNode{Index: model.PlaceOf(r.Path).Node, ID: text}
		case partID:
			return editor.RenamePart{Path: r.Path, ID: text}
		}
	default: // the text is the value
	}
	return editor.Set{Path: r.Path, Value: text}
}

// The places of ids, which other parts of the form refer to.
const (
	nodeID = iota + 1
	partID
)

// identity reports whether the row is the id of a node, or of a component or rule,
// or the key of a hidden field.
func (r Row) identity() int {
	at := model.PlaceOf(r.Path)
	n := len(at.Rest)
	switch {
	case at.End == model.StartID && n == 3 && at.Rest[2].Key == "key":
		return partID
	case at.Node < 0 || n != 1 || at.Rest[0].Key != "id":
		return 0
	case at.Part() >= 0:
		return partID
	}
	return nodeID
}

// OnLeave reports whether the row is taken over when its control is left, not at
// every key: a half-typed id would break references.
func (r Row) OnLeave() bool { return r.identity() != 0 }

// Turn returns the command that sets a Switch. Where only true is allowed, off
// clears the property.
func (r Row) Turn(on bool) editor.Command {
	if _, ok := r.spec.(schema.True); ok && !on {
		return editor.Clear{Path: r.Path}
	}
	return editor.Set{Path: r.Path, Value: on}
}

// Add returns the command that adds an element to Items, at the end, or the
// member key to Entries.
func (r Row) Add(key string) (editor.Command, error) {
	if r.Input == Items {
		return editor.InsertItem{Path: r.Path.Index(len(r.Rows)), Value: r.Element.New, Name: r.Element.Noun}, nil
	}
	if key == "" {
		return nil, errors.New("must have a key")
	}
	if o, _ := r.Value.(*schema.Object); o.Has(key) {
		return nil, errors.New("the key " + key + " is taken")
	}
	return editor.Set{Path: r.Path.Key(schema.WellFormed(key)), Value: r.Element.New}, nil
}

// Remove returns the command that takes out the element or member i.
func (r Row) Remove(i int) editor.Command {
	return editor.RemoveItem{Path: r.Rows[i].Path, Name: r.Element.Noun}
}

// Move returns the command that moves the element i of Items by some places.
func (r Row) Move(i, by int) editor.Command {
	return editor.MoveItem{List: r.Path, From: i, To: i + by, Name: r.Element.Noun}
}

// choose replaces the whole object: a property that belongs to another tag
// would be a problem at once.
func (r Row) choose(tag string) editor.Command {
	o := schema.NewObject(schema.Member{Key: r.choice.Tag, Value: tag})
	for _, op := range r.choice.Options {
		if op.Tag == tag {
			o = o.With(op.Row.Name, itemOf(op.Row.Spec))
		}
	}
	return editor.Set{Path: r.Path[:len(r.Path)-1], Value: o}
}

func itemOf(s schema.Spec) any {
	if o, ok := s.(schema.Open); ok {
		return editor.ItemValue(o.Rows)
	}
	return editor.ItemValue(s)
}

// free reports whether any JSON value may be at the row: the table would not
// notice that a number has become a text.
func (r Row) free() bool { _, ok := r.spec.(schema.Any); return ok }

// numberOr returns text as a number, or as the text it is.
func numberOr(text string) any {
	v, ps := schema.Decode([]byte(text))
	if n, ok := v.(schema.Number); ok && len(ps) == 0 {
		return n
	}
	return text
}
