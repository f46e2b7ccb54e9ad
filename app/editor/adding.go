package editor

import (
	"errors"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

var (
	errNoSource = errors.New("select the node to connect first")
	errNoWayOut = errors.New("nothing leads on from here")
)

// WayToConnect returns the way out that is led to another node when what is selected is connected: that of the
// edge, rule or jump button that is selected; of a node its next way or, of a router, the first rule that leads
// nowhere yet, else the first other that leads nowhere, else its next way or fallback. The error says in words
// that nothing that is selected leads on.
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

// WayToAdd returns the way out on which a node is added, between what it joins when it leads somewhere: that of
// WayToConnect, but of a step or flow always its next way. In a form without nodes it is the start's. false means
// that the node is added by itself.
func WayToAdd(s State) (EdgeRef, bool) {
	if len(s.Form.Nodes) == 0 {
		return EdgeRef{From: model.StartID, Port: model.NextPort}, true
	}
	if w, ok := selectedWay(s); ok {
		return w, true
	}
	outs, err := waysOut(s)
	if err != nil {
		return EdgeRef{}, false
	}
	if p := outs[len(outs)-1].Port; p == model.NextPort {
		return EdgeRef{From: s.Selection.Only(), Port: p}, true
	}
	w, err := WayToConnect(s)
	return w, err == nil
}

// selectedWay returns the way out that is selected itself, or belongs to the selected row.
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

// waysOut returns the ways out of the selected node, at least one.
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

// NodeOn returns the command that adds a node of a type on a way out, with a fresh id: the way then leads to the
// node, and the node to where the way led. The first node of a form leads to the ending, and one behind a rule that led nowhere
// to graph.Rejoin. scene is that of the editor's form; cards move where the new one needs room.
func (m Maker) NodeOn(t model.NodeType, way EdgeRef, scene *graph.Scene) Command {
	source := scene.Card(way.From)
	if source == nil || source.Out(way.Port) < 0 {
		return m.Node(t, model.Point{}, &way) // refused, since there is no such way
	}
	if len(m.state.Form.Nodes) == 0 {
		at, moved := scene.RoomBetweenEnds()
		add := m.Node(t, at, &way)
		add.Node = withNext(add.Node, model.EndingID)
		return roomy(add, moved)
	}
	out := source.Out(way.Port)
	at, moved := scene.RoomAfter(source, out)
	add := m.Node(t, at, &way)
	if to := graph.Rejoin(source, out); to != nil {
		add.Node = withNext(add.Node, to.ID)
	}
	return roomy(add, moved)
}

// InsertAt returns the command that puts a node of the form between the ends of an edge, where the pointer has
// brought its card; cards move where it needs room. It refuses what InsertOnEdge does.
func InsertAt(e *graph.Edge, card *graph.Card, at graph.Rect, scene *graph.Scene) Command {
	p, moved := scene.RoomFor(at, card, e.Source(), e.Target())
	moved[card.Key] = p
	return roomy(InsertOnEdge{Edge: EdgeRef{From: e.Source().Key, Port: e.Port}, Node: card.Key}, moved)
}

// roomy joins a command with the places of the cards that make room for it.
func roomy(c Command, moved map[string]model.Point) Command {
	if len(moved) == 0 {
		return c
	}
	return Sequence{Name: c.Label(), Commands: []Command{c, PlaceNodes{Places: moved}}}
}
