package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Draw draws the panel; open is the menu that is open.
func (p *Panel) Draw(open string) app.UI {
	body := []app.UI{p.tools(open == Menu), p.status(), p.trouble()}
	switch {
	case !p.shelf.known:
	case len(p.list) == 0:
		body = append(body, kit.El("div.sc-empty").Body(
			kit.El("p").Text("A scenario is a journey through the form with the path that it must take. Scenarios are replayed after each edit, "+
				"so you notice when an edit sends people another way."),
			kit.El("p.dim").Text("Generate finds scenarios for every edge. Record keeps what you do in the preview.")))
	default:
		shown := slices.Clone(p.list)
		slices.SortStableFunc(shown, func(a, b *schema.Object) int {
			return cmp.Compare(p.order[a.Text("name")], p.order[b.Text("name")])
		})
		expected := make([][]string, len(shown))
		for i, s := range shown {
			expected[i] = names(p.State().Form, p.Editor.Base(), texts(s.List("expect")))
		}
		items := make([]app.UI, len(shown))
		for i, short := range shorten(expected) {
			items[i] = p.item(shown[i], joined(expected[i]), short)
		}
		body = append(body, kit.El("ul.sc-list aria-label=%", "Scenarios").Body(items...))
	}
	body = append(body, p.untaken(), kit.El("input id=% type=file accept=.json,application/json hidden=true aria-label=%", FileInput[1:], "Import scenarios"))
	return kit.El("section.scenarios aria-label=%", "Scenarios").Body(body...)
}

func (p *Panel) tools(open bool) app.UI {
	locked := p.readOnly()
	generate := kit.El("button.secondary type=button data-act=sc-generate disabled=%", kit.Yes(locked)).Text("Generate")
	if percent, ok := p.generate.Running(); ok {
		return kit.El("header").Body(kit.El("h2").Text("Scenarios"), worker.Progress("Generating", percent, "sc-cancel"))
	}
	return kit.El("header").Body(
		kit.El("h2").Text("Scenarios"),
		generate,
		kit.El("button.secondary type=button data-act=sc-record disabled=%", kit.Yes(locked)).Text("Record"),
		p.coverage(),
		kit.El("span.push"),
		kit.MenuButton("icon", Menu, "More for scenarios", open, kit.Icon("more")),
	)
}

// Menu is the name of the menu of the panel.
const Menu = "scenarios"

// MenuItems returns the lines of Menu.
func (p *Panel) MenuItems() []kit.Item {
	name := "Show coverage"
	if p.covering {
		name = "Hide coverage"
	}
	return []kit.Item{
		{Act: "sc-cover", Name: name, Icon: "edge", Disabled: p.check.form == nil || p.check.report.Fault != ""}, // in a narrow panel, the only way
		{},
		{Act: "sc-import", Name: "Import scenarios…", Icon: "import", Disabled: p.readOnly()},
		{Act: "sc-export", Name: "Export scenarios", Icon: "download", Disabled: len(p.list) == 0},
	}
}

func (p *Panel) coverage() app.UI {
	if _, ok := p.check.job.Running(); ok || p.shelf.known && !p.current() {
		return kit.El("span.dim role=status").Text("Replaying…")
	}
	if p.check.form == nil || p.check.report.Fault != "" {
		return kit.El("span hidden=true")
	}
	return kit.El("span.sc-cover").Body(
		kit.El("label.choice").Body(
			kit.El("input.switch type=checkbox role=switch data-act=sc-cover data-held=%", kit.Held(kit.Yes(p.covering))),
			kit.El("span").Text("Show coverage")),
		kit.El("span").Text(fmt.Sprintf("%d %% of %s", p.check.report.Coverage, kit.Several(len(p.check.report.Taken), "1 edge", "%d edges"))),
		p.check.never())
}

// never draws how many edges the coverage does not count because no run takes them.
func (c *check) never() app.UI {
	n := len(c.report.Untaken)
	if n == 0 {
		return kit.El("span hidden=true")
	}
	return kit.El("span.sc-never").Text(strconv.Itoa(n) + " more " + c.may() + " be taken")
}

// may returns "can never" if it is certain that no run takes the uncounted edges, else "may never".
func (c *check) may() string {
	if slices.ContainsFunc(c.report.Untaken, func(u message.Untaken) bool { return !u.Never }) {
		return "may never"
	}
	return "can never"
}

// status says what happened last.
func (p *Panel) status() app.UI {
	if p.said.text == "" {
		return kit.El("p hidden=true")
	}
	line := kit.El("p.sc-said role=status")
	if p.said.undo {
		return line.Body(kit.El("span").Text(p.said.text), kit.TextButton("sc-undo", "Undo", "link"))
	}
	return line.Body(kit.El("span").Text(p.said.text))
}

// trouble says why the scenarios are not read, saved or replayed.
func (p *Panel) trouble() app.UI {
	switch {
	case p.shelf.wait.Waiting():
		return kit.El("p.quiet-text").Body(p.shelf.wait.Spoken("saving the scenarios")...)
	case p.shelf.err != nil && p.shelf.known:
		return fault("Not saved: "+kit.Sentence(p.shelf.err), kit.TextButton("sc-again", "Try again", "link"))
	case p.shelf.err != nil:
		return fault(kit.Sentence(p.shelf.err), kit.TextButton("sc-again", "Try again", "link"))
	case !p.shelf.known:
		return kit.El("p.quiet-text role=status").Text("Loading the scenarios…")
	case p.check.report.Fault != "":
		return fault("Not replayed: "+kit.AsSentence(p.check.report.Fault), nil)
	}
	return kit.El("p hidden=true")
}

