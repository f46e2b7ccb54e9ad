package flow_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

func TestMeet(t *testing.T) {
	const router = `{"id":%q,"type":"ROUTER","config":{"rules":[{"id":"x","condition":true,"next_node":%q}],"fallback":%q}}`
	const flowTo = `{"id":%q,"type":"FLOW","config":{"flow_id":"f","next_node":%q}}`
	for _, tt := range []struct{ name, nodes, want string }{
		{"none", ``, "[] []"},
		{"diamond, later node first in the file", fmt.Sprintf(flowTo+","+router+","+flowTo+","+flowTo,
			"last", "$ending", "a", "left", "right", "right", "last", "left", "last"), "[1 3 2 0] [1 1 0.5 0.5]"},
		{"loop", fmt.Sprintf(flowTo+","+router+","+flowTo, "a", "r", "r", "a", "b", "b", "$ending"), "[0 1 2] [1 1 1]"},
		{"nowhere is no way", fmt.Sprintf(router+","+flowTo, "a", "missing", "b", "b", ""), "[0 1] [1 1]"},
		{"the ending is a way", fmt.Sprintf(router+","+flowTo, "a", "$ending", "b", "b", ""), "[0 1] [1 0.5]"},
		{"unreachable", fmt.Sprintf(flowTo+","+flowTo, "a", "a", "b", "a"), "[0] [1 0]"},
		{"a step without a button", `{"id":"a","type":"STEP","config":{"components":[],"next_node":"b"}},` +
			fmt.Sprintf(flowTo, "b", ""), "[0] [1 0]"},
	} {
		m := flow.Meet(parse(t, `{"start":{"next_node":"a"},"nodes":[`+tt.nodes+`]}`))
		if got := fmt.Sprint(m.Order, m.Share); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// On random forms, the reachable nodes are those of the proof, each once, and only they have a share.
func TestMeetEqualsProof(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 3_000 {
		f := randomPlan(r).form()
		m := flow.Meet(f)
		unreachable := make([]bool, len(f.Nodes))
		for _, of := range flow.Prove(f) {
			if of.Problem.Code == schema.CodeUnreachable {
				unreachable[of.Problem.Path[1].Index] = true
			}
		}
		for i, n := range f.Nodes {
			times := 0
			for _, j := range m.Order {
				if i == j {
					times++
				}
			}
			// The proof reports one node of each unreachable part.
			if unreachable[i] && times > 0 || times > 1 || (times == 1) != (m.Share[i] > 0) || m.Share[i] > 1 {
				t.Fatalf("%s is met %d times, by a share of %v, unreachable: %v\n%s", n.ID, times, m.Share[i], unreachable[i], schema.Encode(f.Tree()))
			}
		}
		if len(m.Order) < len(f.Nodes) && !slices.Contains(unreachable, true) {
			t.Fatalf("only %v are met\n%s", m.Order, schema.Encode(f.Tree()))
		}
	}
}
