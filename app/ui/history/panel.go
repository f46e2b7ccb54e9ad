// Package history is the tab of the left panel that lists the states of the form and
// jumps to any of them.
package history

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Panel lists the states of a form. The zero Panel is ready to use.
type Panel struct {
	known map[int]*entry // by the serials of steps
}

// entry is what a line of the list says about a step.
type entry struct{ text, icon string }

// Draw lists the states of a form, the first one last. The act "jump" jumps to a state.
func (p *Panel) Draw(steps []editor.Step, now time.Time) app.UI {
	var items []app.UI
	later, above := "later", ""
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		if s.Current {
			later = ""
		}
		e := p.entry(s)
		when, saved := app.UI(kit.El("span hidden=true")), kit.El("small hidden=true")
		if ago := kit.AgoShort(s.At, now); !s.At.IsZero() && ago != above {
			when, above = kit.Time(s.At, now, ago), ago
		}
		if s.Saved {
			saved = kit.Tree("small.saved-mark { @check % }", []string{"Saved"})
		}
		items = append(items, kit.Tree("li data-menu=% data-of=% { button.out-item type=button data-act=jump class=% data-arg=% aria-current=% "+
			"{ @% span.grow.step { * * * } } }",
			[]string{RowMenu, strconv.Itoa(i), later, strconv.Itoa(i), kit.Yes(s.Current), e.icon}, kit.El("span title=%", e.text).Body(unbroken(e.text)...), when, saved))
	}
	return kit.El("div").Body(kit.Tree("div.history-head { button.secondary type=button data-act=% { @compare span { % } } }", []string{string(command.Compare), command.Of(command.Compare).Title}),
		kit.El("ul.history aria-label=%", "History").Body(items...))
}

// unbroken returns a text whose short words do not break at their hyphens.
func unbroken(text string) (parts []app.UI) {
	const short = 24
	plain := ""
	for i, word := range strings.Split(text, " ") {
		if i > 0 {
			plain += " "
		}
		if len(word) > short || !strings.Contains(word, "-") {
			plain += word
			continue
		}
		parts = append(parts, app.Text(plain), kit.El("span.whole").Text(word))
		plain = ""
	}
	return append(parts, app.Text(plain))
}

// RowMenu is the name of the menu of a step; see kit.ListenMenu. The value of data-of is the index of the step.
const RowMenu = "history"

// Jump returns the line of a menu that goes to a step, which has no name for the current step.
func Jump(steps []editor.Step, of string) (it kit.Item) {
	to, err := strconv.Atoi(of)
	now := 0
	for i := range steps {
		if steps[i].Current {
			now = i
		}
	}
	if err != nil || to >= len(steps) || to == now {
		return it
	}
	it.Act, it.Arg, it.Name, it.Icon = "jump", of, "Undo to here", "undo"
	if to > now {
		to, now = now, to
		it.Name, it.Icon = "Redo to here", "redo"
	}
	it.Hint = kit.Several(now-to, "1 step", "%d steps")
	return it
}

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
	e := &entry{text: describe.Done(s.Label), icon: "pencil"}
	changes := merge.Changes(before, after)
	for _, minor := range []func(merge.Change) bool{merge.Change.Layout, isProperty} {
		if major := slices.DeleteFunc(slices.Clone(changes), minor); len(major) > 0 {
			changes = major
		}
	}
	if len(changes) == 0 {
		return e
	}
	var targets []string
	for i := range changes {
		c := &changes[i]
		in := after
		if c.Kind == merge.Removed {
			in = before
		}
		name, icon := describe.Quoted(in, c.Path)
		if len(targets) == 0 {
			e.icon = icon
		}
		if !slices.Contains(targets, name) {
			targets = append(targets, name)
		}
	}
	e.text = sentence(s, changes, targets)
	return e
}

// sentence says what a step did to its targets, as in "Changed the alias of “Contact”".
func sentence(s *editor.Step, changes []merge.Change, targets []string) string {
	_, after := s.Difference()
	done, to := describe.Done(s.Label), targets[0]
	if n := len(targets) - 1; n > 0 {
		to += kit.Several(n, " and 1 more", " and %d more")
	} else if text := way(s, changes, to); text != "" {
		return text
	} else if text := reworded(s, changes, to); text != "" {
		return text
	}
	closed := ""
	if head, ok := strings.CutSuffix(done, closedGap); ok && len(targets) == 1 {
		done, closed = head, closedGap
	}
	verb, of, _ := strings.Cut(done, " ")
	switch {
	case edits(s.Label):
		if title := describe.Property(after, changes[0].Path); title != "" && len(changes) == 1 {
			names := strings.Split(title, caption.PlaceSign)
			of = lower(names[len(names)-1])
		}
		if to == "The form" {
			to = lower(to)
		}
		return verb + " the " + of + " of " + to
	case !strings.Contains(to, "”"): // the label names it
		return done
	case of == "" || len(targets) == 1 && strings.Trim(of, letters) == "":
		return done + " " + to + closed
	}
	return done + ": " + to
}

// edits reports whether a label is that of a command that changes a property.
func edits(label string) bool {
	return strings.HasPrefix(label, "Edit ") || strings.HasPrefix(label, "Clear ")
}

// closedGap ends what describe.Done says about a deletion that joins the neighbors.
const closedGap = " and closed the gap"

// letters are those of the nouns that come before a name, as in "Deleted node “Contact”".
const letters = "abcdefghijklmnopqrstuvwxyz"

// way says how a step connected its only target, "" if it did something else.
func way(s *editor.Step, changes []merge.Change, target string) string {
	c := &changes[0]
	at := model.PlaceOf(c.Path)
	if len(changes) > 1 || len(at.Rest) == 0 || strings.Contains(s.Label, " ") && !edits(s.Label) {
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
func reworded(s *editor.Step, changes []merge.Change, target string) string {
	c := &changes[0]
	before, after := s.Difference()
	spec, plain := after.Row(c.Path).Spec.(schema.String)
	text, _ := c.After.Tree.(string)
	if len(changes) > 1 || !edits(s.Label) || !plain || spec.Role != schema.Plain || spec.Code != schema.NoCode || c.Secret() || text == "" {
		return ""
	}
	to := " to " + kit.Quote(schema.Shorten(text, mostWords))
	if was, _ := describe.Quoted(before, c.Path); was != target {
		return "Renamed " + alone(was) + to
	}
	names := strings.Split(describe.Property(after, c.Path), caption.PlaceSign)
	return "Changed the " + lower(names[len(names)-1]) + " of " + lower(alone(target)) + to
}

// alone returns a quoted name without the node it is in, which leaves room for a text.
func alone(name string) string {
	if part, _, ok := strings.Cut(name, "” in “"); ok {
		return part + "”"
	}
	return name
}

// lower makes a title a part of a sentence. Abbreviations such as "API key" stay.
func lower(title string) string {
	if len(title) > 1 && 'a' <= title[1] && title[1] <= 'z' {
		return strings.ToLower(title[:1]) + title[1:]
	}
	return title
}

// Said says what a step did, for the rest of a sentence.
func Said(s *editor.Step) string { return kit.Stop(lower(entryOf(s).text)) }

// isProperty reports whether a change is that of a property, and not of a whole part of the graph.
func isProperty(c merge.Change) bool { return len(model.PlaceOf(c.Path).Rest) > 0 }
