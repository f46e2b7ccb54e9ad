package scenarios

import (
	"maps"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/model"
)

// names returns the names of the nodes of a path. The saved form may still have the name of a deleted one.
func names(f, saved *model.Form, ids []string) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		was, _ := saved.Node(id)
		switch n, _ := f.Node(id); {
		case n != nil, id == model.StartID, id == model.EndingID:
			list[i] = describe.NodeName(f, id)
		case was != nil:
			list[i] = was.Name() + " (deleted)"
		default:
			list[i] = "a deleted node (" + id + ")"
		}
	}
	return list
}

// joined returns a path as text.
func joined(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " → ")
}

// shorten returns the paths of a list as text, long ones without what they have in common with others: the beginning up to the node before the one by
// which a path differs from all others, and what comes a few nodes after that, but for the last node.
func shorten(paths [][]string) []string {
	const whole, most = 5, 3
	list := make([]string, len(paths))
	for i, common := range commons(paths) {
		path := paths[i]
		if len(path) <= whole {
			list[i] = joined(path)
			continue
		}
		from := min(max(common-1, 0), len(path)-most)
		shown := path[from:min(from+most, len(path))]
		if from > 0 {
			shown = append([]string{"…"}, shown...)
		}
		switch left := len(path) - from - most; {
		case left > 1:
			shown = append(slices.Clip(shown), "…", path[len(path)-1])
		case left == 1:
			shown = append(slices.Clip(shown), path[len(path)-1])
		}
		list[i] = joined(shown)
	}
	return list
}

// commons returns for each path how many nodes at its beginning it has at most in common with a different path.
func commons(paths [][]string) []int {
	keys, different := make([]string, len(paths)), make(map[string][]string, len(paths))
	for i, path := range paths {
		keys[i] = strings.Join(path, "\x00") // it sorts as the path does
		different[keys[i]] = path
	}
	sorted := slices.Sorted(maps.Keys(different)) // each path has most in common with one of its neighbors
	most := make(map[string]int, len(sorted))
	for i := 1; i < len(sorted); i++ {
		n := common(different[sorted[i-1]], different[sorted[i]])
		for _, key := range sorted[i-1 : i+1] {
			most[key] = max(most[key], n)
		}
	}
	list := make([]int, len(paths))
	for i, key := range keys {
		list[i] = most[key]
	}
	return list
}

// common returns how many nodes two paths have in common at their beginning.
func common(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
