package editor

import (
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
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
