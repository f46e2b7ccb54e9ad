//go:build js

package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
)

// row draws one row of the inspector and remembers it for the events.
func (p *editorPage) row(r inspector.Row) app.UI {
	path := r.Path.String()
	p.rows[path] = r
	switch r.Input {
	case inspector.Group:
		return p.group(r)
	case inspector.Items, inspector.Entries:
		return p.items(r)
	default: // one control
	}
	id := domID("f-", path)
	problem, problemID := p.problemOf(r), domID("p-", path)
	describe := []string{}
	if problem != "" {
		describe = append(describe, problemID)
	}
	if r.Help != "" {
		describe = append(describe, domID("h-", path))
	}
	class := "f"
	if problem != "" {
		class = "f bad"
	}
	if r.Input == inspector.LongText || r.Input == inspector.JSON {
		class += " tall"
	}
	body := []app.UI{
		el("label for=%", id).Body(el("span").Text(r.Label), app.If(r.Required, func() app.UI {
			return el("span.req title=%", t.Required)
		})),
		el("div.control").Body(p.control(r, id, strings.Join(describe, " "))...),
	}
	if r.Max > 0 && r.Max <= 10000 && (r.Input == inspector.Text || r.Input == inspector.LongText) && r.Present {
		body = append(body, el("small.count").Text(fmt.Sprintf(t.OfMost, len([]rune(r.Text())), r.Max)))
	}
	if r.Help != "" {
		body = append(body, el("small.help id=%", domID("h-", path)).Text(r.Help))
	}
	if problem != "" {
		body = append(body, el("p.problem-text id=% role=alert", problemID).Body(icon("warn"), el("span").Text(problem)))
	}
	return el("div class=%", class).Body(body...)
}

// problemOf returns what is wrong with a row, in words.
func (p *editorPage) problemOf(r inspector.Row) string {
	if text, ok := p.drafts[r.Path.String()]; ok {
		if _, err := r.Edit(text); err != nil {
			return t.NoJSON
		}
	}
	var texts []string
	for _, pr := range r.Problems {
		d := remark(pr.Detail)
		if !pr.Path.Equal(r.Path) {
			d = remark(pr.Path[len(r.Path):].String() + " " + pr.Detail)
		}
		texts = append(texts, sentence(d))
	}
	return strings.Join(texts, " ")
}

func (p *editorPage) control(r inspector.Row, id, describe string) []app.UI {
	path, text := r.Path.String(), r.Text()
	if draft, ok := p.drafts[path]; ok {
		text = draft
	}
	lock := p.ed.ReadOnly()
	mono := ""
	if r.Code || r.Input == inspector.JSON || r.Input == inspector.Number || r.Input == inspector.Flow || r.OnLeave() {
		mono = "mono"
	}
	invalid := yes(p.problemOf(r) != "")
	switch r.Input {
	case inspector.LongText, inspector.JSON:
		rows := 2
		if mono != "" && text != "" {
			rows = 6
		}
		return []app.UI{el("textarea id=% class=% rows=% spellcheck=% data-path=% data-held=% aria-describedby=% aria-invalid=% readonly=%", id, mono, strconv.Itoa(rows), yes(mono == ""), path, held(text), describe, invalid, yes(lock))}
	case inspector.Select, inspector.Pointer:
		var options []app.UI
		if !r.Required || text == "" {
			options = append(options, el("option value=%", notSet).Text(t.NotSet))
		}
		for _, o := range r.Options {
			options = append(options, el("option value=%", o.Value).Text(o.Label))
		}
		return []app.UI{el("select id=% data-path=% data-held=% aria-describedby=% aria-invalid=% disabled=%", id, path, held(orNotSet(text)), describe, invalid, yes(lock)).Body(options...)}
	case inspector.Switch:
		return []app.UI{el("input.switch id=% type=checkbox data-path=% data-held=% aria-describedby=% disabled=%", id, path, held(yes(r.On())), describe, yes(lock))}
	case inspector.Secret:
		kind, act, name := "password", t.Show, t.ShowOf
		if p.shown[path] {
			kind, act, name = "text", t.Hide, t.HideOf
		}
		return []app.UI{
			el("input.mono id=% type=% autocomplete=off spellcheck=false data-path=% data-held=% aria-describedby=% aria-invalid=% readonly=%", id, kind, path, held(text), describe, invalid, yes(lock)),
			el("button.link type=button data-act=reveal data-arg=% aria-label=%", path, fmt.Sprintf(name, r.Label)).Text(act),
		}
	default: // a line of text
	}
	in := el("input id=% type=text class=% autocomplete=off spellcheck=% data-path=% data-held=% aria-describedby=% aria-invalid=% readonly=%", id, mono, yes(mono == ""), path, held(text), describe, invalid, yes(lock))
	switch r.Input {
	default: // any text
	case inspector.Number:
		in = in.Attr("inputmode", "decimal")
	case inspector.Flow:
		in = in.Attr("list", "flows")
	}
	return []app.UI{in}
}

