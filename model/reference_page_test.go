package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// The page is made in a test, since it is needed only when a table changes. Neither
// the program nor the browser contains the code.

// page builds the reference. The table of contents is known once the rest is
// written.
type page struct {
	contents, body strings.Builder
	formats        []*schema.Format
}

func referencePage() string {
	p := &page{}
	p.section(
		2,
		"The form",
		"The form in a response of the management API. The body of an update has the same properties except `id` and the "+
			"dates. None of them is required, and `null` removes any of them except the name.",
	)
	p.table(responseTable)
	p.section(2, "Coordinates", "A place on the canvas, in form units.")
	p.table(coordinatesTable)
	p.section(2, "Nodes", "An element of `nodes` is one of these, depending on its `type`. Ids of nodes are unique in the form.")
	for _, a := range nodeSpec.Arms {
		p.section(3, a.Tag, NodeKindOf(NodeType(a.Tag)).Doc)
		p.table(a.Spec.(schema.Table))
	}
	p.section(2, "Rule", "An element of a router's `config.rules`. Ids of rules are unique in their router.")
	p.table(ruleTable)
	p.section(
		2,
		"Components",
		"An element of a step's `config.components` is one of the kinds below, depending on its `category` and then its `type`. "+
			"Ids of components are unique in the form. All kinds of a category have the same properties; `config` is each kind's own.",
	)
	for _, category := range []Category{Block, Widget, Field} {
		p.section(3, string(category), "")
		// The rows that all kinds share are those of any of them.
		for i := range Kinds {
			if Kinds[i].Category == category {
				p.table(envelopeRows(&Kinds[i]))
				break
			}
		}
		for i := range Kinds {
			if Kinds[i].Category == category {
				p.kind(&Kinds[i])
			}
		}
	}
	p.formatSection()
	p.choices()
	return "# Reference of the form\n\n" +
		"<!-- Generated from the tables of package model. Do not edit: `go test ./model -run Reference -update` writes it. -->\n\n" +
		"Every property, node and component kind with its constraints, generated from the tables that the editor, the server and\n" +
		"`formgraph validate` use (package `model`, `kind_*.go` and `tables.go`). `formgraph schema` prints them as a JSON Schema.\n\n" +
		"Objects are closed: an unlisted property is refused, unless the type allows others. `a.b` is the\n" +
		"property `b` of the object `a`, `a[].b` that of each element of the list `a`, `a.*` the value of any key. Required\n" +
		"means within the enclosing object. Lengths count Unicode code points; all bounds are inclusive. 1.0 is an integer.\n\n" +
		"## Contents\n\n- [Contents](#contents)\n" + p.contents.String() + p.body.String()
}

// section begins a section of the page and lists it in the contents.
func (p *page) section(level int, title, text string) {
	fmt.Fprintf(&p.contents, "%s- [%s](#%s)\n", strings.Repeat("  ", level-2), title, anchor(title))
	fmt.Fprintf(&p.body, "\n%s %s\n", strings.Repeat("#", level), title)
	if text != "" {
		fmt.Fprintf(&p.body, "\n%s\n", text)
	}
}

// anchor returns the link to a heading, as common Markdown renderers make it.
func anchor(title string) string { return strings.ToLower(strings.ReplaceAll(title, " ", "-")) }

func envelopeRows(k *Kind) schema.Table {
	var t schema.Table
	for _, r := range k.Table() {
		switch r.Name {
		case "type":
			r.Doc, r.Spec = "The kind's name or alias.", schema.String{}
		case "config":
			r.Doc, r.Spec, r.Required = "The properties of the kind; required if the kind requires it.", schema.Table{}, false
		}
		t = append(t, r)
	}
	return t
}

func (p *page) kind(k *Kind) {
	p.section(4, k.Type, fmt.Sprintf("%s: `category` is `%s`, `type` is `%s`. %s", k.Label, k.Category, k.Type, k.Doc))
	if k.Alias != "" {
		fmt.Fprintf(&p.body, "\nAlias: `type` may be `%s`, the vendor's name of the same kind. A document keeps the one in use.\n", k.Alias)
	}
	required := "not required"
	if k.ConfigRequired {
		required = "required"
	}
	if len(k.Config) == 0 {
		fmt.Fprintf(&p.body, "\n`config` is %s and has no properties.\n", required)
		return
	}
	fmt.Fprintf(&p.body, "\n`config` is %s:\n", required)
	p.table(k.Config)
	if k.Default != nil {
		fmt.Fprintf(&p.body, "\nA new one has `%s`.\n", schema.Encode(k.Default))
	}
}

