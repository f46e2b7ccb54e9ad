package merge

import (
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// restoreEdges restores the edges into nodes that one side removed and the other kept. Without them such a node would stay but be
// unreachable. An edge that the removing side redirected is restored too if it only skips the node, as when a node is deleted and its
// neighbours are joined. If the author redirected it to any other node, the two sides disagree: that is a conflict, and mine stays.
func (g *merger) restoreEdges(f *model.Form) *model.Form {
	r := restoring{merger: g, form: f, leads: map[string]map[model.Pointer]bool{}}
	into := map[*index]map[string][]model.Edge{}
	for _, key := range g.nodes {
		keeper, remover := g.m, g.t
		switch g.outcomes[key] {
		case keptMine:
		case keptThem:
			keeper, remover = g.t, g.m
		case gone, merged, addedMine, addedThem, onlyMine:
			continue
		}
		if !model.ValidIdentifier(key) {
			continue
		}
		if into[keeper] == nil {
			into[keeper] = edgesInto(keeper.form)
		}
		for _, e := range into[keeper][key] {
			r.restore(e, keeper, remover)
		}
	}
	for i := range g.conflicts {
		if c := &g.conflicts[i]; c.subject.isNode() && len(c.rest) == 0 {
			c.restored = r.restored[c.Node]
		}
	}
	return edited(f, r.edits)
}

// edgesInto returns the edges of a form by their targets.
func edgesInto(f *model.Form) map[string][]model.Edge {
	into := map[string][]model.Edge{}
	for _, e := range f.Edges() {
		into[string(e.To)] = append(into[string(e.To)], e)
	}
	return into
}

// restoring collects the edges of a form that are to be restored.
type restoring struct {
	*merger
	form     *model.Form
	edits    []schema.Edit
	leads    map[string]map[model.Pointer]bool // by the ids of nodes that one side removed: where they lead, of those that were asked for
	restored map[string][]model.Edge           // by the ids of their targets: as they are on the side that removed the node
}

// restore restores an edge of a side to a node that the other removed.
func (r *restoring) restore(e model.Edge, keeper, remover *index) {
	was, ok := r.b.form.OutOf(e.From, e.Port)
	now, there := r.form.OutOf(e.From, e.Port)
	if !ok || was.To != e.To || !there || now.To == e.To {
		return
	}
	removed, _ := remover.form.OutOf(e.From, e.Port)
	if now.To != removed.To {
		return
	}
	if now.To != "" && !r.skips(string(e.To), now.To) {
		r.edgeConflict(r.form, e, now, keeper == r.m)
		if keeper == r.t {
			return
		}
	}
	r.edits = append(r.edits, schema.Edit{Path: now.Path, Value: string(e.To)})
	if r.restored == nil {
		r.restored = map[string][]model.Edge{}
	}
	r.restored[string(e.To)] = append(r.restored[string(e.To)], model.Edge{From: e.From, Out: now})
}

// skips reports whether a node that one side removed leads to a target, so that an edge to the target skips the node. No edge out of such a node is
// restored: the side that removed it has none that it could have redirected.
func (r *restoring) skips(id string, to model.Pointer) bool {
	leads := r.leads[id]
	if leads == nil {
		leads = map[model.Pointer]bool{}
		if _, i := r.form.Node(id); i >= 0 {
			for _, o := range r.form.Outs(i) {
				leads[o.To] = true
			}
		}
		r.leads[id] = leads
	}
	return leads[to]
}

// edgeConflict reports an edge into a node that one side kept, while the other removed the node and redirected the edge.
func (g *merger) edgeConflict(f *model.Form, kept model.Edge, now model.Out, mineKept bool) {
	v := sides{b: present(string(kept.To)), m: present(string(kept.To)), t: present(string(now.To))}
	if !mineKept {
		v.m, v.t = v.t, v.m
	}
	o := subject{title: "form"}
	if n, i := f.Node(kept.From); i >= 0 {
		o = subject{at: model.NodePath(i), node: n.ID, title: n.Title()}
		if id := kept.Port.Jump(); id != "" {
			c, node, j := f.Component(id)
			o.at, o.component = model.ComponentPath(node, j), id
			o.title += ": " + componentTitle(c.Tree())
		}
		if id := kept.Port.Rule(); id != "" {
			o.at, o.rule = now.Path[:len(now.Path)-1], id
			o.title += ": rule " + cut(strings.TrimSpace(id))
		}
	}
	g.conflict(o, BothChanged, now.Path[len(o.at):], v, false)
}
