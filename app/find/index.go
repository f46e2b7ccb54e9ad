package find

import (
	"maps"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Index searches the forms of one editing session. It keeps the folded texts of the last form: after an edit it reads only the nodes and
// other properties of the form that have changed. The zero Index is ready to use. It keeps its last form alive and is not safe for
// concurrent use.
type Index struct {
	flows map[string]string
	form  *model.Form
	slots []slot
	nodes map[*model.Node]*entry
	parts map[part]*entry

	buf   []byte
	items []item
	found []found
}

// slot is an entry at its place in a form.
type slot struct {
	*entry
	place int // index in the form's nodes, -1 for any other part
}

// part is a property of the form other than its nodes, or one language of its
// translations. It is the key of an entry.
type part struct {
	key, lang string
	tree      *schema.Object
}

// entry holds the texts of a node or of a part. It does not know its place in the form.
type entry struct {
	node *model.Node // nil for a part
	part part
	name string // of the form, for the part that holds its name
	// text is the concatenation of the folded texts, each of which begins with its class
	// and ends with a zero byte.
	text  string
	items []item
}

// item is an element that can be a hit.
type item struct {
	kind     Kind
	group    string // the property that lists it, if there are several
	index    int    // among the components, rules or members of the list, -1 if none
	message  bool   // in the messages of a language
	from, to int    // its part of the entry's text
}

// SetFlows sets the names of flows by id, so that a node is found by the name of its flow. The map is copied. If the names have changed,
// the next search reads the whole form again.
func (x *Index) SetFlows(names map[string]string) {
	if maps.Equal(names, x.flows) {
		return
	}
	x.flows = maps.Clone(names)
	x.form, x.nodes, x.parts = nil, nil, nil
}

// follow updates the index to a form. It keeps only what that form contains.
func (x *Index) follow(f *model.Form) {
	if x.form == f {
		return
	}
	nodes, parts := x.nodes, x.parts
	x.form, x.slots = f, make([]slot, 0, len(f.Nodes)+8)
	x.nodes, x.parts = make(map[*model.Node]*entry, len(f.Nodes)), map[part]*entry{}
	add := func(p part) {
		e := parts[p]
		if e == nil || p.key == "name" {
			e = &entry{part: p, name: f.Name}
			x.read(e)
		}
		x.parts[p] = e
		x.slots = append(x.slots, slot{e, -1})
	}
	for _, m := range f.Tree().Members() {
		o, _ := m.Value.(*schema.Object)
		switch m.Key {
		case "nodes":
			for i, n := range f.Nodes {
				e := nodes[n]
				if e == nil {
					e = &entry{node: n}
					x.read(e)
				}
				x.nodes[n] = e
				x.slots = append(x.slots, slot{e, i})
			}
		case "translations":
			for _, m := range o.Members() {
				o, _ := m.Value.(*schema.Object)
				add(part{"translations", m.Key, o})
			}
		case "name", "messages", "languages", "start", "ending", "style":
			add(part{m.Key, "", o})
		}
	}
	// The two ends exist even if the form lacks the properties.
	for _, key := range []string{"start", "ending"} {
		if !f.Tree().Has(key) {
			add(part{key, "", nil})
		}
	}
}

// read fills the items and the text of an entry.
func (x *Index) read(e *entry) {
	x.buf, x.items = x.buf[:0], appendItems(x.items[:0], e)
	w := walker{flows: x.flows}
	w.emit = func(c class, text string) {
		x.buf = append(x.buf, byte(c))
		x.buf = append(appendFold(x.buf, w.shown(text)), 0)
	}
	for i := range x.items {
		it := &x.items[i]
		it.from = len(x.buf)
		w.item(e, it)
		it.to = len(x.buf)
	}
	e.text = string(x.buf)
	e.items = append([]item(nil), x.items...)
}

// shown returns a text as it is shown and searched, without HTML tags. Code is not HTML: in it, "a<b" is not a tag.
func (w *walker) shown(text string) string {
	if len(w.path) > 0 {
		if last := w.path[len(w.path)-1].Key; last == "css" || last == "code" {
			return caption.Line(text)
		}
	}
	return caption.FromHTML(text)
}

// appendItems appends the items of an entry, in document order.
func appendItems(items []item, e *entry) []item {
	list := func(kind Kind, group string, n int) {
		for i := range n {
			items = append(items, item{kind: kind, group: group, index: i})
		}
	}
	one := func(kind Kind) { items = append(items, item{kind: kind, index: -1}) }
	if e.node != nil {
		one(kindOfNode(e.node))
		kind := ComponentKind
		if e.node.Type == model.RouterNode {
			kind = RuleKind
		}
		list(kind, "", e.node.Parts())
		return items
	}
	switch e.part.key {
	case "start":
		one(StartKind)
		list(HiddenKind, "hidden_fields", len(e.part.tree.List("hidden_fields")))
	case "ending":
		one(EndingKind)
	case "messages":
		for _, m := range e.part.tree.Members() {
			o, _ := m.Value.(*schema.Object)
			list(MessageKind, m.Key, o.Len())
		}
	case "translations":
		one(TranslationKind)
		for _, m := range e.part.tree.Members() {
			o, _ := m.Value.(*schema.Object)
			switch m.Key {
			case "components":
				list(TranslationKind, m.Key, o.Len())
			case "messages":
				for _, g := range o.Members() {
					o, _ := g.Value.(*schema.Object)
					for i := range o.Len() {
						items = append(items, item{kind: TranslationKind, group: g.Key, message: true, index: i})
					}
				}
			}
		}
	default:
		one(FormKind)
	}
	return items
}

// item reads one item of an entry.
func (w *walker) item(e *entry, it *item) {
	w.path = w.path[:0]
	if e.node != nil {
		w.nodeItem(e.node, it)
		return
	}
	o := e.part.tree
	switch e.part.key {
	case "start":
		if it.kind == HiddenKind {
			w.hidden(o, it.index)
			return
		}
		w.emit(idClass, model.StartID)
		w.but(o, "hidden_fields")
	case "ending":
		w.emit(idClass, model.EndingID)
		ending, _ := model.ContentTable().Row("ending")
		w.value(ending.Spec, o)
	case "messages":
		w.keyed(o, it, "")
	case "translations":
		w.translation(e.part, it)
	case "name":
		w.emit(nameClass, e.name)
	default:
		w.but(o)
	}
}

func (w *walker) nodeItem(n *model.Node, it *item) {
	if it.index < 0 {
		w.node(n)
		return
	}
	w.path = append(w.path, schema.Key("config"), schema.Key(model.NodeKindOf(n.Type).Parts), schema.Index(it.index))
	if c := n.Component(it.index); c != nil {
		w.component(c)
	} else {
		w.rule(n.Rule(it.index))
	}
}

// but reads all members of a part except some.
func (w *walker) but(o *schema.Object, not ...string) {
	for _, m := range o.Members() {
		if !slices.Contains(not, m.Key) {
			w.member(m.Key, nil, m.Value)
		}
	}
}

func (w *walker) hidden(start *schema.Object, i int) {
	o, _ := start.List("hidden_fields")[i].(*schema.Object)
	w.path = append(w.path, schema.Key("hidden_fields"), schema.Index(i))
	for _, m := range o.Members() {
		if m.Key == "key" {
			w.named(idClass, m.Key, m.Value)
			continue
		}
		w.member(m.Key, nil, m.Value)
	}
}

// keyed reads a member of a map inside o. Its key comes first: that is its id or, in a language, the id of what it translates.
func (w *walker) keyed(o *schema.Object, it *item, lang string) {
	m := o.Object(it.group).Members()[it.index]
	w.path = append(w.path, schema.Key(it.group), schema.Key(m.Key))
	if lang == "" {
		w.emit(idClass, m.Key)
	} else {
		w.emit(textClass, m.Key)
		w.emit(textClass, lang)
	}
	w.loose(m.Value)
}

// keyOf returns the key of an item that keyed reads.
func keyOf(p part, it *item) string {
	o := p.tree
	if it.message {
		o = o.Object("messages")
	}
	return o.Object(it.group).Members()[it.index].Key
}

// translation reads the texts of a component or message in a language, or the other
// properties of the language.
func (w *walker) translation(p part, it *item) {
	switch {
	case it.index < 0:
		w.emit(nameClass, p.lang)
		w.but(p.tree, "components", "messages")
	case it.message:
		w.path = append(w.path, schema.Key("messages"))
		w.keyed(p.tree.Object("messages"), it, p.lang)
	default:
		w.keyed(p.tree, it, p.lang)
	}
}

func kindOfNode(n *model.Node) Kind {
	if model.NodeKindOf(n.Type) == nil {
		return NodeKind
	}
	return Kind(strings.ToLower(string(n.Type)))
}
