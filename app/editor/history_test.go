package editor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// steps prints the history: "[Move node]" is the current step, "Move node*" a saved one.
func steps(e *editor.Editor) string {
	var out []string
	for _, s := range e.Steps() {
		text := s.Label.String()
		if s.Saved {
			text += "*"
		}
		if s.Current {
			text = "[" + text + "]"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestSteps(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	move := func(id string, by int) {
		t.Helper()
		if err := e.Run(editor.MoveNodes{IDs: []string{id}, By: model.Point{X: by}}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want string) {
		t.Helper()
		if got := steps(e); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	check("[*]")
	move("a", 20)
	move(model.EndingID, 20)
	check("*, Move node, [Move ending]")
	sent := e.State().Form
	move("a", -20)
	check("*, Move node, Move ending, [Move node]")
	// The response of the server has another time.
	answer, err := sent.Set(schema.Path{schema.Key("updated_at")}, "2026-01-01T00:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	e.Saved(answer)
	check(", Move node, Move ending*, [Move node]")
	e.Undo()
	e.Undo()
	check(", [Move node], Move ending*, Move node")
	e.Undo()
	check("[], Move node, Move ending*, Move node")
	e.Redo()
	move("a", 1)
	check(", Move node, [Move node]")
}

// The first state has the time at which the form was opened; once steps are dropped, that of the last of those.
func TestTimesOfSteps(t *testing.T) {
	e, c := newEditor(t, twoSteps)
	opened := c.t
	at := func(i int, want time.Time) {
		t.Helper()
		if got := e.Steps()[i].At; !got.Equal(want) {
			t.Errorf("step %d was at %s, want %s", i, got, want)
		}
	}
	at(0, opened)
	for range 501 {
		c.t = c.t.Add(time.Minute)
		if err := e.Run(editor.MoveNodes{IDs: []string{"a"}, By: model.Point{X: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	at(500, opened.Add(501*time.Minute))
	at(0, opened.Add(time.Minute))
}

func TestJumpTo(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	states := []string{dump(e.State())}
	for i := range 6 {
		if err := e.Run(editor.MoveNodes{IDs: []string{"a"}, By: model.Point{X: i + 1}}); err != nil {
			t.Fatal(err)
		}
		states = append(states, dump(e.State()))
	}
	calls := 0
	e.Observe(func() { calls++ })
	for n, i := range []int{0, 6, 3, 4, 1, 1, 5, 0} {
		calls = 0
		was := dump(e.State())
		if !e.JumpTo(i) || dump(e.State()) != states[i] {
			t.Fatalf("jump %d, to %d, gave %s", n, i, dump(e.State()))
		}
		if want := map[bool]int{true: 1}[dump(e.State()) != was]; calls != want {
			t.Errorf("jump %d called the observer %d times, want %d", n, calls, want)
		}
		if got := fmt.Sprint(e.Found().Problems()); got != fmt.Sprint(new(model.Checker).Check(e.State().Form)) {
			t.Errorf("jump %d: problems %s", n, got)
		}
		for j, s := range e.Steps() {
			if s.Current != (j == i) {
				t.Errorf("jump %d, to %d: step %d is current: %v", n, i, j, s.Current)
			}
		}
	}
	for _, i := range []int{-1, 7} {
		if e.JumpTo(i) {
			t.Errorf("there is a step %d", i)
		}
	}
	for i := 1; i < len(states); i++ {
		if e.Redo(); dump(e.State()) != states[i] {
			t.Errorf("after the jumps redo %d gives %s", i, dump(e.State()))
		}
	}
}

// Typing after a jump is a separate step, even in the field of the last one.
func TestJumpSeals(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	typed := func(s string) {
		t.Helper()
		if err := e.Run(editor.Set{Path: schema.Path{schema.Key("name")}, Value: s}); err != nil {
			t.Fatal(err)
		}
	}
	typed("g")
	if err := e.Run(editor.MoveNodes{IDs: []string{"a"}, By: model.Point{X: 1}}); err != nil {
		t.Fatal(err)
	}
	e.JumpTo(1)
	typed("gh")
	if got := steps(e); got != "*, Edit name, [Edit name]" {
		t.Errorf("got %s", got)
	}
}

// A jump restores the selection with the state, as undo does.
func TestJumpSelects(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	e.Select(editor.SelectNodes("r"))
	run(t, e, editor.RemoveSelection{})
	e.Select(editor.SelectNodes("w"))
	run(t, e, editor.MoveNodes{IDs: []string{"w"}, By: model.Point{X: 1}})
	e.JumpTo(0)
	if got := e.State().Selection.Only(); got != "r" {
		t.Errorf("at the beginning %q is selected", got)
	}
	e.JumpTo(2)
	if got := e.State().Selection.Only(); got != "w" {
		t.Errorf("at the end %q is selected", got)
	}
}

// The history keeps the last 500 steps. The oldest are dropped in order, also after some steps were undone and replaced.
func TestHistoryDropsTheOldestSteps(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	var xs []int // of node a, after each step that was done
	move := func(by int) {
		t.Helper()
		if err := e.Run(editor.MoveNodes{IDs: []string{"a"}, By: model.Point{X: by}}); err != nil {
			t.Fatal(err)
		}
		xs = append(xs, e.State().Form.Nodes[0].At.X)
	}
	for i := range 1300 {
		move(i + 1)
		if i%100 == 99 {
			for range 7 {
				e.Undo()
			}
			xs = xs[:len(xs)-7]
		}
	}
	for range 10 {
		move(1)
	}
	past := e.Past()
	if len(past.Steps) != 500 || past.At != 500 || past.Before >= past.Steps[0].Serial {
		t.Fatalf("%d steps, %d of them done; the first is %d after %d", len(past.Steps), past.At, past.Steps[0].Serial, past.Before)
	}
	xs = xs[len(xs)-501:]
	for i := 500; i > 0; i-- {
		if got := e.State().Form.Nodes[0].At.X; got != xs[i] {
			t.Fatalf("at step %d node a is at %d, want %d", i, got, xs[i])
		}
		e.Undo()
	}
	if got := e.State().Form.Nodes[0].At.X; got != xs[0] || e.UndoLabel() != "" {
		t.Errorf("before the first step node a is at %d, want %d; the step to undo is %q", got, xs[0], e.UndoLabel())
	}
}
