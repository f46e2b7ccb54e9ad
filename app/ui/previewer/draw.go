package previewer

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
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

var themes = []struct{ name, label, icon string }{{"light", "Light form", "sun"}, {"dark", "Dark form", "theme"}}

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
	return panel.Body(
		p.head(),
		kit.El("div.pv-body").Body(
			kit.El("div.pv-stage").Body(p.fault(), p.question(), p.frame()),
			p.side(),
		),
	)
}

func (p *Panel) head() app.UI {
	var widths, looks []app.UI
	for _, s := range sizes {
		widths = append(widths, toggle("pv-size", s.name, s.label, s.icon, p.look.size == s.name))
	}
	for _, t := range themes {
		looks = append(looks, toggle("pv-theme", t.name, t.label, t.icon, p.look.theme == t.name))
	}
	return kit.El("header.pv-head").Body(
		kit.El("span.seg role=group aria-label=%", "Width").Body(widths...),
		kit.El("span.pv-width").Text(sizeOf(p.look.size).width),
		kit.El("span.seg role=group aria-label=%", "Appearance of the form").Body(looks...),
		p.language(),
		kit.El("span.push"),
		p.keep(),
		kit.IconButton("pv-restart", "Start again", "history", true),
		kit.IconButton("pv-full", "Full window", "full", true).Aria("pressed", kit.Yes(p.look.full)),
		kit.IconButton("pv-close", "Close the preview", "close", true),
	)
}

// keep draws the button that keeps the run as a scenario.
func (p *Panel) keep() app.UI {
	v := p.run.view
	if p.run.recording {
		return kit.El("span.pv-rec").Body(kit.El("span.dot"), kit.El("span").Text("Recording"), kit.TextButton("pv-keep", "Save scenario", "primary"))
	}
	why := kit.AsSentence(v.Unkept)
	if v.Unkept == "" {
		why = "Save what you did as a scenario, which is replayed after each edit"
	}
	return kit.El("button.quiet type=button data-act=pv-keep title=% disabled=%", why, kit.Yes(v.Unkept != "" || v.State == "" || p.ReadOnly())).
		Body(kit.Icon("scenarios"), kit.El("span").Text("Save scenario"))
}

// toggle is a button of a group of which one is pressed.
func toggle(act, arg, label, icon string, on bool) app.UI {
	return kit.El("button type=button data-act=% data-arg=% aria-label=% title=% aria-pressed=%", act, arg, label, label, kit.Yes(on)).Body(kit.Icon(icon))
}

func (p *Panel) language() app.UI {
	v := p.run.view
	var options []app.UI
	for _, l := range v.Languages {
		o := kit.El("option value=%", l).Text(l)
		if l == v.Language {
			o.Attr("selected", true)
		}
		options = append(options, o)
	}
	return kit.El("span.control.pv-language").Body(
		kit.El("select id=pv-language aria-label=% data-held=%", "Language", kit.Held(v.Language)).Body(options...))
}

func (p *Panel) fault() app.UI {
	if p.run.view.Fault == "" {
		return kit.El("div hidden=true")
	}
	return kit.El("p.pv-fault role=alert").Body(kit.Icon("warn"), kit.El("span").Text(p.run.view.Fault))
}

// frame is the sandbox in which the form is shown. It stays while a flow runs, so that the answers in it stay, too.
func (p *Panel) frame() app.UI {
	src := "/preview"
	if p.look.image {
		src += "?img=1"
	}
	hidden := p.run.view.State != "asking" && p.run.view.State != "ended"
	return kit.El("div.pv-device").Body(
		kit.El("iframe.pv-frame id=preview-frame sandbox=allow-scripts src=% title=%", src, "The form"),
	).Attr("hidden", hidden)
}

