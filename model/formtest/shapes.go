package formtest

import (
	"fmt"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Shape is a form of any size that is the worst case of some work. Only formtest and benchmarks of growth use it.
type Shape struct {
	Name string
	// Of returns a form of about n nodes, components or rules, whose ids begin with a prefix and whose texts contain a word.
	Of func(n int, prefix, word string) *model.Form
}

// Shapes are the worst cases.
var Shapes = []Shape{
	{"types in turn", func(n int, p, word string) *model.Form {
		return ofNodes(n, func(i int) *schema.Object { return turn(i, n, p, word) })
	}},
	{"chain", func(n int, p, word string) *model.Form {
		return ofNodes(n, func(i int) *schema.Object { return flowNode(p, word, i, (i+1)%n) })
	}},
	{"chain backwards", func(n int, p, word string) *model.Form {
		return ofNodes(n, func(i int) *schema.Object { return flowNode(p, word, i, max(0, i-1)) })
	}},
	{"star", func(n int, p, word string) *model.Form {
		return ofNodes(n, func(i int) *schema.Object { return flowNode(p, word, i, n-1) })
	}},
	{"one step", func(n int, p, word string) *model.Form {
		return ofNodes(1, func(int) *schema.Object { return step(p, word, 0, 0, n) })
	}},
	{"one router", func(n int, p, word string) *model.Form {
		return ofNodes(2, func(i int) *schema.Object {
			if i == 0 {
				return step(p, word, 0, 1, 3)
			}
			return router(p, word, i, 0, n)
		})
	}},
	{"translations", func(n int, p, word string) *model.Form {
		f := ofNodes(1, func(int) *schema.Object { return step(p, word, 0, 0, n) })
		texts := make([]schema.Member, n)
		for i := range texts {
			texts[i] = schema.Member{Key: fmt.Sprintf("%sc0_%d", p, i), Value: object("label", word)}
		}
		language := object("components", schema.NewObject(texts...))
		return model.FromTree(f.Tree().With("translations", object("de", language, "fr", language)))
	}},
}

func object(pairs ...any) *schema.Object {
	var members []schema.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, schema.Member{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return schema.NewObject(members...)
}

func ofNodes(n int, node func(i int) *schema.Object) *model.Form {
	nodes := make([]any, n)
	for i := range nodes {
		nodes[i] = node(i)
	}
	return model.FromTree(object("name", "F", "nodes", nodes, "start", object("next_node", nodes[0].(*schema.Object).Text("id")), "ending", object()))
}

func turn(i, n int, p, word string) *schema.Object {
	switch next := (i + 1) % n; i % 3 {
	case 0:
		return step(p, word, i, next, 1)
	case 1:
		return flowNode(p, word, i, next)
	default:
		return router(p, word, i, next, 1)
	}
}

func flowNode(p, word string, i, next int) *schema.Object {
	return object("id", fmt.Sprintf("%sn%d", p, i), "type", "FLOW", "alias", word,
		"config", object("flow_id", "af_1", "next_node", fmt.Sprintf("%sn%d", p, next)))
}

// step returns a step with components, each of which refers to the one before it.
func step(p, word string, i, next, components int) *schema.Object {
	list := make([]any, components)
	for j := range list {
		list[j] = object("id", fmt.Sprintf("%sc%d_%d", p, i, j), "category", "FIELD", "type", "TEXT",
			"label", fmt.Sprintf("%s {{fields.%sc%d_%d}}", word, p, i, max(0, j-1)))
	}
	return object("id", fmt.Sprintf("%sn%d", p, i), "type", "STEP", "config", object("components", list, "next_node", fmt.Sprintf("%sn%d", p, next)))
}

// router returns a router with rules, each about another value of the first field.
func router(p, word string, i, next, rules int) *schema.Object {
	list := make([]any, rules)
	to := fmt.Sprintf("%sn%d", p, next)
	for j := range list {
		equal := object("operator", "EQ", "operands", []any{fmt.Sprintf("{{fields.%sc0_0}}", p), fmt.Sprint(word, j)})
		list[j] = object("id", fmt.Sprintf("%sr%d_%d", p, i, j), "condition", object("operator", "AND", "operands", []any{equal}), "next_node", to)
	}
	return object("id", fmt.Sprintf("%sn%d", p, i), "type", "ROUTER", "config", object("rules", list, "fallback", to))
}
