package tidy_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
)

// drawing is a form that is laid out: its cards, and the paths and the ends of its edges.
type drawing struct {
	Cards []graph.Rect  `json:"cards"`
	Edges [][]graph.Vec `json:"edges"`
	Ends  [][2]int      `json:"ends"`
}

// bare is a form as testdata/peers.cjs takes it.
type bare struct {
	Cards []bareCard `json:"cards"`
	Edges []bareEdge `json:"edges"`
}

type bareCard struct {
	W   float64   `json:"w"`
	H   float64   `json:"h"`
	In  float64   `json:"in"`
	Out []float64 `json:"out"`
}

type bareEdge struct {
	From int  `json:"from"`
	Out  int  `json:"out"`
	To   int  `json:"to"`
	Back bool `json:"back"`
}

// score rates drawings: sums, but for the zoom at which each fits a canvas of 1360 by 780 pixels, and the logarithm of its area.
type score struct {
	crossings, bends, overlaps, over int
	length, zoom, area               float64
}

func (s *score) add(d drawing) {
	var all graph.Rect
	for i, c := range d.Cards {
		all = all.Union(c)
		for _, o := range d.Cards[:i] {
			if c.Grown(-1).Overlaps(o.Grown(-1)) {
				s.overlaps++
			}
		}
	}
	where := map[[2]int]bool{}
	for i, e := range d.Edges {
		for k := 1; k < len(e); k++ {
			s.length += e[k].Sub(e[k-1]).Len()
			all = all.Union(graph.RectOf(e[k-1], e[k]).Grown(.01))
		}
		s.bends += max(0, len(e)-2)
		for j, c := range d.Cards {
			if j != d.Ends[i][0] && j != d.Ends[i][1] && cuts(e, c.Grown(-2)) {
				s.over++
			}
		}
		for _, f := range d.Edges[:i] {
			for _, p := range crossings(e, f) {
				where[p] = true
			}
		}
	}
	s.crossings += len(where)
	s.zoom += min(1, 1360/all.W, 780/all.H)
	s.area += math.Log(all.W * all.H)
}

// crossings returns where two paths cross, in halves of a pixel. Paths that run on each other and part again cross if each comes out on the
// other side; those that run together to one end do not. To tell the two apart one path is moved a little in each direction: what counts is
// the one in which they cross least.
func crossings(e, f []graph.Vec) (least [][2]int) {
	for i, by := range [4]graph.Vec{{X: .01, Y: .01}, {X: -.01, Y: .01}, {X: .01, Y: -.01}, {X: -.01, Y: -.01}} {
		var now [][2]int
		for k := 1; k < len(e); k++ {
			for l := 1; l < len(f); l++ {
				a, b, c, d := e[k-1].Add(by), e[k].Add(by), f[l-1], f[l]
				if cross(a, b, c, d) {
					v, w := b.Sub(a), d.Sub(c)
					at := a.Add(v.Scale(((c.X-a.X)*w.Y - (c.Y-a.Y)*w.X) / (v.X*w.Y - v.Y*w.X)))
					now = append(now, [2]int{int(math.Round(2 * at.X)), int(math.Round(2 * at.Y))})
				}
			}
		}
		if i == 0 || len(now) < len(least) {
			least = now
		}
	}
	return least
}

// cross reports whether two lines cross inside both.
func cross(a, b, c, d graph.Vec) bool {
	side := func(p, q, r graph.Vec) float64 { return (q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X) }
	return side(a, b, c)*side(a, b, d) < -1e-6 && side(c, d, a)*side(c, d, b) < -1e-6
}

// cuts reports whether a path runs over a rectangle.
func cuts(e []graph.Vec, r graph.Rect) bool {
	left := []graph.Vec{r.Origin(), {X: r.X, Y: r.Bottom()}}
	right := []graph.Vec{{X: r.Right(), Y: r.Y}, {X: r.Right(), Y: r.Bottom()}}
	return slices.ContainsFunc(e, r.Contains) || len(crossings(e, left))+len(crossings(e, right)) > 0
}

