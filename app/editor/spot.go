package editor

import (
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
)

// Spot is where a new node goes: a place, and the way out that then leads to it. From there the node leads to the way's former target.
type Spot struct {
	Way EdgeRef

	at    model.Point
	moved map[string]model.Point // the new places of the cards that make room
	onto  string                 // where the node leads if the way leads nowhere: no journey stops at it
}

// SpotOn returns the spot on a way out where a node has room. scene is that of the form.
func SpotOn(way EdgeRef, scene *graph.Scene) Spot {
	spot := spotOf(way, scene)
	if source := scene.Card(way.From); len(scene.Cards()) == 2 {
		spot.at, spot.moved = scene.RoomBetweenEnds()
	} else if source != nil && source.Out(way.Port) >= 0 { // else the command is refused, since the way does not exist
		spot.at, spot.moved = scene.RoomAfter(source, source.Out(way.Port))
	}
	return spot
}

// SpotAt is SpotOn for the free place nearest to at.
func SpotAt(at graph.Vec, way EdgeRef, scene *graph.Scene) Spot {
	spot := spotOf(way, scene)
	spot.at = scene.FreePlace(at, graph.NewCardHeight).Point()
	return spot
}

// SpotInto is SpotOn for an edge on which a node is dropped whose card is to have its corner at a place.
func SpotInto(e *graph.Edge, at graph.Vec, scene *graph.Scene) Spot {
	spot := spotOf(EdgeRef{From: e.Source().Key, Port: e.Port}, scene)
	spot.at, spot.moved = scene.RoomFor(graph.Rect{X: at.X, Y: at.Y, W: graph.CardWidth, H: graph.NewCardHeight}, nil, e.Source(), e.Target())
	return spot
}

func spotOf(way EdgeRef, scene *graph.Scene) Spot {
	spot := Spot{Way: way, onto: model.EndingID}
	if source := scene.Card(way.From); source != nil && source.Out(way.Port) >= 0 {
		if card := graph.Rejoin(source, source.Out(way.Port)); card != nil {
			spot.onto = card.ID
		}
	}
	return spot
}

// NodeIn returns the command that adds a node of a type at a spot, with a fresh id and a name.
func (m Maker) NodeIn(t model.NodeType, spot Spot) Command {
	return roomy(m.nodeIn(t, spot), spot.moved)
}

func (m Maker) nodeIn(t model.NodeType, spot Spot) AddNode {
	add := m.Node(t, spot.at, &spot.Way)
	if out, ok := m.state.Form.OutOf(spot.Way.From, spot.Way.Port); ok && out.To == "" {
		add.Node = withNext(add.Node, spot.onto)
	}
	return add
}

// StepWith returns the command that adds a step at a spot, with a new component of a kind.
func (m Maker) StepWith(k *model.Kind, spot Spot) Command {
	name := verb.Phrase{Verb: verb.Add, Noun: "step", Rest: "with " + k.Label}
	return m.stepFor(k, spot, name, func(step string, index int) Command { return m.Component(k, step, index) })
}

// StepFrom returns the command that moves a component out of its step into a new one at a spot.
func (m Maker) StepFrom(part Selection, spot Spot) Command {
	var k *model.Kind
	if c, _, _ := m.state.Form.Component(part.Component); c != nil {
		k = c.Kind
	}
	name := verb.Phrase{Verb: verb.Move, Noun: "component", Rest: "to a new step"}
	return m.stepFor(k, spot, name, func(step string, index int) Command { return m.PartTo(part, step, index) })
}

// stepFor returns the command that adds a step, and then a component of a kind to it: before its button, unless it is one. A next button takes
// the place of the one that a new step has.
func (m Maker) stepFor(k *model.Kind, spot Spot, name verb.Phrase, add func(step string, index int) Command) Command {
	step, index := m.nodeIn(model.StepNode, spot), 0
	if k != nil && k.Button {
		index = -1
	}
	if k == model.NextButton() {
		step.Node = step.Node.With("config", step.Node.Object("config").With("components", []any{}))
	}
	c := Sequence{Name: name, Commands: []Command{step, add(step.Node.Text("id"), index)}}
	if len(spot.moved) > 0 {
		c.Commands = append(c.Commands, PlaceNodes{Places: spot.moved})
	}
	return c
}
