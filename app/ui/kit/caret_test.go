package kit

import (
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// A redraw may set the value of a control after the control got the focus. What the person then types must still replace the text.
func TestSettingAValueKeepsTheWholeTextSelected(t *testing.T) {
	for _, test := range []struct {
		name         string
		old          string
		start, end   any
		focused      bool
		wantSelected bool
	}{
		{"all selected", "Boolean", 0, 7, true, true},
		{"all selected, characters of two units", "a😀", 0, 3, true, true},
		{"empty", "", 0, 0, true, true},
		{"caret at the end", "Boolean", 7, 7, true, false},
		{"part selected", "Boolean", 0, 3, true, false},
		{"without the focus", "Boolean", 0, 7, false, false},
		{"no selection, as in a number input", "12", nil, nil, true, false},
		{"unchanged", "new", 0, 3, true, false},
	} {
		el := &control{value: test.old, start: test.start, end: test.end}
		setValue(el, "new", test.focused)
		if el.value != "new" || el.selected != test.wantSelected {
			t.Errorf("%s: the value is %q, selected anew: %t", test.name, el.value, el.selected)
		}
	}
}

// What somebody types stays until the page has handled it, even if the page is drawn in between.
func TestSettingAValueKeepsInputOnItsWay(t *testing.T) {
	el := &control{}
	setValue(el, "Boolean", true)
	el.value = "W" // typed
	setValue(el, "Boolean", true)
	if el.value != "W" {
		t.Errorf("the value is %q, and the typed text is lost", el.value)
	}
	Seen(el)
	setValue(el, "Boolean", true)
	if el.value != "Boolean" {
		t.Errorf("the value is %q, though the page has handled the input and undone it", el.value)
	}
	el.value = "W"
	setValue(el, "Boolean", false)
	if el.value != "Boolean" {
		t.Errorf("the value of a control without the focus is %q", el.value)
	}
}

// control is a control of a page. Like a browser, it drops the selection when its value is set.
type control struct {
	app.Value
	value      string
	start, end any // nil if the control has no selection
	selected   bool
	seen       any // nil if the page has neither set nor read a value
}

func (c *control) Get(name string) app.Value {
	return property{v: map[string]any{"value": c.value, "selectionStart": c.start, "selectionEnd": c.end, seen: c.seen}[name]}
}

func (c *control) Set(name string, v any) {
	if name == seen {
		c.seen = v
		return
	}
	c.value, _ = v.(string)
	c.start, c.end = len(c.value), len(c.value)
}

func (c *control) Call(name string, _ ...any) app.Value {
	c.selected = name == "select"
	return nil
}

// property is the value of a control's property. Like a browser's, it panics if it is used as another type.
type property struct {
	app.Value
	v any
}

func (p property) String() string { return p.v.(string) }

func (p property) Int() int { return p.v.(int) }

func (p property) Type() app.Type {
	switch p.v.(type) {
	case int:
		return app.TypeNumber
	case string:
		return app.TypeString
	}
	return app.TypeNull
}
