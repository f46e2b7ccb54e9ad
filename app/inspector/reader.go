package inspector

import (
	"cmp"
	"slices"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/schema"
)

// reader makes rows for the values of one form.
type reader struct {
	form     *model.Form
	state    editor.State
	problems schema.Problems
	foreign  schema.Problems // see editor.Editor.Foreign
	warnings func() schema.Problems
	scope    *scope.Analysis // nil if it is not known
	inScope  *[]scope.Variable

	wrong, doubtful near // the problems and warnings of what is read; see within
}

func newReader(e *editor.Editor, a *scope.Analysis) reader {
	return reader{
		form: e.State().Form, state: e.State(), problems: e.Found().Problems(), foreign: e.Found().Foreign(), warnings: e.Found().Warnings,
		scope: a, inScope: new([]scope.Variable),
	}
}

// table returns the rows of an object at a path, except those with the names to skip.
func (rd reader) table(t schema.Table, at schema.Path, skip ...string) []Row {
	var rows []Row
	for _, tr := range t {
		if !slices.Contains(skip, tr.Name) {
			rows = append(rows, rd.row(tr, at.Key(tr.Name)))
		}
	}
	return rows
}

// row returns the row of a property.
func (rd reader) row(tr schema.Row, at schema.Path) Row {
	r := Row{
		Path: at, Label: tr.Title(), Help: tr.Doc, Required: tr.Required,
		origin: origin{tr.Spec, tr.Section, tr.Words},
	}
	r.Value, r.Present = schema.Lookup(rd.form.Tree(), at)
	if text, ok := rd.state.PendingAt(at); ok {
		r.pending = &text
	}
	if !r.Required {
		r.emptied = at
	}
	rd.control(&r, tr)
	// A value of a JSON type other than the table's can only be edited as JSON, so that editing does not lose it.
	if r.Present && !fits(r.Input, r.Value) {
		r.Input, r.Rows = JSON, nil
	}
	if r.Problems = rd.wrong.below(at); r.Input != JSON {
		r.Problems = rd.wrong.at(at)
	}
	if r.Input == Pointer || r.Input == Flow || tr.Name == "value" {
		r.Warnings = rd.doubtful.at(at)
	}
	return r
}

func (rd reader) control(r *Row, tr schema.Row) {
	switch s := r.spec.(type) {
	case schema.String:
		r.Input, r.Max, r.Code, r.Role = Text, s.Max, s.Code, s.Role
		switch {
		case s.Role == schema.NodePointer:
			r.Input, r.Options = Pointer, rd.pointers(*r)
		case s.Role == schema.FlowID:
			r.Input = Flow
		case s.Secret:
			r.Input = Secret
		case s.Multiline:
			r.Input = LongText
		}
	case schema.Numeric:
		r.Input = Number
	case schema.Either:
		r.Input = Text
	case schema.Enum:
		r.Input = Select
		r.Options = optionsOf(s, tr.Words)
		// A value that is not allowed stays among the options, as for a pointer.
		if v, _ := r.Value.(string); v != "" && !slices.Contains(s, v) {
			r.Options = append(r.Options, Option{v, v + " (not allowed)"})
		}
	case schema.Bool, schema.True:
		r.Input = Switch
	case schema.Table:
		r.Input, r.Rows = Group, rd.members(s, r)
	case schema.Open:
		// Properties that no table lists are visible only in the JSON.
		r.Input = JSON
		if o, _ := r.Value.(*schema.Object); len(s.Rows) > 0 && !hasOthers(o, s.Rows) {
			r.Input, r.Rows = Group, rd.members(s.Rows, r)
		}
	case schema.Choice:
		r.Input, r.Rows = Group, rd.choice(s, r)
	case schema.List:
		rd.items(r, tr, s)
	case schema.Map:
		rd.entries(r, tr, s)
	case schema.Nullable:
		r.spec = s.Spec
		rd.control(r, tr)
	case schema.Any:
		r.Input = JSON
		if s.Options != "" {
			rd.picks(r, s)
		}
	case schema.Union:
		r.Input = JSON
	}
}

// picks makes the control of the options beside a row, unless the value is anything but their values.
func (rd reader) picks(r *Row, s schema.Any) {
	beside := r.Path[:len(r.Path)-1]
	list, _ := schema.Lookup(rd.form.Tree(), beside.Key(s.Options))
	elements, _ := list.([]any)
	values := map[string]bool{"": true}
	for _, e := range elements {
		o, _ := e.(*schema.Object)
		if v := o.Text("value"); !values[v] {
			values[v] = true
			r.Options = append(r.Options, Option{v, cmp.Or(o.Text("label"), v)})
		}
	}
	several, _ := schema.Lookup(rd.form.Tree(), beside.Key("multiple"))
	switch v := r.Value.(type) {
	case nil:
		if r.Present {
			return
		}
	case string:
		if several == true {
			return
		}
		if v != "" && !has(r.Options, v) {
			r.Options = append(r.Options, Option{v, v + " (not an option)"})
		}
	case []any:
		if several != true || !chosen(r.Options, v) {
			return
		}
	default:
		return
	}
	if r.Input = Select; several == true {
		r.Input = Checks
	}
}

func has(options []Option, value string) bool {
	return slices.ContainsFunc(options, func(o Option) bool { return o.Value == value })
}

// chosen reports whether a list has only values of options, and each at most once.
func chosen(options []Option, list []any) bool {
	left := map[string]bool{}
	for _, o := range options {
		left[o.Value] = true
	}
	for _, e := range list {
		s, ok := e.(string)
		if !ok || !left[s] {
			return false
		}
		left[s] = false
	}
	return true
}

