package tidy

import (
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
)

// The main path is one straight line, also where letting go of level segments makes a form less high, or where others are above it.
func TestMainPathIsStraight(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 52))
	for i := range 100 {
		cards := graph.New(graphtest.Random(t, rnd, 3+i%38, 0)).Cards()
		part := partsOf(cards)[0]
		l := newLayering(cards, part)
		sh := lay(l, columnsOf(l))
		for _, k := range l.links {
			if !k.main {
				continue
			}
			if from, to := sh.at[k.from].Y+k.lo, sh.at[k.to].Y+l.cards[k.to].InY; from != to {
				t.Errorf("form %d: a link of the main path leads from %v to %v", i, from, to)
			}
		}
	}
}