// question is what the run waits for when it does not show a screen.
func (p *Panel) question() app.UI {
	v := p.run.view
	switch v.State {
	case "flow":
		name := p.flowName(v.Node)
		if p.run.reply != nil {
			return kit.El("div.pv-card role=status").Body(
				kit.El("h2").Body(kit.Icon("flow"), kit.El("span").Text(name)),
				kit.El("p").Body(kit.El("span.busy"), kit.El("span").Text("The flow is running…")),
				kit.El("div.buttons").Body(kit.TextButton("pv-now", "Reply now", "secondary")),
			)
		}
		return kit.El("div.pv-card").Body(
			kit.El("h2").Body(kit.Icon("flow"), kit.El("span").Text(name)),
			kit.El("p").Text("A preview runs no flows. How does this one end?"),
			p.text(resultControl, "Variables that it returns", `{"code": "482913"}`, p.given.result),
			p.delay(),
			kit.El("div.buttons").Body(kit.TextButton("pv-success", "Success", "primary"), kit.TextButton("pv-error", "Error", "secondary")),
		)
	case "router":
		ways := []app.UI{kit.El("h2").Body(kit.Icon("router"), kit.El("span").Text(p.title(v.Node))), kit.El("p").Text("A condition cannot be evaluated. Which way?")}
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

func upper(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

func (p *Panel) title(id string) string {
	if n, _ := p.State().Form.Node(id); n != nil && n.Alias != "" {
		return n.Alias
	}
	return id
}

// flowName names the flow that runs: that of the node, or that of a resend button.
func (p *Panel) flowName(node string) string {
	n, _ := p.State().Form.Node(node)
	if n != nil {
		if of, ok := n.Config.(*model.Flow); ok {
			for _, f := range p.Flows {
				if f.ID == of.FlowID {
					return f.Name
				}
			}
		}
	}
	return p.title(node)
}

// side draws what the person enters beside the form.
func (p *Panel) side() app.UI {
	body := []app.UI{kit.El("h2.sub").Text("Values"), p.values()}
	for _, key := range p.run.view.Hidden {
		id := "pv-" + hiddenControl + key
		body = append(body, kit.El("label.pv-row for=%", id).Text(key),
			kit.El("span.control").Body(
				kit.El("input type=text id=% data-held=% placeholder=% maxlength=2000", id, kit.Held(p.given.hidden[key]), "as in the form")))
	}
	body = append(body,
		p.text(contextControl, "Context", `{"user": {"email": "ann@example.com"}}`, p.given.context),
		p.text(varsControl, "Variables", `{"risk_score": 64}`, p.given.vars),
		kit.El("p.dim").Text("They take effect when the form starts again."),
		kit.El("label.choice").Body(kit.El("input.switch type=checkbox role=switch data-act=pv-images data-held=%", kit.Held(kit.Yes(p.look.image))),
			kit.El("span").Text("Load pictures of other sites")),
		kit.El("h2.sub").Text("Every screen"),
		kit.El("div").Body(kit.TextButton(string(command.Atlas), command.Of(command.Atlas).Title, "link")),
		kit.El("h2.sub").Text("About this preview"),
		kit.El("p.dim").Text("This preview is simulated. The tenant may behave differently where its documentation is silent."),
		p.rules(),
	)
	return kit.El("div.pv-side").Body(body...)
}

// values offers the values of scenarios.
func (p *Panel) values() app.UI {
	with := p.Values()
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

// text draws a control for a JSON object.
func (p *Panel) text(name, label, example, value string) app.UI {
	return p.field(name, label, kit.El("textarea.code id=% rows=3 spellcheck=false placeholder=% data-held=%", "pv-"+name, example, kit.Held(value)))
}

// delay draws the control for the time that a flow takes.
func (p *Panel) delay() app.UI {
	return p.field(delayControl, "Seconds until it replies",
		kit.El("input type=number min=0 max=60 id=% placeholder=0 data-held=%", "pv-"+delayControl, kit.Held(p.given.delay)))
}

// field draws a control with its label and its fault.
func (p *Panel) field(name, label string, control app.HTMLElem) app.UI {
	id, fault := "pv-"+name, p.given.faults[name]
	if fault == "" {
		return kit.El("div.pv-field.control").Body(kit.El("label for=%", id).Text(label), control)
	}
	return kit.El("div.pv-field.control").Body(kit.El("label for=%", id).Text(label),
		control.Attr("aria-invalid", "true").Attr("aria-describedby", id+"-fault"), kit.El("p.pv-fault role=alert id=%", id+"-fault").Text(fault))
}

// rules draws what we chose where the documentation of forms is silent.
func (p *Panel) rules() app.UI {
	open := kit.El("button.link type=button data-act=pv-rules aria-expanded=%", kit.Yes(p.look.rules)).Text("How it decides")
	if !p.look.rules {
		return open
	}
	var rows []app.UI
	for _, r := range p.run.rules {
		rows = append(rows, kit.El("dt").Text(r.Subject), kit.El("dd").Text(r.Text))
	}
	return kit.El("div").Body(open, kit.El("dl.pv-rules").Body(rows...))
}

// Journey draws the nodes that the run visited.
func (p *Panel) Journey() app.UI {
	if !p.Opened() {
		return kit.El("section.journey hidden=true")
	}
	v := p.run.view
	var items []app.UI
	for i, e := range v.Entries {
		items = append(items, p.entry(i, e, v.At))
	}
	return kit.El("section.journey aria-label=%", "Journey").Body(kit.El("ol").Body(items...))
}

func (p *Panel) entry(i int, e message.Entry, at int) app.UI {
	class, icon := "", "ending"
	if n, _ := p.State().Form.Node(e.Node); n != nil {
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
