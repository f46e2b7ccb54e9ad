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
		el("label", "for", id).Body(el("span").Text(r.Label), app.If(r.Required, func() app.UI {
			return el("span", "class", "req", "title", t.Required)
		})),
		el("div", "class", "control").Body(p.control(r, id, strings.Join(describe, " "))...),
	}
	if r.Max > 0 && r.Max <= 10000 && (r.Input == inspector.Text || r.Input == inspector.LongText) && r.Present {
		body = append(body, el("small", "class", "count").Text(fmt.Sprintf("%d of %d", len([]rune(r.Text())), r.Max)))
	}
	if r.Help != "" {
		body = append(body, el("small", "class", "help", "id", domID("h-", path)).Text(r.Help))
	}
	if problem != "" {
		body = append(body, el("p", "class", "problem-text", "id", problemID, "role", "alert").Body(icon("warn"), el("span").Text(problem)))
	}
	return el("div", "class", class).Body(body...)
}

// problemOf returns what is wrong with a row, in words.
func (p *editorPage) problemOf(r inspector.Row) string {
	if text, ok := p.drafts[r.Path.String()]; ok {
		if _, err := r.Edit(text); err != nil {
			return "This is no JSON yet, so it is not part of the form."
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
		rows := 3
		if mono != "" {
			rows = 6
		}
		return []app.UI{el("textarea", "id", id, "class", mono, "rows", strconv.Itoa(rows), "spellcheck", yes(mono == ""), "data-path", path, "data-held", held(text), "aria-describedby", describe, "aria-invalid", invalid, "readonly", yes(lock))}
	case inspector.Select, inspector.Pointer:
		var options []app.UI
		if !r.Required || text == "" {
			options = append(options, el("option", "value", "").Text(t.NotSet))
		}
		for _, o := range r.Options {
			options = append(options, el("option", "value", o.Value).Text(o.Label))
		}
		return []app.UI{el("select", "id", id, "data-path", path, "data-held", held(text), "aria-describedby", describe, "aria-invalid", invalid, "disabled", yes(lock)).Body(options...)}
	case inspector.Switch:
		return []app.UI{el("input", "id", id, "type", "checkbox", "class", "switch", "data-path", path, "data-held", held(yes(r.On())), "aria-describedby", describe, "disabled", yes(lock))}
	case inspector.Secret:
		kind, act := "password", t.Show
		if p.shown[path] {
			kind, act = "text", t.Hide
		}
		return []app.UI{
			el("input", "id", id, "type", kind, "class", "mono", "autocomplete", "off", "spellcheck", "false", "data-path", path, "data-held", held(text), "aria-describedby", describe, "aria-invalid", invalid, "readonly", yes(lock)),
			el("button", "type", "button", "class", "link", "data-act", "reveal", "data-arg", path, "aria-label", act+" "+r.Label).Text(act),
		}
	}
	in := el("input", "id", id, "type", "text", "class", mono, "autocomplete", "off", "spellcheck", yes(mono == ""), "data-path", path, "data-held", held(text), "aria-describedby", describe, "aria-invalid", invalid, "readonly", yes(lock))
	switch r.Input {
	case inspector.Number:
		in = in.Attr("inputmode", "decimal")
	case inspector.Flow:
		in = in.Attr("list", "flows")
	}
	return []app.UI{in}
}

// group draws the properties of an object.
func (p *editorPage) group(r inspector.Row) app.UI {
	body := []app.UI{el("legend").Text(r.Label)}
	for _, c := range r.Rows {
		body = append(body, p.row(c))
	}
	return el("fieldset", "class", "group").Body(append(body, p.ownProblem(r)...)...)
}

// ownProblem shows what is wrong with an object or list as a whole.
func (p *editorPage) ownProblem(r inspector.Row) []app.UI {
	if text := p.problemOf(r); text != "" {
		return []app.UI{el("p", "class", "problem-text", "id", domID("p-", r.Path.String()), "role", "alert").Body(icon("warn"), el("span").Text(text))}
	}
	return nil
}

// items draws the elements of a list, or the members of an open object, with
// the ways to add, remove and reorder them.
func (p *editorPage) items(r inspector.Row) app.UI {
	path, lock := r.Path.String(), p.ed.ReadOnly()
	body := []app.UI{el("legend").Text(r.Label)}
	for i, c := range r.Rows {
		arg := fmt.Sprintf("%d %s", i, path)
		name := fmt.Sprintf("%s %d", r.Noun, i+1)
		if r.Input == inspector.Items {
			c.Label = strings.ToUpper(name[:1]) + name[1:]
		}
		tools := []app.UI{}
		if r.Input == inspector.Items {
			tools = append(tools, iconButton("up", t.MoveUp+" "+name, "up", i > 0 && !lock).DataSet("arg", arg),
				iconButton("down", t.MoveDown+" "+name, "down", i < len(r.Rows)-1 && !lock).DataSet("arg", arg))
		}
		tools = append(tools, iconButton("remove", t.Remove+" "+name, "close", !lock).DataSet("arg", arg))
		body = append(body, el("div", "class", "item").Body(p.row(c), el("div", "class", "item-tools").Body(tools...)))
	}
	if r.Input == inspector.Entries {
		id := domID("k-", path)
		body = append(body, el("div", "class", "new-entry").Body(
			el("input", "id", id, "type", "text", "class", "mono", "placeholder", t.Key, "aria-label", t.Key+" of the new "+r.Noun, "readonly", yes(lock)),
			el("button", "type", "button", "class", "link", "data-act", "add", "data-arg", path, "disabled", yes(lock)).Text(t.Add+" "+r.Noun)))
	} else {
		body = append(body, el("button", "type", "button", "class", "link", "data-act", "add", "data-arg", path, "disabled", yes(lock)).Text(t.Add+" "+r.Noun))
	}
	return el("fieldset", "class", "group").Body(append(body, p.ownProblem(r)...)...)
}
