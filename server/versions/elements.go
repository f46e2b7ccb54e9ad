package versions

import (
	"slices"
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

// maxRounds bounds how often renamings are looked for: each may explain others, since pointers and templates follow it.
const maxRounds = 4

// renamed returns the elements of the form before with the new ids of those that were renamed until now, the elements of the form now, and the
// pairs of old and new names. An element that is gone and one that is new count as the same if they differ only in the id and the place on the
// canvas, or are nodes of the same type that are at the same place or share a part: any other difference between them is a change anyway. Of
// several equal ones, those at the same place belong together.
func renamed(before, now *model.Form) (was, is *elements, pairs [][2]element) {
	was, is = elementsOf(before), elementsOf(now)
	for _, kind := range []byte{'n', 'c', 'r'} {
		for range maxRounds {
			found := matches(kind, was, is)
			if len(found) == 0 {
				break
			}
			again := before
			for _, p := range found {
				if next, err := rename(again, p); err == nil {
					again = next
					pairs = append(pairs, [2]element{firstName(p[0], pairs), p[1]})
				}
			}
			if again == before {
				break
			}
			before, was = again, elementsOf(again)
		}
	}
	return was, is, pairs
}

// firstName returns the name of an element in the form before any renaming: the router of a rule may be renamed already.
func firstName(e element, pairs [][2]element) element {
	if e.kind() != 'r' {
		return e
	}
	router, id := e.rule()
	for _, p := range pairs {
		if p[1] == nodeOf(router) {
			return ruleOf(p[0].id(), id)
		}
	}
	return e
}

func rename(f *model.Form, p [2]element) (*model.Form, error) {
	switch p[0].kind() {
	case 'n':
		return flow.RenameNode(f, p[0].id(), p[1].id())
	case 'c':
		return flow.RenameComponent(f, p[0].id(), p[1].id())
	}
	router, old := p[0].rule()
	_, id := p[1].rule()
	return flow.RenameRule(f, router, old, id)
}

// matches returns pairs of elements of a kind that are gone and new and may be the same.
func matches(kind byte, was, is *elements) [][2]element {
	gone := missing(kind, was, is)
	if len(gone) == 0 {
		return nil
	}
	var out [][2]element
	fresh := missing(kind, is, was)
	for _, alike := range []func(a, b *schema.Object) bool{equalHere, equalBut, samePlace, sharePart} {
		for j, e := range fresh {
			i := slices.IndexFunc(gone, func(old element) bool {
				return old != "" && e != "" && may(old, was.parts[old], e, is.parts[e], alike)
			})
			if i >= 0 {
				out = append(out, [2]element{gone[i], e})
				gone[i], fresh[j] = "", ""
			}
		}
	}
	return out
}

// missing returns the elements of a kind that are in a and not in b.
func missing(kind byte, a, b *elements) []element {
	var out []element
	for _, e := range a.order {
		if _, ok := b.parts[e]; !ok && e.kind() == kind && e != nodeOf(model.StartID) && e != nodeOf(model.EndingID) {
			out = append(out, e)
		}
	}
	return out
}

// may reports whether two elements with different ids may be the same one: their types and places allow it, and they are alike.
func may(old element, was part, e element, is part, alike func(a, b *schema.Object) bool) bool {
	a, ok1 := was.tree.(*schema.Object)
	b, ok2 := is.tree.(*schema.Object)
	if !ok1 || !ok2 || was.step != is.step || a.Text("type") != b.Text("type") {
		return false
	}
	if e.kind() == 'r' {
		r1, _ := old.rule()
		r2, _ := e.rule()
		return r1 == r2 && alike(a, b)
	}
	return alike(a, b)
}

func equalHere(a, b *schema.Object) bool { return samePlace(a, b) && equalBut(a, b) }

func equalBut(a, b *schema.Object) bool {
	return schema.Equal(a.Without("id").Without("coordinates"), b.Without("id").Without("coordinates"))
}

// samePlace reports whether two nodes are at the same place of the canvas. Components and rules have none.
func samePlace(a, b *schema.Object) bool {
	return a.Has("coordinates") && schema.Equal(a.Object("coordinates"), b.Object("coordinates"))
}

// sharePart reports whether two nodes have a component or rule with the same id.
func sharePart(a, b *schema.Object) bool {
	kind := model.NodeKindOf(model.NodeType(a.Text("type")))
	if kind == nil || kind.Parts == "" {
		return false
	}
	ids := map[string]bool{}
	for _, v := range a.Object("config").List(kind.Parts) {
		o, _ := v.(*schema.Object)
		ids[o.Text("id")] = true
	}
	for _, v := range b.Object("config").List(kind.Parts) {
		if o, _ := v.(*schema.Object); o.Text("id") != "" && ids[o.Text("id")] {
			return true
		}
	}
	return false
}
