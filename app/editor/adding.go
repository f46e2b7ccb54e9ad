package editor

import (
	"errors"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

var (
	errNoSource = errors.New("select the node to connect first")
	errNoWayOut = errors.New("there is no way out from here")
)

// WayToConnect returns the way out that the command Connect connects to another node: that of the selected edge, rule or jump button. For a
// selected node it is the next way if that has no target, else the first way without a target, else the last way, which is the next way or
// the fallback. The error says that the selection has no way out.
func WayToConnect(s State) (EdgeRef, error) {
	w, ok := selectedWay(s)
	if ok {
		return w, nil
	}
	outs, err := waysOut(s)
	if err != nil {
		return w, err
	}
	last := outs[len(outs)-1] // next or fallback
	w = EdgeRef{From: s.Selection.Only(), Port: last.Port}
	if last.Port == model.NextPort && last.To == "" {
		return w, nil
	}
	for _, o := range outs {
		if o.To == "" {
			w.Port = o.Port
			break
		}
	}
	return w, nil
}

// WayToAdd returns the way out on which a node is added: that of WayToConnect, except that for a step or flow it is always the next way, and
// with nothing selected that has a way out it is the last way of the main path. If the way has a target, the node goes in between.
func WayToAdd(s State) EdgeRef {
	if w, ok := selectedWay(s); ok {
		return w
	}
	outs, err := waysOut(s)
	if err != nil || len(s.Form.Nodes) == 0 {
		return wayAtEnd(s.Form)
	}
	if p := outs[len(outs)-1].Port; p == model.NextPort {
		return EdgeRef{From: s.Selection.Only(), Port: p}
	}
	w, _ := WayToConnect(s)
	return w
}

// WayOf returns the way out whose target is at a path of the form, and false if there is none.
func WayOf(f *model.Form, path schema.Path) (EdgeRef, bool) {
	at, keys := path.String(), f.Keys()
	if at == f.StartOut().Path.String() {
		return EdgeRef{From: model.StartID, Port: model.NextPort}, true
	}
	if i := model.PlaceOf(path).Node; i >= 0 && i < len(keys) {
		for _, o := range f.Outs(i) {
			if o.Path.String() == at {
				return EdgeRef{From: keys[i], Port: o.Port}, true
			}
		}
	}
	return EdgeRef{}, false
}

// selectedWay returns the selected way out, or the one that belongs to the selected row.
func selectedWay(s State) (EdgeRef, bool) {
	sel := s.Selection
	if sel.Edge != nil {
		return *sel.Edge, true
	}
	w := EdgeRef{From: sel.Only()}
	switch {
	case w.From == "":
		return w, false
	case sel.Rule != "":
		w.Port = model.RulePort(sel.Rule)
	case sel.Component != "":
		w.Port = model.JumpPort(sel.Component)
	}
	_, ok := s.Form.OutOf(w.From, w.Port)
	return w, ok
}

// waysOut returns the ways out of the selected node. There is at least one.
func waysOut(s State) ([]model.Out, error) {
	key := s.Selection.Only()
	if key == model.StartID {
		return []model.Out{s.Form.StartOut()}, nil
	}
	_, i := s.Form.Node(key)
	if i < 0 {
		return nil, errNoSource
	}
	outs := s.Form.Outs(i)
	if len(outs) == 0 {
		return nil, errNoWayOut
	}
	return outs, nil
}

// InsertAt returns the command that inserts a node of the form between the ends of an edge, at the place to which its card was dragged.
// Other cards make room for it. It refuses what InsertOnEdge refuses.
func InsertAt(e *graph.Edge, card *graph.Card, at graph.Rect, scene *graph.Scene) Command {
	p, moved := scene.RoomFor(at, card, e.Source(), e.Target())
	moved[card.Key] = p
	return roomy(InsertOnEdge{Edge: EdgeRef{From: e.Source().Key, Port: e.Port}, Node: card.Key}, moved)
}

// roomy adds the new places of the cards that make room to a command.
func roomy(c Command, moved map[string]model.Point) Command {
	if len(moved) == 0 {
		return c
	}
	return Sequence{Name: c.Label(), Commands: []Command{c, PlaceNodes{Places: moved}}}
}
