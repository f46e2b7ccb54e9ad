package messages

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/model/schema"
)

// Draw implements desk.Page.
func (p *Page) Draw(s *desk.Screen) {
	s.Region("", func(w *markup.Writer) {
		w.Open("div.dk-bar data-region=bar").Close()
		w.Open("div.ms-body tabindex=-1").Open("div.ms-page data-region=page").Close().Close()
		w.Open("div.dk-pop data-region=pop").Close()
	})
	s.Region("bar", func(w *markup.Writer) {
		w.Open("label.field-search").Icon("search")
		w.Open("input type=search maxlength=200 data-in=search placeholder=% aria-label=% data-value=%", "Search messages", "Search messages", p.query).Close()
		w.Open("span.push").Close()
		w.Leaf("button.secondary type=button data-do=page data-arg=languages", "Translate messages")
		w.Open("button.secondary type=button data-do=open hidden=%", markup.Only(p.form.ReadOnly, "hidden")).Icon("plus").Leaf("span", "Message").Close()
	})
	s.Region("page", func(w *markup.Writer) {
		p.drawCustoms(w)
		p.drawErrors(w)
	})
	s.Region("pop", p.pop)
}

// drawCustoms draws the messages of the form's own.
func (p *Page) drawCustoms(w *markup.Writer) {
	w.Open("section").Leaf("h2", "Your own messages")
	w.Leaf("p.dim", "Use a message anywhere with {{ t('key') }}.")
	w.Open("div.ms-list")
	n := 0
	for _, c := range p.customs {
		if !p.matches(c.key, c.text) {
			continue
		}
		n++
		w.Open("div.ms-row data-key=%", "c:"+c.key)
		w.Open("div.ms-name").Leaf("code", c.key)
		w.Open("div.ms-uses")
		if len(c.uses) == 0 {
			w.Leaf("span.dim", "Not used")
		}
		const shown = 3
		for i, use := range c.uses {
			if i == shown {
				w.Leaf("span.dim", fmt.Sprintf("and %d more", len(c.uses)-shown))
				break
			}
			w.Leaf("button.link type=button data-do=show data-arg=%", p.place(use), use.String())
		}
		w.Close().Close()
		if c.known {
			p.control(w, "custom", c.key, c.text, "", customPath(c.key))
			p.iconButton(w, "remove", c.key, "Remove "+c.key, "trash")
		} else {
			w.Open("div.ms-missing").Icon("warn").Leaf("span", "This message is used but does not exist.")
			w.Leaf("button.secondary type=button data-do=define data-arg=% hidden=%", "Add it", c.key, markup.Only(p.form.ReadOnly, "hidden")).Close()
		}
		w.Close()
	}
	switch {
	case n > 0:
	case p.query != "":
		w.Leaf("p.ms-none", "No message contains what you search for.")
	default:
		w.Open("div.ms-none").Leaf("p", "This form has no messages of its own.")
		w.Open("p").Text("For example, add the key ").Leaf("code", "greeting").Text(" with the text “Welcome back”. Then ").Leaf("code", "{{ t('greeting') }}")
		w.Text(" in a label shows “Welcome back”.").Close()
		w.Open("button.secondary type=button data-do=open hidden=%", markup.Only(p.form.ReadOnly, "hidden")).Icon("plus").Leaf("span", "Add a message").Close().Close()
	}
	w.Close().Close()
}

// place names the place of a path.
func (p *Page) place(at schema.Path) string {
	place, ok := p.form.At(at)
	if !ok || place.Node < 0 || place.Node >= len(p.form.Nodes) {
		return at.String()
	}
	n := p.form.Nodes[place.Node]
	name := caption.Line(n.Name())
	if c := n.Component(place.Component); place.Component >= 0 && c != nil {
		part := caption.Component(c)
		if c.Kind != nil && strings.Contains(part, "{{") { // it would be the call of the message
			part = c.Kind.Label
		}
		name += " › " + part
	}
	return name
}

