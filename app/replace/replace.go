package replace

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Query is the text to find, and the text that replaces it.
type Query struct {
	Text, With string // an empty Text is never found
	Case       bool   // the case of letters matters
	Words      bool   // only whole words match
}

// Match is an occurrence in a form.
type Match struct {
	Path schema.Path
	Text string // the whole text
	At   find.Range
	Icon string // a symbol of the icon set
	// Where is the place in words, as in "Contact › Email › Hint · de".
	Where string

	rule   schema.String
	markup bool
}

// Find returns the occurrences in a form in document order, those in the form's own language first.
func (q *Query) Find(f *model.Form) []Match {
	if q.Text == "" {
		return nil
	}
	g := gatherer{query: q, form: f}
	g.name(schema.Path{schema.Key("name")}, f.Name, "form", "Form")
	for i, n := range f.Nodes {
		g.node(i, n)
	}
	at := schema.Path{schema.Key("messages")}
	row := f.Row(at)
	messages := &row
	g.texts(&owner{at: at, icon: "text", name: "Messages"}, messages, f.Tree().Object("messages"))
	for _, l := range f.Tree().Object("translations").Members() {
		if language, ok := l.Value.(*schema.Object); ok {
			g.language(l.Key, language, messages)
		}
	}
	return g.list
}

// gatherer collects the occurrences in a form.
type gatherer struct {
	query *Query
	form  *model.Form
	list  []Match
}

// owner is the component, the messages, or a translation of one of them, whose texts are read.
type owner struct {
	at         schema.Path
	path       schema.Path // from there to the current text
	icon, name string
	language   string // "" for the form's own
}

// node reads the names of a node and its rules, and the texts of its components.
func (g *gatherer) node(i int, n *model.Node) {
	icon := "warn"
	if k := model.NodeKindOf(n.Type); k != nil {
		icon = k.Icon
	}
	g.name(model.NodePath(i).Key("alias"), n.Alias, icon, nodeName(n))
	switch config := n.Config.(type) {
	case *model.Router:
		for j, r := range config.Rules {
			g.name(model.RulePath(i, j).Key("alias"), r.Alias, icon, place(nodeName(n), r.Alias))
		}
	case *model.Step:
		for j, c := range config.Components {
			g.component(c, n, model.ComponentPath(i, j), "", c.Tree())
		}
	case *model.Flow, nil: // no texts
	}
}

func (g *gatherer) name(path schema.Path, text, icon, of string) {
	rule, _ := g.form.Row(path).Spec.(schema.String)
	g.add(&Match{Path: path, Text: text, Icon: icon, Where: of + " · Name", rule: rule})
}

// anyTable has the texts of a component of an unknown type.
var anyTable = schema.Table{{Name: "label", Spec: schema.String{}}, {Name: "hint", Spec: schema.String{}}}

// component reads the texts of a component, or their translation to a language.
func (g *gatherer) component(c *model.Component, n *model.Node, at schema.Path, language string, tree *schema.Object) {
	o, table := &owner{at: at, icon: "warn", name: place(nodeName(n), caption.Component(c)), language: language}, anyTable
	if c.Kind != nil {
		o.icon, table = c.Kind.Icon, c.Kind.Table()
	}
	g.texts(o, &schema.Row{Spec: table}, tree)
}

// language reads the texts of a language, except those of components that the form does not have.
func (g *gatherer) language(key string, language *schema.Object, messages *schema.Row) {
	at := schema.Path{schema.Key("translations"), schema.Key(key)}
	for _, m := range language.Object("components").Members() {
		if c, node, _ := g.form.Component(m.Key); c != nil {
			tree, _ := m.Value.(*schema.Object)
			g.component(c, g.form.Nodes[node], at.Key("components").Key(m.Key), key, tree)
		}
	}
	g.texts(&owner{at: at.Key("messages"), icon: "text", name: "Messages", language: key}, messages, language.Object("messages"))
}

// texts reads the texts for people in a value.
func (g *gatherer) texts(o *owner, row *schema.Row, v any) {
	switch s := row.Spec.(type) {
	case schema.String:
		text, ok := v.(string)
		if !ok || !s.Read() {
			return
		}
		m := &Match{Path: o.at.Join(o.path), Text: text, Icon: o.icon, Where: o.name + " · " + row.Title(), rule: s}
		if o.language != "" {
			m.Where += " · " + o.language
		}
		g.add(m)
	case schema.Table:
		object, _ := v.(*schema.Object)
		for i := range s {
			if member, ok := object.Get(s[i].Name); ok && !model.IsAnswer(s[i].Name) {
				g.in(o, schema.Key(s[i].Name), &s[i], member)
			}
		}
	case schema.Map:
		object, _ := v.(*schema.Object)
		for _, m := range object.Members() {
			if !model.IsAnswer(m.Key) {
				g.in(o, schema.Key(m.Key), &schema.Row{Name: m.Key, Spec: s.Value}, m.Value)
			}
		}
	case schema.List:
		list, _ := v.([]any)
		for i, item := range list {
			g.in(o, schema.Index(i), &schema.Row{Name: row.Name, Spec: s.Item}, item)
		}
	default: // no texts of the author
	}
}

