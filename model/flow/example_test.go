package flow_test

import (
	"fmt"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

func ExampleProve() {
	tree, _ := schema.Decode([]byte(`{"name":"Sign up","start":{"next_node":"ask"},"nodes":[
		{"id":"ask","alias":"Welcome","type":"FLOW","config":{"flow_id":"af_1","next_node":"check"}},
		{"id":"check","alias":"Check code","type":"ROUTER","config":{"rules":[{"id":"ok","condition":true,"next_node":"$ending"}]}}]}`))
	for _, f := range flow.Prove(model.FromTree(tree.(*schema.Object))) {
		fmt.Println(f.Problem)
		for _, e := range f.Witness() {
			fmt.Println(" ", e.From, e.Port, e.To)
		}
	}
	// Output:
	// nodes[1].config.fallback: leads nowhere: a journey through Welcome, Check code ends here
	//   $start next ask
	//   ask next check
}
