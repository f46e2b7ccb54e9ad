package formtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Shapes are the names of the forms that Worst makes: those on which the work of an analysis grows most with the size of the form.
var Shapes = []string{
	"router", "alike", "ranges", "variables", "pairs", "members", "hidden", "routers", "ring", "chain", "buttons", "step", "one", "texts",
	"options", "unknown", "languages", "types",
}

// Worst returns a form of about n nodes, components or rules in a shape.
func Worst(shape string, n int) *model.Form {
	var nodes, hidden []any
	var more []schema.Member
	rules := func(condition func(i int) any) {
		list := make([]any, n)
		for i := range list {
			list[i] = object("id", fmt.Sprint("r", i), "condition", condition(i), "next_node", model.EndingID)
		}
		nodes = append(nodes, object("id", "router", "type", "ROUTER", "config", object("rules", list, "fallback", model.EndingID)))
	}
	fields := func(id string, label func(i int) string) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = field(fmt.Sprint(id, i), label(i))
		}
		return append(list, object("id", id+"next", "category", "BLOCK", "type", "NEXT_BUTTON", "config", object("text", "Next")))
	}
	plain := func(int) string { return "Name" }
	switch shape {
	case "router":
		rules(func(i int) any { return is("EQ", "vars.v", fmt.Sprint(i)) })
	case "alike":
		rules(func(int) any { return is("EQ", "vars.v", "a") })
	case "ranges":
		rules(func(i int) any { return is("GT", "vars.v", schema.IntNumber(i)) })
	case "variables":
		nodes = append(nodes, step("step", "router", fields("f", plain)))
		rules(func(i int) any { return is("EQ", fmt.Sprint("fields.f", i), fmt.Sprint(i)) })
	case "pairs":
		rules(func(i int) any { return is("EQ", fmt.Sprint("vars.x", i), "{{vars.y}}") })
	case "members":
		rules(func(i int) any { return is("EQ", fmt.Sprint("vars.v.m", i), "a") })
	case "hidden":
		for i := range n {
			hidden = append(hidden, object("key", fmt.Sprint("f", i), "value", fmt.Sprint("Name ", i)))
		}
		rules(func(i int) any { return is("EQ", fmt.Sprint("fields.f", i), "a") })
	case "routers", "ring":
		for i := range n {
			next := fmt.Sprint("n", i+1)
			if i+1 == n {
				next = map[string]string{"routers": model.EndingID, "ring": "n0"}[shape]
			}
			rule := object("id", "r", "condition", is("EQ", fmt.Sprint("fields.f", i), "a"), "next_node", next)
			nodes = append(nodes, object("id", fmt.Sprint("n", i), "type", "ROUTER", "config", object("rules", []any{rule}, "fallback", next)))
		}
	case "types":
		for i := range n {
			nodes = append(nodes, typed(i, fmt.Sprint("n", (i+1)%n)))
		}
	case "step":
		nodes = append(nodes, step("step", model.EndingID, fields("f", plain)))
	case "options":
		options := make([]any, n)
		for i := range options {
			options[i] = object("value", strings.TrimSuffix(fmt.Sprint("option_", i+1), "_1"), "label", "Option")
		}
		choice := object("id", "f0", "category", "FIELD", "type", "DROPDOWN", "label", "Name", "config", object("options", options))
		nodes = append(nodes, step("step", model.EndingID, []any{choice}))
	case "unknown":
		nodes = append(nodes, step("step", model.EndingID, fields("f", func(i int) string { return fmt.Sprintf("Not {{fields.none%d}}", i) })))
	case "texts":
		nodes = append(nodes, step("step", "after", fields("f", plain)), step("after", model.EndingID, fields("g", func(i int) string {
			return fmt.Sprintf("After {{fields.f%d}} and {{fields.late}}", n-1-i)
		})))
	default:
		for i := range n {
			nodes = append(nodes, step(fmt.Sprint("n", i), nextOf(shape, i, n), parts(shape, i)))
		}
	}
	if shape == "languages" {
		texts := make([]schema.Member, n)
		for i := range texts {
			texts[i] = schema.Member{Key: fmt.Sprint("f", i), Value: object("label", "Name of {{fields.f0}}")}
		}
		of := object("components", schema.NewObject(texts...))
		more = []schema.Member{{Key: "translations", Value: object("de", of, "fr", of)}}
	}
	first, _ := nodes[0].(*schema.Object)
	members := []schema.Member{
		{Key: "name", Value: "Form of " + shape},
		{Key: "start", Value: object("next_node", first.Text("id"), "hidden_fields", hidden)},
		{Key: "nodes", Value: nodes},
	}
	return model.FromTree(schema.NewObject(append(members, more...)...))
}

