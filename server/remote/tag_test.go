package remote

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// The members found in a canonical text are those that a parser finds.
func FuzzMembers(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, `1`, ` {"a":1 , "b\"\\":"x\\\"}{", "c":[{"d":[]},"]"],"e":{},"":null,"a":-1.5e300}`, `{"a":true,"é":"\u0000"}`, `"{"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		text, err := canonical(src)
		if err != nil {
			return
		}
		got := membersOf(text)
		d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
		if d.PeekKind() != '{' {
			if len(got) > 0 {
				t.Errorf("%s: got %v", text, got)
			}
			return
		}
		_, _ = d.ReadToken()
		for _, m := range got {
			name, err := d.ReadToken()
			if err != nil || name.String() != m.name {
				t.Fatalf("%s: got %q, want %v", text, m.name, name)
			}
			value, err := d.ReadValue()
			if err != nil || string(value) != string(m.value) {
				t.Fatalf("%s: got %s, want %s", text, m.value, value)
			}
		}
		if d.PeekKind() != '}' {
			t.Errorf("%s: %d members", text, len(got))
		}
	})
}
