package scope_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// An Analyzer returns the same as an analysis of the whole form, whatever was changed.
func TestAnalyzerEqualsAnalyze(t *testing.T) {
	const edits = 25
	again, anew := 0, 0
	for seed := range uint64(sizetest.Of(*forms, 60, 1000)) {
		r := rand.New(rand.NewPCG(seed, 9))
		f := randomPlan(r).form(t, true)
		var z scope.Analyzer
		before := ""
		for range edits {
			got, same := z.Analyze(f)
			want := scope.Analyze(f)
			found := findings(want)
			if x := findings(got); x != found {
				t.Fatalf("seed %d: %s\nfindings\n%swant\n%s", seed, schema.Encode(f.Tree()), x, found)
			}
			if same && found != before {
				t.Fatalf("seed %d: the findings are not the same:\n%sbefore\n%s", seed, found, before)
			}
			before = found
			for i := range f.Nodes {
				if x, y := variables(got, f, i), variables(want, f, i); x != y {
					t.Fatalf("seed %d: variables at node %d\n%swant\n%s", seed, i, x, y)
				}
			}
			if same {
				again++
			} else {
				anew++
			}
			f = changed(t, r, f)
		}
	}
	if t.Logf("%d analyzed again, %d anew", again, anew); again < anew/4 || anew < again/4 {
		t.Error("too few of one sort")
	}
}

// findings describes the findings of an analysis.
func findings(a *scope.Analysis) string {
	var b strings.Builder
	for _, f := range a.Findings() {
		fmt.Fprintln(&b, f.Path, f.Name, f.Miss, f.Journey(), f.Near())
	}
	return b.String()
}

// variables describes the variables at a node. Each belongs to the form.
func variables(a *scope.Analysis, f *model.Form, node int) string {
	var b strings.Builder
	for _, v := range a.At(model.NodePath(node)) {
		own := v.Component == nil
		if at, ok := f.At(v.Path); ok && !own {
			own = f.Nodes[at.Node].Component(at.Component) == v.Component
		}
		fmt.Fprintln(&b, v.Text, v.Title, v.Path, v.Type, v.Every, own)
	}
	return b.String()
}

// changed returns a form with a random change.
func changed(tb testing.TB, r *rand.Rand, f *model.Form) *model.Form {
	tb.Helper()
	values := []any{
		"x", "{{fields.f0}}", "{{fields.f1 ?? 'x'}} and {{vars.a}}", "{{fields.f2}}", "EQ", "EXISTS", "n0", "n1", model.EndingID, "f3", "DATE", "NEXT_BUTTON",
		schema.Number("3"),
	}
	v := values[r.IntN(len(values))]
	if r.IntN(2) == 0 { // a sort of one component, or the operator of a comparison
		sorts := map[string][]any{"operator": {"EQ", "EXISTS", "NOT_EXISTS"}, "type": {"TEXT", "DATE", "RICH_TEXT", "NEXT_BUTTON", "PREVIOUS_BUTTON"}}
		var places []schema.Path
		flow.EachString(any(f.Tree().List("nodes")), schema.Path{schema.Key("nodes")}, func(_ string, p schema.Path) {
			if len(p) > 3 && sorts[p[len(p)-1].Key] != nil {
				places = append(places, slices.Clone(p))
			}
		})
		if len(places) > 0 {
			place := places[r.IntN(len(places))]
			of := sorts[place[len(place)-1].Key]
			next, err := f.Set(place, of[r.IntN(len(of))])
			if err != nil {
				tb.Fatal(err)
			}
			return next
		}
	}
	path := schema.Path{}
	at := any(f.Tree())
	for {
		switch x := at.(type) {
		case *schema.Object:
			if x.Len() == 0 || r.IntN(12) == 0 {
				next, err := f.Set(append(path, schema.Key([]string{"label", "alias", "operator", "name"}[r.IntN(4)])), v)
				if err != nil {
					return f
				}
				return next
			}
			m := x.Members()[r.IntN(x.Len())]
			path, at = append(path, schema.Key(m.Key)), m.Value
			continue
		case []any:
			if len(x) > 0 {
				i := r.IntN(len(x))
				path, at = append(path, schema.Index(i)), x[i]
				continue
			}
		}
		if r.IntN(8) == 0 {
			path = path[:max(1, len(path)-r.IntN(2))]
			if next, err := f.Clear(path); err == nil {
				return next
			}
		}
		next, err := f.Set(path, v)
		if err != nil {
			return f
		}
		return next
	}
}
