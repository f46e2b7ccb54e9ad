package tidy_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/app/graph/tidy"
	"github.com/formgraph/formgraph/app/picture"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// pictures is where the tests write drawings of their layouts, for people
// to look at. No test reads them.
var (
	pictures = flag.String("pictures", "", "folder for SVG drawings of tidy forms")
	update   = flag.Bool("update", false, "rewrite the golden files")
)

// draw draws a scene.
func draw(t *testing.T, name string, s *graph.Scene) {
	t.Helper()
	if *pictures == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*pictures, name+".svg"), []byte(picture.SVG(s.Form())), 0o600); err != nil {
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

const exampleFiles = "../../../server/templates/files"

// examples returns the forms that come with the product.
func examples(tb testing.TB) map[string]*model.Form {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(exampleFiles, "*[^s].json"))
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

// The examples are as Tidy up places them, and can be read as they open: whole, with the panels shut, in a window of 1440 by 900 pixels.
// -update writes their coordinates.
func TestExamplesAreTidy(t *testing.T) {
	for name, f := range examples(t) {
		s := graph.New(f)
		if places := tidy.Layout(s, nil); len(places) > 0 {
			if *update {
				place(t, filepath.Join(exampleFiles, name+".json"), places)
				continue
			}
			t.Errorf("%s: Tidy up moves %v", name, places)
		}
		if v := graph.Fit(s.Bounds(), graph.Rect{W: 1360, H: 780}, 1); v.Zoom < .45 {
			t.Errorf("%s: shown at %.0f %%", name, 100*v.Zoom)
		}
		checkTidy(t, s, nil)
	}
}

// place writes coordinates into a file with a form in an envelope.
func place(t *testing.T, file string, places map[string]model.Point) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := schema.Decode(data)
	root, _ := v.(*schema.Object)
	form, _ := root.Get("form")
	tree, _ := form.(*schema.Object)
	f := graphtest.WithPlaces(t, model.FromTree(tree), places)
	if err := os.WriteFile(file, schema.EncodeIndent(root.With("form", f.Tree())), 0o600); err != nil {
		t.Fatal(err)
	}
}