// optionsOf returns the values of an Enum with their words.
func optionsOf(s schema.Enum, words []string) []Option {
	options := make([]Option, len(s))
	for i, v := range s {
		options[i] = Option{v, v}
		if words != nil {
			options[i].Label = words[i]
		}
	}
	return options
}

// items makes the rows of a list.
func (rd reader) items(r *Row, tr schema.Row, s schema.List) {
	r.Input, r.Element = Items, Element{tr.Element(), itemOf(s.Item)}
	list, _ := r.Value.([]any)
	if enum, ok := s.Item.(schema.Enum); ok {
		if options := optionsOf(enum, tr.Words); chosen(options, list) {
			r.Input, r.Options = Checks, options
			return
		}
	}
	for i := range list {
		// Emptying an element does not remove it, or the rows below would move up under the cursor.
		el := rd.row(schema.Row{Name: r.Element.Noun, Spec: s.Item, Required: true, Words: tr.Words}, r.Path.Index(i))
		r.Rows = append(r.Rows, el)
	}
	if r.Columns, r.keys = columns(s.Item, r.Rows); r.Columns != nil {
		rd.followers(r)
	}
}

// columns returns the labels and the names of the properties of a list's elements if each has a line of text for each, else nil. A label
// comes first. A text has one column, without a label and a name.
func columns(item schema.Spec, elements []Row) (labels, keys []string) {
	if _, ok := item.(schema.String); ok && !slices.ContainsFunc(elements, func(r Row) bool { return r.Input != Text }) {
		return []string{""}, []string{""}
	}
	t, ok := item.(schema.Table)
	if !ok || len(t) > maxColumns {
		return nil, nil
	}
	for i := range elements {
		el := &elements[i]
		if el.Input != Group || slices.ContainsFunc(el.Rows, func(r Row) bool { return r.Input != Text }) {
			return nil, nil
		}
		el.Rows = ranked(el.Rows, func(r Row) int { return min(r.rank(), 1) })
	}
	for _, r := range t {
		at := len(keys)
		if r.Name == "label" {
			at = 0
		}
		labels, keys = slices.Insert(labels, at, r.Title()), slices.Insert(keys, at, r.Name)
	}
	return labels, keys
}

// maxColumns is the number of texts that stand side by side.
const maxColumns = 3

// entries makes the rows of a map.
func (rd reader) entries(r *Row, tr schema.Row, s schema.Map) {
	r.Input, r.Element = Entries, Element{tr.Element(), itemOf(s.Value)}
	if _, open := s.Value.(schema.Open); open {
		r.Input = JSON
		return
	}
	o, _ := r.Value.(*schema.Object)
	for _, m := range o.Members() {
		r.Rows = append(r.Rows, rd.row(schema.Row{Name: m.Key, Label: m.Key, Spec: s.Value, Required: true}, r.Path.Key(m.Key)))
	}
}

// members returns the rows of an object's properties. In an optional object, emptying a required property clears it, and emptying the last
// property clears the object, so that an author who began, say, a redirection can remove it again.
func (rd reader) members(t schema.Table, r *Row) []Row {
	rows := rd.table(t, r.Path)
	if r.emptied == nil {
		return rows
	}
	o, _ := r.Value.(*schema.Object)
	for i := range rows {
		rows[i].emptied = rows[i].Path
		if o.Len() == 1 && rows[i].Present {
			rows[i].empty(r.emptied)
		}
	}
	return rows
}

// choice returns the rows of the discriminator and of the property that it selects.
func (rd reader) choice(s schema.Choice, r *Row) []Row {
	o, _ := r.Value.(*schema.Object)
	var words []string
	for _, row := range s.Rows() {
		words = append(words, row.Title())
	}
	tag := rd.row(schema.Row{Name: s.Tag, Spec: schema.Enum(s.Tags()), Required: true, Words: words}, r.Path.Key(s.Tag))
	tag.choice, tag.chosen = &s, o
	rows := []Row{tag}
	for _, op := range s.Options {
		if op.Tag == o.Text(s.Tag) || o.Has(op.Row.Name) {
			own := op.Row
			own.Required = op.Tag == o.Text(s.Tag)
			rows = append(rows, rd.row(own, r.Path.Key(own.Name)))
		}
	}
	return rows
}

// pointers lists the possible targets of an edge. A pointer to a missing node stays among them, so that showing it does not change it. A router is
// not among the targets of its own rows, because a run would never leave it, except in a row that already points to it.
func (rd reader) pointers(r Row) []Option {
	value := r.Value
	own := model.PlaceOf(r.Path).Node
	options := []Option{{model.EndingID, "Ending"}}
	for i, key := range rd.form.Keys() {
		if n := rd.form.Nodes[i]; i == own && n.Type == model.RouterNode && value != n.ID {
			continue
		} else if key == n.ID { // no pointer leads to the others
			options = append(options, Option{n.ID, n.Name()})
		}
	}
	if to, _ := value.(string); to != "" && !slices.ContainsFunc(options, func(o Option) bool { return o.Value == to }) {
		options = append(options, Option{to, to + " (no such node)"})
	}
	return options
}

// hasOthers reports whether o has members that the table does not list.
func hasOthers(o *schema.Object, t schema.Table) bool {
	for _, m := range o.Members() {
		if _, ok := t.Row(m.Key); !ok {
			return true
		}
	}
	return false
}

// fits reports whether a control can show a value without losing information.
func fits(in Input, v any) bool {
	switch v.(type) {
	case *schema.Object:
		return in == Group || in == Entries || in == JSON
	case []any:
		return in == Items || in == Checks || in == JSON
	case bool:
		return in == Switch || in == JSON
	case nil:
		return in == JSON
	}
	switch in {
	case Group, Items, Entries, Checks, Switch:
		return false
	default:
		return true
	}
}
