package tidy_test

import (
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/app/graph/tidy"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// pictures is where the tests write drawings of their layouts, for people
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
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="%g %g %g %g" width="%g" height="%g"><rect x="%g" y="%g" width="100%%" `+
			`height="100%%" fill="#fff"/>`,
		r.X,
		r.Y,
		r.W,
		r.H,
		r.W,
		r.H,
		r.X,
		r.Y,
	)
	for _, c := range s.Cards() {
		fmt.Fprintf(&b, `<rect x="%g" y="%g" width="%g" height="%g" rx="10" fill="#eef" stroke="#557"/>`, c.Rect.X, c.Rect.Y, c.Rect.W, c.Rect.H)
		fmt.Fprintf(
			&b,
			`<text x="%g" y="%g" font-size="14" font-family="sans-serif">%s</text>`,
			c.Rect.X+12,
			c.Rect.Y+25,
			html.EscapeString(c.Title),
		)
		for _, row := range c.Rows {
			fmt.Fprintf(
				&b,
				`<text x="%g" y="%g" font-size="11" fill="#777" font-family="sans-serif">%.44s</text>`,
				c.Rect.X+12,
				c.Rect.Y+row.Top+18,
				html.EscapeString(strings.ToValidUTF8(row.Text(), "")),
			)
		}
	}
	s.Edges(func(e *graph.Edge) {
		color, width := "#357", "2"
		if e.Back() {
			width = "1.25"
		}
		if len(through(s, e)) > 0 {
			color = "#f0f"
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="%s"/>`, e.Curve.AppendPath(nil, e.Gaps()), color, width)
	})
	b.WriteString("</svg>")
	if err := os.WriteFile(filepath.Join(*pictures, name+".svg"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// through returns the cards that an edge is drawn over, except its ends.
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

// tidied returns the scene of a form after Layout.
func tidied(tb testing.TB, f *model.Form, only map[string]bool) *graph.Scene {
	tb.Helper()
	return graph.New(graphtest.WithPlaces(tb, f, tidy.Layout(graph.New(f), only)))
}

// stripped is tidied without bands.
func stripped(tb testing.TB, f *model.Form, only map[string]bool) *graph.Scene {
	tb.Helper()
	return graph.New(graphtest.WithPlaces(tb, f, tidy.Strip(graph.New(f), only)))
}

// examples returns the forms that come with the product.
func examples(tb testing.TB) map[string]*model.Form {
	tb.Helper()
	files, err := filepath.Glob("../../../server/templates/files/*[^s].json")
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

// The examples are laid out so that all of them can be made out on a canvas between both panels, in a window of 1280 by 800 pixels.
func TestExamplesFit(t *testing.T) {
	for name, f := range examples(t) {
		s := graph.New(f)
		if v := graph.Fit(s.Bounds(), graph.Rect{W: 620, H: 672}, 1); v.Zoom < .35 {
			t.Errorf("%s: shown at %.0f %%", name, 100*v.Zoom)
		}
		checkTidy(t, s, nil)
	}
}
