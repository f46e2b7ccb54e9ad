// Package impact is the part of the test panel that shows what a change of the form does to people. They may go another way, be asked something
// else, or be unable to finish; each difference has the answers that show it. The change is that of the person since the last save, or what
// others saved last.
package impact

import (
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Panel is the panel. The zero value with a workspace shows nothing yet.
type Panel struct {
	*workspace.Workspace
	// Play shows the replay of a scenario in the preview.
	Play func(app.Context, *schema.Object)
	// Arrived returns the form without and with what others saved last, nil if they saved nothing.
	Arrived func() (before, after *model.Form)

	of   side
	open bool // the differences are listed, and not only counted
	job  worker.Job
	last compared
	due  bool // a comparison waits for further edits
}

// side is whose change is shown.
type side string

// The sides.
const (
	mine   side = "mine"
	theirs side = "theirs"
)

// compared is the last comparison.
type compared struct {
	before, after *model.Form
	report        message.Report
}

// Shown reports whether the panel is visible.
func (p *Panel) Shown() bool { return p.Editor != nil && p.Panels.Dock == workspace.Test }

// Open shows what the person's changes do.
func (p *Panel) Open(ctx app.Context) { p.show(ctx, mine) }

// OpenTheirs shows what others saved last.
func (p *Panel) OpenTheirs(ctx app.Context) { p.show(ctx, theirs) }

func (p *Panel) show(ctx app.Context, of side) {
	p.Panels.Dock, p.of, p.open = workspace.Test, of, true
	p.Refresh(ctx)
	ctx.Defer(func(app.Context) { kit.ScrollTo(".impact") })
}

// Refresh compares the forms at once, unless they are those of the last comparison.
func (p *Panel) Refresh(ctx app.Context) {
	p.compare(ctx)
	p.Redraw(ctx)
}

// Close ends the comparison under way.
func (p *Panel) Close() {
	if p != nil {
		p.job.Cancel()
	}
}

// forms returns what is compared, nil for nothing.
func (p *Panel) forms() (before, after *model.Form) {
	if p.of == theirs {
		return p.arrived()
	}
	return p.Editor.Base(), p.State().Form
}

func (p *Panel) arrived() (before, after *model.Form) {
	if p.Arrived == nil {
		return nil, nil
	}
	return p.Arrived()
}

// current reports whether the last comparison, or the one under way, is that of the forms as they are.
func (p *Panel) current() bool {
	before, after := p.forms()
	return p.last.before == before && p.last.after == after
}

// rest is how long a comparison waits for further edits.
const rest = time.Second

// Follow compares again after an edit or a save.
func (p *Panel) Follow(ctx app.Context) {
	if !p.Shown() || p.due || p.current() {
		return
	}
	p.due = true
	_, form := p.forms()
	ctx.After(rest, func(ctx app.Context) {
		p.due = false
		if _, now := p.forms(); now != form {
			p.Follow(ctx)
			return
		}
		p.compare(ctx)
	})
}

// compare compares the forms, unless that has been done.
func (p *Panel) compare(ctx app.Context) {
	before, after := p.forms()
	if !p.Shown() || p.current() || after == nil {
		return
	}
	p.last = compared{before: before, after: after}
	p.job.Run(ctx, p.Workspace, message.Job{Do: message.Compare, Before: before.Tree(), Form: after.Tree()},
		func(_ app.Context, r message.Report) { p.last.report = r })
}

// Act handles a control of the panel, and reports whether it is one.
func (p *Panel) Act(ctx app.Context, name, arg string) bool {
	switch name {
	case "im-side":
		p.of = side(arg)
		p.Refresh(ctx)
	case "im-again":
		p.last = compared{}
		p.Refresh(ctx)
	case "im-fold":
		p.open = !p.open
	case "im-cancel":
		p.job.Cancel()
		p.last.report = message.Report{Fault: "the comparison was canceled"}
	case "im-try":
		if i, err := strconv.Atoi(arg); err == nil && i >= 0 && i < len(p.last.report.Differences) {
			p.Play(ctx, p.last.report.Differences[i].Scenario)
		}
	default:
		return false
	}
	return true
}

// Draw draws the panel: a sentence, and the differences below it if they are wanted.
func (p *Panel) Draw() app.UI {
	text, more := p.sentence()
	head := []app.UI{kit.El("h2").Text("Impact"), text, p.sides()}
	if more {
		name := "Show details"
		if p.open {
			name = "Hide details"
		}
		head = append(head, kit.El("button.link type=button data-act=im-fold aria-expanded=%", kit.Yes(p.open)).Text(name))
	}
	body := kit.El("div hidden=true")
	if more && p.open {
		body = p.differences()
	}
	return kit.El("section.impact aria-label=%", "Impact").Body(kit.El("header").Body(head...), body)
}

// sides draws the choice whose changes are shown, if others have saved any.
func (p *Panel) sides() app.UI {
	if _, after := p.arrived(); after == nil && p.of != theirs {
		return kit.El("span hidden=true")
	}
	sides := []app.UI{}
	for _, s := range []struct {
		of   side
		name string
	}{{mine, "Your changes"}, {theirs, "Saved by others"}} {
		sides = append(sides, kit.El("button type=button data-act=im-side data-arg=% aria-pressed=%", string(s.of), kit.Yes(p.of == s.of || p.of == "" && s.of == mine)).Text(s.name))
	}
	return kit.El("span.seg role=group aria-label=%", "Whose changes").Body(sides...)
}

// sentence draws what the change does to people, and reports whether there is more to say.
func (p *Panel) sentence() (text app.UI, more bool) {
	before, after := p.forms()
	r := &p.last.report
	plain := func(text string) app.UI { return kit.El("p.grow").Text(text) }
	percent, running := p.job.Running()
	switch {
	case after == nil:
		return plain("Others have saved nothing since you opened the form."), false
	case r.Fault != "" && p.current():
		return kit.El("p.pv-fault role=alert").Body(kit.Icon("warn"), kit.El("span").Text(kit.AsSentence(r.Fault)), kit.TextButton("im-again", "Try again", "link")), false
	case model.Diff(before, after).Empty():
		return plain("You have no unsaved changes."), false
	case running:
		return worker.Progress("Comparing", percent, "im-cancel"), false
	case !p.current():
		return plain("Trying journeys through both versions…"), false
	case len(r.Differences) == 0:
		return plain("No difference found: people go the same ways, are asked the same, and can finish as before."), true
	}
	var parts []string
	for _, k := range kinds {
		n := 0
		for i := range r.Differences {
			if r.Differences[i].Kind == k.kind {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, kit.Several(n, k.one, k.more))
		}
	}
	whose := "With your changes, "
	if p.of == theirs {
		whose = "With what others saved, "
	}
	return kit.El("p.grow").Body(kit.El("b").Text(whose + strings.Join(parts, ", ") + ".")), true
}

// differences lists the differences, by their kinds.
func (p *Panel) differences() app.HTMLElem {
	groups := []app.UI{}
	for _, k := range kinds {
		if g := p.group(k.kind, k.name); g != nil {
			groups = append(groups, g)
		}
	}
	return kit.El("div.impact-groups").Body(append(groups, caveat(p.last.report.Limited))...)
}

func caveat(limited bool) app.UI {
	text := "Texts, names and positions are not compared. Where a condition is not understood exactly, examples are tried."
	if limited {
		text = "The form is too large to be compared to the end, so there may be more. " + text
	}
	return kit.El("p.dim").Text(text)
}

// kinds are the kinds of differences, the gravest first.
var kinds = []struct{ kind, name, one, more string }{
	{"cannot_finish", "Can no longer finish", "1 journey can no longer finish", "%d journeys can no longer finish"},
	{"goes_elsewhere", "Go another way", "1 journey goes another way", "%d journeys go another way"},
	{"asked", "Are asked something new", "1 journey asks something new", "%d journeys ask something new"},
	{"not_asked", "Are no longer asked something", "1 journey no longer asks something", "%d journeys no longer ask something"},
	{"can_finish", "Can now finish", "1 journey can now finish", "%d journeys can now finish"},
}

// group draws the differences of a kind, nil for none.
func (p *Panel) group(kind, name string) app.UI {
	var items []app.UI
	for i := range p.last.report.Differences {
		d := &p.last.report.Differences[i]
		if d.Kind != kind {
			continue
		}
		var story []app.UI
		for _, line := range d.Story {
			story = append(story, kit.El("span").Text(line))
		}
		items = append(items, kit.El("li.sc-item").Body(
			kit.El("div.grow").Body(kit.El("b").Text(kit.AsSentence(d.Text)), kit.El("details.impact-story hidden=%", kit.Yes(len(story) == 0)).Body(
				kit.Tree("summary.fold-head { @down span { % } }", []string{"How people get there"}), kit.El("div.sc-lines").Body(story...))),
			kit.El("span.sc-actions").Body(
				kit.El("button.quiet type=button data-act=go data-arg=%", d.Node).Text("Show"),
				// The preview runs the form under edit, which lacks what others have saved.
				kit.El("button.quiet type=button data-act=im-try data-arg=% hidden=%", strconv.Itoa(i), kit.Yes(p.of == theirs)).Text("Try it")),
		))
	}
	if items == nil {
		return nil
	}
	return kit.El("div").Body(kit.El("h3.sub").Text(name), kit.El("ul").Body(items...))
}
