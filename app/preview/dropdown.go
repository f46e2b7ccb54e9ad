package preview

import "slices"

// drawDropdown draws a select element for one of few options, and otherwise a panel with a search box.
func drawDropdown(f *field) control {
	options, chosen := f.options(), f.chosen()
	empty := or(f.config.Text("placeholder"), f.choose)
	if !f.flag("multiple") && len(options) < searchFrom {
		list := el("select", "af-dropdownField-input", el("option", "", text(empty)).set("value", ""))
		for _, o := range options {
			list.add(el("option", "", text(o.label)).set("value", o.value).when(slices.Contains(chosen, o.value), "selected"))
		}
		return f.only(list, control{})
	}
	typ, k := f.several()
	p := panel{id: f.key, labels: f.labelID(), empty: empty}
	for _, o := range options {
		box := el("input", "").set("type", typ).set("name", f.c.ID).set("value", o.value).when(slices.Contains(chosen, o.value), "checked")
		p.rows = append(p.rows, el("li", "", el("label", "", box, span("", o.label))))
	}
	if len(options) >= searchFrom {
		p.search = f.search
	}
	k.role = ""
	e := p.element(f)
	f.faulty(e.kids[0], k)
	if f.flag("multiple") {
		e.attrs[0].value += " af-dropdown-multiple"
	}
	k.body = []*element{e}
	return k
}

// panel is a list of radio buttons or checkboxes that opens below what is chosen.
type panel struct {
	id     string // of the button
	labels string // ids of what the button is called
	empty  string // what is shown when nothing is chosen
	search string // the placeholder of the search box, "" for none
	rows   []*element
}

// element returns the panel as a disclosure: a button with what is chosen, and the list below it.
func (p panel) element(f *field) *element {
	head := el("summary", "af-dropdown-text", el("span", "").set("id", p.id+"-chosen").set("data-chosen", p.empty), icon("caret"))
	head.set("id", p.id).set("aria-labelledby", p.labels+" "+p.id+"-chosen")
	body := el("div", "fg-panel")
	if p.search != "" {
		box := el("input", "af-dropdown-search").set("type", "search").set("placeholder", p.search).set("aria-label", p.search)
		body.add(box.set("data-filter", "").set("autocomplete", "off").set("enterkeyhint", "done"))
	}
	body.add(el("ul", "af-dropdown-search-options", p.rows...))
	body.add(el("p", "af-dropdown-message", text(f.noMatch)).set("role", "status").set("hidden", ""))
	return el("details", "af-dropdown", head, body)
}