// drawErrors draws the texts that refuse answers.
func (p *Page) drawErrors(w *markup.Writer) {
	w.Open("section").Leaf("h2", "Errors")
	w.Leaf("p.dim", "What people read when an answer is refused. Empty means the built-in text.")
	w.Open("div.ms-list")
	hidden := 0
	for _, m := range p.errors {
		if !p.matches(string(m.Key), translate.RefusalName(string(m.Key)), m.text, m.Text) {
			continue
		}
		if m.fields == 0 && m.text == "" && !p.all && p.query == "" {
			hidden++
			continue
		}
		w.Open("div.ms-row data-key=%", "e:"+string(m.Key))
		w.Open("div.ms-name").Leaf("b", translate.RefusalName(string(m.Key))).Open("div.ms-meta").Leaf("code", string(m.Key))
		switch {
		case m.Unused != "":
			w.Leaf("span.dim", "Not shown: "+m.Unused)
		case m.fields == 0:
			w.Leaf("span.dim", "No field of this form")
		default:
			w.Leaf("span.dim", map[bool]string{true: "1 field", false: strconv.Itoa(m.fields) + " fields"}[m.fields == 1])
		}
		w.Close().Close()
		p.control(w, "error", string(m.Key), m.text, m.Text, errorPath(string(m.Key)))
		if m.text != "" {
			p.iconButton(w, "builtin", string(m.Key), "Use the built-in text", "undo")
		}
		w.Close()
	}
	w.Close()
	w.Open("button.link.ms-code type=button data-do=open data-arg=% hidden=%", ofErrors, markup.Only(p.form.ReadOnly, "hidden")).Icon("plus").Leaf("span", "Text for another error").Close()
	if hidden > 0 || p.all {
		w.Open("label.ms-all").Open("input type=checkbox data-in=all")
		w.Leaf("span", "Also show errors this form cannot cause").Close()
	}
	w.Close()
}

// control draws the text of a message with what is wrong with it.
func (p *Page) control(w *markup.Writer, does, key, text, builtin string, at schema.Path) {
	rule, _ := p.form.Row(at).Spec.(schema.String)
	n := utf8.RuneCountInString(text)
	fault := ""
	switch {
	case rule.Max > 0 && n > rule.Max:
		fault = fmt.Sprintf("This has %d characters and may have %d.", n, rule.Max)
	case does == "custom" && n < rule.Min:
		fault = "This must have a text."
	}
	id, name := "ms-"+does+"-"+key, key
	if does == "error" {
		name = translate.RefusalName(key)
	}
	w.Open("div.ms-text")
	w.Open("textarea rows=1 data-in=% data-arg=% data-path=% placeholder=% aria-label=% aria-describedby=% aria-invalid=% readonly=% data-value=%", does, key, at.String(), builtin,
		name, markup.Only(fault != "", id), markup.Yes(fault != ""), markup.Only(p.form.ReadOnly, "readonly"), text).Close()
	if fault != "" {
		w.Open("p.dk-fault role=alert id=%", id).Icon("warn").Leaf("span", fault).Close()
	} else if rule.Max > 0 && n*5 > rule.Max*4 {
		w.Leaf("p.dim", fmt.Sprintf("%d of %d", n, rule.Max))
	}
	w.Close()
}

func (p *Page) iconButton(w *markup.Writer, does, arg, name, icon string) {
	w.Open("button.icon type=button data-do=% data-arg=% aria-label=% title=% hidden=%", does, arg, name, name, markup.Only(p.form.ReadOnly, "hidden")).Icon(icon).Close()
}

// pop draws the dialog that asks for the key of a new message.
func (p *Page) pop(w *markup.Writer) {
	if p.adding == "" {
		return
	}
	title, key, help := "Add a message", "Key", "Use it anywhere with {{ t('key') }}."
	if p.adding == ofErrors {
		title, key, help = "Add the text of an error", "Code", "The code of the error, such as ERR_REQUIRED."
	}
	w.Open("button.dk-veil type=button tabindex=-1 data-do=close aria-label=%", "Close").Close()
	w.Open("div.dk-dialog role=dialog aria-modal=true aria-label=%", title).Leaf("h2", title)
	w.Open("label.dk-label").Text(key)
	w.Open("input type=text id=ms-key data-in=key data-enter=add maxlength=100 autocomplete=off spellcheck=false aria-describedby=ms-help aria-invalid=%", markup.Yes(p.fault != ""))
	w.Close()
	if p.fault != "" {
		w.Open("p.dk-fault id=ms-help role=alert").Icon("warn").Leaf("span", p.fault).Close()
	} else {
		w.Leaf("p.dim id=ms-help", help)
	}
	w.Open("div.buttons").Leaf("button.secondary type=button data-do=close", "Cancel")
	w.Leaf("button.primary type=button data-do=add data-text=%", "Add", "#ms-key").Close().Close()
}