func fault(text string, action app.UI) app.UI {
	line := []app.UI{kit.Icon("warn"), kit.El("span").Text(text)}
	if action != nil {
		line = append(line, action)
	}
	return kit.El("p.pv-fault role=alert").Body(line...)
}

// item draws a scenario. short is the path that it expects as the list shows it.
func (p *Panel) item(s *schema.Object, path, short string) app.UI {
	name := s.Text("name")
	r := p.check.result(name)
	status, icon, label := "", "more", "Not replayed yet"
	lines := []app.UI{kit.El("span.sc-path title=%", path).Text(short)}
	if r != nil {
		status, icon, label = r.Status, "check", "Takes the expected path"
		switch r.Status {
		case "differs":
			icon, label = "warn", "Takes another path"
			lines = []app.UI{
				kit.El("span.sc-path").Body(kit.El("i").Text("Expected "), kit.El("span").Text(path)),
				kit.El("span.sc-path").Body(kit.El("i").Text("Takes "), kit.El("span").Text(joined(names(p.State().Form, p.Editor.Base(), r.Taken)))),
			}
			if r.Reason != "" {
				lines = append(lines, p.reason(r))
			}
		case "fault":
			icon, label = "lock", "Cannot be replayed"
			lines = append(lines, p.reason(r))
		}
	}
	return kit.El("li.sc-item data-status=%", status).Body(
		kit.El("span.sc-status role=img aria-label=% title=%", label, label).Body(kit.Icon(icon)),
		kit.El("div.grow").Body(p.editing.draw(name), kit.El("div.sc-lines").Body(lines...)),
		p.actions(name, status),
	)
}

// reason draws why a scenario takes another path, or cannot be replayed.
func (p *Panel) reason(r *message.Result) app.UI {
	return kit.El("span.sc-reason").Text(named(p.State().Form, p.Editor.Base(), r.Reason))
}

// draw draws the name of a scenario, or the control for it.
func (e *editing) draw(name string) app.UI {
	if e.name != name {
		return kit.El("b title=%", name).Text(name)
	}
	input := kit.El("input type=text id=% maxlength=255 aria-label=% data-held=%", nameControl, "Name of the scenario", kit.Held(e.text))
	if e.fault == "" {
		return kit.El("div.control").Body(input)
	}
	return kit.El("div.control").Body(input.Attr("aria-invalid", "true").Attr("aria-describedby", nameControl+"-fault"),
		kit.El("p.pv-fault role=alert id=%", nameControl+"-fault").Text(e.fault))
}

func (p *Panel) actions(name, status string) app.UI {
	button := func(act, label, icon string, enabled bool) app.UI {
		return kit.IconButton(act, label+" "+kit.Quote(name), icon, enabled).DataSet("arg", name)
	}
	accept := kit.El("button hidden=true")
	if status == "differs" && !p.readOnly() {
		accept = kit.El("button.link type=button data-act=sc-accept data-arg=%", name).Text("Expect this path")
	}
	return kit.El("span.sc-actions").Body(accept, button("sc-play", "Play", "start", status != "fault"),
		button("sc-rename", "Rename", "pencil", !p.readOnly()), button("sc-delete", "Delete", "trash", !p.readOnly()))
}

func texts(list []any) []string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i], _ = v.(string)
	}
	return all
}

// untaken lists the edges that no scenario takes, and those that no run takes, with the reasons.
func (p *Panel) untaken() app.UI {
	item := func(edge, reason string) app.UI {
		from, port, _ := strings.Cut(edge, ":")
		return kit.El("li").Body(kit.El("button.out-item type=button data-act=go data-arg=%", from).Body(
			kit.El("b").Text(describe.WayName(p.State().Form, from, model.Port(port))), kit.El("span.dim").Text(kit.AsSentence(reason))))
	}
	list := func(class, title string, items []app.UI) app.UI {
		if len(items) == 0 {
			return kit.El("div hidden=true")
		}
		return kit.El("details.sc-untaken").Body(kit.Tree("summary class=% { @down span { % } }", []string{class, title}), kit.El("ul").Body(items...))
	}
	var missing, never []app.UI
	for _, e := range p.check.report.Taken {
		if e.Times == 0 {
			missing = append(missing, item(e.Edge, "Generate adds a scenario that takes it"))
		}
	}
	for _, u := range p.check.report.Untaken {
		reason := u.Reason
		if u.Never {
			reason = "Nobody can take it: " + reason
		}
		never = append(never, item(u.Edge, reason))
	}
	return kit.El("div").Body(
		list("fold-head", kit.Several(len(missing), "1 edge that no scenario takes", "%d edges that no scenario takes"), missing),
		list("fold-head sc-never", kit.Several(len(never), "1 edge that ", "%d edges that ")+p.check.may()+" be taken", never))
}
