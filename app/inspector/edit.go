package inspector

import (
	"errors"
	"strconv"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Edit returns the command for a text typed into the row. Empty text clears an optional property, and an optional object that would be left
// without properties. Text that the table does not allow is put into the form anyway and shows as a problem, so that no input is lost. Text
// that is not valid JSON, in a row for any JSON value, is kept beside the form as an editor.Pending.
func (r Row) Edit(text string) editor.Command {
	text = schema.WellFormed(text)
	return r.together(func(r Row) editor.Command { return r.edit(text) })
}

func (r Row) edit(text string) editor.Command {
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
		return r.turn(text == "true")
	case JSON:
		v, ps := schema.Decode([]byte(text))
		if len(ps) > 0 {
			return editor.SetPending{Path: r.Path, Text: text}
		}
		if v == nil && len(r.Path) == 1 {
			// In a patch, null removes a property of the form.
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
		if r.operands != nil {
			return r.compare(text)
		}
		if _, isBool := r.Value.(bool); (isBool || r.truth) && r.free() {
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
	set := editor.Set{Path: r.Path, Value: text}
	if r.follower != nil {
		return r.follower.edit(set)
	}
	return set
}

// The kinds of ids to which other parts of the form refer.
const (
	nodeID = iota + 1
	partID
)

// identity returns nodeID for the id of a node, partID for the id of a component or rule and the key of a hidden field, and 0 for any other
// row.
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

// OnLeave reports whether a change is applied when the control loses focus and not at every key: a half-typed id would break references.
func (r Row) OnLeave() bool { return r.identity() != 0 }

// Turn returns the command that sets a Switch. If only true is allowed, turning it off clears the property.
func (r Row) Turn(on bool) editor.Command {
	return r.together(func(r Row) editor.Command { return r.turn(on) })
}

func (r Row) turn(on bool) editor.Command {
	if _, ok := r.spec.(schema.True); ok && !on {
		return editor.Clear{Path: r.Path}
	}
	return editor.Set{Path: r.Path, Value: on}
}

// Check returns the command that chooses a value of Checks or a Select, or no longer chooses it. The list has the order of the options.
// Without a value an optional list is cleared.
func (r Row) Check(value string, on bool) editor.Command {
	return r.together(func(r Row) editor.Command { return r.check(value, on) })
}

func (r Row) check(value string, on bool) editor.Command {
	if r.Input == Select {
		if !on {
			return editor.Clear{Path: r.Path}
		}
		return editor.Set{Path: r.Path, Value: value}
	}
	list := []any{}
	for _, o := range r.Options {
		if o.Value == value && on || o.Value != value && r.Checked(o.Value) {
			list = append(list, o.Value)
		}
	}
	if len(list) == 0 && r.emptied != nil {
		return editor.Clear{Path: r.emptied}
	}
	return editor.Set{Path: r.Path, Value: list}
}

// Step returns the command that changes a Number by whole units, within its bounds. A value that is not a number counts as the lower bound
// less one unit, or as 0 without a bound.
func (q Quantity) Step(by int) editor.Command {
	return q.together(func(r Row) editor.Command { return r.Quantity().step(by) })
}

func (q Quantity) step(by int) editor.Command {
	spec, _ := q.spec.(schema.Numeric)
	number := func(n schema.Number) (float64, bool) {
		x, err := strconv.ParseFloat(string(n), 64)
		return x, err == nil
	}
	least, bounded := number(spec.Min)
	most, limited := number(spec.Max)
	n, _ := q.Value.(schema.Number)
	x, ok := number(n)
	if !ok && bounded {
		x = least - 1
	}
	x += float64(by)
	if bounded {
		x = max(x, least)
	}
	if limited {
		x = min(x, most)
	}
	return editor.Set{Path: q.Path, Value: schema.Number(strconv.FormatFloat(x, 'f', -1, 64))}
}

// Demanded reports whether a row must have a value: it is required, and so is the object around it, or that is begun.
func (r Row) Demanded() bool {
	return r.Required && (r.emptied == nil || r.Present || len(r.Problems) > 0)
}

// Differs reports whether a row has another value than that of a new component.
func (r Row) Differs() bool {
	return r.marked && r.Present && r.pending == nil && !schema.Equal(r.Value, r.initial)
}

// Reset returns the command that gives the row the value of a new component.
func (r Row) Reset() editor.Command {
	return r.together(func(r Row) editor.Command {
		if r.initial != nil {
			return editor.Set{Path: r.Path, Value: r.initial}
		}
		return editor.Clear{Path: r.emptied}
	})
}

// Add returns the command that appends an element to Items, or adds the
// member key to Entries. The error says that the key is empty or taken.
func (l List) Add(key string) (editor.Command, error) {
	if l.Input == Items {
		return editor.InsertItem{Path: l.Path.Index(len(l.Rows)), Value: l.Element.New, Name: l.Element.Noun}, nil
	}
	if key == "" {
		return nil, errors.New("must have a key")
	}
	if o, _ := l.Value.(*schema.Object); o.Has(key) {
		return nil, errors.New("the key " + key + " is taken")
	}
	return editor.Set{Path: l.Path.Key(schema.WellFormed(key)), Value: l.Element.New}, nil
}

// Remove returns the command that removes the element or member i.
func (l List) Remove(i int) editor.Command {
	return editor.RemoveItem{Path: l.Rows[i].Path, Name: l.Element.Noun}
}

// Move returns the command that moves the element i of Items by a number of places.
func (l List) Move(i, by int) editor.Command {
	return editor.MoveItem{List: l.Path, From: i, To: i + by, Name: l.Element.Noun}
}

// choose removes the property that belongs to another tag, which would be a problem. Properties that no table lists stay.
func (r Row) choose(tag string) editor.Command {
	o := r.chosen.With(r.choice.Tag, tag)
	for _, op := range r.choice.Options {
		if op.Tag == tag {
			o = o.With(op.Row.Name, itemOf(op.Row.Spec))
		} else {
			o = o.Without(op.Row.Name)
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

// free reports whether the row may hold any JSON value, in which case the table would not notice that a number became a text.
func (r Row) free() bool { _, ok := r.spec.(schema.Any); return ok }

// numberOr returns text as a number if it is one, else text.
func numberOr(text string) any {
	v, ps := schema.Decode([]byte(text))
	if n, ok := v.(schema.Number); ok && len(ps) == 0 {
		return n
	}
	return text
}
