package atlas

import (
	"context"
	"strings"

	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answertype"
)

// The states of a step.
const (
	asked = iota
	empty
	wrong
)

var stateNames = [...]string{asked: "As first asked", empty: "Nothing answered", wrong: "Wrong answers"}

// group is a state of a step with the markup of its screen in each language.
type group struct {
	state   int
	screens []string
}

// states returns the states of a step in which its screens differ, and what there is to say about the others.
func (a *atlas) states(ctx context.Context, n *model.Node) (groups []group, notes []string, err error) {
	step, ok := n.Config.(*model.Step)
	if !ok {
		return nil, []string{"This step cannot be read."}, nil
	}
	next := nextOf(step)
	nothing := map[string]any{}
	for _, c := range step.Components {
		if answertype.Of(c) != answertype.None {
			nothing[c.ID] = nil
		}
	}
	faults, other := wrongAnswers(step)
	list := [...]group{{state: asked}, {state: empty}, {state: wrong}}
	add := func(state int, markup string) error {
		list[state].screens = append(list[state].screens, markup)
		return a.grow(ctx, len(markup))
	}
	for _, language := range a.languages {
		r := a.begin(n, language)
		if err := add(asked, a.draw(r, n, language)); err != nil {
			return nil, nil, err
		}
		for state, answers := range map[int]map[string]any{empty: nothing, wrong: faults} {
			if next == "" || state == wrong && !other {
				continue
			}
			after, err := r.Do(run.Press{Button: next, Answers: answers})
			if err != nil || len(after.Refusals()) == 0 {
				continue
			}
			if err := add(state, a.draw(after, n, language)); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, g := range list {
		if len(g.screens) == len(a.languages) {
			groups = append(groups, g)
		}
	}
	switch {
	case next == "":
		notes = append(notes, "No button of this step checks answers.")
	case len(list[empty].screens) == 0:
		notes = append(notes, "This step can be left with nothing answered.")
	}
	return groups, notes, nil
}

// begin returns a run at a step. What an earlier step or a flow would have supplied is shown by its name, as in "Hello [fields.name]".
func (a *atlas) begin(n *model.Node, language string) *run.Run {
	return a.program.Begin(run.Input{
		From:      n.ID,
		Languages: []string{language},
		Undefined: func(expression string) string { return "[" + expression + "]" },
	})
}

// nextOf returns the id of the component that leaves a step if its answers are accepted, "" for none.
func nextOf(step *model.Step) string {
	for _, c := range step.Components {
		if c.Kind == model.NextButton() {
			return c.ID
		}
	}
	for _, c := range step.Components {
		if run.PressOf(c) == run.PressNext {
			return c.ID
		}
	}
	return ""
}

// draw returns the markup of the step at which a run is.
func (a *atlas) draw(r *run.Run, n *model.Node, language string) string {
	s := preview.Screen{Node: n.ID, Language: language, Title: n.Title()}
	for _, it := range r.Items() {
		item := preview.Item{Component: it.Component, Answer: it.Given, Problem: it.Refusal, Disabled: it.Spent}
		s.Items = append(s.Items, item)
	}
	return strings.ToValidUTF8(s.Render(), "\ufffd")
}
