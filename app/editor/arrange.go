package editor

import (
	"maps"
	"slices"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// PlaceNodes sets the coordinates of many nodes as one step; tidy up, align and distribute compute them. model.StartID and model.EndingID
// name the ends. Coordinates are clamped to model.MaxCoordinate.
type PlaceNodes struct {
	Places map[string]model.Point
	Name   verb.Phrase // the label; zero means one such as "Move 3 nodes"
}

// Label is the name.
func (c PlaceNodes) Label() verb.Phrase {
	if c.Name != (verb.Phrase{}) {
		return c.Name
	}
	return nodesPhrase(verb.Move, slices.Sorted(maps.Keys(c.Places)))
}

// Do writes the coordinates of exactly the nodes that are elsewhere or have none. If there are no such nodes, it changes nothing.
func (c PlaceNodes) Do(s State) (State, error) { return placed(s, "place", c.Places) }

// placed returns the state with nodes at other places. It edits the tree first and reads it once, so that
// thousands of nodes move in one pass.
func placed(s State, action string, places map[string]model.Point) (State, error) {
	list := slices.Clone(s.Form.Tree().List("nodes"))
	tree, moved := s.Form.Tree(), false
	find := finder(s.Form, len(places))
	for _, id := range slices.Sorted(maps.Keys(places)) {
		at := model.Point{}.Add(places[id])
		if id == model.StartID || id == model.EndingID {
			path, was, placed := endPlace(s.Form, id)
			if placed && was == at {
				continue
			}
			coordinates, _ := schema.Lookup(tree, path)
			o, _ := coordinates.(*schema.Object)
			t, err := schema.Set(tree, path, at.Into(o))
			if err != nil {
				return s, err
			}
			tree, _ = t.(*schema.Object)
			continue
		}
		i := find(id)
		if i < 0 {
			return s, noNode(action, id)
		}
		if n := s.Form.Nodes[i]; !n.Placed || n.At != at {
			list[i], moved = placedAt(n.Tree(), at), true
		}
	}
	if moved {
		tree = tree.With("nodes", list)
	}
	if tree == s.Form.Tree() {
		return s, nil
	}
	return withForm(s, s.Form.Derive(tree), nil)
}

// placedAt returns the tree of a node at another place.
func placedAt(node *schema.Object, at model.Point) *schema.Object {
	return node.With("coordinates", at.Into(node.Object("coordinates")))
}

// Nodes without coordinates are placed in rows.
const (
	rowLength  = 10
	rowHeight  = 240 // most cards are lower; the author can correct the others
	farFromEnd = 1000 * graph.Grid
	maxLooks   = 1 << 20 // bounds the search for a free place, whatever is pasted
)

// placeGroup returns the places for a group of nodes that is added to a form: with its top left corner at at or, if that is nil, moved by
// by. It returns nil if at is nil and no node has a place.
func placeGroup(f *model.Form, nodes []*model.Node, at *model.Point, by model.Point) []model.Point {
	if at == nil && !slices.ContainsFunc(nodes, func(n *model.Node) bool { return n.Placed }) {
		return nil
	}
	group := placesIn(nodes)
	lo, hi := boundsOf(group)
	if at != nil {
		by = graph.At(model.Point{}.Add(*at)).Snapped().Point().Sub(lo)
	}
	// The group stops at the bounds as a whole.
	by.X = max(-model.MaxCoordinate-lo.X, min(model.MaxCoordinate-hi.X, by.X))
	by.Y = max(-model.MaxCoordinate-lo.Y, min(model.MaxCoordinate-hi.Y, by.Y))
	by = free(f, group, lo, hi, by)
	for i, p := range group {
		group[i] = p.Add(by)
	}
	return group
}

// placesIn returns the places of nodes. Those without coordinates are placed in rows to the right of the others.
func placesIn(nodes []*model.Node) []model.Point {
	places := make([]model.Point, len(nodes))
	var placed []model.Point
	for i, n := range nodes {
		places[i] = n.At
		if n.Placed {
			placed = append(placed, n.At)
		}
	}
	from := model.Point{}
	if len(placed) > 0 {
		lo, hi := boundsOf(placed)
		from = model.Point{X: hi.X + graph.CardWidth + copyGap, Y: lo.Y}
	}
	k := 0
	for i, n := range nodes {
		if !n.Placed {
			places[i] = from.Add(model.Point{X: k % rowLength * (graph.CardWidth + copyGap), Y: k / rowLength * rowHeight})
			k++
		}
	}
	return places
}

// free returns how far to move the group so that none of its nodes lies exactly on a node of the form: by by, and along the diagonal as far
// as needed.
func free(f *model.Form, group []model.Point, lo, hi, by model.Point) model.Point {
	taken := make(map[model.Point]bool, len(f.Nodes))
	right := -model.MaxCoordinate
	for _, n := range f.Nodes {
		if n.Placed {
			taken[n.At] = true
			right = max(right, n.At.X)
		}
	}
	for _, id := range []string{model.StartID, model.EndingID} {
		if _, at, placed := endPlace(f, id); placed {
			taken[at] = true
			right = max(right, at.X)
		}
	}
	step := model.Point{X: graph.Grid, Y: graph.Grid}
	if hi.X+by.X > model.MaxCoordinate-farFromEnd {
		step.X = -graph.Grid
	}
	if hi.Y+by.Y > model.MaxCoordinate-farFromEnd {
		step.Y = -graph.Grid
	}
	looks := 0
	over := func(p model.Point) bool {
		looks++
		return taken[model.Point{X: p.X + by.X, Y: p.Y + by.Y}]
	}
	for slices.ContainsFunc(group, over) {
		by.X, by.Y = by.X+step.X, by.Y+step.Y
		outside := hi.X+by.X > model.MaxCoordinate || hi.Y+by.Y > model.MaxCoordinate ||
			lo.X+by.X < -model.MaxCoordinate || lo.Y+by.Y < -model.MaxCoordinate
		if outside || looks > maxLooks {
			// A canvas this full has room at its right, or nowhere.
			by.X = max(-model.MaxCoordinate-lo.X, min(model.MaxCoordinate-hi.X, right+graph.CardWidth+copyGap-lo.X))
			by.Y = max(-model.MaxCoordinate-lo.Y, min(model.MaxCoordinate-hi.Y, by.Y))
			return by
		}
	}
	return by
}

// boundsOf returns the corners of the bounds of places. There must be at least one place.
func boundsOf(places []model.Point) (lo, hi model.Point) {
	lo, hi = places[0], places[0]
	for _, p := range places[1:] {
		lo = model.Point{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}
		hi = model.Point{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	return lo, hi
}
