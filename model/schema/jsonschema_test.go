package schema_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

var (
	patterned = &schema.Format{Name: "hex", Pattern: "^#[0-9a-f]+$"}
	bare      = &schema.Format{Name: "bare"}
	near      = &schema.Format{Name: "near"}
	pair      = schema.Table{{Name: "a", Spec: schema.Bool{}, Required: true}, {Name: "b", Spec: schema.Any{}, Label: "Bee", Doc: "A letter."}}
)

func TestJSONSchema(t *testing.T) {
	arms := schema.Union{Tag: "t", Arms: []schema.Arm{{Tag: "X", Aliases: []string{"x1", "x2"}, Spec: pair}, {Tag: "Y", Spec: schema.Table{}}}}
	const pairText = `"type":"object","properties":{"a":{"title":"A","type":"boolean"},"b":{"title":"Bee","description":"A letter."}},` +
		`"required":["a"],"additionalProperties":`
	for _, x := range []struct {
		name string
		spec schema.Spec
		want string
	}{
		{"table", pair, pairText + `false`},
		{"empty table", schema.Table{}, `"type":"object","additionalProperties":false`},
		{"open", schema.Open{Rows: pair}, pairText + `true`},
		{"open of nothing", schema.Open{}, `"type":"object","additionalProperties":true`},
		{"map", schema.Map{Value: schema.Bool{}}, `"type":"object","additionalProperties":{"type":"boolean"}`},
		{"map of anything", schema.Map{Value: schema.Any{}}, `"type":"object","additionalProperties":true`},
		{"text", schema.String{}, `"type":"string"`},
		{"bounded text", schema.String{Min: 1, Max: 5}, `"type":"string","minLength":1,"maxLength":5`},
		{"secret", schema.String{Secret: true}, `"type":"string","writeOnly":true`},
		{"how the screen shows it", schema.String{Multiline: true, Code: schema.CSS}, `"type":"string"`},
		{"format", schema.String{Max: 9, Format: patterned}, `"type":"string","format":"hex","pattern":"^#[0-9a-f]+$","maxLength":9`},
		{"format that no pattern says", schema.String{Format: bare}, `"type":"string","format":"bare"`},
		{"format that a pattern says nearly", schema.String{Format: near}, `"type":"string","format":"near","pattern":"^n","$comment":"More."`},
		{"number", schema.Numeric{}, `"type":"number"`},
		{"bounded number", schema.Numeric{Min: "0.01", Max: "1e3"}, `"type":"number","minimum":0.01,"maximum":1e3`},
		{"integer from zero", schema.Numeric{Min: "0", Integer: true}, `"type":"integer","minimum":0`},
		{"enum", schema.Enum{"B", "A"}, `"enum":["B","A"]`},
		{"true", schema.True{}, `"const":true`},
		{"anything", schema.Any{}, ``},
		{"list", schema.List{Item: schema.Bool{}}, `"type":"array","items":{"type":"boolean"}`},
		{"list of two", schema.List{Item: schema.Any{}, Min: 2}, `"type":"array","items":true,"minItems":2`},
		{"nullable", schema.Nullable{Spec: schema.Bool{}}, `"anyOf":[{"type":"boolean"},{"type":"null"}]`},
		{"either", schema.Either{Of: []schema.Spec{schema.Bool{}, schema.Numeric{}}}, `"anyOf":[{"type":"boolean"},{"type":"number"}]`},
		{
			"union", arms,
			`"type":"object","properties":{"t":{"enum":["X","x1","x2","Y"]}},"required":["t"],"allOf":[` +
				`{"if":{"type":"object","properties":{"t":{"enum":["X","x1","x2"]}},"required":["t"]},"then":{` + pairText + `false}},` +
				`{"if":{"type":"object","properties":{"t":{"enum":["Y"]}},"required":["t"]},"then":{"type":"object","additionalProperties":false}}]`,
		},
		{
			"choice",
			schema.Choice{Tag: "t", Options: []schema.Option{{Tag: "X", Row: schema.Row{Name: "own", Spec: schema.Bool{}}}}},
			`"type":"object","properties":{"t":{"enum":["X"]}},"required":["t"],"allOf":[` +
				`{"if":{"type":"object","properties":{"t":{"enum":["X"]}},"required":["t"]},"then":` +
				`{"type":"object","properties":{"t":{"title":"T","enum":["X"]},"own":{"title":"Own","type":"boolean"}},"required":["t","own"],` +
				`"additionalProperties":false}}]`,
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := schema.Printer{Near: []schema.Near{{Format: near, Pattern: "^n", Comment: "More."}, {Format: patterned, Pattern: "^never$"}}}
			if got := string(schema.Encode(p.JSONSchema(x.spec))); got != "{"+x.want+"}" {
				t.Errorf("\n got %s\nwant {%s}", got, x.want)
			}
		})
	}
}

