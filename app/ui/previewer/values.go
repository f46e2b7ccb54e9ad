package previewer

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// set is a set of values, which the person enters by name or as a JSON object. The zero set is empty.
type set struct {
	rows []pair
	raw  bool   // the person writes JSON
	json string // what the person writes, if raw
}

// pair is a name, such as user.email for a value in an object, and its value as the person writes it: JSON, or else plain text.
type pair struct{ name, value string }

// setOf returns the values of an object.
func setOf(o *schema.Object) *set { return &set{rows: pairs(nil, "", o)} }

// pairs appends the values of an object. prefix is the name of the object with a dot, "" for the outermost.
func pairs(list []pair, prefix string, o *schema.Object) []pair {
	for _, m := range o.Members() {
		if inner, ok := m.Value.(*schema.Object); ok && named(inner) {
			list = pairs(list, prefix+m.Key+".", inner)
		} else {
			list = append(list, pair{prefix + m.Key, written(m.Value)})
		}
	}
	return list
}

// named reports whether an object can be entered as rows: it has members, and their names are not empty and contain no dots.
func named(o *schema.Object) bool {
	for _, m := range o.Members() {
		if m.Key == "" || strings.Contains(m.Key, ".") {
			return false
		}
	}
	return o.Len() > 0
}

// written returns a value as a person writes it: a text as it is unless meant would return another value for it, anything else as JSON.
func written(v any) string {
	if text, ok := v.(string); ok && meant(text) == v {
		return text
	}
	return string(schema.Encode(v))
}

// meant returns the value of what a person writes: the value of valid JSON, else the text itself.
func meant(text string) any {
	if v, problems := schema.Decode([]byte(text)); len(problems) == 0 {
		return v
	}
	return schema.WellFormed(text)
}

// object returns the values of the rows. A row without a name is left out; of two with the same name, the later one counts.
func (s *set) object() *schema.Object {
	o := schema.NewObject()
	for _, r := range s.rows {
		if name := strings.TrimSpace(r.name); name != "" {
			o = put(o, strings.Split(name, "."), meant(r.value))
		}
	}
	return o
}

func put(o *schema.Object, name []string, v any) *schema.Object {
	key := schema.WellFormed(name[0])
	if len(name) == 1 {
		return o.With(key, v)
	}
	inner := o.Object(key)
	if inner == nil {
		inner = schema.NewObject()
	}
	return o.With(key, put(inner, name[1:], v))
}

// set returns the values of a control, nil for a control that has none.
func (g *given) set(control string) *set {
	switch control {
	case contextControl:
		return g.context
	case varsControl:
		return g.vars
	case resultControl:
		return g.result
	}
	return nil
}

// object returns the object of a control, nil if it has no values or is faulty.
func (p *Panel) object(control string) *schema.Object {
	delete(p.given.faults, control)
	s := p.given.set(control)
	if !s.raw {
		if o := s.object(); o.Len() > 0 {
			return o
		}
		return nil
	}
	if strings.TrimSpace(s.json) == "" {
		return nil
	}
	v, problems := schema.Decode([]byte(s.json))
	o, ok := v.(*schema.Object)
	switch {
	case len(problems) > 0:
		p.given.faults[control] = "This is not valid JSON: it " + problems[0].Detail + "."
	case !ok:
		p.given.faults[control] = `Write a JSON object, such as {"user": {"email": "ann@example.com"}}.`
	}
	return o
}

// The acts of values. The argument is the name of the control; for dropAct, a space and the index of the row follow.
const (
	addAct  = "pv-add"
	dropAct = "pv-drop"
	rawAct  = "pv-raw" // switches between JSON and rows
)

// proposeAct is the act of a proposed value. Its argument is the index of the value.
const proposeAct = "pv-propose"

// valueAct handles an act of values, and reports whether it is one.
func (p *Panel) valueAct(ctx app.Context, name, arg string) bool {
	control, at, _ := strings.Cut(arg, " ")
	s := p.given.set(control)
	if s == nil {
		return false
	}
	switch name {
	case addAct:
		s.rows = append(s.rows, pair{})
		kit.FocusSoon(ctx, "#"+rowID(control, len(s.rows)-1, "name"), 0)
	case dropAct:
		if i, err := strconv.Atoi(at); err == nil && i >= 0 && i < len(s.rows) {
			s.rows = append(s.rows[:i:i], s.rows[i+1:]...)
			kit.FocusSoon(ctx, kit.Control(addAct, control), 0)
		}
	case rawAct:
		p.turn(control, s)
	default:
		return false
	}
	return true
}

