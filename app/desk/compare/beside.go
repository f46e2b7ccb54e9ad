package compare

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// besideGap is the distance between the form and one from elsewhere: room for the lines below the form, and for the tags above the other one.
const besideGap = 2 * graph.LayerGap

// beside returns a form from elsewhere, moved as a whole to where its cards do not lie on those of f. The canvas shows it there, and what is taken
// from it comes from there. A relative of f, which has at least half of its nodes or of those of f in common with it, stays where it is.
func beside(f, other *model.Form) *model.Form {
	shared := 0
	for _, n := range other.Nodes {
		if was, _ := f.Node(n.ID); was != nil {
			shared++
		}
	}
	mine, theirs, placed := graph.New(f).Bounds(), graph.Rect{}, []string(nil)
	for _, c := range graph.New(other).Cards() {
		if !c.Auto {
			theirs, placed = theirs.Union(c.Rect), append(placed, c.Key)
		}
	}
	if 2*shared >= min(len(f.Nodes), len(other.Nodes)) || !mine.Overlaps(theirs) {
		return other
	}
	by := graph.Vec{X: mine.X - theirs.X, Y: mine.Bottom() + besideGap - theirs.Y}
	if mine.H > mine.W {
		by = graph.Vec{X: mine.Right() + besideGap - theirs.X, Y: mine.Y - theirs.Y}
	}
	by = by.Snapped()
	if to := theirs.Moved(by); max(to.Right(), to.Bottom()) > model.MaxCoordinate {
		return other
	}
	s, err := editor.MoveNodes{IDs: placed, By: by.Point()}.Do(editor.State{Form: other})
	if err != nil {
		return other // its nodes cannot be told apart
	}
	return s.Form
}
