package inspect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// row draws a row of the inspector and records it for event handlers.
func (p *Panel) row(r inspector.Row) app.UI {
	path := r.Path.String()
	p.rows[path] = r
	switch r.Input {
	case inspector.Group:
		return p.group(r)
	case inspector.Items, inspector.Entries:
		return p.items(r)
	default: // a single control
	}
	id := kit.DomID("f-", path)
	problem, problemID := p.problemOf(r), kit.DomID("p-", path)
	describe := []string{}
	if problem != "" {
		describe = append(describe, problemID)
	}
	if r.Help != "" {
		describe = append(describe, kit.DomID("h-", path))
	}
	class := "f"
	if problem != "" {
		class = "f bad"
	}
	if r.Input == inspector.LongText || r.Input == inspector.JSON {
		class += " tall"
	}
	body := []app.UI{
		kit.El("label for=%", id).Body(kit.El("span").Text(r.Label), app.If(r.Required, func() app.UI {
			return kit.El("span.req title=%", "required")
		})),
		kit.El("div.control").Body(p.control(r, id, strings.Join(describe, " "))...),
	}
	if r.Max > 0 && r.Max <= 10000 && (r.Input == inspector.Text || r.Input == inspector.LongText) && r.Present {
		body = append(body, kit.El("small.count").Text(fmt.Sprintf("%d of %d", len([]rune(r.Text())), r.Max)))
	}
	if r.Help != "" {
		body = append(body, kit.El("small.help id=%", kit.DomID("h-", path)).Text(r.Help))
	}
	if problem != "" {
		body = append(body, kit.El("p.problem-text id=% role=alert", problemID).Body(kit.Icon("warn"), kit.El("span").Text(problem)))
	}
	return kit.El("div class=%", class).Body(body...)
}

// problemOf returns the problem of a row, in words.
func (p *Panel) problemOf(r inspector.Row) string {
	if rejected, ok := p.rejectedAt(r.Path.String()); ok {
		return rejected.reason
	}
	var texts []string
	for _, pr := range r.Problems {
		d := pr.Detail
		if !pr.Path.Equal(r.Path) {
			d = pr.Path[len(r.Path):].String() + " " + d
		}
		texts = append(texts, kit.AsSentence(d))
	}
	return strings.Join(texts, " ")
}

func (p *Panel) control(r inspector.Row, id, describe string) []app.UI {
	path, text := r.Path.String(), r.Text()
	if rejected, ok := p.rejectedAt(path); ok {
		text = rejected.text
	}
	lock := p.Editor.ReadOnly()
	mono := ""
	if r.Code || r.Input == inspector.JSON || r.Input == inspector.Number || r.Input == inspector.Flow || r.OnLeave() {
		mono = "mono"
	}
	invalid := kit.Yes(p.problemOf(r) != "")
	switch r.Input {
	case inspector.LongText, inspector.JSON:
		rows := 2
		if mono != "" && text != "" {
			rows = 6
		}
		return []app.UI{kit.El("textarea id=% class=% rows=% spellcheck=% data-path=% data-held=% aria-describedby=% aria-invalid=% readonly=%",
			id, mono, strconv.Itoa(rows), kit.Yes(mono == ""), path, kit.Held(text), describe, invalid, kit.Yes(lock))}
	case inspector.Select, inspector.Pointer:
		var options []app.UI
		if !r.Required || text == "" {
			options = append(options, kit.El("option value=%", notSet).Text("Not set"))
		}
		for _, o := range r.Options {
			options = append(options, kit.El("option value=%", o.Value).Text(o.Label))
		}
		return []app.UI{kit.El("select id=% data-path=% data-held=% aria-describedby=% aria-invalid=% disabled=%", id, path,
			kit.Held(orNotSet(text)), describe, invalid, kit.Yes(lock)).Body(options...)}
	case inspector.Switch:
		return []app.UI{kit.El("input.switch id=% type=checkbox data-path=% data-held=% aria-describedby=% disabled=%", id, path,
			kit.Held(kit.Yes(r.On())), describe, kit.Yes(lock))}
	case inspector.Secret:
		kind, act, name := "password", "Show", "Show %s"
		if p.shown[path] {
			kind, act, name = "text", "Hide", "Hide %s"
		}
		return []app.UI{
			kit.El("input.mono id=% type=% autocomplete=off spellcheck=false data-path=% data-held=% aria-describedby=% aria-invalid=% readonly=%",
				id, kind, path, kit.Held(text), describe, invalid, kit.Yes(lock)),
			kit.El("button.link type=button data-act=reveal data-arg=% aria-label=%", path, fmt.Sprintf(name, r.Label)).Text(act),
		}
	default: // a line of text
	}
	in := kit.El("input id=% type=text class=% autocomplete=off spellcheck=% data-path=% data-held=% aria-describedby=% aria-invalid=% "+
		"readonly=%", id, mono, kit.Yes(mono == ""), path, kit.Held(text), describe, invalid, kit.Yes(lock))
	switch r.Input {
	default: // any text
	case inspector.Number:
		in = in.Attr("inputmode", "decimal")
	case inspector.Flow:
		if len(p.Flows) > 0 { // else people type an id
			in = in.Attr("list", "flows")
		}
	}
	return []app.UI{in}
}

