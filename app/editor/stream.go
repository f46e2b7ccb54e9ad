package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
)

// Upstream returns the selection of some nodes and of all nodes from which a path leads to one of them, including the start. The given keys
// come first, then the nearest nodes. Conditions are ignored, and keys that the form does not have are omitted, except model.StartID and
// model.EndingID. Time is linear in the form.
func Upstream(s State, keys []string) Selection {
	return stream(s.Form, keys, func(e model.Edge) (from, to string) { return string(e.To), e.From })
}

// Downstream is Upstream for the nodes to which a path leads from one of them, including the ending.
func Downstream(s State, keys []string) Selection {
	return stream(s.Form, keys, func(e model.Edge) (from, to string) { return e.From, string(e.To) })
}

// SelectAll returns the selection of the start, of all nodes in order, and of
// the ending.
func SelectAll(s State) Selection {
	keys := []string{model.StartID}
	for i, k := range s.Form.Keys() {
		if s.Form.Nodes[i].Tree() != nil {
			keys = append(keys, k)
		}
	}
	return SelectNodes(append(keys, model.EndingID)...)
}

// stream walks along the edges, or against them, breadth first.
func stream(f *model.Form, from []string, ends func(model.Edge) (from, to string)) Selection {
	places, keys := placesOf(f), f.Keys()
	ways := map[string][]string{}
	for _, e := range f.Edges() {
		pause.Now()
		if i := model.PlaceOf(e.Path).Node; i >= 0 {
			e.From = keys[i]
		}
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
	for _, id := range from {
		add(id)
	}
	for at := 0; at < len(found); at++ {
		pause.Now()
		for _, id := range ways[found[at]] {
			add(id)
		}
	}
	return SelectNodes(found...)
}
