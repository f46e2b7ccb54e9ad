package preview_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model/schema"
)

// A text reaches the reader of the markup as it is, as an element's text and as an attribute's value, and never as markup.
func FuzzTextsAreEscaped(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, given string) {
		// The JSON of a component cannot hold invalid UTF-8; a problem and an answer can.
		it := preview.Item{
			Component: previewtest.Component(`{"id":"a","category":"FIELD","type":"TEXT","label":"A"}`), Problem: "x" + given, Answer: "x" + given,
		}
		root := screen(t, it)
		want := strings.ReplaceAll("x"+strings.ToValidUTF8(given, "\xff"), "\x00", "\ufffd")
		if got := root.with("role", "alert")[0].words; invalid(got) != invalid(want) {
			t.Errorf("got the text %q, want %q", got, want)
		}
		if got := root.with("data-field", "a")[0].all(has("value"))[0].attrs["value"]; invalid(got) != invalid(want) {
			t.Errorf("got the value %q, want %q", got, want)
		}
	})
}

// invalid returns a text with one replacement for each run of invalid bytes.
func invalid(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\xff", "\ufffd"), "\ufffd", " ")
	return strings.Join(strings.Fields(s), " ")
}

func FuzzEvents(f *testing.F) {
	for _, s := range []string{
		`{"type":"ready"}`, `{"type":"size","height":12}`, `{"type":"size","height":-1}`, `{"type":"size","height":1e99}`, `[]`, `{`,
		`{"type":"press","id":"b","answers":{"a":null,"c":[1]}}`, `{"type":"answer","id":"","answers":{}}`, `{"type":"answer","id":"a","answers":[]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, message string) {
		e, err := preview.ParseEvent(message)
		if err != nil {
			return
		}
		if e.Height < 0 || e.Type == preview.Press && (e.ID == "" || e.Answers == nil) {
			t.Errorf("got %+v", e)
		}
		for _, v := range e.Answers {
			schema.Encode(v) // panics unless it is a tree
		}
	})
}
