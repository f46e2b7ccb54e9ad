package trial

import (
	"strings"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/schema"
)

// proposals returns the values that the flow at a node may return, with the labels of their buttons.
func proposals(f *model.Form, node string) (list []message.Proposal) {
	named := map[string]bool{} // variables that a condition compares with a value
	for _, p := range explore.Propose(f, node) {
		named[p.Variable] = named[p.Variable] || p.Named
		of := message.Proposal{Variable: p.Variable, Label: shorten(p.Value)}
		switch {
		case !p.Defined:
			of.Label = "No value"
		case p.Other && named[p.Variable]:
			of.Label = "Something else"
		case p.Other:
			of.Label = "Any value"
		case p.Value == "":
			of.Label = "An empty text"
		}
		if p.Defined {
			of.Result = nested(strings.Split(p.Variable, "."), p.Value)
		}
		list = append(list, of)
	}
	return list
}

// nested returns an object with a value at a path.
func nested(path []string, v any) *schema.Object {
	if len(path) > 1 {
		v = nested(path[1:], v)
	}
	return schema.NewObject(schema.Member{Key: path[0], Value: v})
}
