package preview

import (
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Collect is how the frame reads the answer of a field from its controls: the value of data-type.
type Collect string

// The ways to read an answer.
const (
	CollectText    Collect = "text"    // the value of the control, or of the checked radio button
	CollectBoolean Collect = "boolean" // whether the checkbox is checked, or whether the checked radio button has the value true
	CollectList    Collect = "list"    // the values of the checked controls
	CollectObject  Collect = "object"  // an object with the values by data-member; a checkbox without a value attribute gives true
	CollectFiles   Collect = "files"   // the name, size and type of each file
)

// field is a component that is being drawn.
type field struct {
	*words

	c      *model.Component
	config *schema.Object
	it     *Item
	screen *Screen
	key    string // the beginning of its elements' ids, which no other component of the screen has
}

// labelling says where the label of a field is.
type labelling uint8

const (
	labelFor    labelling = iota // above the control with the id of the field
	labelGroup                   // the legend of several controls
	labelInside                  // inside the control
)

// control is what is inside a field.
type control struct {
	collect Collect // "" means CollectText
	body    []*element
	label   labelling
	role    string     // of a group: "radiogroup", or "" for a group
	rules   []*element // below the body, such as the rules of a password
	kept    any        // the answer that the controls cannot show, nil for none
}

// element returns the element of a field: its label, hint, controls and problem.
func (f *field) element(d draw) *element {
	k := d.field(f)
	tag, classes := "div", "af-field "+class("af-field", f.c.ID)
	if k.label == labelGroup {
		tag = "fieldset"
	}
	if f.it.Problem != "" {
		classes += " af-field-has-error"
	}
	if k.collect == "" {
		k.collect = CollectText
	}
	root := el(tag, strings.Join(strings.Fields(classes), " ")).set("data-field", f.c.ID).set("data-type", string(k.collect))
	if k.kept != nil {
		root.set("data-kept", string(schema.Encode(k.kept)))
	}
	if k.label == labelGroup {
		root.some("role", k.role).some("aria-describedby", f.described(k))
		if k.role != "" && f.c.Required {
			root.set("aria-required", "true")
		}
	}
	input := el("div", "af-field-input", k.body...)
	if k.label == labelInside {
		root.add(input, f.hintElement())
	} else {
		root.add(f.labelElement(k), f.hintElement(), input)
	}
	if len(k.rules) > 0 {
		root.add(el("div", "fg-rules", k.rules...).set("id", f.key+"-rules"))
	}
	if f.it.Problem != "" {
		root.add(el("div", "af-field-error af-field-message", icon("bad"), span("", f.it.Problem)).set("role", "alert").set("id", f.problemID()))
	}
	return root
}

func (f *field) labelElement(k control) *element {
	if f.c.Label == "" && k.label != labelGroup {
		return nil
	}
	name := span("", f.name())
	if f.c.Required {
		name.set("class", "af-required")
	}
	name.set("id", f.labelID())
	if k.label == labelGroup {
		legend := el("legend", "af-field-label", name)
		if f.c.Label == "" {
			legend = el("legend", "fg-hidden", name)
		}
		if f.c.Required && k.role == "" {
			legend.add(hidden(" (" + f.required + ")"))
		}
		return legend
	}
	name.tag = "label"
	return el("div", "af-field-label", name.set("for", f.key))
}

// hintElement returns the hint. The vendor's editor writes hints as HTML, in a paragraph.
func (f *field) hintElement() *element {
	hint := f.c.Tree().Text("hint")
	if hint == "" {
		return nil
	}
	e := el("div", "af-field-hint").set("id", f.hintID())
	if strings.HasPrefix(hint, "<") {
		return e.set("data-html", hint)
	}
	return e.add(el("p", "", text(hint)))
}

// name returns the accessible name of the field.
func (f *field) name() string {
	switch {
	case f.c.Label != "":
		return f.c.Label
	case f.config.Text("placeholder") != "":
		return f.config.Text("placeholder")
	case f.c.Kind != nil:
		return f.c.Kind.Question
	}
	return f.c.Type
}

func (f *field) labelID() string { return f.key + "-label" }

func (f *field) problemID() string { return f.key + "-problem" }

// hintID returns the id of the hint, "" if there is none.
func (f *field) hintID() string {
	if f.c.Tree().Text("hint") == "" {
		return ""
	}
	return f.key + "-hint"
}

// described returns the ids of the elements that describe the controls of a field.
func (f *field) described(k control) string {
	ids := []string{f.hintID()}
	if len(k.rules) > 0 {
		ids = append(ids, f.key+"-rules")
	}
	if f.it.Problem != "" {
		ids = append(ids, f.problemID())
	}
	return strings.Join(strings.Fields(strings.Join(ids, " ")), " ")
}

// only returns a control of one element, which the label is for, with the attributes that such an element has.
func (f *field) only(e *element, k control) control {
	e.set("id", f.key)
	f.named(e, k)
	if f.c.Label == "" && k.label == labelFor {
		e.set("aria-label", f.name())
	}
	if f.c.Required {
		e.set("aria-required", "true")
	}
	if k.body == nil {
		k.body = []*element{e}
	}
	return k
}

// named makes an element a control that the frame reads.
func (f *field) named(e *element, k control) *element {
	return f.faulty(e.some("name", f.c.ID), k)
}

// faulty connects a focusable element of the field with its hint and its problem.
func (f *field) faulty(e *element, k control) *element {
	if f.it.Problem != "" {
		e.set("aria-invalid", "true")
	}
	return e.some("aria-describedby", f.described(k))
}

// flag reports whether a property of the config is true.
func (f *field) flag(property string) bool {
	v, _ := f.config.Get(property)
	return v == true
}