// turn switches values from rows to JSON, or back to rows unless the JSON is faulty.
func (p *Panel) turn(control string, s *set) {
	o := p.object(control)
	switch {
	case !s.raw:
		if s.raw, s.json = true, ""; o != nil {
			s.json = string(schema.EncodeIndent(o))
		}
	case p.given.faults[control] == "":
		*s = *setOf(o)
	}
}

// rowID returns the id of a control of a row: its name or its value.
func rowID(control string, at int, of string) string {
	return "pv-" + control + "-" + strconv.Itoa(at) + "-" + of
}

// valueInput takes the text of a control for values, and reports whether name is one.
func (p *Panel) valueInput(name, text string) bool {
	if s := p.given.set(name); s != nil {
		s.raw, s.json = true, text
		return true
	}
	part := strings.Split(name, "-")
	if len(part) != 3 {
		return false
	}
	s := p.given.set(part[0])
	at, err := strconv.Atoi(part[1])
	if s == nil || err != nil || at < 0 || at >= len(s.rows) {
		return false
	}
	if part[2] == "name" {
		s.rows[at].name = text
	} else {
		s.rows[at].value = text
	}
	return true
}

// set draws the values of a control, with an example of JSON.
func (d drawing) set(control, title, example string) app.UI {
	s := d.given.set(control)
	other := "Edit as JSON"
	if s.raw {
		other = "Edit as rows"
	}
	head := kit.Tree("div.pv-set-head { h3 { % } button.link type=button data-act=% data-arg=% aria-label=% { % } }", []string{title, rawAct, control, other + ": " + title, other})
	if s.raw {
		return kit.El("div.pv-set").Body(head, d.field(control, "", kit.El("textarea.code id=% rows=4 spellcheck=false aria-label=% placeholder=% data-held=%",
			"pv-"+control, title, example, kit.Held(s.json))))
	}
	body := []app.UI{head}
	for i, r := range s.rows {
		body = append(body, d.pair(control, title, i, r))
	}
	return kit.El("div.pv-set").Body(append(body, kit.Tree("button.link.pv-more type=button data-act=% data-arg=% aria-label=% { @plus span { % } }",
		[]string{addAct, control, "Add a value: " + title, "Add a value"}))...)
}

// pair draws a row.
func (d drawing) pair(control, title string, at int, r pair) app.UI {
	of := r.name
	if of == "" {
		of = "value " + strconv.Itoa(at+1)
	}
	input := func(part, label, hint, text string) app.UI {
		return kit.El("input type=text spellcheck=false autocomplete=off maxlength=2000 id=% aria-label=% placeholder=% data-held=%", rowID(control, at, part), label, hint, kit.Held(text))
	}
	return kit.El("div.pv-pair.control").Body(
		input("name", title+": name of "+of, "Name", r.name), input("value", title+": "+of, "Value", r.value),
		kit.El("button.icon type=button data-act=% data-arg=% aria-label=% title=%", dropAct, control+" "+strconv.Itoa(at), "Remove "+of, "Remove").Body(kit.Icon("close")))
}

// proposals draws a button for each proposed value, by variable.
func (d drawing) proposals() app.UI {
	rows := []app.UI{}
	list := d.run.view.Proposals
	for i := 0; i < len(list); {
		of := list[i].Variable
		var buttons []app.UI
		for ; i < len(list) && list[i].Variable == of; i++ {
			buttons = append(buttons, kit.TextButton(proposeAct, list[i].Label, "secondary").Attr("data-arg", strconv.Itoa(i)))
		}
		rows = append(rows, kit.El("div.pv-proposed role=group aria-label=%", of).Body(kit.El("code").Text(of), kit.El("div.buttons").Body(buttons...)))
	}
	return kit.El("div hidden=%", kit.Yes(len(rows) == 0)).Body(rows...)
}

// propose makes the flow return a proposed value, with the other values that the person has entered.
func (p *Panel) propose(ctx app.Context, arg string) {
	i, err := strconv.Atoi(arg)
	if err != nil || i < 0 || i >= len(p.run.view.Proposals) {
		return
	}
	of := p.run.view.Proposals[i]
	o := p.object(resultControl)
	if p.given.faults[resultControl] != "" {
		return
	}
	if name := strings.Split(of.Variable, "."); of.Result != nil {
		v := any(of.Result)
		for _, key := range name {
			in, _ := v.(*schema.Object)
			v, _ = in.Get(key)
		}
		if o == nil {
			o = schema.NewObject()
		}
		o = put(o, name, v)
	}
	p.reply(ctx, message.Command{Do: message.Succeed, Result: o})
}
