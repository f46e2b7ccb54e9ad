package preview

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Screen is what a respondent sees at a step.
type Screen struct {
	Node     string // the id of the step
	Language string // a BCP 47 tag; it sets the language and the direction
	Title    string // of the page, for screen readers
	Items    []Item // the components in order
	// Problem is a problem of the whole step, such as an error of a flow; "" for none.
	Problem string
	// Images draws pictures of other sites, which the frame loads only with /preview?img=1. Otherwise a placeholder names the site.
	Images bool
}

// Item is a component on a screen.
type Item struct {
	// Component has its texts translated and its templates resolved.
	Component *model.Component
	// Answer is the current answer as a tree, nil if there is none. A text that was refused is shown as it was typed.
	Answer any
	// Problem is the refusal beside the field, "" for none.
	Problem string
	// Wait is the number of seconds until a resend button can be pressed again, 0 if it can.
	Wait int
	// Disabled means that a button cannot be pressed any more, such as a resend button whose attempts are used up.
	Disabled bool
}

// Render returns the markup of the screen: the content of the frame's body. It contains no markup of the author and no secret of a config.
func (s Screen) Render() string {
	main := el("main", "af-step "+class("af-step", s.Node)).set("data-step", s.Node).set("tabindex", "-1")
	main.add(el("h1", "fg-hidden", text(s.Title)))
	if s.Problem != "" {
		main.add(el("div", "af-step-messages", el("div", "af-step-failure af-step-message", text(s.Problem)).set("role", "alert")))
	}
	for i := range s.Items {
		main.add(s.item(i))
	}
	return page(s.Language, main)
}

// item returns the element of a component.
func (s Screen) item(i int) *element {
	it := &s.Items[i]
	f := &field{
		words: &english, c: it.Component, config: it.Component.Config(), it: it, screen: &s,
		key: "c" + strconv.Itoa(i),
	}
	d := draw{field: drawUnknown}
	if k := f.c.Kind; k != nil && k.Category == f.c.Category {
		d = draws[k.Type]
	}
	switch {
	case d.block != nil:
		return d.block(f).set("data-block", f.c.ID)
	case f.c.Category == model.Block:
		return el("div", "fg-standin", text(f.unknown+": "+f.c.Type)).set("data-block", f.c.ID)
	}
	return f.element(d)
}

// Ending is what a respondent sees when a form has ended.
type Ending struct {
	Language string
	// Target is where the respondent would be sent, "" for nowhere. It is shown and never followed.
	Target string
	// Resume means that the journey that opened the form continues.
	Resume bool
}

// Render returns the markup of the ending.
func (e Ending) Render() string {
	w := &english
	main := el("main", "af-step fg-ending").set("data-step", model.EndingID).set("tabindex", "-1")
	main.add(icon("done"), el("h1", "", text(w.done)))
	switch {
	case e.Target != "":
		main.add(el("p", "", text(w.redirects)), el("p", "", span("fg-target", e.Target)))
	case e.Resume:
		main.add(el("p", "", text(w.resumes)))
	default:
		main.add(el("p", "", text(w.nothing)))
	}
	return page(e.Language, main)
}

// page returns the markup around a step.
func page(language string, main *element) string {
	root := el("div", "af-form").some("lang", language).set("dir", direction(language))
	root.add(el("div", "af-custom-style", main))
	var b strings.Builder
	root.write(&b)
	return b.String()
}

// direction returns the direction of a language, "rtl" or "ltr": that of its script if the tag names one, else that of the language.
func direction(language string) string {
	for i, part := range strings.Split(strings.ToLower(language), "-") {
		switch {
		case i == 0 && member("ar ckb dv fa he iw ks ku-arab ps sd ug ur yi", part):
			if !strings.Contains(strings.ToLower(language), "-latn") && !strings.Contains(strings.ToLower(language), "-cyrl") {
				return "rtl"
			}
		case i > 0 && member("adlm arab hebr nkoo rohg syrc thaa", part):
			return "rtl"
		}
	}
	return "ltr"
}

// member reports whether a list of words, separated by spaces, has a word.
func member(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// class returns a class with an id, as the kit has it, or "" if the id would be several classes.
func class(prefix, id string) string {
	if !model.ValidIdentifier(id) {
		return ""
	}
	return prefix + "-" + id
}

// answerText returns an answer as the value of a text control.
func answerText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case schema.Number:
		return string(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
