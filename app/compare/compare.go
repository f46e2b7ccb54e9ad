// Package compare says in words what two forms differ in: node by node and part by part, with both values of each property. It is pure, and
// knows neither where the forms come from nor how the differences are drawn.
package compare

import (
	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
)

// Item is a node or a part of the form that differs.
type Item struct {
	merge.Part
	Key   string // of its card, "" if it has none; of a removed node its id
	Name  string
	ID    string // of a node that has its name in common with another item, "" for others
	Icon  string
	Moved bool // its place on the canvas changed, maybe beside other things
	Lines []Line
}

// Layout reports whether only the place on the canvas changed, or the order of the nodes.
func (i *Item) Layout() bool { return i.Kind == merge.Moved }

// Line is a difference inside an item: of a component, a rule or a property.
type Line struct {
	Kind          merge.ChangeKind
	Row           string // the id of the component or rule, "" for none
	Name          string // of the component or rule, "" for the item itself
	Property      string // "" for the whole component or rule
	Before, After string // "" for what is absent, is not shown, or is the whole thing
	Note          string // said in place of values
	Layout        bool
	Pointer       bool // the values are names of nodes, and the property leads to them
	Language      bool // the values are tags of languages
	Whole         bool // one of the values is an object or a list, which is shown as JSON or as a condition in words
}

// Forms returns what is different in now from base, in the order of now; removed nodes are where they were.
func Forms(base, now *model.Form) []Item {
	keys := now.Keys()
	parts := merge.Parts(base, now)
	items, named := make([]Item, len(parts)), map[string]int{}
	for i, p := range parts {
		it := &items[i]
		it.Part = p
		switch {
		case !p.IsNode():
			it.named(base, now)
		case p.Now >= 0:
			it.Key, it.Name, it.Icon = keys[p.Now], caption.Line(now.Nodes[p.Now].Name()), icon(now.Nodes[p.Now])
		default:
			n := base.Nodes[p.Was]
			it.Key, it.Name, it.Icon = n.ID, caption.Line(n.Name()), icon(n)
		}
		for j := range p.Changes {
			c := &p.Changes[j]
			it.Moved = it.Moved || c.Layout()
			if l, ok := it.line(c, base, now); ok {
				it.Lines = append(it.Lines, l)
			}
		}
		named[it.Name]++
	}
	for i := range items {
		if it := &items[i]; it.IsNode() && named[it.Name] > 1 {
			it.ID = it.Key
		}
	}
	return items
}

// named names a part that is not a node.
func (i *Item) named(base, now *model.Form) {
	of := now
	if i.Kind == merge.Removed {
		of = base
	}
	i.Name, i.Icon = caption.Property(of, i.Path[:1], 0), "form"
	switch model.PlaceOf(i.Path).End {
	case model.StartID:
		i.Key, i.Name, i.Icon = model.StartID, "Start", "start"
	case model.EndingID:
		i.Key, i.Name, i.Icon = model.EndingID, "Ending", "ending"
	}
	switch {
	case len(i.Path) > 1:
		i.Name += " " + i.Path[1].Key
	case i.Path[0].Key == "nodes":
		i.Name = "Order of the nodes"
	}
}

func icon(n *model.Node) string {
	if k := model.NodeKindOf(n.Type); k != nil {
		return k.Icon
	}
	return "unknown"
}

// Count returns how many of the items are of each kind.
func Count(items []Item) map[merge.ChangeKind]int {
	n := map[merge.ChangeKind]int{}
	for i := range items {
		n[items[i].Kind]++
	}
	return n
}

// Signs are the signs of the kinds, which say the same as the words and the colors.
var Signs = map[merge.ChangeKind]string{merge.Added: "+", merge.Removed: "−", merge.Changed: "~", merge.Moved: "↔"}

// OnlyHere are the words for what this form has and the other one lacks.
const OnlyHere = "Only in this form"

// Words are the words of the kinds.
var Words = map[merge.ChangeKind]string{merge.Added: "Added", merge.Removed: "Removed", merge.Changed: "Changed", merge.Moved: "Moved"}
