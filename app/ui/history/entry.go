package history

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// entry is what a line of the list says about a step.
type entry struct{ text, icon string }

// entry returns what to say about a step. A step never changes, so it is looked at once.
func (p *Panel) entry(s *editor.Step) *entry {
	e, ok := p.known[s.Serial]
	if !ok {
		e = entryOf(s)
		if p.known == nil {
			p.known = map[int]*entry{}
		}
		p.known[s.Serial] = e
	}
	return e
}

// entryOf describes a step by what it changed: whole nodes, components and rules before properties of others, which follow from them, and
// those before positions.
func entryOf(s *editor.Step) *entry {
	before, after := s.Difference()
	if before == nil {
		return &entry{text: "Opened", icon: "form"}
	}
	changes := merge.Changes(before, after)
	for _, minor := range []func(merge.Change) bool{merge.Change.Layout, isProperty} {
		if major := slices.DeleteFunc(slices.Clone(changes), minor); len(major) > 0 {
			changes = major
		}
	}
	if len(changes) == 0 {
		return &entry{text: s.Label.Past(), icon: "pencil"}
	}
	var of targets
	for i := range changes {
		c := &changes[i]
		in := after
		if c.Kind == merge.Removed {
			in = before
		}
		of.add(in, c.Path)
	}
	return &entry{text: sentence(s, changes, &of), icon: of.icon}
}

// targets are the parts of the form that a step changed.
type targets struct {
	names []string // different ones
	icon  string   // of the first
	named bool     // the author has named the first
}

func (t *targets) add(f *model.Form, path schema.Path) {
	name, icon := describe.Quoted(f, path)
	if len(t.names) == 0 {
		at, inGraph := f.At(path)
		t.icon, t.named = icon, inGraph && at.End == ""
	}
	if !slices.Contains(t.names, name) {
		t.names = append(t.names, name)
	}
}

// String names the first one and counts the others.
func (t *targets) String() string {
	if n := len(t.names) - 1; n > 0 {
		return t.names[0] + kit.Several(n, " and 1 more", " and %d more")
	}
	return t.names[0]
}

// sentence says what a step did to its targets, as in "Changed the name of “Contact”".
func sentence(s *editor.Step, changes []merge.Change, of *targets) string {
	if len(of.names) == 1 && len(changes) == 1 {
		for _, say := range []func(*editor.Step, *merge.Change, string) string{way, reworded} {
			if text := say(s, &changes[0], of.names[0]); text != "" {
				return text
			}
		}
	}
	name := of.String()
	switch {
	case s.Label.Edits():
		property := s.Label.Noun
		if _, after := s.Difference(); len(changes) == 1 {
			if title := describe.Property(after, changes[0].Path); title != "" {
				property = lower(title)
			}
		}
		return s.Label.DidProperty(property, name)
	case !of.named: // the label names it
		return s.Label.Past()
	case s.Label.Verb == verb.Add && isProperty(changes[0]): // an element of a list
		name = "to " + name
	case s.Label.Verb == verb.Remove && isProperty(changes[0]):
		name = "from " + name
	}
	return s.Label.Did(name, len(of.names))
}

// way says how a step connected its only target, "" if it did something else.
func way(s *editor.Step, c *merge.Change, target string) string {
	at := model.PlaceOf(c.Path)
	if len(at.Rest) == 0 || !s.Label.Bare() && !s.Label.Edits() {
		return ""
	}
	key := at.Rest[len(at.Rest)-1].Key
	if key != "next_node" && key != string(model.FallbackPort) {
		return ""
	}
	if key != "next_node" {
		target = "“Otherwise” in " + target
	}
	name := func(f *model.Form, v merge.Value) string {
		id, _ := v.Tree.(string)
		return describe.QuotedNode(f, id)
	}
	before, after := s.Forms()
	was, is := name(before, c.Before), name(after, c.After)
	if is == "" {
		return "Disconnected " + target + " from " + was
	}
	return "Connected " + target + " to " + is
}

// mostWords bounds a text in the line of a step, in characters.
const mostWords = 40

// reworded says what became of the only text that a step edited, "" if it did something else.
func reworded(s *editor.Step, c *merge.Change, target string) string {
	before, after := s.Difference()
	spec, plain := after.Row(c.Path).Spec.(schema.String)
	text, _ := c.After.Tree.(string)
	if !s.Label.Edits() || !plain || spec.Role != schema.Plain || spec.Code != schema.NoCode || c.Secret() || text == "" {
		return ""
	}
	to := " to " + kit.Quote(schema.Shorten(text, mostWords))
	if was, _ := describe.Quoted(before, c.Path); was != target {
		return "Renamed " + describe.Part(before, c.Path) + to
	}
	return "Changed the " + lower(describe.Property(after, c.Path)) + " of " + describe.Part(after, c.Path) + to
}

// lower makes a title a part of a sentence. Abbreviations such as "API key" stay.
func lower(title string) string {
	if len(title) > 1 && 'a' <= title[1] && title[1] <= 'z' {
		return strings.ToLower(title[:1]) + title[1:]
	}
	return title
}

// Said says what a step did, for the rest of a sentence.
func Said(s *editor.Step) string { return kit.Stop(Did(s)) }

// Did is Said without the full stop.
func Did(s *editor.Step) string { return lower(entryOf(s).text) }

// isProperty reports whether a change is that of a property, and not of a whole part of the graph.
func isProperty(c merge.Change) bool { return len(model.PlaceOf(c.Path).Rest) > 0 }
