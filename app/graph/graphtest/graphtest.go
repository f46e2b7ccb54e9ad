// Package graphtest makes forms for the tests of package graph and of those above it.
package graphtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Form parses a flat form.
func Form(tb testing.TB, text string) *model.Form {
	tb.Helper()
	v, problems := schema.Decode([]byte(text))
	if len(problems) > 0 {
		tb.Fatalf("decode: %v", problems)
	}
	return model.FromTree(v.(*schema.Object))
}

// Flow returns a form of flows and routers from lines such as "a: b c": a node with one target is a flow, one with more is a router with
// rules and a fallback. The line of $start names the target of the start; "-" is a way out without a target.
func Flow(tb testing.TB, lines ...string) *model.Form {
	tb.Helper()
	start := ""
	var nodes []string
	for _, line := range lines {
		id, list, _ := strings.Cut(line, ":")
		to := strings.Fields(list)
		pointer := func(key, id string) string {
			if id == "-" {
				return ""
			}
			return fmt.Sprintf(`,%q:%q`, key, id)
		}
		switch {
		case id == model.StartID:
			start = pointer("next_node", to[0])
		case len(to) == 1:
			nodes = append(nodes, fmt.Sprintf(`{"id":%q,"type":"FLOW","coordinates":{"x":0,"y":0},"config":{"flow_id":"f"%s}}`,
				id, pointer("next_node", to[0])))
		default:
			var rules []string
			for i, r := range to[:len(to)-1] {
				rules = append(rules, fmt.Sprintf(`{"id":"r%d","condition":true%s}`, i, pointer("next_node", r)))
			}
			nodes = append(nodes, fmt.Sprintf(`{"id":%q,"type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"rules":[%s]%s}}`,
				id, strings.Join(rules, ","), pointer("fallback", to[len(to)-1])))
		}
	}
	return Form(tb, fmt.Sprintf(`{"name":"flow","start":{"coordinates":{"x":0,"y":0}%s},"ending":{"coordinates":{"x":0,"y":0}},"nodes":[%s]}`,
		start, strings.Join(nodes, ",")))
}

// Random returns a form like those of authors: most nodes follow one shortly before them, and there are short cuts, loops, ways to the end
// and pointers to missing nodes.
func Random(tb testing.TB, rnd *rand.Rand, n, loose int) *model.Form {
	tb.Helper()
	parts := 9
	if n > 5000 {
		parts = 2 // a form has at most 200,000 values
	}
	kids := make([][]string, n)
	for i := 1; i < n; i++ {
		if rnd.IntN(100) >= loose {
			p := max(0, i-1-rnd.IntN(3))
			kids[p] = append(kids[p], fmt.Sprintf("n%d", i))
		}
	}
	more := func(i int) string {
		switch k := rnd.IntN(10); {
		case k < 3:
			return fmt.Sprintf("n%d", min(n-1, i+1+rnd.IntN(4)))
		case k < 6:
			return fmt.Sprintf("n%d", max(0, i-rnd.IntN(5)))
		case k < 9:
			return "$ending"
		}
		return "gone"
	}
	var b strings.Builder
	b.WriteString(`{"name":"random","start":{"next_node":"n0"`)
	if rnd.IntN(2) == 0 {
		b.WriteString(`,"coordinates":{"x":-213,"y":17}`)
	}
	b.WriteString(`},"nodes":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"n%d",`, i)
		if rnd.IntN(8) > 0 {
			fmt.Fprintf(&b, `"coordinates":{"x":%d,"y":%d},`, rnd.IntN(5000)-500, rnd.IntN(3000)-700)
		}
		to := kids[i]
		for rnd.IntN(4) == 0 {
			to = append(to, more(i))
		}
		if len(to) == 0 {
			to = append(to, []string{"$ending", ""}[rnd.IntN(2)])
		}
		writeNode(&b, rnd, i, to, parts)
	}
	b.WriteString("]}")
	return Form(tb, b.String())
}

// writeNode writes the type and the config of the i-th node, with the targets to: a router, a flow, or a step with up to most components.
func writeNode(b *strings.Builder, rnd *rand.Rand, i int, to []string, most int) {
	next := func(key, id string) string {
		if id == "" {
			return ""
		}
		return fmt.Sprintf(`,%q:%q`, key, id)
	}
	switch {
	case len(to) > 1 && rnd.IntN(3) > 0:
		var rules []string
		for r, id := range to[1:] {
			rules = append(rules, fmt.Sprintf(`{"id":"r%d","condition":true%s}`, r, next("next_node", id)))
		}
		fmt.Fprintf(b, `"type":"ROUTER","config":{"rules":[%s]%s}}`, strings.Join(rules, ","), next("fallback", to[0]))
	case len(to) == 1 && rnd.IntN(3) == 0:
		fmt.Fprintf(b, `"type":"FLOW","config":{"flow_id":"f"%s}}`, next("next_node", to[0]))
	default:
		var components []string
		for c := range len(to) - 1 + rnd.IntN(most) {
			text := fmt.Sprintf(`{"id":"c%dx%d","category":"FIELD","type":"EMAIL","label":"Mail"}`, i, c)
			if c+1 < len(to) {
				lead := next("next_node", to[c+1])
				text = fmt.Sprintf(`{"id":"c%dx%d","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip"%s}}`, i, c, lead)
			}
			components = append(components, text)
		}
		fmt.Fprintf(b, `"type":"STEP","config":{"components":[%s]%s}}`, strings.Join(components, ","), next("next_node", to[0]))
	}
}

// WithPlaces returns a form with new places for nodes, by id.
func WithPlaces(tb testing.TB, f *model.Form, places map[string]model.Point) *model.Form {
	tb.Helper()
	root := f.Tree()
	nodes := append([]any(nil), root.List("nodes")...)
	for i, n := range f.Nodes {
		if p, ok := places[n.ID]; ok {
			nodes[i] = n.Tree().With("coordinates", p.Tree())
		}
	}
	root = root.With("nodes", nodes)
	for key, id := range map[string]string{"start": model.StartID, "ending": model.EndingID} {
		p, ok := places[id]
		if !ok {
			continue
		}
		end, _ := root.Get(key)
		o, ok := end.(*schema.Object)
		if !ok {
			o = schema.NewObject()
		}
		root = root.With(key, o.With("coordinates", p.Tree()))
	}
	return f.Derive(root)
}

// Box returns the rectangle around cards, and the rectangles of the cards.
func Box(s *graph.Scene, ids map[string]bool) (r graph.Rect, rects []graph.Rect) {
	for _, c := range s.Cards() {
		if ids[c.ID] {
			r, rects = r.Union(c.Rect), append(rects, c.Rect)
		}
	}
	return r, rects
}
