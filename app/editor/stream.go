package editor

import "github.com/formgraph/formgraph/model"

// Upstream returns the selection of some nodes and of all from which a way leads to
// one of them, the start among them. The ids come first, then the nearest.
// Conditions are not looked at, and ids that the form does not have are left out;
// model.StartID and model.EndingID are always there. Time is linear in the form.
func Upstream(s State, ids []string) Selection {
	return stream(s.Form, ids, func(e model.Edge) (from, to string) { return string(e.To), e.From })
}

// Downstream is Upstream for the nodes that a way from one of them leads to, the
// ending among them.
func Downstream(s State, ids []string) Selection {
	return stream(s.Form, ids, func(e model.Edge) (from, to string) { return e.From, string(e.To) })
}

// SelectAll returns the selection of the start, of all nodes in their order and of
// the ending. Nodes without an id cannot be selected.
func SelectAll(s State) Selection {
	ids := []string{model.StartID}
	seen := map[string]bool{"": true}
	for _, n := range s.Form.Nodes {
		if !seen[n.ID] {
			seen[n.ID] = true
			ids = append(ids, n.ID)
		}
	}
	return SelectNodes(append(ids, model.EndingID)...)
}

// stream walks along the edges, or against them, from the nearest on.
func stream(f *model.Form, ids []string, ends func(model.Edge) (from, to string)) Selection {
	places := placesOf(f)
	// A node that has the name of an end is not the end.
	delete(places, model.StartID)
	delete(places, model.EndingID)
	ways := map[string][]string{}
	for _, e := range edgesOfFirst(f, places) {
		from, to := ends(e)
		ways[from] = append(ways[from], to)
	}
	seen := map[string]bool{"": true}
	var found []string
	add := func(id string) {
		_, ok := places[id]
		if !seen[id] && (ok || id == model.StartID || id == model.EndingID) {
			seen[id] = true
			found = append(found, id)
		}
	}
	for _, id := range ids {
		add(id)
	}
	for at := 0; at < len(found); at++ {
		for _, id := range ways[found[at]] {
			add(id)
		}
	}
	return SelectNodes(found...)
}

// edgesOfFirst returns the edges of the start and of the nodes at some places: what
// an id stands for when two nodes have it.
func edgesOfFirst(f *model.Form, places map[string]int) []model.Edge {
	var edges []model.Edge
	for _, e := range f.Edges() {
		i, ok := places[e.From]
		if e.Path[0].Key == "start" || ok && i == e.Path[1].Index {
			edges = append(edges, e)
		}
	}
	return edges
}