// typed returns the i-th node of a form in which the types take turns. It has no place on the canvas.
func typed(i int, next string) *schema.Object {
	id := fmt.Sprint("n", i)
	switch i % 3 {
	case 0:
		return step(id, next, []any{field(fmt.Sprint("f", i), "Name")})
	case 1:
		return object("id", id, "type", "FLOW", "config", object("flow_id", "af_1", "next_node", next))
	default:
		rule := object("id", "r", "condition", is("EQ", fmt.Sprint("fields.f", i-2), "a"), "next_node", next)
		return object("id", id, "type", "ROUTER", "config", object("rules", []any{rule}, "fallback", next))
	}
}

// Renewed returns the form of Worst with other ids of all nodes, components and rules.
func Renewed(f *model.Form, prefix string) *model.Form {
	ids := map[string]bool{}
	for _, n := range f.Nodes {
		ids[n.ID] = true
		for i := 0; n.Component(i) != nil; i++ {
			ids[n.Component(i).ID] = true
		}
		for i := 0; n.Rule(i) != nil; i++ {
			ids[n.Rule(i).ID] = true
		}
	}
	return mapped(f, func(s string) string {
		if ids[s] {
			return prefix + s
		}
		parts := strings.Split(s, "fields.")
		for i, part := range parts[1:] {
			if id, _, _ := strings.Cut(part, "}}"); ids[id] {
				parts[i+1] = prefix + part
			}
		}
		return strings.Join(parts, "fields.")
	})
}

// Reworded returns the form of Worst with other labels and buttons.
func Reworded(f *model.Form, word string) *model.Form {
	return mapped(f, func(s string) string {
		for _, begin := range []string{"Name", "After", "Not", "Next", "Back", "Jump"} {
			if strings.HasPrefix(s, begin) {
				return word + s
			}
		}
		return s
	})
}

// mapped returns a form with every text and key changed.
func mapped(f *model.Form, change func(string) string) *model.Form {
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case string:
			return change(v)
		case []any:
			list := make([]any, len(v))
			for i := range v {
				list[i] = walk(v[i])
			}
			return list
		case *schema.Object:
			members := make([]schema.Member, 0, v.Len())
			for _, m := range v.Members() {
				members = append(members, schema.Member{Key: change(m.Key), Value: walk(m.Value)})
			}
			return schema.NewObject(members...)
		}
		return v
	}
	return model.FromTree(walk(f.Tree()).(*schema.Object))
}

// nextOf returns the next node of the i-th of n steps.
func nextOf(shape string, i, n int) string {
	switch {
	case shape == "one":
		return "n0"
	case i+1 == n:
		return model.EndingID
	}
	return fmt.Sprint("n", i+1)
}

// parts returns the components of the i-th step.
func parts(shape string, i int) []any {
	list := []any{
		field(fmt.Sprint("f", i), fmt.Sprintf("After {{fields.f%d}}", max(0, i-1))),
		object("id", fmt.Sprint("next", i), "category", "BLOCK", "type", "NEXT_BUTTON", "config", object("text", "Next")),
	}
	if shape == "buttons" {
		list = append(list,
			object("id", fmt.Sprint("back", i), "category", "BLOCK", "type", "PREVIOUS_BUTTON", "config", object("text", "Back")),
			object("id", fmt.Sprint("jump", i), "category", "BLOCK", "type", "JUMP_BUTTON", "config",
				object("text", "Jump", "next_node", fmt.Sprint("n", i/2))))
	}
	return list
}

func step(id, next string, components []any) *schema.Object {
	return object("id", id, "type", "STEP", "config", object("components", components, "next_node", next))
}

func field(id, label string) *schema.Object {
	return object("id", id, "category", "FIELD", "type", "TEXT", "label", label, "config", object())
}

// is returns a comparison of a variable with a value.
func is(operator, variable string, value any) *schema.Object {
	return object("operator", operator, "operands", []any{"{{" + variable + "}}", value})
}

// object returns an object of keys and values in turn.
func object(of ...any) *schema.Object {
	var members []schema.Member
	for i := 1; i < len(of); i += 2 {
		key, _ := of[i-1].(string)
		members = append(members, schema.Member{Key: key, Value: of[i]})
	}
	return schema.NewObject(members...)
}

// BenchmarkShapes runs an analysis on every shape, with 1,000, 10,000 and 40,000 nodes, components or rules.
func BenchmarkShapes(b *testing.B, analyze func(f *model.Form)) {
	b.Helper()
	for _, shape := range Shapes {
		for _, n := range []int{1_000, 10_000, 40_000} {
			b.Run(fmt.Sprint(shape, "/", n), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					f := Worst(shape, n) // anew, since a form remembers what was found
					b.StartTimer()
					analyze(f)
				}
			})
		}
	}
}
