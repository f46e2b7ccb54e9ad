package schema_test

import (
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

func TestInt(t *testing.T) {
	o := schema.NewObject(
		schema.Member{Key: "whole", Value: schema.Number("1.2e1")}, schema.Member{Key: "fraction", Value: schema.Number("1.5")},
		schema.Member{Key: "text", Value: "12"}, schema.Member{Key: "huge", Value: schema.Number("1e99")},
	)
	if n, ok := o.Int("whole"); n != 12 || !ok {
		t.Errorf("whole: %d, %t", n, ok)
	}
	for _, key := range []string{"fraction", "text", "huge", "absent"} {
		if n, ok := o.Int(key); ok {
			t.Errorf("%s: %d", key, n)
		}
	}
	if n, ok := schema.Number("").Int(); ok {
		t.Errorf("the zero Number is %d", n)
	}
}
