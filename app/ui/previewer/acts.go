package previewer

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// Act handles a control of the panel, and reports whether it is one.
func (p *Panel) Act(ctx app.Context, name, arg string) bool {
	switch name {
	case "pv-close":
		p.Close()
	case "pv-restart":
		p.begin(message.Begin)
	case "pv-record":
		p.given.from = ""
		p.begin(message.Record)
	case "pv-keep":
		p.post(message.Command{Do: message.Keep})
	case "pv-copy":
		p.copy(ctx, string(schema.Encode(p.run.view.Answers)))
	case sideAct:
		p.look.side = !p.look.side
		kit.Remember("preview-values", kit.Yes(p.look.side))
	case "pv-full":
		p.look.full = !p.look.full
	case "pv-size":
		p.look.size = arg
		kit.Remember("preview-size", arg)
	case "pv-language":
		p.Input(name, arg)
	case "pv-theme":
		p.look.theme = arg
		if arg == system {
			arg = ""
		}
		p.post(message.Command{Do: message.Theme, Detail: arg})
	case "pv-images":
		p.look.image = !p.look.image
		c := message.Command{Do: message.Images}
		if p.look.image {
			c.Moment = 1
		}
		p.post(c)
	case "pv-success":
		if o := p.object(resultControl); p.given.faults[resultControl] == "" {
			p.reply(ctx, message.Command{Do: message.Succeed, Result: o})
		}
	case proposeAct:
		p.propose(ctx, arg)
	case "pv-error":
		p.reply(ctx, message.Command{Do: message.Fail})
	case "pv-now":
		p.deliver(p.run.reply)
	case "pv-rules":
		if p.look.rules = !p.look.rules; p.run.rules == nil {
			p.post(message.Command{Do: message.Explain})
		}
	case "pv-choose":
		p.post(message.Command{Do: message.Choose, Port: arg})
	case "pv-wait":
		p.post(message.Command{Do: message.Wait})
	case "pv-trail":
		p.look.trail = !p.look.trail
	case "pv-moment":
		n, _ := strconv.Atoi(arg)
		p.run.reply, p.look.trail = nil, false
		p.post(message.Command{Do: message.Recall, Moment: n})
	default:
		return p.valueAct(ctx, name, arg)
	}
	return true
}

// copy copies a text to the clipboard, and says whether that worked.
func (p *Panel) copy(ctx app.Context, text string) {
	p.Async(ctx, func(context.Context) func(app.Context) {
		said := "Copied to the clipboard."
		if err := kit.Copy(text); err != nil {
			said = kit.CopyFailed
		}
		return func(ctx app.Context) { p.Say(ctx, said) }
	})
}

// maxDelay is the longest time that a flow takes in the preview, in seconds.
const maxDelay = 60

// reply sends what a flow replies, after the time that the person chose.
func (p *Panel) reply(ctx app.Context, c message.Command) {
	delete(p.given.faults, delayControl)
	seconds := 0
	if text := strings.TrimSpace(p.given.delay); text != "" {
		var err error
		if seconds, err = strconv.Atoi(text); err != nil || seconds < 0 || seconds > maxDelay {
			p.given.faults[delayControl] = fmt.Sprintf("Write a number of seconds from 0 to %d.", maxDelay)
			return
		}
	}
	p.run.reply = &c
	if seconds == 0 {
		p.deliver(&c)
		return
	}
	ctx.After(time.Duration(seconds)*time.Second, func(ctx app.Context) {
		p.deliver(&c)
		p.Redraw(ctx)
	})
}

// deliver sends the reply of a flow, unless it is no longer waited for.
func (p *Panel) deliver(c *message.Command) {
	if c != nil && p.run.reply == c {
		p.run.reply = nil
		p.post(*c)
	}
}

// Input handles what the person types beside the form, and reports whether the control belongs to the panel.
func (p *Panel) Input(id, text string) bool {
	name, ok := strings.CutPrefix(id, "pv-")
	if !ok {
		return false
	}
	switch name {
	case delayControl:
		p.given.delay = text
	case "language":
		p.given.language = text
		p.post(message.Command{Do: message.Speak, Language: text})
	default:
		if key, ok := strings.CutPrefix(name, hiddenControl); ok {
			p.given.hidden[key] = text
		} else if !p.valueInput(name, text) {
			return false
		}
	}
	delete(p.given.faults, name)
	return true
}

// valuesControl is the name of the choice of a scenario whose values a run begins with.
const valuesControl = "values"

// Change applies a choice beside the form, and reports whether the control belongs to the panel.
func (p *Panel) Change(_ app.Context, id, value string) bool {
	if id != "pv-"+valuesControl {
		return false
	}
	for _, s := range p.Values() {
		if s.Text("name") == value {
			p.use(s)
			p.begin(message.Begin)
		}
	}
	return true
}

// use fills in the values of a scenario.
func (p *Panel) use(s *schema.Object) {
	p.given.context, p.given.vars, p.given.language = setOf(s.Object("context")), setOf(s.Object("vars")), s.Text("language")
	p.given.hidden, p.given.faults = map[string]string{}, map[string]string{}
	for _, m := range s.Object("hidden_fields").Members() {
		if v, ok := m.Value.(string); ok {
			p.given.hidden[m.Key] = v
		} else {
			p.given.hidden[m.Key] = string(schema.Encode(m.Value))
		}
	}
}
