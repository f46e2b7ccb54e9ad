package previewer

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// size is a width at which the form is shown.
type size struct{ name, label, icon, width string }

var sizes = []size{
	{"phone", "Phone", "tel", "390 px"}, {"tablet", "Tablet", "tablet", "768 px"}, {"desktop", "Desktop", "window", "1200 px"},
}

func sizeOf(name string) *size {
	for i := range sizes {
		if sizes[i].name == name {
			return &sizes[i]
		}
	}
	return nil
}

// system is the appearance that the system has.
const system = "system"

var themes = []struct{ name, label, icon string }{{system, "System appearance", "contrast"}, {"light", "Light form", "sun"}, {"dark", "Dark form", "moon"}}

// drawing draws the parts of the panel.
type drawing struct{ *Panel }

// Draw draws the panel.
func (p *Panel) Draw() app.UI {
	if !p.warm && !p.Opened() {
		return kit.El("section.pv hidden=true")
	}
	v := p.run.view
	full := ""
	if p.look.full {
		full = "true"
	}
	panel := kit.El("section.pv aria-label=% data-state=% data-node=% data-size=% data-full=%", "Preview panel", v.State, v.Node, p.look.size, full)
	if p.Opened() {
		panel.Attr("data-testid", "preview")
	} else {
		panel.Attr("hidden", true)
	}
	d := drawing{p}
	return panel.Body(
		d.head(),
		d.trail(),
		kit.El("div.pv-body").Body(
			kit.El("div.pv-stage").Body(d.fault(), d.question(), d.frame(), d.answers()),
			d.side(),
		),
	)
}

func (d drawing) head() app.UI {
	var widths, looks []app.UI
	for _, s := range sizes {
		widths = append(widths, toggle("pv-size", s.name, s.label, s.icon, d.look.size == s.name))
	}
	for _, t := range themes {
		looks = append(looks, toggle("pv-theme", t.name, t.label, t.icon, d.look.theme == t.name))
	}
	return kit.El("header.pv-head").Body(
		kit.El("span.seg role=group aria-label=%", "Width").Body(widths...),
		kit.El("span.pv-width hidden=%", kit.Yes(d.run.recording)).Text(sizeOf(d.look.size).width), // a recording needs its room
		kit.El("span.seg role=group aria-label=%", "Appearance of the form").Body(looks...),
		d.language(),
		kit.El("span.push"),
		kit.MenuButton("quiet pv-view", Menu, "View", false, kit.El("span.pv-label").Body(kit.Icon("settings"), kit.El("span").Text("View"))),
		d.keep(),
		kit.IconButton(sideAct, "Values and settings", "panel-right", true).Aria("pressed", kit.Yes(d.look.side)).Attr("hidden", d.run.recording),
		kit.El("button.icon.pv-again type=button data-act=pv-restart aria-label=% title=%", again, again).Body(kit.Icon("resend"), kit.El("span").Text(again)),
		kit.IconButton("pv-full", "Full window", "full", true).Aria("pressed", kit.Yes(d.look.full)),
		kit.IconButton("pv-close", "Close the preview", "close", true),
	)
}

const again = "Start again"

// sideAct shows or hides what the person enters beside the form.
const sideAct = "pv-side"

// Menu is the name of the menu with what a narrow head has no room for.
const Menu = "preview"

// MenuItems returns the lines of Menu.
func (p *Panel) MenuItems() (items []kit.Item) {
	for _, s := range sizes {
		items = append(items, kit.Item{Row: "Width", Act: "pv-size", Arg: s.name, Name: s.label, Icon: s.icon, Chosen: p.look.size == s.name})
	}
	items = append(items, kit.Item{})
	for _, t := range themes {
		name, _, _ := strings.Cut(t.label, " ")
		items = append(items, kit.Item{Row: "Appearance of the form", Act: "pv-theme", Arg: t.name, Name: name, Icon: t.icon, Chosen: p.look.theme == t.name})
	}
	if len(p.run.view.Languages) < 2 {
		return items
	}
	items = append(items, kit.Item{}, kit.Item{Name: "Language"})
	for _, l := range p.run.view.Languages {
		it := kit.Item{Act: "pv-language", Arg: l, Name: kit.LanguageName(l)}
		if l == p.run.view.Language {
			it.Icon = "check"
		}
		items = append(items, it)
	}
	return items
}

