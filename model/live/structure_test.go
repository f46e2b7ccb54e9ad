package live_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// restructure makes a random edit of the structure of a form.
func restructure(tb testing.TB, f *model.Form, r *rand.Rand, fresh string) *model.Form {
	tb.Helper()
	must := func(g *model.Form, err error) *model.Form {
		if err != nil {
			tb.Fatal(err)
		}
		return g
	}
	i := r.IntN(len(f.Nodes) + 1)
	if i == len(f.Nodes) || len(f.Nodes) < 2 {
		n := model.NewNode(model.StepNode, "step_"+fresh, model.Point{X: r.IntN(900)})
		return must(f.Insert(model.NodePath(r.IntN(len(f.Nodes)+1)), n))
	}
	step := f.Nodes[i].Config.(*model.Step)
	field := func(id string) any {
		return schema.NewObject(schema.Member{Key: "id", Value: id}, schema.Member{Key: "category", Value: "FIELD"},
			schema.Member{Key: "type", Value: "TEXT"}, schema.Member{Key: "label", Value: "0"}, schema.Member{Key: "config", Value: schema.NewObject()})
	}
	switch j := r.IntN(len(step.Components) + 1); {
	case j == len(step.Components) && r.IntN(3) == 0:
		return must(f.Clear(model.NodePath(i)))
	case j == len(step.Components):
		return must(f.Insert(model.ComponentPath(i, j), field("c"+fresh)))
	case r.IntN(4) == 0:
		return must(f.Clear(model.ComponentPath(i, j)))
	case r.IntN(3) == 0: // to another place
		tree := step.Components[j].Tree()
		f = must(f.Clear(model.ComponentPath(i, j)))
		to := r.IntN(len(f.Nodes))
		return must(f.Insert(model.ComponentPath(to, r.IntN(len(f.Nodes[to].Config.(*model.Step).Components)+1)), tree))
	case r.IntN(3) == 0:
		return must(f.Set(model.NodePath(i).Key("config").Key("next_node"), f.Nodes[r.IntN(len(f.Nodes))].ID))
	case r.IntN(3) == 0:
		return must(f.Set(model.NodePath(i).Key("coordinates"), model.Point{X: r.IntN(900), Y: r.IntN(900)}.Tree()))
	default:
		return must(f.Set(model.ComponentPath(i, j).Key("label"), fresh))
	}
}

// TestStructures lets pages add, remove, move and edit nodes and components in random orders. In the end all have the same form, with unique
// ids.
func TestStructures(t *testing.T) {
	for n := range max(sizetest.Of(*orders, 150, 200_000)/4, 1) {
		r := rand.New(rand.NewPCG(*seed+uint64(n), 5))
		f := start(t)
		s := newServer(f)
		var pages []*page
		for i := range 2 + r.IntN(3) {
			name := string(rune('A' + i))
			pages = append(pages, newPage(labels, name, f))
		}
		for range 40 {
			p := pages[r.IntN(len(pages))]
			switch r.IntN(8) {
			case 0, 1, 2:
				p.n++
				p.local = restructure(t, p.local, r, fmt.Sprint(p.name, p.n))
			case 3, 4:
				p.offer(r)
			case 5:
				if p.posted.Number > 0 && r.IntN(4) > 0 {
					s.post(t, p.posted)
				}
				p.posted = live.Entry{}
			case 6, 7:
				p.take(t, s)
			}
		}
		finish(t, s, pages, r)
		seen := map[string]bool{}
		for _, n := range s.last().Nodes {
			ids := []string{n.ID}
			for _, c := range n.Config.(*model.Step).Components {
				ids = append(ids, "component "+c.ID)
			}
			for _, id := range ids {
				if seen[id] {
					t.Fatalf("two elements are called %s", id)
				}
				seen[id] = true
			}
		}
	}
}
