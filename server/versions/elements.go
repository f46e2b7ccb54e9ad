package versions

import (
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// element names what blame is told of: an end or a node, "n:ID", a component, "c:ID", or a rule, "r:ROUTER/ID". Elements with a malformed id,
// and all but the first with the same id, have no name.
type element string

func nodeOf(id string) element         { return element("n:" + id) }
func componentOf(id string) element    { return element("c:" + id) }
func ruleOf(router, id string) element { return element("r:" + router + "/" + id) }
func (e element) kind() byte           { return e[0] }
func (e element) id() string           { return string(e[2:]) }
func (e element) rule() (router, id string) {
	router, id, _ = strings.Cut(e.id(), "/")
	return router, id
}

// part is what an element consists of. The position of a card is not part of it, nor are translations.
type part struct {
	tree any
	step string // the id of a component's step
}

// elements are the named elements of a form.
type elements struct {
	order []element
	parts map[element]part
}

func (es *elements) add(e element, p part) bool {
	if _, taken := es.parts[e]; taken || !model.ValidIdentifier(e.id()[strings.LastIndexByte(e.id(), '/')+1:]) {
		return false
	}
	es.order = append(es.order, e)
	es.parts[e] = p
	return true
}

// elementsOf returns the elements of a form.
func elementsOf(f *model.Form) *elements {
	es := &elements{parts: make(map[element]part, 8*len(f.Nodes))}
	for _, end := range [][2]string{{model.StartID, "start"}, {model.EndingID, "ending"}} {
		if o := f.Tree().Object(end[1]); o != nil {
			es.order = append(es.order, nodeOf(end[0]))
			es.parts[nodeOf(end[0])] = part{tree: o}
		}
	}
	for _, v := range f.Tree().List("nodes") {
		o, _ := v.(*schema.Object)
		id := o.Text("id")
		named := es.add(nodeOf(id), part{tree: o})
		kind := model.NodeKindOf(model.NodeType(o.Text("type")))
		if kind == nil || kind.Parts == "" {
			continue
		}
		for _, v := range o.Object("config").List(kind.Parts) {
			inner, _ := v.(*schema.Object)
			switch {
			case kind.Parts == "components":
				es.add(componentOf(inner.Text("id")), part{v, id})
			case named:
				es.add(ruleOf(id, inner.Text("id")), part{tree: v})
			}
		}
	}
	return es
}

// same reports whether an element is as it was.
func same(a, b part) bool {
	if a.step != b.step {
		return false
	}
	was, ok1 := a.tree.(*schema.Object)
	is, ok2 := b.tree.(*schema.Object)
	if ok1 && ok2 && was == is {
		return true
	}
	return schema.Equal(a.tree, b.tree) || ok1 && ok2 && schema.Equal(was.Without("coordinates"), is.Without("coordinates"))
}

// changed returns the elements of the form now that differ from those before or are new, after before was renamed.
func changed(before, now *elements) []element {
	var out []element
	for _, e := range now.order {
		if was, ok := before.parts[e]; !ok || !same(was, now.parts[e]) {
			out = append(out, e)
		}
	}
	return out
}

// renamed returns the elements of the form before with the new ids of those that were renamed until now, the elements of the form now, and the
// pairs of old and new names. Whatever else differs between the two of a pair is a change.
func renamed(before, now *model.Form) (was, is *elements, pairs [][2]element) {
	was, is = elementsOf(before), elementsOf(now)
	r := flow.RenamesOf(before, now)
	if r.Empty() {
		return was, is, nil
	}
	for _, e := range was.order {
		if id, ok := newName(e, r); ok {
			pairs = append(pairs, [2]element{e, id})
		}
	}
	return elementsOf(r.Apply(before)), is, pairs
}

// newName returns the new name of an element, and whether its own id is new.
func newName(e element, r flow.Renames) (element, bool) {
	switch e.kind() {
	case 'n':
		id, ok := r.Nodes[e.id()]
		return nodeOf(id), ok
	case 'c':
		id, ok := r.Components[e.id()]
		return componentOf(id), ok
	}
	router, rule := e.rule()
	id, ok := r.Rules[router][rule]
	return ruleOf(r.Node(router), id), ok
}
