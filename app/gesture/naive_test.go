package gesture_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
)

// naive edits a form as plain maps, in the simplest way, and keeps whole forms
// for undo. It shares no code with the editor.
type naive struct {
	t          *testing.T
	form       map[string]any
	selection  []string
	done, gone []naiveStep
}

// naiveStep is what undo and redo restore.
type naiveStep struct{ before, after naiveState }

type naiveState struct {
	form      map[string]any
	selection []string
}

// parsed parses a JSON text.
func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// written returns a value as JSON text.
func written(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// change records a step: f changes a copy of the form and returns the new selection.
func (n *naive) change(f func() []string) {
	n.t.Helper()
	before := naiveState{n.form, n.selection}
	n.form = parsed(n.t, written(n.t, n.form))
	n.selection = f()
	n.done, n.gone = append(n.done, naiveStep{before, naiveState{n.form, n.selection}}), nil
}

func (n *naive) undo() {
	if last := len(n.done) - 1; last >= 0 {
		n.form, n.selection = n.done[last].before.form, n.done[last].before.selection
		n.done, n.gone = n.done[:last], append(n.gone, n.done[last])
	}
}

func (n *naive) redo() {
	if last := len(n.gone) - 1; last >= 0 {
		n.form, n.selection = n.gone[last].after.form, n.gone[last].after.selection
		n.gone, n.done = n.gone[:last], append(n.done, n.gone[last])
	}
}

func (n *naive) nodes() []map[string]any {
	var out []map[string]any
	for _, v := range n.form["nodes"].([]any) {
		out = append(out, v.(map[string]any))
	}
	return out
}

// element returns a node, the start or the ending.
func (n *naive) element(id string) map[string]any {
	if id == "$start" || id == "$ending" {
		return n.form[id[1:]].(map[string]any)
	}
	for _, v := range n.nodes() {
		if v["id"] == id {
			return v
		}
	}
	n.t.Fatalf("the mirror has no %s", id)
	return nil
}

func (n *naive) place(id string) model.Point { return placeOf(n.element(id)) }

func placeOf(v map[string]any) model.Point {
	at := v["coordinates"].(map[string]any)
	return model.Point{X: int(at["x"].(float64)), Y: int(at["y"].(float64))}
}

func putAt(v map[string]any, p model.Point) {
	v["coordinates"] = map[string]any{"x": float64(p.X), "y": float64(p.Y)}
}

// move moves nodes by a distance.
func (n *naive) move(ids []string, by model.Point) {
	for _, id := range ids {
		p := n.place(id)
		putAt(n.element(id), model.Point{X: p.X + by.X, Y: p.Y + by.Y})
	}
}

// pointers calls f with the port of each pointer of a node, the object that holds it and its key there.
func pointers(v map[string]any, f func(port string, holder map[string]any, key string)) {
	config, _ := v["config"].(map[string]any)
	components, _ := config["components"].([]any)
	for _, c := range components {
		if c := c.(map[string]any); c["type"] == "JUMP_BUTTON" {
			f("jump:"+c["id"].(string), c["config"].(map[string]any), "next_node")
		}
	}
	rules, _ := config["rules"].([]any)
	for _, r := range rules {
		r := r.(map[string]any)
		f("rule:"+r["id"].(string), r, "next_node")
	}
	switch {
	case config == nil:
		f("next", v, "next_node") // the start
	case v["type"] == "ROUTER":
		f("fallback", config, "fallback")
	default:
		f("next", config, "next_node")
	}
}

// insertOnEdge leads an edge to a node and the node to where the edge led.
func (n *naive) insertOnEdge(from, port, id string) {
	var to any
	pointers(n.element(from), func(p string, holder map[string]any, key string) {
		if p == port {
			to, holder[key] = holder[key], id
		}
	})
	pointers(n.element(id), func(p string, holder map[string]any, key string) {
		if p == "next" || p == "fallback" {
			holder[key] = to
		}
	})
}

// remove removes a node and every pointer to it.
func (n *naive) remove(id string) {
	n.form["nodes"] = slices.DeleteFunc(n.form["nodes"].([]any), func(v any) bool { return v.(map[string]any)["id"] == id })
	for _, v := range append(n.nodes(), n.element("$start")) {
		pointers(v, func(_ string, holder map[string]any, key string) {
			if holder[key] == id {
				delete(holder, key)
			}
		})
	}
}

// copied returns copies of some nodes in the order of the form.
func (n *naive) copied(ids []string) []map[string]any {
	var out []map[string]any
	for _, v := range n.nodes() {
		if slices.Contains(ids, v["id"].(string)) {
			out = append(out, parsed(n.t, written(n.t, v)))
		}
	}
	return out
}

// componentIDs returns the ids of the components of nodes, in their order.
func componentIDs(nodes []map[string]any) []string {
	var ids []string
	for _, v := range nodes {
		components, _ := v["config"].(map[string]any)["components"].([]any)
		for _, c := range components {
			ids = append(ids, c.(map[string]any)["id"].(string))
		}
	}
	return ids
}

func nodeIDs(nodes []map[string]any) []string {
	var ids []string
	for _, v := range nodes {
		ids = append(ids, v["id"].(string))
	}
	return ids
}

// renamer pairs the old ids of pasted elements with those that the editor gave them, and
// checks that it gave new ones, and only where it had to.
func (n *naive) renamer(old, fresh, taken []string) map[string]string {
	n.t.Helper()
	if len(old) != len(fresh) {
		n.t.Fatalf("%v were pasted as %v", old, fresh)
	}
	to := map[string]string{}
	for i, id := range old {
		if slices.Contains(taken, id) == (id == fresh[i]) || slices.Contains(taken, fresh[i]) {
			n.t.Fatalf("%s was pasted as %s; taken are %v", id, fresh[i], taken)
		}
		to[id] = fresh[i]
	}
	return to
}

// insert appends copies of nodes as the editor did with pasted, of which it uses only
// the ids. corner returns where the corner of the group goes.
func (n *naive) insert(nodes, pasted []map[string]any, corner func(lo model.Point) model.Point, translated bool) []string {
	n.t.Helper()
	nodeTo := n.renamer(nodeIDs(nodes), nodeIDs(pasted), nodeIDs(n.nodes()))
	componentTo := n.renamer(componentIDs(nodes), componentIDs(pasted), append(componentIDs(n.nodes()), "h"))
	var pairs []string
	for old, fresh := range componentTo {
		pairs = append(pairs, "{{fields."+old+"}}", "{{fields."+fresh+"}}", "{{ fields."+old+" }}", "{{ fields."+fresh+" }}")
	}
	references := strings.NewReplacer(pairs...)
	known := append(nodeIDs(n.nodes()), "$ending")

	lo := model.Point{X: math.MaxInt, Y: math.MaxInt}
	for _, v := range nodes {
		lo = model.Point{X: min(lo.X, placeOf(v).X), Y: min(lo.Y, placeOf(v).Y)}
	}
	by := model.Point{X: corner(lo).X - lo.X, Y: corner(lo).Y - lo.Y}
	taken := map[model.Point]bool{n.place("$start"): true, n.place("$ending"): true}
	for _, v := range n.nodes() {
		taken[placeOf(v)] = true
	}
	for slices.ContainsFunc(nodes, func(v map[string]any) bool {
		return taken[model.Point{X: placeOf(v).X + by.X, Y: placeOf(v).Y + by.Y}]
	}) {
		by = model.Point{X: by.X + 20, Y: by.Y + 20}
	}

	var ids []string
	list := n.form["nodes"].([]any)
	for _, v := range nodes {
		v = parsed(n.t, references.Replace(written(n.t, v)))
		pointers(v, func(_ string, holder map[string]any, key string) {
			old, _ := holder[key].(string)
			if fresh, ok := nodeTo[old]; ok {
				holder[key] = fresh
			} else if !slices.Contains(known, old) {
				delete(holder, key)
			}
		})
		v["id"] = nodeTo[v["id"].(string)]
		putAt(v, model.Point{X: placeOf(v).X + by.X, Y: placeOf(v).Y + by.Y})
		components, _ := v["config"].(map[string]any)["components"].([]any)
		for _, c := range components {
			c.(map[string]any)["id"] = componentTo[c.(map[string]any)["id"].(string)]
		}
		list, ids = append(list, v), append(ids, v["id"].(string))
	}
	n.form["nodes"] = list
	if translated {
		for _, language := range n.form["translations"].(map[string]any) {
			texts := language.(map[string]any)["components"].(map[string]any)
			for old, fresh := range componentTo {
				if text, ok := texts[old]; ok {
					texts[fresh] = parsed(n.t, references.Replace(written(n.t, text)))
				}
			}
		}
	}
	return ids
}
