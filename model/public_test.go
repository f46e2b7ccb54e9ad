package model_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// secretConfig returns a config of a kind in which each secret is a mark.
func secretConfig(k *model.Kind, mark string) *schema.Object {
	var fill func(s schema.Spec) any
	fill = func(s schema.Spec) any {
		if rows, ok := s.(schema.Table); ok {
			var members []schema.Member
			for _, r := range rows {
				members = append(members, schema.Member{Key: r.Name, Value: fill(r.Spec)})
			}
			return schema.NewObject(members...)
		}
		if text, ok := s.(schema.String); ok && text.Secret {
			return mark
		}
		return "shown"
	}
	o, _ := fill(k.Config).(*schema.Object)
	return o
}

// No secret of any kind is in the public form, nor what no table knows.
func TestPublic(t *testing.T) {
	const mark = "mark-of-a-secret"
	var parts []any
	secrets := 0
	for i := range model.Kinds {
		k := &model.Kinds[i]
		config := secretConfig(k, mark).With("added_by_a_tenant", mark)
		secrets += strings.Count(string(schema.Encode(config)), mark) - 1
		parts = append(parts, schema.NewObject(
			schema.Member{Key: "id", Value: k.Type}, schema.Member{Key: "category", Value: string(k.Category)}, schema.Member{Key: "type", Value: k.Type},
			schema.Member{Key: "label", Value: "Label"}, schema.Member{Key: "config", Value: config}))
	}
	if secrets < 4 {
		t.Fatalf("the tables have %d secrets", secrets)
	}
	parts = append(parts, schema.NewObject(schema.Member{Key: "id", Value: "x"}, schema.Member{Key: "type", Value: "NEW_KIND"},
		schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: "token", Value: mark})}), "no object")
	f := model.FromTree(schema.NewObject(schema.Member{Key: "name", Value: "F"}, schema.Member{Key: "nodes", Value: []any{
		schema.NewObject(schema.Member{Key: "id", Value: "s"}, schema.Member{Key: "type", Value: "STEP"},
			schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: "components", Value: parts})}),
		"no object", schema.NewObject(schema.Member{Key: "id", Value: "r"}, schema.Member{Key: "type", Value: "ROUTER"}),
	}}))
	before := string(schema.Encode(f.Tree()))
	text := string(schema.Encode(f.Public().Tree()))
	if strings.Contains(text, mark) || !strings.Contains(text, `"shown"`) || !strings.Contains(text, `"NEW_KIND"`) || len(f.Public().Nodes) != 3 {
		t.Errorf("the public form is %s", text)
	}
	if string(schema.Encode(f.Tree())) != before {
		t.Error("the form itself was changed")
	}
	if empty := model.New("E"); empty.Public().Name != "E" {
		t.Error("an empty form is lost")
	}
}
