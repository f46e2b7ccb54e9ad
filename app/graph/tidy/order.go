package tidy

import (
	"cmp"
	"slices"
)

// Limits of the effort to improve the order. More effort gains little: most of the gain comes from the first sweeps.
const (
	maxSweeps  = 24
	idleSweeps = 4   // without a gain before the sweeps end
	smallSheet = 400 // up to this many vertices, more starts are tried
	maxPairs   = 64  // of segments compared to exchange two neighbours
	siftWindow = 12  // places by which a vertex may move at a time
)

// start is a start of the search for an order.
type start struct {
	small    bool // only with smallSheet vertices or fewer
	free     bool // others may be above the main path
	best     bool // from the best order so far, without sweeps; else from the first one
	mirrored bool
	left     bool // the first sweep goes to the left
}

// The starts in their order. Those without free come first.
var starts = [...]start{
	{},
	{left: true, small: true},
	{mirrored: true, small: true},
	{left: true, mirrored: true, small: true},
	{free: true, best: true},
	{free: true, left: true, small: true},
}

// order is an order of the vertices in each layer.
type order struct {
	layering
	layers [][]int32 // vertices from the top
	pos    []int32   // of each vertex: its place in its layer
	main   []bool    // of each vertex: it is on the main path, and first in its layer
}

// improve changes the order of the vertices in each layer to one with as few crossings as barycentre sweeps and sifting find. It keeps the
// first order unless another has fewer crossings. The main path is first in every layer, unless there are fewer crossings with others above it.
func (s *order) improve() {
	if len(s.segs) == 0 {
		return
	}
	first := s.keep(nil)
	best, least := s.keep(nil), s.crossings()
	for _, t := range starts {
		if least == 0 {
			break
		}
		if t.small && s.scale > smallSheet {
			continue
		}
		if t.free {
			clear(s.main)
		}
		if t.best {
			s.restore(best)
		} else {
			s.restore(first)
		}
		if t.mirrored {
			s.mirror()
		}
		idle := 0
		for sweep := 0; sweep < maxSweeps && idle < idleSweeps && least > 0; sweep++ {
			if !t.best {
				s.sweep((sweep%2 == 0) != t.left)
			}
			s.sift()
			idle++
			if n := s.crossings(); n < least {
				best, least, idle = s.keep(best), n, 0
			}
		}
	}
	s.restore(best)
}

// newOrder returns the first order: depth first from the left, by handles from the top.
func newOrder(l *layering) *order {
	s := &order{layering: *l, layers: make([][]int32, l.depth()), pos: make([]int32, len(l.layer))}
	seen := make([]bool, len(s.layer))
	var stack []int32
	walk := func(v int32) {
		stack = append(stack, v)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			l := s.layer[v]
			s.pos[v] = int32(len(s.layers[l])) //nolint:gosec // a form has at most 200,000 values
			s.layers[l] = append(s.layers[l], v)
			for _, k := range slices.Backward(s.outs.of(v)) {
				stack = append(stack, s.segs[k].v)
			}
		}
	}
	// If there are several roots, the search begins with the last one in the list.
	n := int32(len(s.layer)) //nolint:gosec // as above
	for v := n - 1; v >= 0; v-- {
		if s.card(v) && len(s.ins.of(v)) == 0 {
			walk(v)
		}
	}
	for v := range n {
		walk(v)
	}
	s.pin()
	return s
}

// pin puts the main path first in every layer.
func (s *order) pin() {
	s.main = make([]bool, len(s.layer))
	for i := range s.segs {
		if g := &s.segs[i]; s.links[g.link].main {
			s.main[g.u], s.main[g.v] = true, true
		}
	}
	for _, layer := range s.layers {
		s.first(layer)
	}
}

