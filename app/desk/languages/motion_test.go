package languages_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/desk/desktest"
	"github.com/formgraph/formgraph/app/desk/message"
)

// controls returns how many cells of the screen have a control, and how many have none.
func controls(d *desktest.Desk) (with, without int) {
	return strings.Count(d.HTML(), "<textarea "), strings.Count(d.HTML(), " data-bare=")
}

// Cells that come into view while the table scrolls get their controls once it rests, part by part. Those that have one keep it.
func TestControlsFollowWhenTheTableRests(t *testing.T) {
	d := open(t, large(400, 3))
	view := message.Event{On: "scroll", Width: 1440, Height: 800}
	d.Event(view)
	at := func(left, top int) {
		view.Left, view.Top = left, top
		d.Event(view)
	}
	all, bare := controls(d)
	if bare > 0 {
		t.Fatalf("%d cells have no control before the table scrolls", bare)
	}
	at(0, 360)
	if with, without := controls(d); with < all/2 || without == 0 {
		t.Errorf("after ten lines %d cells have a control, %d have none", with, without)
	}
	at(0, 7200)
	if with, _ := controls(d); with != 4 { // the line with the cursor
		t.Errorf("%d cells have a control while the table scrolls, want 4", with)
	}
	last := 4
	for without := 1; without > 0; {
		d.Event(message.Event{On: "settle"})
		var with int
		if with, without = controls(d); with == last || with > last+all/2 {
			t.Fatalf("%d cells have a control, after %d", with, last)
		}
		last = with
	}
	// Typing while the table scrolls finds the cell with its control.
	at(0, 3600)
	d.Event(message.Event{On: "bare", Arg: "1:components.c5_3.label"})
	if got := d.Screen.Text("focus"); got == "" || !strings.Contains(d.HTML(), ` id="`+got[1:]+`" tabindex="0" data-in="cell" data-focus="cell" data-arg="1:components.c5_3.label"`) {
		t.Errorf("the focus goes to %q, which is not a control of the cell", got)
	}
}

// What is drawn again is what it was drawn from: a selection that goes leaves no marks, and what others change is shown.
func TestRowsAreDrawnAnew(t *testing.T) {
	d := open(t, large(400, 2))
	selected := func() int { return strings.Count(d.HTML(), `aria-selected="true"`) }
	d.Event(message.Event{On: "focus", Arg: "0:components.c0_0.label"})
	d.Event(message.Event{On: "extend", Arg: "1:components.c0_4.label"})
	if n := selected(); n != 10 {
		t.Errorf("%d cells are selected, want 10", n)
	}
	d.Event(message.Event{On: "focus", Arg: "0:components.c0_9.label"})
	if n := selected(); n != 1 {
		t.Errorf("%d cells are selected, want 1", n)
	}
	d.Event(typing("1:components.c0_5.label", "Changed"))
	has(t, d, `data-value="Changed"`)
	d.Event(message.Event{On: "press", Do: "add", Text: "aa"})
	has(t, d, `data-path="translations.aa.components.c0_5.label"`)
}
