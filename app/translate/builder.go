package translate

import (
	"slices"

	"github.com/formgraph/formgraph/app/translate/sources"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// Builder makes tables. It remembers the last one, so that a table after one edit costs a small part of the first. The zero value is ready.
// It is not safe for concurrent use.
type Builder struct {
	table    *Table
	sources  *sources.Records
	form     *model.Form
	meetings flow.Meetings
	parts    map[string]*part // by the id of the component; that of the messages has no id
}

// part is the rows of one owner of texts.
type part struct {
	tree         *schema.Object // of the component
	node, place  int            // of the component
	weight       float64
	translations []*schema.Object // of the owner, by language
	refusals     []answer.Key     // that the component's answers can get
	rows         []*Row
}

// messagesID is the key of the messages in Builder.parts. It is no id.
const messagesID = "\x00"

// Table returns the table of a form: its steps in the order in which people meet them, then the unreachable ones in document order, then
// the messages. If several components have one id, only the first has rows: they share their translations. nil records mean that nothing is
// stale.
func (b *Builder) Table(f *model.Form, records *sources.Records) *Table {
	source, languages := columnsOf(f)
	if b.table == nil || b.table.Source != source || !slices.Equal(b.table.Languages, languages) {
		*b = Builder{parts: map[string]*part{}}
	}
	t := &Table{Source: source, Languages: languages, translations: make([]*schema.Object, len(languages))}
	all := f.Tree().Object(translationsKey)
	for i, l := range languages {
		t.translations[i] = all.Object(l)
	}
	if b.form == nil || b.form.Start.Next != f.Start.Next || !slices.Equal(b.form.Nodes, f.Nodes) {
		b.meetings = flow.Meet(f)
	}
	run := build{Builder: b, form: f, t: t, now: records, parts: make(map[string]*part, len(b.parts)), refused: map[answer.Key]float64{}}
	run.all()
	b.table, b.form, b.sources, b.parts = t, f, records, run.parts
	return t
}

// build is the making of one table.
type build struct {
	*Builder
	form    *model.Form
	t       *Table
	now     *sources.Records
	parts   map[string]*part
	refused map[answer.Key]float64 // refusals, with the weight of the heaviest step that has them
	changed []int                  // languages whose components differ from those of the last table
}

func (b *build) all() {
	for i, tr := range b.t.translations {
		if b.table == nil || b.table.translations[i].Object(componentsKey) != tr.Object(componentsKey) {
			b.changed = append(b.changed, i)
		}
	}
	for _, v := range b.meetings.Order {
		b.group(v)
	}
	for v := range b.form.Nodes {
		if b.meetings.Share[v] == 0 {
			b.group(v)
		}
	}
	b.messages()
}

// group adds the texts of a step.
func (b *build) group(v int) {
	n := b.form.Nodes[v]
	step, ok := n.Config.(*model.Step)
	if !ok {
		return
	}
	from := len(b.t.Rows)
	weight := b.meetings.Share[v]
	for i, c := range step.Components {
		if b.parts[c.ID] == nil {
			b.component(c, part{tree: c.Tree(), node: v, place: i, weight: weight})
		}
	}
	b.endGroup(Group{Node: n, Weight: weight}, from)
}

func (b *build) endGroup(g Group, from int) {
	if g.Rows = slices.Clip(b.t.Rows[from:]); len(g.Rows) > 0 {
		b.t.Groups = append(b.t.Groups, g)
	}
}

// component adds the texts of a component.
func (b *build) component(c *model.Component, now part) {
	was := b.Builder.parts[c.ID]
	fresh := was == nil || was.tree != now.tree
	if fresh {
		now.refusals = answer.KeysOf(c)
	} else {
		now.refusals = was.refusals
		fresh = was.node != now.node || was.place != now.place || was.weight != now.weight || b.rerecorded(was.rows)
	}
	var moved bool
	now.translations, moved = b.translations(was, c.ID)
	for _, key := range now.refusals {
		b.refused[key] = max(b.refused[key], now.weight)
	}
	if !fresh && !moved {
		b.keep(c.ID, was)
		return
	}
	at := model.ComponentPath(now.node, now.place)
	for _, text := range answer.ComponentTexts(c) {
		now.rows = append(now.rows, &Row{At: at.Join(text.Path), Component: c, Weight: now.weight, text: text})
	}
	b.fill(&now, was)
	b.keep(c.ID, &now)
}

// translations returns the translations of a component by language, and whether any differs from those of the part that it had.
func (b *build) translations(was *part, id string) (list []*schema.Object, moved bool) {
	if was == nil {
		list = make([]*schema.Object, len(b.t.Languages))
		for l, tr := range b.t.translations {
			list[l] = tr.Object(componentsKey).Object(id)
		}
		return list, true
	}
	list = was.translations
	for _, l := range b.changed {
		o := b.t.translations[l].Object(componentsKey).Object(id)
		if o == list[l] {
			continue
		}
		if !moved {
			list, moved = slices.Clone(list), true
		}
		list[l] = o
	}
	return list, moved
}

// rerecorded reports whether the sources of any row were recorded since the last table.
func (b *build) rerecorded(rows []*Row) bool {
	return b.now != b.sources && slices.ContainsFunc(rows, func(r *Row) bool { return r.recorded != b.now.Of(r.Key) })
}

func (b *build) keep(id string, p *part) {
	b.parts[id] = p
	b.t.Rows = append(b.t.Rows, p.rows...)
}

// messages adds the messages.
func (b *build) messages() {
	keys := make([]answer.Key, 0, len(b.refused))
	for key := range b.refused {
		keys = append(keys, key)
	}
	now := part{translations: make([]*schema.Object, len(b.t.Languages))}
	for i, tr := range b.t.translations {
		now.translations[i] = tr.Object(messagesKey)
	}
	for _, text := range answer.MessageTexts(b.form, keys) {
		weight := 1.0
		if w, ok := b.refused[answer.Key(text.Row.Name)]; ok && text.Path[0].Key == "errors" {
			weight = w
		}
		now.rows = append(now.rows, &Row{At: text.Owner.Join(text.Path), Weight: weight, text: text})
	}
	from := len(b.t.Rows)
	b.fill(&now, b.Builder.parts[messagesID])
	b.keep(messagesID, &now)
	b.endGroup(Group{Weight: 1}, from)
}

// fill completes new rows. It takes what did not change from the rows that the part had in the last table, and keeps whole ones.
func (b *build) fill(now, was *part) {
	columns := len(b.t.Languages)
	cells := make([]Cell, len(now.rows)*columns)
	old := make([]*Row, len(now.rows)) // the rows of the same texts, nil for none
	for i, r := range now.rows {
		if was != nil && i < len(was.rows) && was.rows[i].sameText(r) {
			old[i] = was.rows[i]
			r.follow(old[i])
		} else {
			r.complete()
		}
		r.recorded = b.now.Of(r.Key)
		r.Cells = cells[i*columns : (i+1)*columns : (i+1)*columns]
	}
	// By language, since the texts of a language are near each other in memory.
	for l, tr := range now.translations {
		for i, r := range now.rows {
			if old[i] != nil && old[i].recorded == r.recorded && was.translations[l] == tr {
				r.Cells[l] = old[i].Cells[l]
				continue
			}
			text := r.text.In(tr)
			r.Cells[l] = Cell{text, r.stateOf(text, b.t.Languages[l])}
		}
	}
	for i, r := range now.rows {
		if was := old[i]; was != nil && was.recorded == r.recorded && was.Weight == r.Weight && was.At.Equal(r.At) &&
			was.Component == r.Component && slices.Equal(was.Cells, r.Cells) {
			now.rows[i] = was
		}
	}
}

// follow sets what follows from the text, as complete does, from a row of the same text.
func (r *Row) follow(s *Row) {
	r.Key, r.Property, r.Text, r.Max, r.hash, r.templates = s.Key, s.Property, s.Text, s.Max, s.hash, s.templates
}

// sameText reports whether two rows are of one text with one value.
func (r *Row) sameText(s *Row) bool {
	return r.text.Value == s.text.Value && r.text.Path.Equal(s.text.Path) && r.text.Key.Equal(s.text.Key)
}

// complete sets what follows from the text.
func (r *Row) complete() {
	r.Key = r.text.Owner.Join(r.text.Key).String()
	r.Property = propertyOf(r.text)
	r.Text = r.text.Value
	r.hash = sources.Hash(r.Text)
	r.templates = appendTemplates(nil, r.Text)
	if s, ok := r.text.Row.Spec.(schema.String); ok {
		r.Max = s.Max
	}
}