// keep draws the button that keeps the run as a scenario.
func (d drawing) keep() app.UI {
	v := d.run.view
	if d.run.recording {
		return kit.El("span.pv-rec").Body(kit.El("span.dot"), kit.El("span").Text("Recording"), kit.TextButton("pv-keep", "Save scenario", "primary"))
	}
	why := kit.AsSentence(v.Unkept)
	if v.Unkept == "" {
		why = "Save what you did as a scenario, which is replayed after each edit"
	}
	return kit.El("button.quiet.pv-save type=button data-act=pv-keep title=% disabled=%", why, kit.Yes(v.Unkept != "" || v.State == "" || d.ReadOnly())).
		Body(kit.Icon("scenarios"), kit.El("span").Text("Save scenario"))
}

// toggle is a button of a group of which one is pressed.
func toggle(act, arg, label, icon string, on bool) app.UI {
	return kit.El("button type=button data-act=% data-arg=% aria-label=% title=% aria-pressed=%", act, arg, label, label, kit.Yes(on)).Body(kit.Icon(icon))
}

func (d drawing) language() app.UI {
	v := d.run.view
	var options []app.UI
	for _, l := range v.Languages {
		o := kit.El("option value=%", l).Text(kit.LanguageName(l))
		if l == v.Language {
			o.Attr("selected", true)
		}
		options = append(options, o)
	}
	return kit.El("span.control.pv-language").Body(
		kit.El("select id=pv-language aria-label=% data-held=%", "Language", kit.Held(v.Language)).Body(options...))
}

func (d drawing) fault() app.UI {
	if d.run.view.Fault == "" {
		return kit.El("div hidden=true")
	}
	return kit.El("d.pv-fault role=alert").Body(kit.Icon("warn"), kit.El("span").Text(d.run.view.Fault))
}

// frame is the sandbox in which the form is shown. It stays while a flow runs, so that the answers in it stay, too.
func (d drawing) frame() app.UI {
	src := "/preview"
	if d.look.image {
		src += "?img=1"
	}
	hidden := d.run.view.State != "asking" && d.run.view.State != "ended"
	return kit.El("div.pv-device").Body(
		kit.El("iframe.pv-frame id=preview-frame sandbox=allow-scripts src=% title=%", src, "The form"),
	).Attr("hidden", hidden)
}

// question is what the run waits for when it does not show a screen.
func (d drawing) question() app.UI {
	v := d.run.view
	switch v.State {
	case "flow":
		name := d.flowName(v.Node)
		if d.run.reply != nil {
			return kit.El("div.pv-card role=status").Body(
				kit.El("h2").Body(kit.Icon("flow"), kit.El("span").Text(name)),
				kit.El("p").Body(kit.El("span.busy"), kit.El("span").Text("The flow is running…")),
				kit.El("div.buttons").Body(kit.TextButton("pv-now", "Reply now", "secondary")),
			)
		}
		return kit.El("div.pv-card").Body(
			kit.El("h2").Body(kit.Icon("flow"), kit.El("span").Text(name)),
			kit.El("p").Text("The preview does not run flows. How does this one end?"),
			d.proposals(),
			d.set(resultControl, "Variables that it returns", `{"code": "482913"}`),
			d.delay(),
			kit.El("div.buttons").Body(kit.TextButton("pv-success", "Success", "primary"), kit.TextButton("pv-error", "Error", "secondary")),
		)
	case "router":
		ways := []app.UI{kit.El("h2").Body(kit.Icon("router"), kit.El("span").Text(d.title(v.Node))), kit.El("p").Text("A condition cannot be evaluated. Which way?")}
		for _, c := range v.Choices {
			ways = append(ways, kit.El("button.secondary type=button data-act=pv-choose data-arg=%", c.Port).Text(c.Label))
		}
		return kit.El("div.pv-card").Body(ways...)
	case "stopped":
		return kit.El("div.pv-card role=status").Body(
			kit.El("h2").Body(kit.Icon("warn"), kit.El("span").Text("The run stops here")), kit.El("p").Text(upper(v.Reason)+"."),
		)
	case "":
		if v.Fault == "" {
			return kit.El("div.pv-card role=status").Body(kit.El("p").Text("Starting the preview…"))
		}
	}
	return kit.El("div hidden=true")
}