func (p *page) table(t schema.Table) {
	p.body.WriteString("\n| property | type | required | bounds | format | meaning |\n| --- | --- | --- | --- | --- | --- |\n")
	p.rows("", t)
}

func (p *page) rows(at string, t schema.Table) {
	for _, r := range t {
		p.row(at, r)
	}
}

// row writes a property and, below it, what is inside it.
func (p *page) row(at string, r schema.Row) {
	required := "no"
	if r.Required {
		required = "yes"
	}
	meaning := r.Doc
	if meaning == "" {
		meaning = r.Label
	}
	name := at + r.Name
	p.line(name, r.Spec, required, meaning)
	p.inside(name, r.Spec)
}

func (p *page) line(name string, s schema.Spec, required, meaning string) {
	format := ""
	if t, ok := element(s).(schema.String); ok && t.Format != nil {
		format = fmt.Sprintf("[`%s`](#formats)", t.Format.Name)
		p.format(t.Format)
	}
	fmt.Fprintf(&p.body, "| `%s` | %s | %s | %s | %s | %s |\n", name, words(s), required, bounds(s), format, cell(meaning))
}

func (p *page) inside(name string, s schema.Spec) {
	switch s := s.(type) {
	case schema.Table:
		if linked(s) == "" {
			p.rows(name+".", s)
		}
	case schema.Open:
		p.rows(name+".", s.Rows)
	case schema.List:
		p.inside(name+"[]", s.Item)
	case schema.Map:
		p.inside(name+".*", s.Value)
	case schema.Nullable:
		p.inside(name, s.Spec)
	case schema.Choice:
		p.line(name+"."+s.Tag, schema.Enum(s.Tags()), "yes", "")
		for _, o := range s.Options {
			own := o.Row
			p.line(name+"."+own.Name, own.Spec, fmt.Sprintf("when `%s` is `%s`, else forbidden", s.Tag, o.Tag), own.Doc)
			p.inside(name+"."+own.Name, own.Spec)
		}
	case schema.String, schema.Numeric, schema.Enum, schema.Bool, schema.True, schema.Any, schema.Either, schema.Union:
		// are on one line; a union has separate sections
	}
}

// choices lists what we chose about running a form.
func (p *page) choices() {
	p.section(
		2,
		"Choices",
		"What a form does when it runs is documented only in part. These are our choices where the documentation is silent: the preview, "+
			"`formgraph test` and `formgraph diff --behaviour` follow them, and a tenant may behave differently. "+
			"[run/SCENARIOS.md](run/SCENARIOS.md) describes how to test a form.",
	)
	for _, t := range Choices {
		p.section(3, t.Title, t.Text)
		p.body.WriteString("\n| subject | choice |\n| --- | --- |\n")
		for _, row := range t.Rows {
			fmt.Fprintf(&p.body, "| %s | %s |\n", cell(row[0]), cell(row[1]))
		}
	}
}

// linked returns the heading of the section of a table, or "".
func linked(s schema.Spec) string {
	switch s := s.(type) {
	case schema.Table:
		switch {
		case len(s) > 0 && &s[0] == &coordinatesTable[0]:
			return "Coordinates"
		case len(s) > 0 && &s[0] == &ruleTable[0]:
			return "Rule"
		}
	case schema.Union:
		if s.Tag == componentSpec.Tag {
			return "Components"
		}
		return "Nodes"
	default: // has no section
	}
	return ""
}

// format records a format for the section at the end of the page.
func (p *page) format(f *schema.Format) {
	if !slices.Contains(p.formats, f) {
		p.formats = append(p.formats, f)
	}
}

// formatSection lists the recorded formats, in order.
func (p *page) formatSection() {
	p.section(
		2,
		"Formats",
		"The names of these formats are public, their definitions are not. The patterns are Formgraph's own, from `model/formats.go`.",
	)
	p.body.WriteString("\n| format | a value | pattern |\n| --- | --- | --- |\n")
	for _, f := range p.formats {
		pattern := "no pattern"
		if f.Pattern != "" {
			pattern = "`" + cell(f.Pattern) + "`"
		}
		fmt.Fprintf(&p.body, "| `%s` | %s | %s |\n", f.Name, cell(f.Detail), pattern)
	}
	p.body.WriteString(
		"\nA `flow_id` has the format `flow-id`, which accepts every value, because real files contain names of flows. A value\n" +
			"other than `af_` and up to 27 letters or digits is a warning. In an export `#FLOW-n#` stands for one of its `flows`.\n",
	)
	near := nearHTTPS()
	fmt.Fprintf(
		&p.body,
		"\nIn the JSON Schema `%s` has the pattern `%s`. %s\n",
		near.Format.Name,
		near.Pattern,
		strings.TrimSpace(near.Comment),
	)
}
