package merge

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Part is what can be taken from another form on its own: a node with all that it contains, the order of the nodes, or a property of the
// form. The translations of each language are a part.
type Part struct {
	// Kind is what happened to it from base to now. Moved means that only coordinates changed, or only the order of the nodes.
	Kind ChangeKind
	// Path is the path of a property of the form, that of the nodes for their order, and nil for a node.
	Path schema.Path
	// Was and Now are the places of a node among those of base and of now, -1 in the form that lacks it.
	Was, Now int
	Changes  []Change

	key string // of the node
}

// IsNode reports whether the part is a node.
func (p *Part) IsNode() bool { return p.Path == nil }

// Parts groups the changes between two forms by parts, in the order of Changes.
func Parts(base, now *model.Form) []Part {
	xs, _, ok := indexAll(base, now)
	g := grouping{base: xs[0], now: xs[1], graph: ok, at: map[string]int{}}
	for _, c := range Changes(base, now) {
		p := g.part(&c)
		p.Changes = append(p.Changes, c)
		if !c.Layout() && (c.Kind != Moved || p.IsNode() || len(c.Path) > 2) {
			p.Kind = g.kind(p)
		}
	}
	return g.parts
}

type grouping struct {
	base, now *index
	graph     bool // both forms have lists of nodes
	parts     []Part
	at        map[string]int // by the key of the node, or the path after a zero byte
}

// part returns the part that contains a change.
func (g *grouping) part(c *Change) *Part {
	p := Part{Kind: Moved, Was: -1, Now: -1}
	at := model.PlaceOf(c.Path)
	order := c.Kind == Moved && at.IsNode()
	if g.graph && at.Node >= 0 && !order {
		side := g.now
		if c.Kind == Removed && len(c.rest) == 0 && at.Rule < 0 { // the path of a rule begins at the node in the new form
			side = g.base
		}
		p.key = side.keys[at.Node]
		p.Was, p.Now = g.base.placeOf(p.key), g.now.placeOf(p.key)
	} else {
		p.Path = c.Path[:1]
		if c.Path[0].Key == translations && len(c.Path) > 1 {
			p.Path = c.Path[:2]
		}
	}
	id := p.key
	if p.Path != nil {
		id = "\x00" + p.Path.String()
	}
	i, ok := g.at[id]
	if !ok {
		i = len(g.parts)
		g.at[id] = i
		g.parts = append(g.parts, p)
	}
	return &g.parts[i]
}

const translations = "translations"

// kind returns what happened to a part of which more changed than its place.
func (g *grouping) kind(p *Part) ChangeKind {
	was, is := p.Was >= 0, p.Now >= 0
	if !p.IsNode() {
		_, was = schema.Lookup(g.base.form.Tree(), p.Path)
		_, is = schema.Lookup(g.now.form.Tree(), p.Path)
	}
	switch {
	case !was:
		return Added
	case !is:
		return Removed
	}
	return Changed
}

// placeOf returns the place of the element with a key, -1 if there is none.
func (e elements) placeOf(key string) int {
	if i, ok := e.place[key]; ok {
		return i
	}
	return -1
}

// Take returns now with a part as it is in base. It is one of Parts(base, f), where f is now or was now before other parts were taken.
// Components keep unique ids: one that is in another step in now moves, and one that the part loses to another step goes there, if that step
// exists. A pointer to a node that is removed leads where it leads in base, or nowhere.
func (p *Part) Take(base, now *model.Form) *model.Form {
	if !p.IsNode() {
		return p.takeProperty(base, now)
	}
	xs, _, ok := indexAll(base, now)
	if !ok {
		return now
	}
	t := taking{base: xs[0], now: xs[1], key: p.key, list: slices.Clone(xs[1].list)}
	return t.take()
}

// TakeAll returns now with everything as it is in base, except what only the tenant sets.
func TakeAll(base, now *model.Form) *model.Form {
	var members []schema.Member
	for _, m := range now.Tree().Members() {
		if model.ResponseOnly(m.Key) {
			members = append(members, m)
		}
	}
	for _, m := range base.Tree().Members() {
		if !model.ResponseOnly(m.Key) {
			members = append(members, m)
		}
	}
	return now.Derive(schema.NewObject(members...), base)
}

