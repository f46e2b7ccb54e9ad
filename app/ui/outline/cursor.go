package outline

import (
	"slices"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/schema"
)

// cursor is the position of the tab stop in the outline of the form, relative to the
// selection.
type cursor struct {
	*workspace.Workspace
	o              *outline
	flows          int              // of the tenant when o was made
	doubts         schema.Problems  // of the page when o was made
	seen           editor.Selection // the selection that the cursor has followed
	selected       map[string]bool  // seen.Nodes
	cur            spot
	curID, curPart string // id of cur and of its part, which may move
	anchor         string // the node at which an extended selection began
}

func samePlace(p, q schema.Problem) bool { return p.Path.Equal(q.Path) }

// follow adopts a changed form and selection, and reports whether the tab stop has
// moved to another row. It follows the selection. If its row is deleted, it stays at
// the row that takes its place.
func (o *cursor) follow(focused bool) (moved bool) {
	s := o.Editor.State()
	if doubts := o.Doubts(); o.o == nil || o.o.form != s.Form || o.flows != len(o.Flows) || !slices.EqualFunc(doubts, o.doubts, samePlace) {
		o.o, o.flows, o.doubts = newOutline(s.Form, o.Editor.Found().Problems(), o.o), len(o.Flows), doubts
		o.o.warnings = o.o.count(slices.Concat(o.Editor.Found().Marked(o.FlowNames()), doubts))
		at := o.cur
		if found, ok := o.o.find(o.curID, o.curPart); ok && o.curID != "" {
			if found.part < 0 && o.curPart != "" && found.at == o.cur.at {
				found.part = o.cur.part
			}
			at = found
		}
		o.setCur(o.o.near(at))
	}
	if s.Selection.Equal(o.seen) && o.selected != nil {
		return false
	}
	was := o.seen
	o.seen, o.selected = s.Selection, make(map[string]bool, len(s.Selection.Nodes))
	for _, id := range s.Selection.Nodes {
		o.selected[id] = true
	}
	n := len(s.Selection.Nodes)
	if n == 0 {
		return false
	}
	part := s.Selection.Component + s.Selection.Rule
	if k := len(s.Selection.Parts); k > 0 {
		part = s.Selection.Parts[k-1]
	}
	to, ok := o.o.find(s.Selection.Nodes[n-1], part)
	// Deleting a part leaves its node selected, which is no reason to move there.
	if left := was.Component+was.Rule != "" && to.part < 0; !ok || to == o.cur || focused && left && to.at == o.cur.at {
		return false
	}
	o.setCur(to)
	return true
}

// setCur moves the tab stop.
func (o *cursor) setCur(s spot) {
	o.cur, o.curID, o.curPart = s, o.o.id(s.at), o.o.part(s)
}
