package editor

import "github.com/formgraph/formgraph/model"

// withoutNodes returns the mapping of pointers when nodes are removed: pointers to a removed node are cleared.
func withoutNodes(gone map[string]bool, left map[string]int) func(model.Pointer) model.Pointer {
	return func(p model.Pointer) model.Pointer {
		if _, ok := left[string(p)]; !ok && gone[string(p)] {
			return ""
		}
		return p
	}
}

// bypass is withoutNodes that closes the gaps: a pointer to a removed node is moved to the target of the node's next or fallback, past any
// number of removed nodes. If that runs in a circle among them, or ends at a node that does not exist, the pointer is cleared. f is the
// form that still has the nodes.
func bypass(f *model.Form, gone map[string]bool, left map[string]int) func(model.Pointer) model.Pointer {
	places := placesOf(f)
	ends := map[model.Pointer]model.Pointer{} // of the walks so far
	end := func(p model.Pointer) (model.Pointer, bool) {
		_, stays := left[string(p)]
		switch {
		case stays || p == model.EndingID:
			return p, true
		case p == "" || !gone[string(p)]:
			return "", true
		}
		to, ok := ends[p]
		return to, ok
	}
	return func(p model.Pointer) model.Pointer {
		if _, ok := left[string(p)]; ok || !gone[string(p)] {
			return p
		}
		var walk []model.Pointer
		to, ok := end(p)
		for !ok {
			// A walk that returns to p finds this entry.
			ends[p] = ""
			walk = append(walk, p)
			p = lastOut(f, places[string(p)]).To
			to, ok = end(p)
		}
		for _, p := range walk {
			ends[p] = to
		}
		return to
	}
}

// notTo returns to, but clears pointers that would lead to the node itself, which Connect refuses too.
func notTo(id string, to func(model.Pointer) model.Pointer) func(model.Pointer) model.Pointer {
	return func(p model.Pointer) model.Pointer {
		now := to(p)
		if now != p && string(now) == id {
			return ""
		}
		return now
	}
}
