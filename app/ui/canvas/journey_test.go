package canvas

import (
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/formtest"
)

func TestJourney(t *testing.T) {
	s := graph.New(formtest.Parse(t, `{"name":"f","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","config":{"components":[{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"c"}},
		{"id":"c","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}]}`))
	j := journeyOf([]string{"$start", "a", "c"}, []string{"$start:next", "a:next"}, "c")
	for id, want := range map[string]trace{"$start": visited, "a": visited, "c": current, "$ending": untouched} {
		if got := j.node(s.Card(id)); got != want {
			t.Errorf("%s: %d, want %d", id, got, want)
		}
	}
	var taken []string
	s.Edges(func(e *graph.Edge) {
		if j.edge(e) {
			taken = append(taken, e.Source().ID)
		}
	})
	if len(taken) != 2 {
		t.Errorf("taken from %v", taken)
	}
	if none := journeyOf(nil, nil, ""); none != nil || none.node(s.Card("a")) != untouched {
		t.Errorf("no journey is %+v", none)
	}
}
