package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/sizetest"
)

// worldOf returns a form as a search sees it.
func worldOf(f *model.Form) *world {
	worlds, _ := newWorlds([sides]*run.Program{run.NewProgram(f)}, func() bool { return false })
	return worlds[0]
}

// tangled returns a form whose steps, flows and routers lead anywhere.
func tangled(t *testing.T, r *rand.Rand) *model.Form {
	t.Helper()
	nodes := make([]string, 1+r.IntN(9))
	to := func() string { return fmt.Sprint("n", r.IntN(len(nodes)+1)) }
	for i := range nodes {
		switch r.IntN(3) {
		case 0:
			parts := []string{`{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"x"}}`}
			if r.IntN(3) == 0 {
				parts = append(parts, fmt.Sprintf(`{"id":"f%d","category":"FIELD","type":"TEXT","config":{}}`, r.IntN(3)))
			}
			if r.IntN(6) == 0 {
				parts = append(parts, `{"id":"back","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"x"}}`)
			}
			nodes[i] = fmt.Sprintf(`{"id":"n%d","type":"STEP","config":{"next_node":%q,"components":[%s]}}`, i, to(), strings.Join(parts, ","))
		case 1:
			nodes[i] = fmt.Sprintf(`{"id":"n%d","type":"FLOW","config":{"flow_id":"x","next_node":%q}}`, i, to())
		default:
			nodes[i] = fmt.Sprintf(`{"id":"n%d","type":"ROUTER","config":{"rules":[{"id":"r","condition":{"operator":"EQ","operands":
				["{{fields.f%d}}","a"]},"next_node":%q}],"fallback":%q}}`, i, r.IntN(3), to(), to())
		}
	}
	return formtest.Parse(t, `{"name":"x","start":{"next_node":"n0"},"nodes":[`+strings.Join(nodes, ",")+`]}`)
}

// leads reports whether a place that is found leads from a place, without going on from those where a walk stops.
func (w *world) leads(from int, next func(at *place) []int, found, stops func(i int) bool) bool {
	seen := map[int]bool{}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, to := range next(&w.places[queue[0]]) {
			if to < 0 || seen[to] {
				continue
			}
			if seen[to] = true; found(to) {
				return true
			}
			if !stops(to) {
				queue = append(queue, to)
			}
		}
	}
	return false
}

// What a search knows of the places is what walks along the ways show.
func TestPlaces(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 500, 20_000)) {
		f := tangled(t, rand.New(rand.NewPCG(seed, 0)))
		w := worldOf(f)
		ways := func(at *place) (to []int) {
			for _, way := range at.ways {
				to = append(to, way.to)
			}
			return to
		}
		// With a previous button, a run can be at any step next.
		back := func(at *place) []int {
			to := ways(at)
			for i := range w.places {
				if w.backs && at.back != nil {
					to = append(to, i)
				}
			}
			return to
		}
		for i := range w.places {
			at := &w.places[i]
			circles := at.router != nil &&
				w.leads(i, ways, func(to int) bool { return to == i }, func(to int) bool { return w.places[to].router == nil })
			if at.circles != circles {
				t.Errorf("seed %d: n%d circles is %v, want %v", seed, i, at.circles, circles)
			}
			for v := range w.vars.list {
				reads := func(to int) bool { r := w.places[to].router; return r != nil && slices.Contains(r.reads, v) }
				live := reads(i) || !at.sets(v) && w.leads(i, back, reads, func(to int) bool { return w.places[to].sets(v) })
				if at.live[v] != live {
					t.Errorf("seed %d: variable %d is live at n%d: %v, want %v", seed, v, i, at.live[v], live)
				}
			}
		}
	}
}

// A search asks while it begins whether it is to stop, for many nodes and for many variables, and does.
func TestStartStops(t *testing.T) {
	for _, shape := range []string{"chain", "hidden"} {
		for most := range 12 {
			asked := 0
			_, ok := newWorlds([sides]*run.Program{run.NewProgram(formtest.Worst(shape, 1000))}, func() bool { asked++; return asked > most })
			if ok || asked != most+1 {
				t.Errorf("%s: asked %d times, and begun is %v, want %d times", shape, asked, ok, most+1)
			}
		}
	}
}