// first puts a vertex on the main path first in its layer.
func (s *order) first(layer []int32) {
	slices.SortStableFunc(layer, func(a, b int32) int { return -compareBool(s.main[a], s.main[b]) })
	for j, v := range layer {
		s.pos[v] = int32(j)
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// keep returns a copy of the order, reusing into if it has room.
func (s *order) keep(into []int32) []int32 { return append(into[:0], s.pos...) }

func (s *order) restore(pos []int32) {
	copy(s.pos, pos)
	for v, l := range s.layer {
		s.layers[l][s.pos[v]] = int32(v)
	}
}

// mirror turns every layer upside down.
func (s *order) mirror() {
	for _, layer := range s.layers {
		slices.Reverse(layer)
		s.first(layer)
	}
}

// sweep sorts each layer by the mean place of the vertices that lead to a vertex or, from the right, of those to which the vertex leads.
func (s *order) sweep(right bool) {
	mean := make([]float32, len(s.layer))
	for i := 1; i < len(s.layers); i++ {
		layer := s.layers[i]
		if !right {
			layer = s.layers[len(s.layers)-1-i]
		}
		before := float32(-1)
		for _, v := range layer {
			sum, n := float32(0), float32(0)
			if right {
				for _, k := range s.ins.of(v) {
					g := &s.segs[k]
					sum, n = sum+float32(s.pos[g.u])+g.pu, n+1
				}
			} else {
				for _, k := range s.outs.of(v) {
					g := &s.segs[k]
					sum, n = sum+float32(s.pos[g.v])+g.pv, n+1
				}
			}
			if n > 0 {
				before = sum / n
			}
			if s.main[v] {
				before = -1
			}
			mean[v] = before // a vertex without neighbours stays next to the one above it
		}
		slices.SortStableFunc(layer, func(a, b int32) int { return cmp.Compare(mean[a], mean[b]) })
		for j, v := range layer {
			s.pos[v] = int32(j)
		}
	}
}

// sift moves each vertex within its layer to where it saves the most crossings.
func (s *order) sift() {
	var list []int32
	for _, layer := range s.layers {
		list = append(list[:0], layer...)
		for _, v := range list {
			if s.main[v] {
				continue
			}
			from, n := s.pos[v], int32(len(layer)) //nolint:gosec // a form has at most 200,000 values
			to, best, sum := from, int32(0), int32(0)
			for j := from - 1; j >= max(0, from-siftWindow) && !s.main[layer[j]]; j-- {
				if sum += s.gain(layer[j], v); sum > best {
					to, best = j, sum
				}
			}
			sum = 0
			for j := from + 1; j < min(n, from+siftWindow+1); j++ {
				if sum += s.gain(v, layer[j]); sum > best {
					to, best = j, sum
				}
			}
			for ; to < from; from-- {
				layer[from] = layer[from-1]
				s.pos[layer[from]] = from
			}
			for ; to > from; from++ {
				layer[from] = layer[from+1]
				s.pos[layer[from]] = from
			}
			layer[to], s.pos[v] = v, to
		}
	}
}

// gain returns how many crossings between the edges of a and those of b disappear when a moves from above b to below it.
func (s *order) gain(a, b int32) int32 {
	gain := int32(0)
	outsA, outsB := s.outs.of(a), s.outs.of(b)
	insA, insB := s.ins.of(a), s.ins.of(b)
	if len(outsA)*len(outsB)+len(insA)*len(insB) > maxPairs {
		return 0
	}
	for _, i := range outsA {
		for _, j := range outsB {
			g, h := &s.segs[i], &s.segs[j]
			gain += s.weigh(g, h, cmp.Compare(float32(s.pos[g.v])+g.pv, float32(s.pos[h.v])+h.pv))
		}
	}
	for _, i := range insA {
		for _, j := range insB {
			g, h := &s.segs[i], &s.segs[j]
			gain += s.weigh(g, h, cmp.Compare(float32(s.pos[g.u])+g.pu, float32(s.pos[h.u])+h.pu))
		}
	}
	return gain
}

func (s *order) weigh(g, h *seg, order int) int32 {
	return int32(order) * s.heavy(g) * s.heavy(h) //nolint:gosec // -1, 0 or 1
}

// heavy returns how many edges a segment stands for.
func (s *order) heavy(g *seg) int32 { return s.links[g.link].count }

// crossings returns the cost of all crossings between layers.
func (s *order) crossings() int {
	total := 0
	var tree []int32
	for i := range len(s.layers) - 1 {
		n := len(s.layers[i+1]) + 1
		tree = append(tree[:0], make([]int32, n)...)
		sum := int32(0)
		for _, u := range s.layers[i] {
			for _, k := range s.outs.of(u) {
				g := &s.segs[k]
				w, at := s.heavy(g), s.pos[g.v]+1
				above := int32(0)
				for j := at; j > 0; j &= j - 1 {
					above += tree[j]
				}
				total += int(w) * int(sum-above)
				for j := at; int(j) < n; j += j & -j {
					tree[j] += w
				}
				sum += w
			}
		}
	}
	return total
}
