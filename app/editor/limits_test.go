package editor

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

// nested returns a form nested to a depth, including the form
// itself.
func nested(depth int, wrap func(any) any) *schema.Object {
	v := any("x")
	for range depth - 1 {
		v = wrap(v)
	}
	return schema.NewObject(schema.Member{Key: "v", Value: v})
}

func inList(v any) any   { return []any{v} }
func inObject(v any) any { return schema.NewObject(schema.Member{Key: "k", Value: v}) }

// listed returns a form with a number of values.
func listed(values int) *schema.Object {
	list := make([]any, values-2)
	for i := range list {
		list[i] = schema.Number("1")
	}
	return schema.NewObject(schema.Member{Key: "v", Value: list})
}

// long returns a form with a number of bytes of text.
func long(bytes int) *schema.Object {
	return schema.NewObject(schema.Member{Key: "v", Value: strings.Repeat("x", bytes-len(`{"v":""}`))})
}

// The limits are those of decoding: the largest form that passes here can be
// decoded, and the next larger one cannot.
func TestWithinLimits(t *testing.T) {
	for _, tt := range []struct {
		name string
		tree *schema.Object
		want string
	}{
		{"lists, as deep as may be", nested(schema.MaxDepth, inList), ""},
		{"lists, too deep", nested(schema.MaxDepth+1, inList), "too large: the form would be nested 65 deep, at most 64"},
		{"objects, as deep as may be", nested(schema.MaxDepth, inObject), ""},
		{"objects, too deep", nested(schema.MaxDepth+1, inObject), "too large: the form would be nested 65 deep, at most 64"},
		{"as many values as may be", listed(schema.MaxValues), ""},
		{"one value too many", listed(schema.MaxValues + 1), "too large: the form would hold 200001 values, at most 200000"},
		{"as long as may be", long(schema.MaxBytes), ""},
		{"one byte too long", long(schema.MaxBytes + 1), "too large: the form would be of 4194305 bytes, at most 4194304"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := WithinLimits(tt.tree); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if _, ps := schema.Decode(schema.Encode(tt.tree)); (len(ps) == 0) != (tt.want == "") {
				t.Errorf("schema.Decode says %v", ps)
			}
		})
	}
}

// Without escapes the count of bytes is exact.
func TestSizeMatchesTheText(t *testing.T) {
	for _, src := range []string{
		`{}`, `{"a":[]}`, `{"a":{}}`, `{"a":[1,-2.5e3,true,null,"é"],"bc":{"d":"","ef":[[],{}]}}`, `{"日本":"x","a":[{"b":1},{"c":null}]}`,
	} {
		v, ps := schema.Decode([]byte(src))
		if len(ps) > 0 {
			t.Fatal(ps)
		}
		var z size
		z.add(v, 1)
		if got := schema.Encode(v); z.bytes != len(got) {
			t.Errorf("%d bytes, want %d of %s", z.bytes, len(got), got)
		}
	}
}