func (g *gatherer) in(o *owner, e schema.Elem, row *schema.Row, v any) {
	o.path = append(o.path, e)
	g.texts(o, row, v)
	o.path = o.path[:len(o.path)-1]
}

// add adds the occurrences in the text of m.
func (g *gatherer) add(m *Match) {
	m.markup = m.rule.Markup(m.Text)
	for _, r := range g.query.ranges(m.Text, m.markup) {
		m.At = r
		g.list = append(g.list, *m)
	}
}

// maxName is the maximum number of characters of a name in Where.
const maxName = 40

func nodeName(n *model.Node) string {
	return caption.Excerpt(cmp.Or(n.Alias, n.ID, "Node"), maxName)
}

func place(owner, part string) string {
	return owner + caption.PlaceSign + schema.Shorten(caption.Line(part), maxName)
}

// Replace returns a command that replaces occurrences in one undo step, and how many it replaces; n may be 0. The occurrences are some of the
// result of Find, in its order. In each text, all of them are replaced or none: refused has a sentence for each text that stays as it is, with
// the reason.
func (q *Query) Replace(list []Match) (c Command, refused []string, n int) {
	c = Command{editor.Change{Name: verb.Replace.With(schema.Quote(schema.Shorten(q.Text, maxName)) + " with " + schema.Quote(schema.Shorten(q.With, maxName)))}}
	for from, to := 0, 0; from < len(list); from = to {
		for to = from + 1; to < len(list) && list[to].Path.Equal(list[from].Path); to++ {
		}
		text := q.replaced(list[from:to])
		if why := list[from].refuses(text); why != "" {
			refused = append(refused, list[from].Where+" "+why+".")
			continue
		}
		n += to - from
		c.Edits = append(c.Edits, schema.Edit{Path: list[from].Path, Value: text})
	}
	return c, refused, n
}

// replaced returns a text with some of its occurrences replaced.
func (q *Query) replaced(list []Match) string {
	with := q.replacement(list[0].markup)
	var b strings.Builder
	at := 0
	for i := range list {
		m := &list[i]
		b.WriteString(m.Text[at:m.At.From] + with)
		at = m.At.To
	}
	return b.String() + list[0].Text[at:]
}

// refuses returns why a text may not replace that of the match, "" if it may.
func (m *Match) refuses(text string) string {
	n := utf8.RuneCountInString(text)
	switch {
	case strings.TrimSpace(text) == "" || n < m.rule.Min:
		return "would be empty"
	case m.rule.Max > 0 && n > m.rule.Max:
		return fmt.Sprintf("would have %d characters and may have %d", n, m.rule.Max)
	case m.markup != m.rule.Markup(text):
		return "would become markup"
	}
	return ""
}

// Command replaces texts. It fails if the form would exceed the limits of a document.
type Command struct{ editor.Change }

// Do makes the change.
func (c Command) Do(s editor.State) (editor.State, error) {
	now, err := c.Change.Do(s)
	if err == nil {
		err = editor.WithinLimits(now.Form.Tree())
	}
	if err != nil {
		return s, err
	}
	return now, nil
}

// Next returns the index of the occurrence to go on with after was, which had the index at, was replaced: the first one that is not inside the
// replacement. list is what Find returns now. After the last occurrence, Next returns 0.
func (q *Query) Next(list []Match, at int, was *Match) int {
	with := q.replacement(was.markup)
	for ; at < len(list) && list[at].Path.Equal(was.Path) && list[at].At.From < was.At.From+len(with); at++ {
	}
	if at >= len(list) {
		return 0
	}
	return at
}

// How many characters Around returns before and after an occurrence.
const (
	before = 32
	behind = 64
)

// Around returns the text around an occurrence on one line, without its markup, and where in it the occurrence is.
func (m *Match) Around() (line string, at find.Range) {
	head, tail := []rune(m.line(m.Text[:m.At.From])), []rune(m.line(m.Text[m.At.To:]))
	start, end := "", ""
	if len(head) > before {
		head, start = head[len(head)-before:], "…"
	}
	if len(tail) > behind {
		tail, end = tail[:behind], "…"
	}
	found := m.line(m.Text[m.At.From:m.At.To])
	line = start + string(head)
	at = find.Range{From: len(line), To: len(line) + len(found)}
	return line + found + string(tail) + end, at
}

// line returns a part of the text on one line, and keeps the spaces at its ends.
func (m *Match) line(part string) string {
	// The bars keep these spaces from being trimmed.
	if part = "|" + part + "|"; m.markup {
		part = caption.FromHTML(part)
	} else {
		part = caption.Line(part)
	}
	return part[1 : len(part)-1]
}