// notSet is the value of the choice that clears a property. An empty one would
// be dropped by go-app; no value of an enum and no id is a space.
const notSet = " "

func orNotSet(text string) string {
	if text == "" {
		return notSet
	}
	return text
}

// group draws the properties of an object.
func (p *editorPage) group(r inspector.Row) app.UI {
	body := []app.UI{p.legend(r)}
	for _, c := range r.Rows {
		body = append(body, p.row(c))
	}
	return el("fieldset.group").Body(append(body, p.ownProblem(r)...)...)
}

// legend names an object or list, and offers to remove one that may be absent:
// its required properties could not be emptied one by one.
func (p *editorPage) legend(r inspector.Row) app.UI {
	if !r.Present || r.Required || p.ed.ReadOnly() {
		return el("legend").Text(r.Label)
	}
	return el("legend").Body(el("span").Text(r.Label),
		el("button.link.dim type=button data-act=clear data-arg=% aria-label=%", r.Path.String(), fmt.Sprintf(t.RemoveOf, r.Label)).Text(t.Remove))
}

// ownProblem shows what is wrong with an object or list as a whole.
func (p *editorPage) ownProblem(r inspector.Row) []app.UI {
	if text := p.problemOf(r); text != "" {
		return []app.UI{el("p.problem-text id=% role=alert", domID("p-", r.Path.String())).Body(icon("warn"), el("span").Text(text))}
	}
	return nil
}

// items draws the elements of a list, or the members of an open object, with
// the ways to add, remove and reorder them.
func (p *editorPage) items(r inspector.Row) app.UI {
	path, lock := r.Path.String(), p.ed.ReadOnly()
	body := []app.UI{p.legend(r)}
	for i, c := range r.Rows {
		arg := fmt.Sprintf("%d %s", i, path)
		name := fmt.Sprintf("%s %d", r.Noun, i+1)
		if r.Input == inspector.Items {
			c.Label = strings.ToUpper(name[:1]) + name[1:]
		}
		tools := []app.UI{}
		if r.Input == inspector.Items {
			tools = append(tools, iconButton("up", fmt.Sprintf(t.MoveUpOf, name), "up", i > 0 && !lock).DataSet("arg", arg),
				iconButton("down", fmt.Sprintf(t.MoveDownOf, name), "down", i < len(r.Rows)-1 && !lock).DataSet("arg", arg))
		}
		tools = append(tools, iconButton("remove", fmt.Sprintf(t.RemoveOf, name), "close", !lock).DataSet("arg", arg))
		body = append(body, el("div.item").Body(p.row(c), el("div.item-tools").Body(tools...)))
	}
	if r.Input == inspector.Entries {
		id := domID("k-", path)
		body = append(body, el("div.new-entry").Body(
			el("input.mono id=% type=text placeholder=% aria-label=% readonly=%", id, t.Key, fmt.Sprintf(t.KeyOf, r.Noun), yes(lock)),
			el("button.link type=button data-act=add data-arg=% disabled=%", path, yes(lock)).Text(fmt.Sprintf(t.AddOf, r.Noun))))
	} else {
		body = append(body, el("button.link type=button data-act=add data-arg=% disabled=%", path, yes(lock)).Text(fmt.Sprintf(t.AddOf, r.Noun)))
	}
	return el("fieldset.group").Body(append(body, p.ownProblem(r)...)...)
}