// notSet is the value of the option that clears a property. go-app would drop
// an empty value; no enum value and no id is a space.
const notSet = " "

func orNotSet(text string) string {
	if text == "" {
		return notSet
	}
	return text
}

// group draws the properties of an object.
func (p *Panel) group(r inspector.Row) app.UI {
	body := []app.UI{p.legend(r)}
	for _, c := range r.Rows {
		body = append(body, p.row(c))
	}
	return kit.El("fieldset.group").Body(append(body, p.ownProblem(r)...)...)
}

// legend draws the name of an object or list, and a button to remove an
// optional one: its required properties could not be cleared individually.
func (p *Panel) legend(r inspector.Row) app.UI {
	if !r.Present || r.Required || p.Editor.ReadOnly() {
		return kit.El("legend").Text(r.Label)
	}
	return kit.El("legend").Body(kit.El("span").Text(r.Label),
		kit.El("button.link.dim type=button data-act=clear data-arg=% aria-label=%", r.Path.String(),
			fmt.Sprintf("Remove %s", r.Label)).Text("Remove"))
}

// ownProblem draws the problem of an object or list as a whole.
func (p *Panel) ownProblem(r inspector.Row) []app.UI {
	if text := p.problemOf(r); text != "" {
		return []app.UI{kit.El("p.problem-text id=% role=alert", kit.DomID("p-", r.Path.String())).Body(kit.Icon("warn"),
			kit.El("span").Text(text))}
	}
	return nil
}

// items draws the elements of a list, or the members of an open object, with
// controls to add, remove and reorder them.
func (p *Panel) items(r inspector.Row) app.UI {
	path, lock := r.Path.String(), p.Editor.ReadOnly()
	body := []app.UI{p.legend(r)}
	for i, c := range r.Rows {
		arg := fmt.Sprintf("%d %s", i, path)
		name := fmt.Sprintf("%s %d", r.Element.Noun, i+1)
		if r.Input == inspector.Items {
			c.Label = strings.ToUpper(name[:1]) + name[1:]
		}
		tools := []app.UI{}
		if r.Input == inspector.Items {
			tools = append(tools, kit.IconButton("up", fmt.Sprintf("Move up %s", name), "up", i > 0 && !lock).DataSet("arg", arg),
				kit.IconButton("down", fmt.Sprintf("Move down %s", name), "down", i < len(r.Rows)-1 && !lock).DataSet("arg", arg))
		}
		tools = append(tools, kit.IconButton("remove", fmt.Sprintf("Remove %s", name), "close", !lock).DataSet("arg", arg))
		body = append(body, kit.El("div.item").Body(p.row(c), kit.El("div.item-tools").Body(tools...)))
	}
	if r.Input == inspector.Entries {
		id := kit.DomID("k-", path)
		body = append(body, kit.El("div.new-entry").Body(
			kit.El("input.mono id=% type=text placeholder=% aria-label=% readonly=%", id, "Key", fmt.Sprintf("Key of the new %s", r.Element.Noun),
				kit.Yes(lock)),
			kit.El("button.link type=button data-act=add data-arg=% disabled=%", path, kit.Yes(lock)).Text(fmt.Sprintf("Add %s", r.Element.Noun))))
	} else {
		body = append(body, kit.El("button.link type=button data-act=add data-arg=% disabled=%", path,
			kit.Yes(lock)).Text(fmt.Sprintf("Add %s", r.Element.Noun)))
	}
	return kit.El("fieldset.group").Body(append(body, p.ownProblem(r)...)...)
}
