package schema_test

import (
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

// Every kind of rule is covered, including those that no table has there now.
func TestArrange(t *testing.T) {
	table := schema.Table{{Name: "a", Spec: schema.Numeric{}}, {Name: "b", Spec: schema.Any{}}}
	tests := []struct {
		name      string
		spec      schema.Spec
		src, want string
	}{
		{"nullable, null", schema.Nullable{Spec: table}, `null`, `null`},
		{"nullable", schema.Nullable{Spec: table}, `{"b":1.0,"a":2.0}`, `{"a":2,"b":1.0}`},
		{"either, the table", schema.Either{Of: []schema.Spec{schema.String{}, table}}, `{"b":1.0,"a":2.0}`, `{"a":2,"b":1.0}`},
		{"either, none", schema.Either{Of: []schema.Spec{schema.String{}, schema.Bool{}}}, `2.0`, `2.0`},
		{"open", schema.Open{Rows: table}, `{"c":1.0,"b":1.0,"a":2.0}`, `{"a":2,"b":1.0,"c":1.0}`},
		{"list of maps", schema.List{Item: schema.Map{Value: schema.Numeric{}}}, `[{"b":1.0,"a":2.0},3.0]`, `[{"a":2,"b":1},3.0]`},
		{"scalars of another type", schema.Bool{}, `1.0`, `1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, ps := schema.Decode([]byte(tt.src))
			if len(ps) > 0 {
				t.Fatal(ps)
			}
			if got := string(schema.Encode(schema.Arrange(tt.spec, v))); got != tt.want {
				t.Errorf("arranged %s, want %s", got, tt.want)
			}
		})
	}
}
