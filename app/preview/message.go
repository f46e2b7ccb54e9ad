package preview

import (
	"errors"
	"fmt"

	"github.com/formgraph/formgraph/model/schema"
)

// Theme is the appearance of a form.
type Theme string

// The themes.
const (
	SystemTheme Theme = "" // what the respondent's system prefers
	LightTheme  Theme = "light"
	DarkTheme   Theme = "dark"
)

// What the frame focuses when it shows a screen, besides the field with an id.
const (
	// FocusStep focuses the step if the focus was in the frame. Assistive technology then reads the new step.
	FocusStep = ""
	// FocusProblem focuses the first control whose answer was refused.
	FocusProblem = "$problem"
)

// Show is the message that makes the frame show a screen. The screen of the step that the frame shows already changes only what differs:
// the focus and what was typed stay.
type Show struct {
	HTML  string // from Screen.Render or Ending.Render
	CSS   string // the form's own
	Theme Theme
	Focus string // FocusStep, FocusProblem or the id of a component
	// Fresh discards what was typed, for a step that begins again.
	Fresh bool
}

// Message returns the message for postMessage. The frame's origin is opaque, so the target origin must be "*"; the message contains nothing
// that is not on the screen.
func (s Show) Message() string {
	return string(schema.Encode(schema.NewObject(
		schema.Member{Key: "type", Value: "show"},
		schema.Member{Key: "html", Value: schema.WellFormed(s.HTML)},
		schema.Member{Key: "css", Value: schema.WellFormed(s.CSS)},
		schema.Member{Key: "theme", Value: string(s.Theme)},
		schema.Member{Key: "focus", Value: s.Focus},
		schema.Member{Key: "fresh", Value: s.Fresh},
	)))
}

// EventType says what happened in the frame.
type EventType string

// The events.
const (
	Ready  EventType = "ready"  // the frame takes messages; those before are lost
	Answer EventType = "answer" // the answer of a field changed
	Press  EventType = "press"  // a button was pressed
	Size   EventType = "size"   // the height of the content changed
	Leave  EventType = "leave"  // Escape was pressed, to go back to the editor
)

// Event is a message of the frame. Its sender is not trusted: a form's own HTML cannot send one, but whoever breaks out of the frame's
// policy could. The caller must check that the source of the message is the frame's window.
type Event struct {
	Type EventType
	ID   string // of the component that was changed or pressed
	// Answers are the answers by the ids of the fields, nil for a field without one: all of the screen for Press, and the changed one for
	// Answer.
	Answers map[string]any
	Height  int // of the content in CSS pixels
}

// maxHeight bounds what the frame says about its height, in CSS pixels.
const maxHeight = 100_000

// ParseEvent parses a message of the frame.
func ParseEvent(message string) (Event, error) {
	tree, problems := schema.Decode([]byte(message))
	if len(problems) > 0 {
		return Event{}, fmt.Errorf("parse a message of the preview: %w", problems)
	}
	o, ok := tree.(*schema.Object)
	if !ok {
		return Event{}, errors.New("parse a message of the preview: it is not an object")
	}
	e := Event{Type: EventType(o.Text("type")), ID: o.Text("id")}
	switch e.Type {
	case Ready, Leave:
	case Answer, Press:
		e.Answers = map[string]any{}
		for _, m := range o.Object("answers").Members() {
			e.Answers[m.Key] = m.Value
		}
		if e.ID == "" {
			return Event{}, fmt.Errorf("parse a message of the preview: %q names no component", e.Type)
		}
	case Size:
		v, _ := o.Get("height")
		n, isNumber := v.(schema.Number)
		if e.Height, ok = n.Int(); !isNumber || !ok || e.Height < 0 || e.Height > maxHeight {
			return Event{}, errors.New("parse a message of the preview: the height is out of bounds")
		}
	default:
		return Event{}, fmt.Errorf("parse a message of the preview: the type %q is unknown", schema.Shorten(string(e.Type), 20))
	}
	return e, nil
}
