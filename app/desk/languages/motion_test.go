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

// Cells that come into view while the table scrolls get their controls once it has stopped, part by part. A cell with a control keeps it.
func TestControlsFollowWhenTheTableStops(t *testing.T) {
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

// Rows are drawn again when they change: a selection that moves on leaves no marks, and changed texts are shown.
func TestChangedRowsAreRedrawn(t *testing.T) {
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

// In a narrow window each text is a block with the source and one translation. Keys move between the cells as in the table.
func TestStack(t *testing.T) {
	d := open(t, form)
	size := func(width int) { d.Event(message.Event{On: "scroll", Width: width, Height: 600}) }
	cells := func() string {
		var paths []string
		for _, part := range strings.Split(d.Region("rows/r:components.mail.hint"), ` data-path="`)[1:] {
			path, _, _ := strings.Cut(part, `"`)
			paths = append(paths, path)
		}
		return strings.Join(paths, " ")
	}
	const source, de, fr = "nodes[0].config.components[0].hint", "translations.de.components.mail.hint", "translations.fr.components.mail.hint"
	want := func(paths ...string) {
		t.Helper()
		if got := cells(); got != strings.Join(paths, " ") {
			t.Errorf("the cells are %s, want %s", got, paths)
		}
	}
	d.Event(message.Event{On: "focus", Arg: "1:components.mail.label"})
	size(390)
	want(source, fr) // the language of the cursor
	has(t, d, `role="row" aria-rowindex="4"`, `<option value="fr" selected="selected">`)
	d.Event(message.Event{On: "change", Do: "tongue", Text: "de"})
	want(source, de)
	for _, x := range []struct{ key, focus string }{
		{"Enter", "#dk-1-1"},
		{"ArrowRight", "#dk-1-1"},
		{"Tab", "#dk-2-0"},
		{"Tab", "#dk-2-1"},
		{"Shift+Tab", "#dk-2-0"},
		{"Shift+Tab", "#dk-1-1"},
		{"ArrowLeft", "#dk-1-0"},
		{"End", "#dk-1-1"},
		{"Shift+ArrowLeft", "#dk-1-1"},
		{"Shift+ArrowUp", "#dk-0-1"},
	} {
		d.Event(key(x.key))
		if got := d.Screen.Text("focus"); got != x.focus {
			t.Errorf("%s leads to %s, want %s", x.key, got, x.focus)
		}
	}
	if got := d.Screen.Text("clip"); got != "E-Mail\n\n" {
		t.Errorf("copied %q", got)
	}
	// The places of cells follow the width.
	size(900)
	want(source, de, fr)
	has(t, d, "left:196px;width:316px")
	size(768)
	has(t, d, "left:196px;width:286px")
	if strings.Contains(d.HTML(), "width:316px") {
		t.Error("a cell has the width that it had before")
	}
	size(1200)
	has(t, d, "left:312px;width:316px")
}

// A form without languages is a stack of its texts.
func TestStackWithoutLanguages(t *testing.T) {
	d := open(t, `{"name":"f","start":{"next_node":"ask"},"nodes":[{"id":"ask","type":"STEP","config":{"next_node":"$ending","components":[
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}]}`)
	d.Event(message.Event{On: "scroll", Width: 390, Height: 600})
	has(t, d, `data-path="nodes[0].config.components[0].config.text"`)
	for _, k := range []string{"Tab", "Enter", "ArrowRight", "Ctrl+a", "Delete", "Shift+Tab"} {
		d.Event(key(k))
	}
	if strings.Contains(d.HTML(), "<select") {
		t.Error("there is a choice of languages")
	}
}
