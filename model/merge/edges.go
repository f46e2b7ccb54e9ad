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
		for _, e := range keeper.form.Edges() {
			was, ok := g.b.form.OutOf(e.From, e.Port)
			now, there := f.OutOf(e.From, e.Port)
			if string(e.To) != key || !ok || was.To != e.To || !there || now.To == e.To {
				continue
			}
			removed, _ := remover.form.OutOf(e.From, e.Port)
			if now.To != removed.To {
				continue
			}
			if now.To != "" && !skips(f, key, now.To) {
				g.edgeConflict(f, e, now, keeper == g.m)
				if keeper == g.t {
					continue
				}
			}
			if next, err := f.Set(now.Path, key); err == nil {
				f = next
				g.noteRestored(key, model.Edge{From: e.From, Out: now})
			}
		}
	}
	return f
}

// noteRestored records in the conflict about a node where a restored edge leads on the side that removed the node.
func (g *merger) noteRestored(key string, e model.Edge) {
	for i := range g.conflicts {
		c := &g.conflicts[i]
		if c.subject.isNode() && len(c.rest) == 0 && c.Node == key {
			c.restored = append(c.restored, e)
		}
	}
}

// removeNode removes the node of a conflict. The edges into it then lead where they lead on the side that removed it, or nowhere.
func (c Conflict) removeNode(f *model.Form, at schema.Path) (*model.Form, error) {
	type way struct {
		from string
		port model.Port
	}
	led := map[way]model.Pointer{}
	for _, e := range c.restored {
		led[way{e.From, e.Port}] = e.To
	}
	for _, e := range f.Edges() {
		if string(e.To) != c.Node {
			continue
		}
		to := led[way{e.From, e.Port}]
		if _, i := f.Node(string(to)); i < 0 && to != model.EndingID {
			to = ""
		}
		var err error
		if to == "" {
			f, err = f.Clear(e.Path)
		} else {
			f, err = f.Set(e.Path, string(to))
		}
		if err != nil {
			return nil, err
		}
	}
	return f.Clear(at)
}

// skips reports whether a node leads to a target, so that an edge to the target
// skips the node.
func skips(f *model.Form, id string, to model.Pointer) bool {
	_, i := f.Node(id)
	if i < 0 {
		return false
	}
	for _, o := range f.Outs(i) {
		if o.To == to {
			return true
		}
	}
	return false
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
