package editor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Fix is a change that removes a problem or a warning.
type Fix struct {
	Name    string // a verb and its object, as on a button
	Command Command
	// Sure reports that the change loses nothing that works. Without it the author should look at each one.
	Sure bool
}

// Fix returns the change that removes a problem. It returns false if only the author can know what to do, or if the change would lead to another
// finding about the graph.
func (m Maker) Fix(p schema.Problem) (fix Fix, ok bool) {
	f := m.state.Form
	tree, there := schema.Lookup(f.Tree(), p.Path)
	text, isText := tree.(string)
	row := f.Row(p.Path)
	s, _ := row.Spec.(schema.String)
	// The value that the property gets, nil to clear it.
	var value any
	switch p.Code {
	case schema.CodeUnknownNode:
		fix.Name, fix.Sure, ok = "Clear the connection", true, there
	case schema.CodeDeadEnd:
		fix.Name, value, ok = "Connect to the ending", model.EndingID, true
	case schema.CodeNoButton:
		if at, inGraph := f.At(p.Path); inGraph && at.IsNode() {
			fix = Fix{Name: "Add a next button", Command: m.Component(model.NextButton(), f.Keys()[at.Node], -1)}
			return fix, m.cures(fix, p)
		}
	case schema.CodeDuplicateID:
		var id string
		if id, ok = m.another(text, p.Path); ok {
			fix.Name, fix.Sure, value = "Use "+id, true, id
		}
	case schema.CodeLength:
		if short := schema.Cut(text, s.Max); isText && s.Max > 0 && len(short) < len(text) {
			fix.Name, value, ok = "Shorten the text", strings.TrimSpace(short), true
		}
	case schema.CodeFormat:
		if isText && s.Format != nil {
			fix.Name, text, ok = reformed(text, s.Format)
			fix.Sure, value = true, text
		}
	case schema.CodeUnknown:
		fix.Name, ok = "Remove the property", there && !p.Foreign
	case schema.CodeEnum:
		fix.Name, ok = "Remove the value", there && !row.Required && p.Path[len(p.Path)-1].Index < 0
	default: // only the author knows
	}
	fix.Command = Clear{p.Path}
	if value != nil {
		fix.Command = Set{p.Path, value}
	}
	return fix, ok && (p.Code != schema.CodeDeadEnd || m.cures(fix, p))
}

// reformed returns the text in a format, if what it lacks is obvious, and what was done to it.
func reformed(text string, f *schema.Format) (name, valid string, ok bool) {
	for _, try := range [...][2]string{
		{"Use https://", "https://" + strings.TrimPrefix(text, "http://")}, {"Begin with #", "#" + text}, {"Remove the spaces", strings.TrimSpace(text)},
	} {
		if try[1] != text && f.Check(try[1]) {
			return try[0], try[1], true
		}
	}
	return "", "", false
}

// another returns a free id for the element at the path of an id that is taken.
func (m Maker) another(id string, p schema.Path) (string, bool) {
	f := m.state.Form
	at, _ := f.At(p)
	if len(at.Rest) != 1 || at.Rest[0].Key != "id" {
		return "", false
	}
	for n := 2; n < 100; n++ {
		free := id + "_" + strconv.Itoa(n)
		node, _ := f.Node(free)
		if c, _, _ := f.Component(free); c == nil && node == nil && (at.Rule < 0 || ruleAt(f.Nodes[at.Node], free) < 0) {
			return free, model.ValidIdentifier(free)
		}
	}
	return "", false
}

// FixAll returns the command that makes every fix that is Sure among those of some problems, and how many there are. The command is one undo
// step.
func (m Maker) FixAll(problems schema.Problems) (Command, int) {
	n := 0
	for _, p := range problems {
		if fix, ok := m.Fix(p); ok && fix.Sure {
			n++
		}
	}
	return fixAll{problems, m.config}, n
}

// fixAll makes the fixes from the end of the form to its beginning, so that the paths of those that are left stay valid.
type fixAll struct {
	problems schema.Problems
	config   Config
}

// Label names the step.
func (fixAll) Label() verb.Phrase { return verb.Fix.With("problems") }

// Do makes the fixes.
func (c fixAll) Do(s State) (State, error) {
	next := s
	for _, p := range slices.Backward(c.problems) {
		fix, ok := Maker{state: next, config: c.config}.Fix(p)
		if !ok || !fix.Sure {
			continue
		}
		var err error
		if next, err = fix.Command.Do(next); err != nil {
			return s, err
		}
	}
	return next, nil
}
