package versions

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// describing is the name and note of a version while they are written.
type describing struct {
	number     int // 0 for none
	name, note string
	wrong      [2]string // what is wrong with the name and with the note
	saving     bool
}

// The ids of the controls.
const (
	nameID = "version-name"
	noteID = "version-note"
)

// The limits of the server, in characters.
const (
	maxName = 120
	maxNote = 2000
)

// Input takes the text of a control, and reports whether it is one of the panel's.
func (p *Panel) Input(id, text string) bool {
	switch id {
	case nameID:
		p.edit.name, p.edit.wrong[0] = text, ""
	case noteID:
		p.edit.note, p.edit.wrong[1] = text, ""
	default:
		return false
	}
	return true
}

// check records what is wrong with the texts, and reports whether both are valid.
func (d *describing) check() bool {
	d.wrong = [2]string{tooLong(d.name, maxName), tooLong(d.note, maxNote)}
	return d.wrong == [2]string{}
}

func tooLong(text string, most int) string {
	if n := utf8.RuneCountInString(strings.TrimSpace(text)); n > most {
		return "Must be at most " + strconv.Itoa(most) + " characters, is " + strconv.Itoa(n) + "."
	}
	return ""
}

// keep sends the name and the note. What is wrong is shown at its field, where the text stays.
func (p *Panel) keep(ctx app.Context) {
	v := p.version(p.edit.number)
	if v == nil || p.edit.saving || !p.edit.check() {
		return
	}
	p.edit.saving = true
	d, was := p.edit, *v
	p.Async(ctx, func(c context.Context) func(app.Context) {
		now, err := formapi.Describe(c, p.Client, p.ID, d.number, d.name, d.note)
		return func(ctx app.Context) {
			defer p.Redraw(ctx)
			if p.edit.number != d.number {
				return
			}
			p.edit.saving = false
			if err != nil {
				at := 0
				if d.name == was.Name {
					at = 1
				}
				p.edit.wrong[at] = kit.Sentence(err)
				return
			}
			if v := p.version(d.number); v != nil {
				*v = now
			}
			p.close(ctx)
		}
	})
}

// close ends the editing, and returns the focus to its button.
func (p *Panel) close(ctx app.Context) {
	kit.FocusSoon(ctx, kit.Control(editAct, strconv.Itoa(p.edit.number)), 0)
	p.edit = describing{}
}

// key handles a key in the fields.
func (p *Panel) key(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	switch key := e.Get("key").String(); {
	case key == "Escape":
		p.close(ctx)
	case key == "Enter" && kit.Target(e).Get("id").String() == nameID:
		p.keep(ctx)
	default:
		return
	}
	e.PreventDefault()
	e.Call("stopPropagation")
}

// form draws the fields below what the version is.
func (d *describing) form(about app.UI) app.HTMLElem {
	field := func(i int, spec, id, label, text string) app.UI {
		box, wrong := "div.f", kit.El("p hidden=true id=%", id+"-wrong")
		if d.wrong[i] != "" {
			box, wrong = "div.f.bad", kit.Tree("p.problem-text id=% role=alert { @warn span { % } }", []string{id + "-wrong", d.wrong[i]})
		}
		return kit.El(box).Body(kit.El("label for=%", id).Text(label), kit.El("div.control").Body(
			kit.El(spec+" id=% data-held=% aria-invalid=% aria-describedby=%", id, kit.Held(text), kit.Yes(d.wrong[i] != ""), id+"-wrong")), wrong)
	}
	return kit.El("div.version-form").Body(about,
		field(0, "input type=text", nameID, "Name", d.name), field(1, "textarea rows=3", noteID, "Note", d.note),
		kit.El("div.buttons").Body(kit.TextButton(cancelAct, "Cancel", "secondary"), kit.TextButton(keepAct, "Keep", "primary").Attr("disabled", d.saving)))
}
