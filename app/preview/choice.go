package preview

import (
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model/schema"
)

// searchFrom is the number of options from which a dropdown has a search box. Fewer are seen at a glance.
const searchFrom = 13

// option is one of the values that a person can choose.
type option struct{ value, label, image string }

func (f *field) options() []option {
	var list []option
	for _, v := range f.config.List("options") {
		o, _ := v.(*schema.Object)
		opt := option{o.Text("value"), or(o.Text("label"), o.Text("value")), o.Text("image_url")}
		if opt.value != "" {
			list = append(list, opt)
		}
	}
	return list
}

// chosen returns the values of the answer, each once.
func (f *field) chosen() []string {
	list, ok := f.it.Answer.([]any)
	if !ok && f.it.Answer != nil {
		list = []any{f.it.Answer}
	}
	var values []string
	for _, v := range list {
		if s := answerText(v); s != "" {
			values = append(values, s)
		}
	}
	return values
}

// several returns the type of the input of an option and how the answer is read.
func (f *field) several() (typ string, k control) {
	if f.flag("multiple") {
		return "checkbox", control{collect: CollectList, label: labelGroup}
	}
	return "radio", control{label: labelGroup, role: "radiogroup"}
}

// box returns a radio button or checkbox of the field.
func (f *field) box(k control, typ, id, value string, checked bool) *element {
	e := el("input", "").set("type", typ).set("id", id).set("value", value).when(checked, "checked")
	return f.named(e, k)
}

func drawChoice(f *field) control {
	typ, k := f.several()
	chosen, options := f.chosen(), f.options()
	list := el("div", "af-choice")
	if f.flag("multiple") {
		list = el("div", "af-choice-multiple")
	}
	known := make([]string, 0, len(options))
	for i, o := range options {
		id := f.key + "-" + strconv.Itoa(i)
		known = append(known, o.value)
		box := f.box(k, typ, id, o.value, slices.Contains(chosen, o.value))
		list.add(el("div", "af-choice-option", box, el("label", "", span("", o.label)).set("for", id)))
	}
	if other := f.config.Object("allow_other"); flag(other, "enabled") {
		list.add(f.otherOption(other, k, typ, chosen, known))
	}
	k.body = []*element{list}
	return k
}

func flag(o *schema.Object, property string) bool {
	v, _ := o.Get(property)
	return v == true
}

// otherOption returns the option whose value a person types.
func (f *field) otherOption(other *schema.Object, k control, typ string, chosen, known []string) *element {
	id := f.key + "-other"
	typed := ""
	for _, v := range chosen {
		if !slices.Contains(known, v) {
			typed = v
		}
	}
	label := or(other.Text("label"), f.other)
	box := f.box(k, typ, id, "", typed != "").set("data-other", id+"-text")
	input := el("input", "af-stringField-input").set("type", "text").set("id", id+"-text").some("value", typed)
	input.set("aria-label", label).some("placeholder", other.Text("placeholder")).set("data-checks", id)
	return el("div", "af-choice-option fg-other", box, el("label", "", span("", label)).set("for", id), input)
}

// drawBoolean draws two radio buttons, or a switch if the config has no words for true and false.
func drawBoolean(f *field) control {
	words := f.config.Object("options")
	if words.Text("true")+words.Text("false") == "" {
		return f.toggle("switch", f.it.Answer == true, span("", f.name()))
	}
	k := control{collect: CollectBoolean, label: labelGroup, role: "radiogroup"}
	list := el("div", "af-boolean")
	for _, o := range []struct{ value, fallback string }{{"true", f.yes}, {"false", f.no}} {
		id := f.key + "-" + o.value
		label := or(words.Text(o.value), o.fallback)
		box := f.box(k, "radio", id, o.value, answerText(f.it.Answer) == o.value)
		list.add(el("div", "af-boolean-option", box, el("label", "", text(label)).set("for", id)))
	}
	k.body = []*element{list}
	return k
}

// toggle returns a single checkbox, whose label contains what it means.
func (f *field) toggle(role string, checked bool, label *element) control {
	k := control{collect: CollectBoolean, label: labelInside}
	box := el("input", "").set("type", "checkbox").when(checked, "checked")
	class := "af-legal"
	if role != "" {
		box.set("role", role)
		class = "fg-switch"
	}
	if f.c.Required {
		label.set("class", "af-required")
	}
	k.body = []*element{el("div", class, box, el("label", "", label).set("for", f.key))}
	return f.only(box, k)
}

// drawLegal draws the text, which is HTML, as the label of a checkbox. The label of the field stands above.
func drawLegal(f *field) control {
	terms := el("span", "")
	switch html := f.config.Text("text"); {
	case html != "":
		terms.set("data-html", html)
	default:
		terms.add(text(f.name()))
	}
	k := f.toggle("", f.it.Answer == true, terms)
	if f.c.Label != "" && f.config.Text("text") != "" {
		k.body = append([]*element{el("div", "af-field-label", span("", f.c.Label))}, k.body...)
	}
	return k
}

func drawCards(f *field) control {
	typ, k := f.several()
	chosen := f.chosen()
	list := el("div", "af-cards")
	if f.flag("multiple") {
		list = el("div", "af-cards af-cards-multiple")
	}
	hide := f.flag("hide_labels")
	for i, o := range f.options() {
		id := f.key + "-" + strconv.Itoa(i)
		name := ""
		if hide {
			name = o.label
		}
		label := el("label", "", el("div", "af-cards-option-image", f.picture(o.image, name))).set("for", id)
		if !hide {
			label.add(el("div", "af-cards-option-text", el("p", "", text(o.label))))
		}
		list.add(el("div", "af-cards-option", f.box(k, typ, id, o.value, slices.Contains(chosen, o.value)), label))
	}
	k.body = []*element{list}
	return k
}