// A definition is referred to wherever its literal occurs, is printed once, and does
// not refer to itself.
func TestJSONSchemaDefs(t *testing.T) {
	list := []schema.Spec{schema.Bool{}, schema.Numeric{}}
	arms := []schema.Arm{{Tag: "X", Spec: pair}}
	options := []schema.Option{{Tag: "X", Row: schema.Row{Name: "own", Spec: schema.Bool{}}}}
	enum := schema.Enum{"A", "B"}
	for _, x := range []struct {
		name      string
		def, spec schema.Spec
		want      bool
	}{
		{"table", pair, pair, true},
		{"rows of another literal", pair, schema.Table{pair[0], pair[1]}, false},
		{"fewer of the rows", pair, pair[:1], false},
		{"a table and an open one", pair, schema.Open{Rows: pair}, false},
		{"open", schema.Open{Rows: pair}, schema.Open{Rows: pair}, true},
		{"open and a table", schema.Open{Rows: pair}, pair, false},
		{"map", schema.Map{Value: pair}, schema.Map{Value: pair}, true},
		{"map of another", schema.Map{Value: pair}, schema.Map{Value: schema.Bool{}}, false},
		{"text", schema.String{Max: 3}, schema.String{Max: 3}, true},
		{"text of another bound", schema.String{Max: 3}, schema.String{Max: 4}, false},
		{"text of another format", schema.String{Format: bare}, schema.String{Format: near}, false},
		{"text and a table", schema.String{}, pair, false},
		{"number", schema.Numeric{Min: "1"}, schema.Numeric{Min: "1"}, true},
		{"number and text", schema.Numeric{}, schema.String{}, false},
		{"enum", enum, enum, true},
		{"enum of another literal", enum, schema.Enum{"A", "B"}, false},
		{"list", schema.List{Item: pair}, schema.List{Item: pair}, true},
		{"list of another length", schema.List{Item: pair}, schema.List{Item: pair, Min: 1}, false},
		{"list of another", schema.List{Item: pair}, schema.List{Item: enum}, false},
		{"nullable", schema.Nullable{Spec: pair}, schema.Nullable{Spec: pair}, true},
		{"nullable and not", schema.Nullable{Spec: pair}, schema.Bool{}, false},
		{"either", schema.Either{Of: list}, schema.Either{Of: list}, true},
		{"either of another", schema.Either{Of: list}, schema.Either{Of: list[:1]}, false},
		{"union", schema.Union{Tag: "t", Arms: arms}, schema.Union{Tag: "t", Arms: arms}, true},
		{"union by another tag", schema.Union{Tag: "t", Arms: arms}, schema.Union{Tag: "u", Arms: arms}, false},
		{"choice", schema.Choice{Tag: "t", Options: options}, schema.Choice{Tag: "t", Options: options}, true},
		{"choice by another tag", schema.Choice{Tag: "t", Options: options}, schema.Choice{Tag: "u", Options: options}, false},
		{"two empty tables are not one", schema.Table{}, schema.Table{}, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := schema.Printer{Defs: []schema.Def{{Name: "d-1", Title: "Dee", Doc: "A def.", Spec: x.def}}}
			const ref = `"$ref":"#/$defs/d-1"`
			// At each place where a spec can occur.
			whole := schema.Table{
				{Name: "row", Spec: x.spec},
				{Name: "map", Spec: schema.Map{Value: x.spec}},
				{Name: "list", Spec: schema.List{Item: x.spec, Min: 7}},
				{Name: "nullable", Spec: schema.Nullable{Spec: x.spec}},
				{Name: "either", Spec: schema.Either{Of: []schema.Spec{x.spec}}},
				{Name: "union", Spec: schema.Union{Tag: "t", Arms: []schema.Arm{{Tag: "X", Spec: x.spec}}}},
				{Name: "choice", Spec: schema.Choice{Tag: "t", Options: []schema.Option{{Tag: "X", Row: schema.Row{Name: "own", Spec: x.spec}}}}},
			}
			o := p.JSONSchema(whole)
			want := 0
			if x.want {
				want = 7
			}
			if got := strings.Count(string(schema.Encode(o.Without("$defs"))), ref); got != want {
				t.Errorf("got %d references, want %d in %s", got, want, schema.Encode(o))
			}
			def := o.Object("$defs").Object("d-1")
			if m := o.Members(); m[len(m)-1].Key != "$defs" || def.Text("title") != "Dee" || def.Text("description") != "A def." || def.Has("$ref") {
				t.Errorf("got the definition %s", schema.Encode(def))
			}
			if o := p.JSONSchema(x.spec); o.Has("$ref") {
				t.Errorf("the whole refers: %s", schema.Encode(o))
			}
		})
	}
}
