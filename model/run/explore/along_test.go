package explore_test

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
)

// A run follows the edges, with answers for which the rules decide so.
func TestAlong(t *testing.T) {
	p := run.NewProgram(formtest.Parse(t, `{"id":"f","name":"F","start":{"next_node":"ask"},"nodes":[
		{"id":"ask","type":"STEP","config":{"components":[{"id":"age","category":"FIELD","type":"NUMBER","required":true},{"id":"n","category":"BLOCK","type":"NEXT_BUTTON"}],"next_node":"r"}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"young","condition":{"operator":"LT","operands":["{{fields.age}}",18]},"next_node":"stop"},
			{"id":"baby","condition":{"operator":"LT","operands":["{{fields.age}}",2]},"next_node":"ask"}],"fallback":"go"}},
		{"id":"stop","type":"STEP","config":{"components":[{"id":"b","category":"BLOCK","type":"RICH_TEXT","config":{"content":"x"}}]}},
		{"id":"go","type":"FLOW","config":{"flow_id":"f1","next_node":"$ending"}}]}`))
	for _, test := range []struct {
		edges []string
		at    string // "" if there is no such run
	}{
		{[]string{"$start:next", "ask:next", "r:rule:young"}, "stop"},
		{[]string{"ask:next", "r:rule:young"}, "stop"},
		{[]string{"$start:next", "ask:next", "r:fallback", "go:next"}, "$ending"},
		{[]string{"$start:next"}, "ask"},
		{nil, "ask"},
		{[]string{"$start:next", "ask:next", "r:rule:baby"}, ""},
		{[]string{"$start:next", "r:fallback"}, ""},
		{[]string{"$start:next", "nowhere:next"}, ""},
	} {
		_, r, err := explore.Along(t.Context(), p, test.edges)
		switch {
		case err != nil:
			t.Fatal(err)
		case r == nil:
			if test.at != "" {
				t.Errorf("along %q: found no run", test.edges)
			}
		default:
			path := r.Path()
			if len(path) == 0 || path[len(path)-1] != test.at {
				t.Errorf("along %q: %q, want it to end at %q", test.edges, path, test.at)
			}
			if test.at == "stop" && !slices.Equal(path, []string{"ask", "r", "stop"}) {
				t.Errorf("along %q: %q", test.edges, path)
			}
		}
	}
}
