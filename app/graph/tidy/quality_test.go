package tidy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/graph/graphtest"
)

// The lines of edges cross seldom, and forms are little higher than their cards need. The bounds are what is reached now: a change that exceeds
// one makes pictures worse.
func TestQuality(t *testing.T) {
	var shown, made score
	for _, f := range examples(t) {
		d, _ := drawnAndBare(tidied(t, f, nil))
		shown.add(d)
	}
	if shown.crossings > 6 {
		t.Errorf("in the examples %d lines cross", shown.crossings)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	height := 0.0
	for i := range 112 {
		s := tidied(t, graphtest.Random(t, rnd, 3+i%28, 0), nil)
		d, _ := drawnAndBare(s)
		made.add(d)
		height += s.Bounds().H
	}
	if made.crossings > 260 || height > 100000 || made.over > 0 || made.overlaps > 0 {
		t.Errorf("%d lines cross, %d run over cards, %d cards overlap, and the height is %v", made.crossings, made.over, made.overlaps, height)
	}
}
