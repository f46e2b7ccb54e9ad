package merge

import (
	"cmp"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// renaming is what the sides of a merge renamed.
type renaming struct {
	forms  [3]flow.Renames // the new ids in base, mine and theirs that make them forms with the ids of the result
	former flow.Renames    // the ids in theirs by those of the result
	both   []twice
}

// twice is an element that both sides renamed.
type twice struct {
	of        subject // with the id of theirs, at any place of its kind
	was, mine string  // the ids in base and mine
}

// renamed returns base, mine and theirs with the ids of the result, so that an element that one side edits and the other renames is the same one. The
// result has the id of the side that renamed the element, and that of theirs if both did. An element that the other side removed, or whose new id the
// other side gave to another one, is not followed.
func renamed(base, mine, theirs *model.Form) ([3]*model.Form, renaming) {
	forms := [3]*model.Form{base, mine, theirs}
	m, t := flow.SureRenamesOf(base, mine), flow.SureRenamesOf(base, theirs)
	var r renaming
	if m.Empty() && t.Empty() {
		return forms, r
	}
	node := func(f *model.Form) func(string) bool {
		return func(id string) bool { _, i := f.Node(id); return i >= 0 }
	}
	nodes := r.join(m.Nodes, t.Nodes, node(mine), node(theirs), subject{at: model.NodePath(0)})
	// References do not distinguish components and hidden fields.
	field := func(f *model.Form) func(string) bool {
		hidden := map[string]bool{}
		for _, h := range f.Start.Hidden {
			hidden[h.Key] = true
		}
		return func(id string) bool {
			c, _, _ := f.Component(id)
			return c != nil || hidden[id]
		}
	}
	components := r.join(m.Components, t.Components, field(mine), field(theirs), subject{at: model.ComponentPath(0, 0)})
	hidden := r.join(m.Hidden, t.Hidden, field(mine), field(theirs),
		subject{at: schema.Path{schema.Key("start"), schema.Key("hidden_fields"), schema.Index(0)}})
	all := func(i int) flow.Renames {
		return flow.Renames{Nodes: nodes[i], Components: components[i], Hidden: hidden[i], Rules: map[string]map[string]string{}}
	}
	r.forms, r.former = [3]flow.Renames{all(0), all(1), all(2)}, all(3)
	for _, n := range base.Nodes {
		if len(m.Rules[n.ID])+len(t.Rules[n.ID]) > 0 {
			r.rules(n.ID, m, t, mine, theirs)
		}
	}
	for i, f := range forms {
		if !r.forms[i].Empty() {
			forms[i] = r.forms[i].Apply(f)
		}
	}
	// What is equal now is shared, in memory and so that the merge passes over it.
	of := 2
	if !r.forms[2].Empty() {
		of = 1
	}
	for i, f := range forms {
		if i != of {
			forms[i] = forms[of].Share(f)
		}
	}
	return forms, r
}

// rules joins what the sides renamed in a router with an id in base.
func (r *renaming) rules(router string, m, t flow.Renames, mine, theirs *model.Form) {
	ids := [3]string{router, m.Node(router), t.Node(router)}
	is := r.forms[0].Node(router)
	has := func(f *model.Form, id string) func(string) bool {
		of := map[string]bool{}
		n, _ := f.Node(id)
		for i := 0; n != nil && n.Rule(i) != nil; i++ {
			of[n.Rule(i).ID] = true
		}
		return func(rule string) bool { return of[rule] }
	}
	at := subject{at: model.RulePath(0, 0), node: is}
	to := r.join(m.Rules[router], t.Rules[router], has(mine, ids[1]), has(theirs, ids[2]), at)
	for i, id := range ids {
		if len(to[i]) > 0 {
			r.forms[i].Rules[id] = to[i]
		}
	}
	if len(to[3]) > 0 {
		r.former.Rules[is] = to[3]
	}
}

// join returns the new ids in base, mine and theirs, by the ids that they have there, of what the sides renamed in one namespace, and the ids in theirs
// by those of the result.
func (r *renaming) join(m, t map[string]string, inMine, inTheirs func(string) bool, of subject) [4]map[string]string {
	to := [4]map[string]string{{}, {}, {}, {}}
	for old, id := range t {
		own, both := m[old]
		switch {
		case both && own == id:
		case inMine(id) || both && inTheirs(own) || !both && !inMine(old):
			continue
		case both:
			to[1][own] = id
			r.both = append(r.both, twice{of.called(id), old, own})
		default:
			to[1][old] = id
		}
		to[0][old] = id
	}
	for old, id := range m {
		if _, both := t[old]; !both && inTheirs(old) && !inTheirs(id) {
			to[0][old], to[2][old], to[3][id] = id, id, old
		}
	}
	return to
}

// called returns a subject with another id.
func (o subject) called(id string) subject {
	switch at := model.PlaceOf(o.at); {
	case at.End != "":
		o.hidden = id
	case at.Component >= 0:
		o.component = id
	case at.Rule >= 0:
		o.rule = id
	default:
		o.node = id
	}
	return o
}

// conflicts adds the ids that both sides gave to an element to the conflicts of the merged form.
func (r renaming) conflicts(f *model.Form, list []Conflict) []Conflict {
	if len(r.both) == 0 {
		return list
	}
	lists := remembered(f)
	for _, both := range r.both {
		at, found := both.of.locate(f, lists)
		if !found {
			continue
		}
		o, id, name := both.of, cmp.Or(both.of.component, both.of.rule, both.of.hidden), "id"
		o.at = at
		if o.hidden != "" {
			name = "key"
		} else {
			o.node = f.Nodes[model.PlaceOf(at).Node].ID
		}
		id = cmp.Or(id, o.node)
		o.title = model.IDTitle(id)
		rest := schema.Path{schema.Key(name)}
		list = append(list, Conflict{
			Kind: BothRenamed, Path: at.Join(rest), Node: o.node, Component: o.component, Rule: o.rule,
			Base: present(both.was), Mine: present(both.mine), Theirs: present(id), subject: o, rest: rest,
		})
	}
	sortConflicts(f.Tree(), list)
	return list
}
