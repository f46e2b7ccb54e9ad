package editor

import (
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// PartTo returns the command that moves a component or rule, given as a selection, before another one of a node, by index: a component to any
// step, a rule within its router. Past the last one it goes to the end.
func (m Maker) PartTo(part Selection, to string, before int) Command {
	from := part.Only()
	if part.Rule == "" {
		return MoveComponent{From: from, ID: part.Component, To: to, Before: before}
	}
	n, at := m.state.Form.Node(to)
	if from != to || n == nil {
		return refusal("a rule stays in its router")
	}
	was := ruleAt(n, part.Rule)
	if before > was {
		before--
	}
	return MoveItem{
		List: model.NodePath(at).Key("config").Key("rules"), From: was, To: before, Name: model.NodeKindOf(n.Type).Part,
	}
}

// refusal is a command that is always refused, with a reason.
type refusal string

func (refusal) Label() verb.Phrase          { return verb.Phrase{} }
func (r refusal) Do(s State) (State, error) { return s, r }
func (r refusal) Error() string             { return string(r) }

// StepWith returns the command that adds a step at a place, unconnected, with a new component of a kind.
func (m Maker) StepWith(k *model.Kind, at model.Point) Command {
	return m.stepFor(k, at, verb.Phrase{Verb: verb.Add, Noun: "step", Rest: "with " + k.Label}, func(step string, index int) Command { return m.Component(k, step, index) })
}

// StepFrom returns the command that moves a component out of its step into a new one at a place.
func (m Maker) StepFrom(part Selection, at model.Point) Command {
	var k *model.Kind
	if c, _, _ := m.state.Form.Component(part.Component); c != nil {
		k = c.Kind
	}
	return m.stepFor(k, at, verb.Phrase{Verb: verb.Move, Noun: "component", Rest: "to a new step"}, func(step string, index int) Command { return m.PartTo(part, step, index) })
}

// stepFor returns the command that adds a step, and then a component of a kind to it: before its button, unless it is one. A next button takes
// the place of the one that a new step has.
func (m Maker) stepFor(k *model.Kind, at model.Point, name verb.Phrase, add func(step string, index int) Command) Command {
	step, index := m.Node(model.StepNode, at, nil), 0
	if k != nil && k.Button {
		index = -1
	}
	if k == model.NextButton() {
		step.Node = step.Node.With("config", schema.NewObject())
	}
	return Sequence{Name: name, Commands: []Command{step, add(step.Node.Text("id"), index)}}
}
