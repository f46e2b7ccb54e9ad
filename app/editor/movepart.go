package editor

import (
	"errors"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
)

// MoveComponent moves a component to a place in a step, which may be its own. What belongs to it moves along: the target of a jump button,
// and its texts in other languages, which name it by its id.
type MoveComponent struct {
	From, ID string // the step that has it, and its id
	To       string // the step that receives it
	Before   int    // the component of To before which it goes, by index; negative, or past the last, for the end
}

// Label describes the command.
func (c MoveComponent) Label() verb.Phrase {
	if c.From == c.To {
		return verb.Reorder.Of("component")
	}
	return verb.Phrase{Verb: verb.Move, Noun: "component", Rest: "to another step"}
}

// Do moves the component and selects it. A move to where it is changes nothing.
func (c MoveComponent) Do(s State) (State, error) {
	from, i := s.Form.Node(c.From)
	at := componentAt(from, c.ID)
	if at < 0 {
		return s, errors.New("move component: the component no longer exists")
	}
	to, j := s.Form.Node(c.To)
	step, ok := configOf[*model.Step](to)
	if !ok {
		return s, errors.New("only a step holds components: choose a step")
	}
	before := c.Before
	if n := len(step.Components); before < 0 || before > n {
		before = n
	}
	s.Selection = Selection{Nodes: []string{c.To}, Component: c.ID}
	if i == j && before > at {
		before--
	}
	if i == j && before == at {
		return s, nil
	}
	if i != j && componentAt(to, c.ID) >= 0 {
		return s, fmt.Errorf("move component: the step already has a component with the id %s", c.ID)
	}
	f, err := s.Form.Clear(model.ComponentPath(i, at))
	if err == nil {
		f, err = f.Insert(model.ComponentPath(j, before), from.Component(at).Tree())
	}
	return withForm(s, f, err)
}

// Shift returns the command that moves the selected components, or the selected rule, by one place among their siblings, as one step. They
// keep their order; those that are at the end already stay. It returns nil if none can move.
func Shift(s State, down bool) Command {
	n, i := s.Form.Node(s.Selection.Only())
	at := s.Selection.Components(n)
	if r := ruleAt(n, s.Selection.Rule); r >= 0 {
		at = []int{r}
	}
	if len(at) == 0 {
		return nil
	}
	kind, end, by := model.NodeKindOf(n.Type), 0, -1
	if down {
		slices.Reverse(at)
		end, by = n.Parts()-1, 1
	}
	c := Sequence{Name: verb.Phrase{Verb: verb.Move, Noun: "component", Count: len(at)}}
	for _, from := range at {
		if from == end {
			end -= by // the next one stays behind this one
			continue
		}
		c.Commands = append(c.Commands, MoveItem{List: model.NodePath(i).Key("config").Key(kind.Parts), From: from, To: from + by, Name: kind.Part})
	}
	switch {
	case len(c.Commands) == 0:
		return nil
	case len(at) == 1:
		return c.Commands[0]
	}
	return c
}

// ToStep returns the command that moves the selected component to another step, before the buttons at its end.
func (m Maker) ToStep(to string) MoveComponent {
	sel := m.state.Selection
	c := MoveComponent{From: sel.Only(), ID: sel.Component, To: to, Before: -1}
	from, _ := m.state.Form.Node(c.From)
	if p := from.Component(componentAt(from, c.ID)); p != nil && !p.Button() {
		if n, _ := m.state.Form.Node(to); n != nil {
			c.Before = beforeButtons(n)
		}
	}
	return c
}
