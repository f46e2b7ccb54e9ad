package ui

import (
	"fmt"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// nodeName returns what the node of a key is called, or one of the two ends.
func nodeName(f *model.Form, key string) string {
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

// wayName returns what a way out is called: `rule "Business" of Account type`; of a node with one way the node's
// name.
func wayName(f *model.Form, w editor.EdgeRef) string {
	name := nodeName(f, w.From)
	n, _ := f.Node(w.From)
	switch {
	case w.Port == model.FallbackPort:
		return fmt.Sprintf(`"Otherwise" of %s`, name)
	case n == nil:
		return name
	}
	switch c := n.Config.(type) {
	case *model.Router:
		for i, r := range c.Rules {
			if r.ID == w.Port.Rule() {
				return fmt.Sprintf(`rule "%s" of %s`, graph.RuleName(r, i), name)
			}
		}
	case *model.Step:
		for _, comp := range c.Components {
			if id := w.Port.Jump(); id != "" && comp.ID == id {
				return fmt.Sprintf(`button "%s" of %s`, graph.ComponentName(comp), name)
			}
		}
	case *model.Flow, nil:
	}
	return name
}

// connected says where a way out leads now, and where it led in the form as it was.
func connected(was, now *model.Form, w editor.EdgeRef) string {
	before, _ := was.OutOf(w.From, w.Port)
	out, _ := now.OutOf(w.From, w.Port)
	name, to := wayName(now, w), nodeName(now, string(out.To))
	switch before.To {
	case "", out.To:
		return fmt.Sprintf("Connected %s to %s.", name, to)
	}
	return fmt.Sprintf("Connected %s to %s instead of %s.", name, to, nodeName(was, string(before.To)))
}

// replaced says what a gesture disconnected, and where the way out leads now if anywhere.
func replaced(r gesture.Replaced, now *model.Form) string {
	if out, ok := now.OutOf(r.Way.From, r.Way.Port); !ok || out.To == "" {
		return disconnected(r.Was, r.Way)
	}
	return connected(r.Was, now, r.Way)
}

// disconnected says what an edge of a form joined that it joins no more.
func disconnected(was *model.Form, w editor.EdgeRef) string {
	out, _ := was.OutOf(w.From, w.Port)
	return fmt.Sprintf("Disconnected %s from %s.", wayName(was, w), nodeName(was, string(out.To)))
}

// added says where a node of a kind was put on a way out of the form as it was.
func added(was *model.Form, kind model.NodeType, w editor.EdgeRef) string {
	name := model.NodeKindOf(kind).Label
	to, _ := was.OutOf(w.From, w.Port)
	switch {
	case len(was.Nodes) == 0:
		return fmt.Sprintf("Added %s between %s and %s.", name, "Start", "Ending")
	case to.To == "":
		return fmt.Sprintf("Added %s after %s.", name, wayName(was, w))
	}
	return fmt.Sprintf("Added %s between %s and %s.", name, wayName(was, w), nodeName(was, string(to.To)))
}