// drawnAndBare returns a scene as a drawing and as a form for peers, without cards that no edge joins.
func drawnAndBare(s *graph.Scene) (d drawing, b bare) {
	at := map[*graph.Card]int{}
	for _, c := range s.Cards() {
		if len(c.Ins()) == 0 && !slices.ContainsFunc(c.Edges(), func(e *graph.Edge) bool { return e != nil && e.Target() != nil }) {
			continue
		}
		at[c] = len(d.Cards)
		card := bareCard{W: c.Rect.W, H: c.Rect.H, In: c.InY}
		for _, o := range c.Outs {
			card.Out = append(card.Out, o.Y)
		}
		d.Cards, b.Cards = append(d.Cards, c.Rect), append(b.Cards, card)
	}
	for _, c := range s.Cards() {
		for k, e := range c.Edges() {
			if e == nil || e.Target() == nil {
				continue
			}
			d.Edges, d.Ends = append(d.Edges, turnsOf(e.Curve.P[:e.Curve.Len()])), append(d.Ends, [2]int{at[c], at[e.Target()]})
			b.Edges = append(b.Edges, bareEdge{at[c], k, at[e.Target()], e.Back()})
		}
	}
	return d, b
}

// turnsOf returns the ends of a path, and where it turns.
func turnsOf(path []graph.Vec) (way []graph.Vec) {
	for _, p := range path {
		for n := len(way); n > 1; n-- {
			a, b := way[n-1].Sub(way[n-2]), p.Sub(way[n-1])
			if math.Abs(a.X*b.Y-a.Y*b.X) > 1e-6 || a.X*b.X+a.Y*b.Y < 0 {
				break
			}
			way = way[:n-1]
		}
		if n := len(way); n == 0 || way[n-1] != p {
			way = append(way, p)
		}
	}
	return way
}

// BenchmarkPeers compares the drawings of the examples, of real forms (FORMGRAPH_CORPUS, optional) and of 500 generated forms with those of
// ELK and dagre. All are judged by the lines that are drawn, from handle to handle, and a place where lines cross counts once, also if several
// edges share a line there. ELK may draw any edge from right to left; elk-lr is ELK with the same jumps back as ours. FORMGRAPH_LAYOUTS is a
// folder in which npm has installed elkjs and @dagrejs/dagre.
func BenchmarkPeers(b *testing.B) {
	folder := os.Getenv("FORMGRAPH_LAYOUTS")
	if folder == "" {
		b.Fatal("FORMGRAPH_LAYOUTS names no folder with elkjs and @dagrejs/dagre: run make bench-layout")
	}
	sets := map[string][]*model.Form{}
	for _, f := range examples(b) {
		sets["examples"] = append(sets["examples"], f)
	}
	if corpus := os.Getenv("FORMGRAPH_CORPUS"); corpus != "" {
		files, _ := filepath.Glob(filepath.Join(corpus, "*.json"))
		for _, f := range files {
			sets["real forms"] = append(sets["real forms"], formFile(b, f))
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 500 {
		sets["generated forms"] = append(sets["generated forms"], graphtest.Random(b, rnd, 3+i%28, 0))
	}
	for b.Loop() {
		for _, name := range slices.Sorted(maps.Keys(sets)) {
			comparePeers(b, name, folder, sets[name])
		}
	}
}

func comparePeers(b *testing.B, name, folder string, forms []*model.Form) {
	b.Helper()
	var ours []drawing
	var graphs []bare
	for _, f := range forms {
		if d, g := drawnAndBare(tidied(b, f, nil)); len(d.Edges) > 0 {
			ours, graphs = append(ours, d), append(graphs, g)
		}
	}
	in, err := json.Marshal(graphs)
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.CommandContext(b.Context(), "node", "testdata/peers.cjs")
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(folder, "node_modules"))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	drawings := map[string][]drawing{}
	if err := json.Unmarshal(out, &drawings); err != nil {
		b.Fatal(err)
	}
	drawings["ours"] = ours
	scores := map[string]score{}
	for who, list := range drawings {
		var s score
		for i, d := range list {
			d.Ends = ours[i].Ends
			for k, e := range d.Edges {
				if len(e) < 2 {
					b.Fatalf("%s draws no line for an edge", who)
				}
				d.Edges[k] = turnsOf(e)
			}
			s.add(d)
		}
		scores[who] = s
	}
	n := float64(len(ours))
	for _, who := range []string{"ours", "elk", "elk-lr", "dagre"} {
		s := scores[who]
		b.Logf("%-15s %-6s  crossings %5d  bends %5d  length %8.0f  overlaps %d  over cards %3d  zoom at fit %.3f  area as a multiple of dagre's %.3f", name, who,
			s.crossings, s.bends, s.length, s.overlaps, s.over, s.zoom/n, math.Exp((s.area-scores["dagre"].area)/n))
	}
}
