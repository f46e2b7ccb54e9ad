package describe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// NodeName returns the name of the node with the given key, or of one of the two ends.
func NodeName(f *model.Form, key string) string {
	switch key {
	case model.StartID:
		return "Start"
	case model.EndingID:
		return "Ending"
	}
	n, _ := f.Node(key)
	if n == nil {
		return key
	}
	return n.Name()
}

// QuotedNode is NodeName with the name that the author chose in quotes.
func QuotedNode(f *model.Form, key string) string {
	name := NodeName(f, key)
	if key == "" || key == model.StartID || key == model.EndingID {
		return name
	}
	return kit.Quote(name)
}

// WayName returns the name of a way out, such as rule “Business” of “Account type”, from the id of its node.
func WayName(f *model.Form, node string, port model.Port) string {
	return wayName(f, editor.EdgeRef{From: node, Port: port})
}

// wayName returns the name of a way out, such as rule “Business” of “Account type”. For a node with a single way
// out it is the node's name.
func wayName(f *model.Form, w editor.EdgeRef) string {
	name := QuotedNode(f, w.From)
	n, _ := f.Node(w.From)
	switch {
	case w.Port == model.FallbackPort:
		return "“Otherwise” of " + name
	case n == nil:
		return name
	}
	switch c := n.Config.(type) {
	case *model.Router:
		for i, r := range c.Rules {
			if r.ID == w.Port.Rule() {
				return "rule " + kit.Quote(caption.Rule(f.Fields(), r, i)) + " of " + name
			}
		}
	case *model.Step:
		for _, comp := range c.Components {
			if id := w.Port.Jump(); id != "" && comp.ID == id {
				return "button " + kit.Quote(caption.Component(comp)) + " of " + name
			}
		}
	case *model.Flow, nil:
	}
	return name
}

// Connected describes the new target of a way out, and its previous target in the earlier form.
func Connected(was, now *model.Form, w editor.EdgeRef) string {
	before, _ := was.OutOf(w.From, w.Port)
	out, _ := now.OutOf(w.From, w.Port)
	name, to := wayName(now, w), QuotedNode(now, string(out.To))
	switch before.To {
	case "", out.To:
		return fmt.Sprintf("Connected %s to %s.", name, to)
	}
	return fmt.Sprintf("Connected %s to %s instead of %s.", name, to, QuotedNode(was, string(before.To)))
}

// Replaced describes the connection that a gesture removed, and the new target of the way out if it has one.
func Replaced(r gesture.Replaced, now *model.Form) string {
	if out, ok := now.OutOf(r.Way.From, r.Way.Port); !ok || out.To == "" {
		return Disconnected(r.Was, r.Way)
	}
	return Connected(r.Was, now, r.Way)
}

// Disconnected describes a removed edge by the nodes that it connected.
func Disconnected(was *model.Form, w editor.EdgeRef) string {
	out, _ := was.OutOf(w.From, w.Port)
	return fmt.Sprintf("Disconnected %s from %s.", wayName(was, w), QuotedNode(was, string(out.To)))
}

// Damage describes what a change breaks, such as "2 nodes become unreachable, 1 way leads nowhere". It is "" for nothing.
func Damage(d editor.Damage) string {
	said := ""
	add := func(n int, one, many string) {
		if n > 0 {
			said += ", " + kit.Several(n, one, many)
		}
	}
	add(d.Unreachable, "1 node becomes unreachable", "%d nodes become unreachable")
	add(d.DeadEnds, "1 way leads nowhere", "%d ways lead nowhere")
	add(d.References, "1 text or condition loses its field", "%d texts or conditions lose their field")
	return strings.TrimPrefix(said, ", ")
}

// Deleted returns the message that the selection of a state was deleted, without a full stop.
func Deleted(s editor.State) string {
	sel := s.Selection
	node := sel.Only()
	switch {
	case len(sel.Nodes) > 1:
		return kit.Several(len(sel.Nodes), "", "Deleted %d nodes")
	case node == "":
		return "Deleted"
	case sel.Rule != "":
		return "Deleted " + WayName(s.Form, node, model.RulePort(sel.Rule))
	case sel.Component != "":
		if c, _, _ := s.Form.Component(sel.Component); c != nil {
			return "Deleted " + kit.Quote(caption.Component(c))
		}
	}
	return "Deleted " + kit.Quote(NodeName(s.Form, node))
}

// DeletedComponents tells that several components were deleted, without a full stop.
func DeletedComponents(n int) string {
	return kit.Several(n, "Deleted 1 component", "Deleted %d components")
}

// Added describes the place of a node that was added on a way out of the earlier form, and is selected now.
func Added(was *model.Form, now editor.State, w editor.EdgeRef) string {
	name := QuotedNode(now.Form, now.Selection.Only())
	to, _ := was.OutOf(w.From, w.Port)
	switch {
	case len(was.Nodes) == 0:
		return fmt.Sprintf("Added %s between %s and %s.", name, "Start", "Ending")
	case to.To == "":
		return fmt.Sprintf("Added %s after %s.", name, wayName(was, w))
	}
	return fmt.Sprintf("Added %s between %s and %s.", name, wayName(was, w), QuotedNode(was, string(to.To)))
}

// NodeIcon returns the name of a node's symbol.
func NodeIcon(n *model.Node) string {
	if k := model.NodeKindOf(n.Type); k != nil {
		return k.Icon
	}
	return "unknown"
}

// Brought describes where the selected component or rule is, or says that the selected node was added; it is "" if neither is selected.
func Brought(s editor.State) string {
	at, ok := s.Selection.Place(s.Form)
	if !ok || at.Node < 0 {
		return ""
	}
	n := s.Form.Nodes[at.Node]
	if at.Part() < 0 {
		return "Added " + QuotedNode(s.Form, s.Selection.Only()) + "."
	}
	_, part, _ := strings.Cut(partName(s.Form, n, at), caption.PlaceSign)
	return part + " moved to position " + strconv.Itoa(at.Part()+1) + " of " + strconv.Itoa(n.Parts()) + " in " + n.Name() + "."
}

// Moved describes a component that was moved to a step.
func Moved(now *model.Form, to string) string {
	return fmt.Sprintf("Moved to %s.", QuotedNode(now, to))
}
