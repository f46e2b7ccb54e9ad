package graph_test

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
)

func TestStream(t *testing.T) {
	s := graph.New(graphtest.Form(t, `{"start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","config":{"next_node":"b"}},{"id":"b","type":"ROUTER","config":{"rules":[
{"id":"1","condition":1,"next_node":"c"},{"id":"2","condition":1,"next_node":"gone"}],"fallback":"d"}},
		{"id":"c","type":"STEP","config":{"next_node":"b"}},{"id":"d","type":"STEP","config":{"next_node":"$ending"}},
		{"id":"x","type":"STEP","config":{"next_node":"d"}}]}`))
	for id, want := range map[string][]string{
		"a":       {"$start:next", "a:next", "b:fallback", "b:rule:1", "b:rule:2", "c:next", "d:next"},
		"d":       {"$start:next", "a:next", "b:fallback", "b:rule:1", "c:next", "d:next", "x:next"},
		"x":       {"d:next", "x:next"},
		"$ending": {"$start:next", "a:next", "b:fallback", "b:rule:1", "c:next", "d:next", "x:next"},
	} {
		var got []string
		for e := range s.Stream([]*graph.Card{s.Card(id)}, nil) {
			got = append(got, e.Source().ID+":"+string(e.Port))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", id, got, want)
		}
	}
}

// In a cycle the stream has the edges that lead to the card and those that follow it. It has all edges of a wide fan.
func TestStreamOfCyclesAndFans(t *testing.T) {
	s := graph.New(graphtest.Form(t, `{"start":{"next_node":"b"},"nodes":[
		{"id":"b","type":"STEP","config":{"next_node":"c"}},
		{"id":"c","type":"ROUTER","config":{"rules":[{"id":"1","condition":1,"next_node":"p"},{"id":"2","condition":1,"next_node":"q"},
{"id":"3","condition":1,"next_node":"r"},{"id":"4","condition":1,"next_node":"s"}],"fallback":"b"}},
		{"id":"p","type":"STEP","config":{"next_node":"$ending"}},{"id":"q","type":"STEP","config":{"next_node":"$ending"}},
		{"id":"r","type":"STEP","config":{"next_node":"$ending"}},{"id":"s","type":"STEP","config":{"next_node":"$ending"}}]}`))
	all := 0
	s.Edges(func(*graph.Edge) { all++ })
	for _, id := range []string{"$start", "b", "c", "$ending"} {
		if got := len(s.Stream([]*graph.Card{s.Card(id)}, nil)); got != all {
			t.Errorf("%s: got %d edges, want all %d", id, got, all)
		}
	}
	if got := len(s.Stream([]*graph.Card{s.Card("p")}, nil)); got != 5 {
		t.Errorf("p: got %d edges, want 5: those of the round, and its own two", got)
	}
}

// The path of an edge is what leads to it and what follows it, without the other ways from its source and to its target.
func TestStreamOfAnEdge(t *testing.T) {
	s := graph.New(graphtest.Flow(t, "$start: a", "a: b c", "b: d", "c: d", "d: e f", "e: $ending", "f: $ending"))
	var got []string
	for e := range s.Stream(nil, []*graph.Edge{s.Edge("b", model.NextPort)}) {
		got = append(got, e.Source().ID+" "+string(e.To))
	}
	slices.Sort(got)
	if want := []string{"$start a", "a b", "b d", "d e", "d f", "e $ending", "f $ending"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
