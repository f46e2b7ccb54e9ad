package editor

import (
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// copyGap is the space between a node and its copy.
const copyGap = 40

// Duplicate copies the elements that were selected when Maker.Duplicate made the command, and selects the copies.
//
//   - Nodes: edges inside the group lead from copy to copy; edges out of it lead
//     from the copies to the same targets. Edges into the group are not copied, since
//     each leads to only one node. Neither are the start and the ending.
//   - Components or a rule: the copies go after the last of them, with the same targets.
//
// References between copies in templates follow their new ids, and copied
// components have their texts in every language.
type Duplicate struct {
	By model.Point // the offset of the copies of nodes from their originals

	pasted Pasted
	ids    map[string]string // of components, to the ids of their copies
	err    error
}

// Duplicate returns the command that copies the selection, with fresh ids. Copies of nodes go to the right of the group. Set By to place
// them elsewhere, for example where they were dragged.
func (m Maker) Duplicate() Duplicate {
	p, err := selected(m.state)
	if err != nil {
		return Duplicate{err: err}
	}
	r := newRenumbering(m)
	if len(p.Rules) > 0 {
		n, _ := m.state.Form.Node(m.state.Selection.Only())
		r.rules = func() namespace { return rulesOf(n) }
	}
	d := Duplicate{pasted: r.all(p), ids: r.components.renamed}
	if len(p.Nodes) > 0 {
		lo, hi := boundsOf(placesIn(readNodes(p.Nodes)))
		d.By = model.Point{X: hi.X - lo.X + graph.CardWidth + copyGap}
	}
	return d
}

// Label names the copied elements.
func (c Duplicate) Label() verb.Phrase { return c.pasted.Phrase(verb.Duplicate) }

// Do inserts the copies. They never lie exactly on another node.
func (c Duplicate) Do(s State) (State, error) {
	if c.err != nil {
		return s, c.err
	}
	in := insertion{pasted: c.pasted, loops: true, place: func(f *model.Form, nodes []*model.Node) []model.Point {
		return placeGroup(f, nodes, nil, c.By)
	}}
	tree, sel, _, err := in.into(s)
	if err == nil {
		tree = c.translated(tree)
	}
	return finished(s, tree, sel, err)
}

// translated returns the tree in which the copies also have the texts of their originals in other languages.
func (c Duplicate) translated(tree *schema.Object) *schema.Object {
	all := tree.Object("translations")
	now := all
	for _, m := range all.Members() {
		language, _ := m.Value.(*schema.Object)
		texts := language.Object("components")
		var copies []schema.Member
		for _, t := range texts.Members() {
			if id, ok := c.ids[t.Key]; ok && id != t.Key {
				copies = append(copies, schema.Member{Key: id, Value: t.Value})
			}
		}
		if len(copies) == 0 {
			continue
		}
		renamed := renameReferences([]*schema.Object{schema.NewObject(copies...)}, c.ids)[0]
		members := append(append([]schema.Member{}, texts.Members()...), renamed.Members()...)
		now = now.With(m.Key, language.With("components", schema.NewObject(members...)))
	}
	if now == all {
		return tree
	}
	return tree.With("translations", now)
}
