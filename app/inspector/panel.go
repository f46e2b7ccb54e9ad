package inspector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/schema"
)

// Panel is the content of the inspector for a selection.
type Panel struct {
	Whole    bool   // it is the panel of the form
	Pages    []Page // the pages of the form, in the panel of the form only
	Icon     string
	Tint     string // STEP, FLOW, ROUTER, START, ENDING, or "" for the form
	Title    string
	Subtitle string
	Note     string // what an edit of several elements changes, "" for one
	Sections []Section
	// Itself has the warnings of the selected part of the graph that belong to none of its properties.
	Itself Row
	// Parts lists the components of a step or the rules of a router.
	Parts []Part
	// PartNoun is "component" or "rule", "" if the selection has no parts.
	PartNoun string
	// Otherwise is where a router leads if no rule holds, nil for anything else.
	Otherwise *Row
	// Parent is the key of the step to which a component belongs, "" for anything else. It is not meant for people.
	Parent string
}

// Section is a part of a panel. Its head folds it, unless it has no title.
type Section struct {
	Title string
	Rows  []Row
	// Condition is the condition of a rule, nil for other sections.
	Condition *Condition
	// Folded reports whether the section is folded until someone opens it: nothing in it is set, or it is rarely read.
	Folded bool
	// Note says what is in a folded section, "" for nothing.
	Note string
}

// Part is a component or rule in the list of a node's parts.
type Part struct {
	ID, Icon, Title, Type string
	Words                 string // of the condition of a rule
	Said                  bool   // Title says Words, if need be with shorter names
	Required, Sensitive   bool   // of a component
	Warned                bool   // something in it has a warning
	Problems              int
	Path                  schema.Path
	Sections              []Section // of the rule that is open, nil for others and for components
}

// Read returns the panel of the editor's selection. It includes every problem of the selection, at a row or counted at a part. The analysis
// is of the form; if it is nil, nothing is known about the variables that conditions compare.
func Read(e *editor.Editor, a *scope.Analysis) Panel {
	s := e.State()
	rd := newReader(e, a)
	switch {
	case s.Selection.Edge != nil:
		return rd.edge(*s.Selection.Edge)
	case len(s.Selection.Nodes) > 1:
		return rd.nodes()
	}
	at, ok := s.Selection.Place(s.Form)
	if !ok {
		return rd.withUnlisted(rd.whole(), nil)
	}
	path, p := at.Path(), Panel{}
	if at.Rule >= 0 {
		path = model.NodePath(at.Node) // the panel of its router
	}
	rd = rd.within(path)
	switch at.End {
	case model.StartID:
		p = rd.end("start", "Start", "Where the journey begins")
	case model.EndingID:
		p = rd.end("ending", "Ending", "Where the journey ends")
	default:
		p = rd.part(s.Form.Nodes[at.Node], at, path)
	}
	p.Itself = Row{Path: path, Warnings: rd.doubtful.at(path)}
	return rd.withUnlisted(p, path)
}

// part returns the panel of a node or of one of its components. That of a rule is its router's, with the rule open.
func (rd reader) part(n *model.Node, at model.Place, path schema.Path) Panel {
	if c := n.Component(at.Component); c != nil {
		return rd.component(n, c, path)
	}
	return rd.node(n, at.Node, at.Rule)
}

func (rd reader) whole() Panel {
	f := rd.form
	p := Panel{Whole: true, Icon: "form", Title: "This form", Subtitle: "Nothing is selected"}
	name, _ := model.ContentTable().Row("name")
	name.Required = true // required in a form, not in a patch
	at := schema.Path{schema.Key("name")}
	rows := []Row{rd.within(at).row(name, at)}
	for _, at := range left(rd.state) {
		row := rd.within(at).row(schema.Row{Name: at[len(at)-1].Key, Label: at.String(), Spec: schema.Any{}}, at)
		row.section = model.Advanced
		rows = append(rows, row)
	}
	p.Sections = sections(rows)
	p.Pages = pagesOf(f)
	return p
}

// end returns the panel of one of the two ends; name is the property of the form.
func (rd reader) end(name, title, subtitle string) Panel {
	row, _ := model.ContentTable().Row(name)
	t, _ := row.Spec.(schema.Table)
	rows := rd.table(t, schema.Path{schema.Key(name)})
	return Panel{Icon: name, Tint: strings.ToUpper(name), Title: title, Subtitle: subtitle, Sections: sections(unwrapped(rows, "coordinates"))}
}