// takeProperty takes a property of the form, or the order of the nodes.
func (p *Part) takeProperty(base, now *model.Form) *model.Form {
	tree := now.Tree()
	key := p.Path[0].Key
	b, n := valueAt(base.Tree(), key), valueAt(tree, key)
	bl, ok1 := b.list()
	nl, ok2 := n.list()
	bo, ok3 := b.Tree.(*schema.Object)
	no, ok4 := n.Tree.(*schema.Object)
	switch {
	case key == "nodes" && ok1 && ok2 && len(bl)+len(nl) > 0:
		be, ne := newElements(bl, "id"), newElements(nl, "id")
		order := weave(common(be.keys, ne.keys), ne.keys)
		list := make([]any, len(order))
		for i, k := range order {
			list[i] = ne.at(k).Tree
		}
		return now.Derive(tree.With(key, list))
	case len(p.Path) > 1 && ok3 && ok4:
		key = p.Path[1].Key
		if v := valueAt(bo, key); v.Present {
			no = no.With(key, v.Tree)
		} else {
			no = no.Without(key)
		}
		return now.Derive(tree.With(translations, no))
	case b.Present:
		return now.Derive(tree.With(key, b.Tree))
	}
	return now.Derive(tree.Without(key))
}

// taking is the work of taking a node.
type taking struct {
	base, now *index
	key       string
	list      []any // the nodes of the result
}

func (t *taking) take() *model.Form {
	is, want := t.now.at(t.key), t.base.at(t.key)
	here := t.now.placeOf(t.key)
	var kept []any
	for _, c := range t.now.of[t.key] {
		if home, ok := t.base.components[c]; ok && home.node != t.key && !t.goHome(c, home) {
			kept = append(kept, t.now.components[c].tree)
		}
	}
	for _, c := range t.base.of[t.key] {
		if at, ok := t.now.components[c]; ok && at.node != t.key {
			t.drop(at.node, c)
		}
	}
	switch {
	case !want.Present && is.Present:
		return t.without(here)
	case !want.Present:
		return t.now.form
	case is.Present:
		t.list[here] = withMore(want.Tree, kept)
	default:
		t.list = slices.Insert(t.list, t.after(), want.Tree)
	}
	return t.form()
}

func (t *taking) form() *model.Form {
	return t.now.form.Derive(t.now.form.Tree().With("nodes", t.list))
}

// after returns where to insert a node: behind the nearest of the nodes that it follows in base.
func (t *taking) after() int {
	for i := t.base.place[t.key] - 1; i >= 0; i-- {
		if at, ok := t.now.place[t.base.keys[i]]; ok {
			return at + 1
		}
	}
	return 0
}

// componentsOf returns the components of a step of the result, and whether the node is a step with a list of them.
func (t *taking) componentsOf(node string) (list []any, ok bool) {
	i, there := t.now.place[node]
	if !there {
		return nil, false
	}
	list, step, sound := stepComponents(t.list[i])
	return list, step && sound
}

func (t *taking) setComponents(node string, list []any) {
	i := t.now.place[node]
	t.list[i] = withComponents(t.list[i].(*schema.Object), list)
}

func withComponents(node *schema.Object, list []any) *schema.Object {
	return node.With("config", node.Object("config").With("components", list))
}

// withMore adds components to a step.
func withMore(node any, more []any) any {
	list, step, sound := stepComponents(node)
	if len(more) == 0 || !step || !sound {
		return node
	}
	return withComponents(node.(*schema.Object), slices.Concat(list, more))
}

// drop removes a component from a step.
func (t *taking) drop(node, key string) {
	list, ok := t.componentsOf(node)
	if i := indexOf(list, key); ok && i >= 0 {
		t.setComponents(node, slices.Delete(slices.Clone(list), i, i+1))
	}
}

// goHome puts a component into the step in which it is in base, and reports whether that exists.
func (t *taking) goHome(key string, home location) bool {
	list, ok := t.componentsOf(home.node)
	if !ok || !model.ValidIdentifier(key) || !t.base.isStep(home.node) {
		return false
	}
	at := 0
	for _, c := range slices.Backward(t.base.of[home.node][:home.at]) {
		if i := indexOf(list, c); i >= 0 {
			at = i + 1
			break
		}
	}
	t.setComponents(home.node, slices.Insert(slices.Clone(list), at, home.tree))
	return true
}

func indexOf(list []any, id string) int {
	return slices.IndexFunc(list, func(v any) bool { return model.ValidIdentifier(id) && textOf(v, "id") == id })
}

// without removes the node at a place.
func (t *taking) without(here int) *model.Form {
	id := t.key
	f := t.form()
	if model.ValidIdentifier(id) {
		var edits []schema.Edit
		for _, e := range f.Edges() {
			out, known := t.base.form.OutOf(e.From, e.Port)
			if string(e.To) != id || e.From == id || known && string(out.To) == id {
				continue
			}
			_, i := f.Node(string(out.To))
			leads := known && out.To != "" && (i >= 0 || out.To == model.EndingID)
			edits = append(edits, schema.Edit{Path: e.Path, Value: string(out.To), Cleared: !leads})
		}
		f = edited(f, edits)
	}
	list := slices.Delete(slices.Clone(f.Tree().List("nodes")), here, here+1)
	return f.Derive(f.Tree().With("nodes", list))
}
