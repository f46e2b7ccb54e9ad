// Package document writes a form as a text that people read and compare line by line, as in a pull request. It is pure.
package document

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
)

// Markdown returns the outline of a form: its nodes in the order of the journey, with components, rules in words, and where each leads.
func Markdown(f *model.Form) string {
	d := &writer{form: f}
	d.line("# " + plain(caption.Line(f.Name)))
	d.line("")
	d.line(several(len(f.Nodes), "node") + ", in " + languages(f) + ".")
	d.line("")
	d.line("**Start** → " + d.target(f.Start.Next))
	for _, h := range f.Start.Hidden {
		d.line("")
		d.line("- Hidden field " + code(h.Key))
	}
	for n, i := range order(f) {
		d.node(n+1, i)
	}
	if e := f.Ending; e.FlowID != "" || e.Target != "" {
		d.line("")
		d.line("## Ending")
		d.line("")
		if e.FlowID != "" {
			d.line("- Runs the flow " + code(e.FlowID))
		}
		if e.Target != "" {
			d.line("- Redirects to " + code(e.Target))
		}
	}
	return d.b.String()
}

// order returns the places of the nodes as a journey reaches them, then those of the others.
func order(f *model.Form) []int {
	seen := make([]bool, len(f.Nodes))
	list := make([]int, 0, len(f.Nodes))
	visit := func(to model.Pointer) {
		if n, i := f.Node(string(to)); n != nil && !seen[i] {
			seen[i] = true
			list = append(list, i)
		}
	}
	visit(f.Start.Next)
	for at := 0; at < len(list); at++ {
		for _, o := range f.Outs(list[at]) {
			visit(o.To)
		}
	}
	for i := range seen {
		if !seen[i] {
			list = append(list, i)
		}
	}
	return list
}

func languages(f *model.Form) string {
	list := f.Languages()
	for i := range list {
		list[i] = code(list[i])
	}
	return strings.Join(list, ", ")
}

func several(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

type writer struct {
	form *model.Form
	b    strings.Builder
}

func (d *writer) line(s string) { d.b.WriteString(s + "\n") }

// node writes a node: its name as a heading, then what it is and where it leads.
func (d *writer) node(number, i int) {
	n := d.form.Nodes[i]
	d.line("")
	d.line("## " + strconv.Itoa(number) + ". " + plain(caption.Line(n.Name())))
	d.line("")
	kind := plain(string(n.Type))
	if k := model.NodeKindOf(n.Type); k != nil {
		kind = k.Label
	}
	head := kind + " " + code(n.ID)
	if out, ok := d.form.OutOf(n.ID, model.NextPort); ok {
		head += " → " + d.target(out.To)
	}
	d.line(head)
	switch c := n.Config.(type) {
	case *model.Step:
		d.parts(len(c.Components), func(i int) { d.component(n, c.Components[i]) })
	case *model.Router:
		d.parts(len(c.Rules), func(i int) { d.rule(c.Rules[i], i) })
		if len(c.Rules) == 0 {
			d.line("")
		}
		d.line("- Otherwise → " + d.target(c.Fallback))
	case *model.Flow:
		d.line("")
		d.line("- Runs the flow " + code(c.FlowID))
	case nil:
	}
}

func (d *writer) parts(n int, part func(i int)) {
	if n > 0 {
		d.line("")
	}
	for i := range n {
		part(i)
	}
}

func (d *writer) component(n *model.Node, c *model.Component) {
	kind := plain(c.Type)
	if c.Kind != nil {
		kind = c.Kind.Label
	}
	text := "- " + plain(caption.Component(c)) + " — " + kind + " " + code(c.ID)
	if c.Required {
		text += ", required"
	}
	if c.Sensitive {
		text += ", sensitive"
	}
	if out, ok := d.form.OutOf(n.ID, model.JumpPort(c.ID)); ok {
		text += " → " + d.target(out.To)
	}
	d.line(text)
}

func (d *writer) rule(r *model.Rule, i int) {
	condition := caption.Join(flow.Words(d.form.Fields(), r.Condition))
	text := "- " + plain(caption.Rule(d.form.Fields(), r, i))
	if r.Alias != "" && condition != "" {
		text += ": " + plain(caption.Line(condition))
	}
	d.line(text + " → " + d.target(r.Next))
}

// target names the node that a pointer leads to.
func (d *writer) target(to model.Pointer) string {
	switch to {
	case "":
		return "nowhere"
	case model.EndingID:
		return "**Ending**"
	}
	if n, _ := d.form.Node(string(to)); n != nil {
		return "**" + plain(caption.Line(n.Name())) + "**"
	}
	return code(string(to)) + ", which does not exist"
}

// plain returns a text on one line in which nothing is a sign of Markdown.
func plain(s string) string {
	var b strings.Builder
	s = caption.Line(s)
	for i, r := range s {
		if strings.ContainsRune("\\`*_[]<>#|~&!{}()$@:", r) || i == 0 && strings.ContainsRune("+-=", r) || strings.ContainsRune(".)", r) && digits(s[:i]) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// digits reports whether a text is a number, which with a point would begin a list.
func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// code returns a text as code.
func code(s string) string {
	s = caption.Line(s)
	if s == "" {
		return "(none)"
	}
	// The fence must be longer than any run of the sign within.
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
