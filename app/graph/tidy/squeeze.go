package tidy

import "math"

// Level edges join cards to long blocks, which keep each other apart far more than the cards of any one layer need. The lightest of them are
// let go until a part is hardly higher than its highest layer.
const (
	slack        = 1.8 // how much higher than its highest layer a part may be
	squeezes     = 100 // segments that are let go at most, one at a time
	largeSqueeze = 8   // rounds for more than smallSheet vertices, in each of which many are let go
)

// squeeze lets go of level segments that make the part too high, and sets the height that blocks have for themselves.
func (p *placing) squeeze() {
	limit := slack * p.highest()
	rounds := squeezes
	if p.scale > smallSheet {
		rounds = largeSqueeze
	}
	for range rounds {
		if !p.loosen(limit) {
			break
		}
		p.regroup()
	}
	p.settle()
}

// highest returns the height of the highest layer.
func (p *placing) highest() (most float64) {
	for _, column := range p.stacks {
		h := 0.0
		for j, v := range column {
			if j > 0 {
				h += p.gap(column[j-1], v)
			}
			h += p.height[v]
		}
		most = max(most, h)
	}
	return most
}

// loosen lets go of the lightest segment on the way from the top of which the lowest vertex is lowest, or of one on each way for many vertices.
// It reports whether there was one.
func (p *placing) loosen(limit float64) bool {
	enter, above := p.descend()
	let := false
	done := make([]bool, p.blocks)
	loose := func(v int32) {
		best, least := int32(-1), int32(bendWeight)
		for v >= 0 {
			b := p.block[v]
			if done[b] {
				return
			}
			done[b] = true
			for u := enter[b]; u != v; {
				var k int32
				if p.layer[u] < p.layer[v] {
					k = p.right[u]
					u = p.segs[k].v
				} else {
					k = p.left[u]
					u = p.segs[k].u
				}
				if w := p.alignment.weight(k); w < least {
					best, least = k, w
				}
			}
			v = above[b]
		}
		if best >= 0 {
			p.release(best)
			let = true
		}
	}
	low, most := int32(-1), limit
	for _, column := range p.stacks {
		if len(column) == 0 {
			continue
		}
		v := column[len(column)-1]
		if bottom := p.top(v) + p.height[v]; bottom > most {
			if p.scale > smallSheet {
				loose(v)
				continue
			}
			low, most = v, bottom
		}
	}
	loose(low)
	return let
}

// descend puts every block as high as it can be. It returns, for each block, the vertex that keeps it from being higher, and the one above that,
// or -1.
func (p *placing) descend() (enter, above []int32) {
	enter, above = make([]int32, p.blocks), make([]int32, p.blocks)
	for b := range p.y {
		p.y[b] = math.Inf(-1)
	}
	for _, column := range p.stacks {
		if len(column) > 0 {
			if v := column[0]; -p.off[v] > p.y[p.block[v]] {
				b := p.block[v]
				p.y[b], enter[b], above[b] = -p.off[v], v, -1
			}
		}
	}
	for _, q := range p.down {
		if y := p.y[q.upper] + p.apart(q); y > p.y[q.lower] {
			p.y[q.lower], enter[q.lower], above[q.lower] = y, q.v, q.u
		}
	}
	return enter, above
}

// settle sets the least and the greatest place of each block, with which the part is no higher than it must be.
func (p *placing) settle() {
	p.descend()
	p.least, p.most = append([]float64{}, p.y...), make([]float64, p.blocks)
	bottom := 0.0
	for v := range p.block {
		bottom = max(bottom, p.top(int32(v))+p.height[v])
	}
	for b := range p.most {
		p.most[b] = math.Inf(1)
	}
	for _, column := range p.stacks {
		if len(column) > 0 {
			v := column[len(column)-1]
			b := p.block[v]
			p.most[b] = min(p.most[b], bottom-p.off[v]-p.height[v])
		}
	}
	for _, q := range p.back {
		p.most[q.upper] = min(p.most[q.upper], p.most[q.lower]-p.apart(q))
	}
}