func (rd reader) node(n *model.Node, i, rule int) Panel {
	at := model.NodePath(i)
	p := Panel{Icon: "unknown", Tint: string(n.Type), Title: n.Name(), Subtitle: "Node of an unknown type"}
	if n.Tree() == nil {
		p.Sections = []Section{{Rows: []Row{rd.row(schema.Row{Name: "node", Spec: schema.Any{}}, at)}}}
		return p
	}
	table := model.NodeTable(n.Type)
	rows := unwrapped(rd.table(table, at, "type", "config"), "coordinates")
	kind := model.NodeKindOf(n.Type)
	if kind == nil {
		rows = append(rows,
			rd.row(schema.Row{Name: "type", Spec: schema.String{}, Required: true}, at.Key("type")),
			rd.row(schema.Row{Name: "config", Spec: schema.Any{}}, at.Key("config")),
		)
		p.Sections = sections(rows)
		return p
	}
	p.Icon, p.Subtitle, p.PartNoun = kind.Icon, kind.Label, kind.Part
	if kind.Part != "" {
		p.Subtitle += " with " + plural(n.Parts(), kind.Part)
	}
	rows = append(rows, rd.table(kind.Config, at.Key("config"), kind.Parts)...)
	if n.Type == model.RouterNode {
		rd.rules(&p, n, i, rule)
		if otherwise := slices.IndexFunc(rows, Row.leads); otherwise >= 0 {
			p.Otherwise = &rows[otherwise]
			rows = append(slices.Clip(rows[:otherwise]), rows[otherwise+1:]...)
		}
	}
	for j := range n.Parts() {
		if c := n.Component(j); c != nil {
			p.Parts = append(p.Parts, rd.componentPart(c, model.ComponentPath(i, j)))
		}
	}
	p.Sections = sections(rows)
	return p
}

func (rd reader) componentPart(c *model.Component, path schema.Path) Part {
	part := Part{
		ID: c.ID, Icon: "unknown", Title: caption.Component(c), Type: c.Type, Problems: len(rd.wrong.below(path)), Path: path, Required: c.Required,
		Sensitive: c.Sensitive, Warned: len(rd.doubtful.below(path)) > 0,
	}
	if c.Kind != nil {
		part.Icon, part.Type = c.Kind.Icon, c.Kind.Label
	}
	return part
}

// leadsTo describes the target of a pointer.
func (rd reader) leadsTo(to model.Pointer) string {
	switch n, _ := rd.form.Node(string(to)); {
	case to == "":
		return "leads nowhere"
	case to == model.EndingID:
		return "to Ending"
	case n != nil:
		return "to " + n.Name()
	}
	return "to " + string(to)
}

func (rd reader) component(n *model.Node, c *model.Component, at schema.Path) Panel {
	p := Panel{
		Icon: "unknown", Tint: string(n.Type), Title: c.Type, Subtitle: "Component of an unknown type",
		Parent: rd.state.Selection.Only(),
	}
	if c.Kind == nil {
		p.Sections = []Section{{Rows: []Row{rd.row(schema.Row{Name: "component", Spec: schema.Any{}}, at)}}}
		return p
	}
	p.Icon, p.Title, p.Subtitle = c.Kind.Icon, caption.Component(c), c.Kind.Label
	rows := unwrapped(rd.table(c.Kind.Table(), at, "category", "type"), "config")
	rd.mark(rows, at.Key("config"), c.Kind.Default)
	// People first say what a component asks, then how, and whether an answer is required.
	p.Sections = sections(ranked(rows, Row.rank))
	return p
}

func (rd reader) edge(e editor.EdgeRef) Panel {
	p := Panel{Icon: "edge", Title: "Connection", Subtitle: "Delete removes it"}
	out, ok := rd.form.OutOf(e.From, e.Port)
	if !ok {
		return p
	}
	if e.From == model.StartID {
		p.Subtitle = "From Start"
	} else if n, _ := rd.form.Node(e.From); n != nil {
		p.Subtitle = "From " + n.Name()
	}
	row := rd.within(out.Path).row(schema.Row{Name: "next_node", Label: "Goes to", Spec: schema.String{Role: schema.NodePointer}}, out.Path)
	p.Sections = []Section{{Rows: []Row{row}}}
	return p
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
