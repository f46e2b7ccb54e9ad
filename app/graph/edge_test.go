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
		if e == nil || e.Dangling() {
			continue
		}
		if got := r.CurveTo(i, e.Target()); got.At(0) != e.Curve.At(0) || got.At(1) != e.Curve.At(1) {
			t.Errorf("%s: got %v, want %v", e.Port, got, e.Curve)
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
