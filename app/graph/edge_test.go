package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
)

// The label of an edge is its rule, whether or not the card folds it.
func TestLabel(t *testing.T) {
	var rules []string
	for i := range graph.FoldAfter + 3 {
		rules = append(rules, fmt.Sprintf(`{"id":"n%d","alias":"Rule %d","condition":1,"next_node":"a"}`, i, i))
	}
	s := graph.New(graphtest.Form(t, `{"start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","config":{"components":[{"id":"j","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"f"}}],
"next_node":"r"}},
		{"id":"f","type":"FLOW","config":{"flow_id":"af_1","next_node":"a"}},
		{"id":"r","type":"ROUTER","config":{"rules":[
			{"id":"one","condition":{"operator":"EQ","operands":["{{fields.code}}","123"]},"next_node":"a"},
			{"id":"fits","alias":"`+strings.Repeat("x", 32)+`","condition":1,"next_node":"a"},
			{"id":"long","alias":"`+strings.Repeat("x", 33)+`","condition":1,"next_node":"gone"}],"fallback":"f"}},
		{"id":"m","type":"ROUTER","config":{"rules":[`+strings.Join(rules, ",")+`],"fallback":"a"}}]}`))
	for _, tt := range []struct{ from, port, want string }{
		{"$start", "next", ""},
		{"a", "next", ""},
		{"a", "jump:j", ""},
		{"f", "next", ""},
		{"r", "rule:one", "fields.code equals 123"},
		{"r", "rule:fits", strings.Repeat("x", 32)},
		{"r", "rule:long", strings.Repeat("x", 31) + "…"},
		{"r", "fallback", "Otherwise"},
		{"m", "rule:n0", "Rule 0"},
		{"m", "rule:n11", "Rule 11"},
		{"m", "rule:n12", "Rule 12"},
		{"m", "rule:n14", "Rule 14"},
		{"m", "fallback", "Otherwise"},
	} {
		if got := s.Edge(tt.from, model.Port(tt.port)).Label(32); got != tt.want {
			t.Errorf("%s:%s: got %q, want %q", tt.from, tt.port, got, tt.want)
		}
	}
}

// An edge that is being drawn or dragged runs as it will after the release.
func TestCurvesDuringADrag(t *testing.T) {
	s := graph.New(graphtest.Form(t, small))
	r, a, f := s.Card("r"), s.Card("a"), s.Card("f")
	for i := range r.Outs {
		for _, target := range []*graph.Card{a, f} {
			if got := r.CurveTo(i, target); got.P[0] != r.OutAt(i) || got.At(1) != target.InAt() {
				t.Errorf("from %s to %s: got %v", r.Outs[i].Port, target.ID, got.P)
			}
		}
	}
	for i, e := range r.Edges() {
		if e != nil && !e.Dangling() && r.CurveTo(i, e.Target()) != e.Curve {
			t.Errorf("%s: got %v, want %v", e.Port, r.CurveTo(i, e.Target()), e.Curve)
		}
	}
	by := graph.Vec{X: 100, Y: 50}
	e := s.Edge("r", "rule:two")
	if got := e.Moved(by, graph.Vec{}); got.Shape != graph.Stub || got.P[0] != e.Curve.P[0].Add(by) || got.P[1] != e.Curve.P[1].Add(by) {
		t.Errorf("a dangling edge: got %v", got.P)
	}
	e = s.Edge("r", "rule:one")
	if got := e.Moved(by, by); got.P[0] != e.Curve.P[0].Add(by) || got.P[3] != e.Curve.P[3].Add(by) {
		t.Errorf("both ends: got %v", got.P)
	}
}

// An edge to an input straight above or below the way out is not a loop.
func TestEdgeStraightDown(t *testing.T) {
	for x, want := range map[int]graph.Shape{280: graph.Bezier, 279: graph.Loop} {
		s := graph.New(
			graphtest.Form(
				t,
				fmt.Sprintf(
					`{"nodes":[{"id":"a","type":"FLOW","coordinates":{"x":0,"y":0},"config":{"next_node":"b"}},
{"id":"b","type":"FLOW","coordinates":{"x":%d,"y":300}}]}`,
					x,
				),
			),
		)
		if got := s.Edge("a", model.NextPort).Curve.Shape; got != want {
			t.Errorf("to %d: got shape %v, want %v", x, got, want)
		}
	}
}

// The loops of one card nest: the lower the handle, the nearer to the card.
func TestLoopsNest(t *testing.T) {
	s := graph.New(graphtest.Form(t, `{"nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0}},
		{"id":"r","type":"ROUTER","coordinates":{"x":400,"y":0},"config":{"rules":[{"id":"1","condition":1,"next_node":"a"},
{"id":"2","condition":1,"next_node":"a"}],"fallback":"a"}}]}`))
	var last graph.Curve
	for i, e := range s.Card("r").Edges() {
		if c := e.Curve; c.Shape != graph.Loop || i > 0 && (c.P[1].X >= last.P[1].X || c.P[2].Y >= last.P[2].Y || c.P[3].X <= last.P[3].X) {
			t.Errorf("%s runs %v, the one above it %v", e.Port, c.P, last.P)
		}
		last = e.Curve
	}
}
