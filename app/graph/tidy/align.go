package tidy

// Weights for choosing the segments that should be level. Segments between bends come first, since a long edge that is not level sweeps
// across its neighbours.
const (
	bendWeight   = 16
	endWeight    = 9 // between a bend and a card; more for longer links
	levelWeight  = 4 // between two cards
	middleWeight = 2 // added for the middle one of the ways out, and of the ways in
	mostSpan     = 8 // from which a link counts no more
	mainWeight   = 1 << 16
)

// alignment records which segments are level. The vertices that they join move as one block.
type alignment struct {
	order
	level  []bool  // of each link: it runs as a level line
	left   []int32 // of each vertex: the segment chosen to be level, or -1
	right  []int32
	stacks [][]int32 // the layers without the bends of links that are not level
	block  []int32   // of each vertex
	off    []float64 // of each vertex: how far it lies below its block's place
	blocks int32
}

// align chooses the segments to be level: at most one on each side of a vertex, none that cross, with the greatest total weight between two
// layers. Of a longer link either all segments are level or none.
func align(o *order) *alignment {
	s := &alignment{order: *o, level: make([]bool, len(o.links)), left: make([]int32, len(o.layer)), right: make([]int32, len(o.layer))}
	for i := range s.links {
		s.level[i] = !s.links[i].back
	}
	// The second round omits the long links that failed in the first, whose segments kept others out.
	for range 2 {
		s.choose()
		for i := range s.links {
			l := &s.links[i]
			if l.bend < 0 {
				continue
			}
			for k := range s.spanOf(l) - 1 {
				s.level[i] = s.level[i] && (k == 0 || s.left[l.bend+k] >= 0)
			}
		}
	}
	for i := range s.segs {
		if k := s.segs[i].link; s.links[k].bend >= 0 && !s.level[k] {
			s.release(int32(i))
		}
	}
	s.stacks = make([][]int32, len(s.layers))
	for i, layer := range s.layers {
		for _, v := range layer {
			if s.card(v) || s.level[s.bendOf[int(v)-len(s.cards)]] {
				s.stacks[i] = append(s.stacks[i], v)
			}
		}
	}
	return s
}

func (s *alignment) release(i int32) {
	g := &s.segs[i]
	if s.right[g.u] == i {
		s.right[g.u] = -1
	}
	if s.left[g.v] == i {
		s.left[g.v] = -1
	}
}

// choose sets left and right of every vertex to the chosen segment, or -1.
func (s *alignment) choose() {
	for v := range s.left {
		s.left[v], s.right[v] = -1, -1
	}
	sum, before := make([]int32, len(s.segs)), make([]int32, len(s.segs))
	var tree, group []int32
	for i := range len(s.layers) - 1 {
		// The heaviest chain that increases on both sides. For each place in the next layer, the tree holds the segment that ends the best
		// chain so far.
		n := len(s.layers[i+1]) + 1
		tree = tree[:0]
		for range n {
			tree = append(tree, -1)
		}
		best := int32(-1)
		for _, u := range s.layers[i] {
			group = group[:0]
			for _, k := range s.outs.of(u) {
				w := s.weight(k)
				if w == 0 {
					continue
				}
				b := int32(-1)
				for j := s.pos[s.segs[k].v]; j > 0; j &= j - 1 {
					if t := tree[j]; t >= 0 && (b < 0 || sum[t] > sum[b]) {
						b = t
					}
				}
				before[k], sum[k] = b, w
				if b >= 0 {
					sum[k] += sum[b]
				}
				group = append(group, k)
			}
			for _, k := range group {
				if best < 0 || sum[k] > sum[best] {
					best = k
				}
				for j := s.pos[s.segs[k].v] + 1; int(j) < n; j += j & -j {
					if t := tree[j]; t < 0 || sum[k] > sum[t] {
						tree[j] = k
					}
				}
			}
		}
		for k := best; k >= 0; k = before[k] {
			s.right[s.segs[k].u], s.left[s.segs[k].v] = k, k
		}
	}
}

func (s *alignment) weight(k int32) int32 {
	g := &s.segs[k]
	l := &s.links[g.link]
	u, v := s.card(g.u), s.card(g.v)
	switch {
	case !s.level[g.link]:
		return 0
	case l.main:
		return mainWeight
	case !u && !v:
		return bendWeight
	case !u || !v:
		return endWeight + min(s.spanOf(l), mostSpan)
	}
	w := int32(levelWeight)
	outs, ins := s.forward(s.outs.of(g.u)), s.forward(s.ins.of(g.v))
	if outs[(len(outs)-1)/2] == k {
		w += middleWeight
	}
	if ins[(len(ins)-1)/2] == k {
		w += middleWeight
	}
	return w
}

// forward returns the segments of a list without those of loops, which are last.
func (s *alignment) forward(list []int32) []int32 {
	for len(list) > 0 && s.links[s.segs[list[len(list)-1]].link].back {
		list = list[:len(list)-1]
	}
	return list
}

// join makes a block of the vertices that chosen segments join.
func (s *alignment) join() {
	n := len(s.layer)
	s.block, s.off = make([]int32, n), make([]float64, n)
	s.blocks = 0
	for _, column := range s.stacks {
		for _, v := range column {
			k := s.left[v]
			if k < 0 {
				s.block[v] = s.blocks
				s.blocks++
				continue
			}
			u := s.segs[k].u
			s.block[v] = s.block[u]
			s.off[v] = s.off[u] + s.drop(k)
		}
	}
}

// drop returns how much lower the right end of a level segment lies than its left
// end, measured at their upper sides.
func (s *alignment) drop(k int32) float64 {
	g := &s.segs[k]
	d := 0.0
	if s.card(g.u) {
		d = s.links[g.link].lo
	}
	if s.card(g.v) {
		d -= s.cards[g.v].InY
	}
	return d
}
