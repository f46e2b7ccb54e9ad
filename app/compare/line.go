package compare

import (
	"strconv"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// line says what a change is. ok is false for the change that the item itself is.
func (i *Item) line(c *merge.Change, base, now *model.Form) (l Line, ok bool) {
	in := now
	at := model.PlaceOf(c.Path)
	if c.Kind == merge.Removed && len(at.Rest) == 0 && at.Rule < 0 {
		in = base
	}
	l = Line{Kind: c.Kind, Layout: c.Layout()}
	from := len(c.Path) - len(at.Rest)
	if i.Path != nil {
		from = len(i.Path)
	}
	switch {
	case i.IsNode() && at.IsNode():
		return l, false
	case at.Component >= 0 && at.Node < len(in.Nodes):
		l.Row, l.Name = c.Component, "Component "+model.IDTitle(c.Component)
		if comp := in.Nodes[at.Node].Component(at.Component); comp != nil {
			l.Name = caption.Component(comp)
		}
	case at.Rule >= 0 && at.Node < len(in.Nodes):
		l.Row, l.Name = c.Rule, i.rule(c, at, base, now)
	}
	if len(at.Rest) == 0 && i.IsNode() {
		if c.Kind == merge.Moved {
			l.Note = moved(c, base)
		}
		return l, true
	}
	if i.Path != nil && len(c.Path) <= from {
		l.Note = happened(c)
	} else {
		l.Property = caption.Property(in, c.Path, from)
	}
	if c.Kind == merge.Moved { // the order of nodes, or of hidden fields
		l.Property, l.Note = name(now, c.Path), moved(c, base)
		return l, true
	}
	if l.Layout {
		l.Kind, l.Property = merge.Moved, "Moved"
		return l, true
	}
	if c.Secret() {
		l.Note = "The values are not shown: they may contain a secret."
		return l, true
	}
	if s, ok := now.Row(c.Path).Spec.(schema.String); ok {
		l.Pointer = s.Role == schema.NodePointer
	}
	l.Before, l.After = words(base, c.Before, l.Pointer), words(now, c.After, l.Pointer)
	l.Language = c.Path[0].Key == "languages"
	l.Whole = whole(c.Before.Tree) || whole(c.After.Tree)
	if l.Before != "" || l.After != "" {
		l.Note = ""
	}
	return l, true
}

// rule names a rule. A removed rule has its node in the new form, and its place in the old one.
func (i *Item) rule(c *merge.Change, at model.Place, base, now *model.Form) string {
	of, n := now, now.Nodes[at.Node]
	if c.Kind == merge.Removed && len(at.Rest) == 0 && i.Was >= 0 && i.Was < len(base.Nodes) {
		of, n = base, base.Nodes[i.Was]
	}
	if r := n.Rule(at.Rule); r != nil {
		return caption.Rule(of.Fields(), r, at.Rule)
	}
	return "Rule " + model.IDTitle(c.Rule)
}

// name returns the name of an element of a list.
func name(f *model.Form, p schema.Path) string {
	if at := model.PlaceOf(p); at.IsNode() && at.Node < len(f.Nodes) {
		return caption.Line(f.Nodes[at.Node].Name())
	}
	return caption.Property(f, p, 1)
}

// whole reports whether a value is an object or a list.
func whole(v any) bool {
	switch v.(type) {
	case *schema.Object, []any:
		return true
	}
	return false
}

// happened says what happened to a whole part of the form.
func happened(c *merge.Change) string {
	return map[merge.ChangeKind]string{merge.Added: "Was not there", merge.Removed: "Is no longer there", merge.Changed: "Has another value"}[c.Kind]
}

// moved says where something was.
func moved(c *merge.Change, base *model.Form) string {
	at, was := model.PlaceOf(c.Path), model.PlaceOf(c.From)
	if len(c.Path) == 0 || len(c.From) == 0 {
		return "Moved"
	}
	if at.Component >= 0 && c.Node != "" && was.Node >= 0 && was.Node < len(base.Nodes) && base.Nodes[was.Node].ID != c.Node {
		return "Moved here from " + caption.Line(base.Nodes[was.Node].Name())
	}
	from, to := c.From[len(c.From)-1].Index, c.Path[len(c.Path)-1].Index
	if from == to {
		return "Moved among its neighbors"
	}
	return "Moved from place " + strconv.Itoa(from+1) + " to " + strconv.Itoa(to+1)
}

// longest bounds a value in words, in characters.
const longest = 600

// words returns a value in words, "" for an absent one. pointer reports that it is the id of a node.
func words(f *model.Form, v merge.Value, pointer bool) string {
	if !v.Present {
		return ""
	}
	switch t := v.Tree.(type) {
	case nil:
		return "None"
	case bool:
		if t {
			return "Yes"
		}
		return "No"
	case schema.Number:
		return string(t)
	case string:
		if t == "" {
			return "Empty"
		}
		if pointer {
			return nodeName(f, t)
		}
		return schema.Shorten(t, longest)
	case *schema.Object:
		if _, known := flow.ParseCondition(t); known {
			return schema.Shorten(caption.Join(flow.Words(f.Fields(), t)), longest)
		}
	}
	return schema.Shorten(string(schema.Encode(v.Tree)), longest)
}

func nodeName(f *model.Form, id string) string {
	switch id {
	case model.StartID:
		return "Start"
	case model.EndingID:
		return "Ending"
	}
	if n, _ := f.Node(id); n != nil {
		return caption.Line(n.Name())
	}
	return id
}
