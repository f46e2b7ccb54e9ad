package graph_test

import (
	"flag"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// pictures is where the tests leave drawings of what they laid out, for people
// to look at. No test reads them.
var (
	pictures = flag.String("pictures", "", "folder for SVG drawings of tidy forms")
	update   = flag.Bool("update", false, "rewrite the golden files")
)

// picture draws a scene.
func picture(t *testing.T, name string, s *graph.Scene) {
	t.Helper()
	if *pictures == "" {
		return
	}
	r := s.Bounds().Grown(80)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%g %g %g %g" width="%g" height="%g"><rect x="%g" y="%g" width="100%%" height="100%%" fill="#fff"/>`, r.X, r.Y, r.W, r.H, r.W, r.H, r.X, r.Y)
	for _, c := range s.Cards() {
		fmt.Fprintf(&b, `<rect x="%g" y="%g" width="%g" height="%g" rx="10" fill="#eef" stroke="#557"/>`, c.Rect.X, c.Rect.Y, c.Rect.W, c.Rect.H)
		fmt.Fprintf(&b, `<text x="%g" y="%g" font-size="14" font-family="sans-serif">%s</text>`, c.Rect.X+12, c.Rect.Y+25, html.EscapeString(c.Title))
		for i, row := range c.Rows {
			fmt.Fprintf(&b, `<text x="%g" y="%g" font-size="11" fill="#777" font-family="sans-serif">%.44s</text>`, c.Rect.X+12, c.Rect.Y+62+float64(i)*graph.RowHeight, html.EscapeString(strings.ToValidUTF8(row.Text(), "")))
		}
	}
	s.Edges(func(e *graph.Edge) {
		color := "#357"
		if e.Curve.Shape == graph.Loop {
			color = "#a40"
		}
		if len(through(s, e)) > 0 {
			color = "#f0f"
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`, e.Curve.AppendPath(nil), color)
	})
	b.WriteString("</svg>")
	if err := os.WriteFile(filepath.Join(*pictures, name+".svg"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// through returns the cards that an edge is drawn over, apart from its ends.
func through(s *graph.Scene, e *graph.Edge) []*graph.Card {
	var over []*graph.Card
	if e.Dangling() {
		return nil
	}
	n := 200
	for _, c := range s.CardsIn(e.Curve.Bounds(), nil) {
		if c == e.Source() || c == e.Target() {
			continue
		}
		for i := range n + 1 {
			if c.Rect.Contains(e.Curve.At(float64(i) / float64(n))) {
				over = append(over, c)
				break
			}
		}
	}
	return over
}

// withPlaces returns a form with new places of nodes by id.
func withPlaces(tb testing.TB, f *model.Form, places map[string]model.Point) *model.Form {
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

// tidied returns the scene of a form laid out.
func tidied(tb testing.TB, f *model.Form, only map[string]bool) *graph.Scene {
	tb.Helper()
	return graph.New(withPlaces(tb, f, graph.Tidy(graph.New(f), only)))
}

// stripped is tidied without bands.
func stripped(tb testing.TB, f *model.Form, only map[string]bool) *graph.Scene {
	tb.Helper()
	return graph.New(withPlaces(tb, f, graph.TidyStrip(graph.New(f), only)))
}

// randomForm returns a form as authors make them: every node but a few of loose
// follows one of those shortly before it; then there are short cuts, loops,
// ways to the end and pointers to nothing.
func randomForm(tb testing.TB, rnd *rand.Rand, n, loose int) *model.Form {
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
	next := func(key, id string) string {
		if id == "" {
			return ""
		}
		return fmt.Sprintf(`,%q:%q`, key, id)
	}
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
		switch {
		case len(to) > 1 && rnd.IntN(3) > 0:
			b.WriteString(`"type":"ROUTER","config":{"rules":[`)
			for r, id := range to[1:] {
				if r > 0 {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, `{"id":"r%d","condition":true%s}`, r, next("next_node", id))
			}
			fmt.Fprintf(&b, `]%s}}`, next("fallback", to[0]))
		case len(to) == 1 && rnd.IntN(3) == 0:
			fmt.Fprintf(&b, `"type":"FLOW","config":{"flow_id":"f"%s}}`, next("next_node", to[0]))
		default:
			b.WriteString(`"type":"STEP","config":{"components":[`)
			for c := range len(to) - 1 + rnd.IntN(parts) {
				if c > 0 {
					b.WriteByte(',')
				}
				if c+1 < len(to) {
					fmt.Fprintf(&b, `{"id":"c%dx%d","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip"%s}}`, i, c, next("next_node", to[c+1]))
					continue
				}
				fmt.Fprintf(&b, `{"id":"c%dx%d","category":"FIELD","type":"EMAIL","label":"Mail"}`, i, c)
			}
			fmt.Fprintf(&b, `]%s}}`, next("next_node", to[0]))
		}
	}
	b.WriteString("]}")
	return form(tb, b.String())
}

// examples returns the forms that come with the product.
func examples(tb testing.TB) map[string]*model.Form {
	tb.Helper()
	files, err := filepath.Glob("../../server/tenant/examples/*.json")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no examples: %v", err)
	}
	forms := make(map[string]*model.Form)
	for _, file := range files {
		forms[strings.TrimSuffix(filepath.Base(file), ".json")] = formFile(tb, file)
	}
	return forms
}

// formFile reads a flat form, or that of an envelope.
func formFile(tb testing.TB, file string) *model.Form {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	v, problems := schema.Decode(data)
	if len(problems) > 0 {
		tb.Fatalf("decode %s: %v", file, problems)
	}
	root, _ := v.(*schema.Object)
	if inner, ok := root.Get("form"); ok {
		root, _ = inner.(*schema.Object)
	}
	return model.FromTree(root)
}
