package tidy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

// layered returns the first order of a random layering. Each card, except in the first
// layer, has a link from the layer before. links is the most links between two
// layers.
func layered(rnd *rand.Rand, layers, width, links int) *order {
	s := &layering{}
	type pair struct{ a, b int32 }
	for i := range layers {
		for range width {
			s.cards = append(s.cards, &graph.Card{Content: &graph.Content{Height: 100, InY: 20}})
			s.layer = append(s.layer, int32(i))
		}
	}
	for i := range layers - 1 {
		var have []pair
		for j := range links {
			p := pair{int32(i*width + rnd.IntN(width)), int32((i+1)*width + rnd.IntN(width))}
			if j < width {
				p.b = int32((i+1)*width + j)
			}
			if !slices.Contains(have, p) {
				have = append(have, p)
			}
		}
		for _, p := range have {
			y := 20 + 70*rnd.Float64()
			s.links = append(s.links, link{from: p.a, to: p.b, lo: y, hi: y, count: 1, bend: -1})
		}
	}
	s.bendLinks()
	s.cutLinks()
	return newOrder(s)
}

// plainCrossings counts crossings by comparing every two links.
func plainCrossings(s *order) int {
	n := 0
	for i := range s.links {
		for j := range i {
			a, b := &s.links[i], &s.links[j]
			if s.layer[a.from] != s.layer[b.from] {
				continue
			}
			from := s.pos[a.from] - s.pos[b.from]
			if from == 0 && a.lo != b.lo {
				from = 1
				if a.lo < b.lo {
					from = -1
				}
			}
			if to := s.pos[a.to] - s.pos[b.to]; from*to < 0 {
				n++
			}
		}
	}
	return n
}

// least tries every order of every layer.
func least(s *order) int {
	best := plainCrossings(s)
	var try func(layer, from int)
	try = func(layer, from int) {
		if layer == len(s.layers) {
			best = min(best, plainCrossings(s))
			return
		}
		l := s.layers[layer]
		if from == len(l) {
			try(layer+1, 0)
			return
		}
		for i := from; i < len(l); i++ {
			l[from], l[i] = l[i], l[from]
			s.pos[l[from]], s.pos[l[i]] = int32(from), int32(i)
			try(layer, from+1)
			l[from], l[i] = l[i], l[from]
			s.pos[l[from]], s.pos[l[i]] = int32(from), int32(i)
		}
	}
	try(0, 0)
	return best
}

func TestOrderNearTheLeast(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 14))
	got, want, hit := 0, 0, 0
	const graphs = 40
	for range graphs {
		s := layered(rnd, 3, 4, 6+rnd.IntN(4))
		s.improve()
		n := plainCrossings(s)
		if m := s.crossings(); m != n {
			t.Fatalf("crossings counts %d, there are %d", m, n)
		}
		m := least(s)
		if n < m {
			t.Fatalf("%d crossings are less than the least, %d", n, m)
		}
		got, want = got+n, want+m
		if n == m {
			hit++
		}
	}
	t.Logf("%d crossings, at least %d; the least in %d of %d", got, want, hit, graphs)
	if got*100 > want*110 {
		t.Errorf("%d crossings are more than 1.1 of the least, %d", got, want)
	}
}

// barycentre is the textbook method: sweeps in both directions that sort by the mean place
// of the neighbours. It returns the crossings of the best order.
func barycentre(s *order) int {
	best := plainCrossings(s)
	for sweep := range 24 {
		mean := func(v int32, right bool) float64 {
			sum, n := 0.0, 0.0
			for i := range s.links {
				switch l := &s.links[i]; {
				case right && l.to == v:
					sum, n = sum+float64(s.pos[l.from]), n+1
				case !right && l.from == v:
					sum, n = sum+float64(s.pos[l.to]), n+1
				}
			}
			if n == 0 {
				return float64(s.pos[v])
			}
			return sum / n
		}
		right := sweep%2 == 0
		for i := range s.layers {
			l := s.layers[i]
			if !right {
				l = s.layers[len(s.layers)-1-i]
			}
			means := make(map[int32]float64)
			for _, v := range l {
				means[v] = mean(v, right)
			}
			slices.SortStableFunc(l, func(a, b int32) int {
				switch {
				case means[a] < means[b]:
					return -1
				case means[a] > means[b]:
					return 1
				}
				return 0
			})
			for j, v := range l {
				s.pos[v] = int32(j)
			}
		}
		best = min(best, plainCrossings(s))
	}
	return best
}

func TestOrderIsNoWorseThanBarycentre(t *testing.T) {
	rnd := rand.New(rand.NewPCG(15, 16))
	ours, plain := 0, 0
	for range 10 {
		s := layered(rnd, 10, 10, 16)
		s.improve()
		n := plainCrossings(s)
		s = newOrder(&s.layering)
		m := barycentre(s)
		if 2*n > 3*m {
			t.Errorf("%d crossings, plain barycentre has %d", n, m)
		}
		ours, plain = ours+n, plain+m
	}
	t.Logf("%d crossings, plain barycentre %d", ours, plain)
	if ours > plain {
		t.Errorf("%d crossings in all, plain barycentre has %d", ours, plain)
	}
}