// answers draws what a run that has ended would send.
func (d drawing) answers() app.UI {
	v := d.run.view
	if v.State != "ended" {
		return kit.El("div hidden=true")
	}
	buttons := []app.UI{kit.TextButton("pv-restart", again, "primary")}
	if v.Answers.Len() == 0 {
		return kit.El("div.pv-card").Body(kit.El("p").Text("Nobody was asked anything."), kit.El("div.buttons").Body(buttons...))
	}
	var rows []app.UI
	for _, m := range v.Answers.Members() {
		name, value := m.Key, ""
		if c, _, _ := d.State().Form.Component(m.Key); c != nil {
			name = caption.Component(c)
		}
		if text, ok := m.Value.(string); ok {
			value = text
		} else {
			value = string(schema.Encode(m.Value))
		}
		rows = append(rows, kit.El("dt title=%", m.Key).Text(name), kit.El("dd").Text(value))
	}
	return kit.El("div.pv-card").Body(kit.El("h2").Text("Answers"), kit.El("dl.pv-answers").Body(rows...),
		kit.El("div.buttons").Body(append(buttons, kit.TextButton("pv-copy", "Copy as JSON", "secondary"))...))
}

func upper(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

func (d drawing) title(id string) string {
	if n, _ := d.State().Form.Node(id); n != nil && n.Alias != "" {
		return n.Alias
	}
	return id
}

// flowName names the flow that runs: that of the node, or that of a resend button.
func (d drawing) flowName(node string) string {
	n, _ := d.State().Form.Node(node)
	if n != nil {
		if of, ok := n.Config.(*model.Flow); ok {
			for _, f := range d.Flows {
				if f.ID == of.FlowID {
					return f.Name
				}
			}
		}
	}
	return d.title(node)
}

// side draws what the person enters beside the form.
func (d drawing) side() app.UI {
	if !d.look.side && d.given.faults[contextControl] == "" && d.given.faults[varsControl] == "" {
		return kit.El("div hidden=true")
	}
	body := []app.UI{kit.El("h2.sub").Text("Values"), d.values()}
	for _, key := range d.run.view.Hidden {
		id := "pv-" + hiddenControl + key
		body = append(body, kit.El("div.pv-pair.control").Body(kit.El("label for=% title=%", id, key).Text(key),
			kit.El("input type=text id=% data-held=% placeholder=% maxlength=2000", id, kit.Held(d.given.hidden[key]), cmp.Or(d.inForm(key), "Empty"))))
	}
	body = append(body,
		d.set(contextControl, "Context", `{"user": {"email": "ann@example.com"}}`),
		d.set(varsControl, "Variables", `{"risk_score": 64}`),
		kit.El("d.dim").Text("Your changes apply when you start again."),
		kit.El("label.choice").Body(kit.El("input.switch type=checkbox role=switch data-act=pv-images data-held=%", kit.Held(kit.Yes(d.look.image))),
			kit.El("span").Text("Load images from other sites")),
		kit.El("h2.sub").Text("Every screen"),
		kit.El("div").Body(kit.TextButton(string(command.Atlas), command.Of(command.Atlas).Title, "link")),
		kit.El("h2.sub").Text("About this preview"),
		kit.El("d.dim").Text("This preview is a simulation. A tenant may behave differently."),
		d.rules(),
	)
	return kit.El("div.pv-side").Body(body...)
}

// inForm returns the value that a hidden field has in the form, shortened.
func (d drawing) inForm(key string) string {
	for _, h := range d.State().Form.Start.Hidden {
		if h.Key == key {
			return schema.Shorten(h.Value, 40)
		}
	}
	return ""
}

// values offers the values of scenarios.
func (d drawing) values() app.UI {
	with := d.Values()
	if len(with) == 0 {
		return kit.El("div hidden=true")
	}
	options := []app.UI{kit.El("option value=%", "").Text("Choose a scenario")}
	for _, s := range with {
		options = append(options, kit.El("option value=%", s.Text("name")).Text(s.Text("name")))
	}
	return kit.El("div.pv-field.control").Body(kit.El("label for=%", "pv-"+valuesControl).Text("Use the values of"),
		kit.El("select id=%", "pv-"+valuesControl).Body(options...))
}

// delay draws the control for the time that a flow takes.
func (d drawing) delay() app.UI {
	return d.field(delayControl, "Seconds until it replies",
		kit.El("input type=number min=0 max=60 id=% placeholder=0 data-held=%", "pv-"+delayControl, kit.Held(d.given.delay)))
}

// field draws a control with its label and its fault. A control without a label must name itself.
func (d drawing) field(name, label string, control app.HTMLElem) app.UI {
	id, fault := "pv-"+name, d.given.faults[name]
	head := kit.El("label for=%", id).Text(label)
	if label == "" {
		head.Attr("hidden", true)
	}
	if fault == "" {
		return kit.El("div.pv-field.control").Body(head, control)
	}
	return kit.El("div.pv-field.control").Body(head,
		control.Attr("aria-invalid", "true").Attr("aria-describedby", id+"-fault"), kit.El("d.pv-fault role=alert id=%", id+"-fault").Text(fault))
}

// rules draws what we chose where the documentation of forms is silent.
func (d drawing) rules() app.UI {
	open := kit.El("button.link type=button data-act=pv-rules aria-expanded=%", kit.Yes(d.look.rules)).Text("What the preview assumes")
	if !d.look.rules {
		return open
	}
	var rows []app.UI
	for _, r := range d.run.rules {
		rows = append(rows, kit.El("dt").Text(r.Subject), kit.El("dd").Text(r.Text))
	}
	return kit.El("div").Body(open, kit.El("dl.pv-rules").Body(rows...))
}

// trail draws where the run is, in one line, for a window that has no room for the dock. It opens the journey.
func (d drawing) trail() app.UI {
	v := d.run.view
	if len(v.Entries) == 0 {
		return kit.El("div hidden=true")
	}
	const last = 3
	end := min(v.At+1, len(v.Entries))
	from := max(0, end-last)
	var names []app.UI
	if from > 0 {
		names = append(names, kit.El("span.dim").Text("… ›"))
	}
	for i, e := range v.Entries[from:end] {
		if from+i == end-1 {
			names = append(names, kit.El("b").Text(e.Title))
		} else {
			names = append(names, kit.El("span").Text(e.Title), kit.El("span.dim").Text("›"))
		}
	}
	open := kit.El("button.pv-trail type=button data-act=pv-trail aria-expanded=% title=%", kit.Yes(d.look.trail), "Journey").
		Body(kit.El("span.pv-names").Body(names...), kit.Icon("down"))
	if !d.look.trail {
		return kit.El("div.pv-where").Body(open)
	}
	return kit.El("div.pv-where").Body(open, kit.El("div.journey").Body(d.journey()))
}

// Journey draws the nodes that the run visited.
func (p *Panel) Journey() app.UI {
	if !p.Opened() {
		return kit.El("section.journey hidden=true")
	}
	class := ""
	if p.Brief() {
		class = "brief"
	}
	return kit.El("section.journey class=% aria-label=%", class, "Journey").Body(drawing{p}.journey())
}

// Brief reports whether the journey is short enough for one line.
func (p *Panel) Brief() bool {
	const long = 3
	return len(p.run.view.Entries) < long
}

func (d drawing) journey() app.UI {
	var items []app.UI
	for i, e := range d.run.view.Entries {
		items = append(items, d.entry(i, e, d.run.view.At))
	}
	return kit.El("ol").Body(items...)
}

func (d drawing) entry(i int, e message.Entry, at int) app.UI {
	class, icon := "", "ending"
	if n, _ := d.State().Form.Node(e.Node); n != nil {
		switch n.Type {
		case model.StepNode:
			icon = "step"
		case model.FlowNode:
			icon = "flow"
		case model.RouterNode:
			icon = "router"
		}
	}
	if i > at {
		class = "later"
	}
	var lines []app.UI
	for _, l := range e.Lines {
		lines = append(lines, kit.El("span").Text(l))
	}
	return kit.El("li class=%", class).Body(
		kit.El("button type=button data-act=pv-moment data-arg=% aria-current=%", strconv.Itoa(e.Moment), kit.Yes(i == at)).Body(
			kit.Icon(icon), kit.El("b").Text(e.Title), kit.El("span.lines").Body(lines...)))
}
