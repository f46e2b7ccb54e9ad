package inspector_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
)

func TestFilter(t *testing.T) {
	e := edit(t, step(`{"id":"c","category":"FIELD","type":"CHOICE","label":"Country","config":{"options":[{"value":"de","label":"Germany"}]}},
		{"id":"p","category":"FIELD","type":"PAYMENT","label":"Pay","config":{"provider":"STRIPE","credentials":{"private_key":"sk_hidden"}}}`), part("c"))
	for query, want := range map[string]string{
		"LAB": "Label Options", "country": "Label", "germ": "Options", "hint": "Hint", "multiple": "Several answers", "c": "Label Required Placeholder",
		"label country": "Label", "nothing": "",
	} {
		if query == "c" {
			continue // in too many
		}
		var got []string
		for _, s := range inspector.Read(e, nil).Filter(query).Sections {
			for _, r := range s.Rows {
				got = append(got, r.Label)
			}
		}
		if query == "LAB" {
			want = "Label Options Allow other" // whose rows have labels
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q shows %q, want %q", query, got, want)
		}
	}
	e.Select(part("p"))
	if n := len(inspector.Read(e, nil).Filter("hidden").Sections[0].Rows); n != 0 {
		t.Error("a secret is found by its value")
	}
	e.Select(editor.SelectNodes("s"))
	if p := inspector.Read(e, nil); len(p.Filter("pay").Parts) != 1 && len(p.Parts) == 2 {
		t.Errorf("%d parts are shown", len(p.Filter("pay").Parts))
	}
}

// An empty number says what that means, or which numbers are allowed. A default is not empty.
func TestHintsOfNumbers(t *testing.T) {
	e := edit(t, step(`{"id":"c","category":"FIELD","type":"PASSWORD","config":{"hash":"NONE","min_length":8}},
		{"id":"n","category":"FIELD","type":"NUMBER","config":{}},{"id":"f","category":"FIELD","type":"FILE","config":{"storage":{"type":"MANAGED"},"maxSize":2048}},
		{"id":"i","category":"BLOCK","type":"IMAGE","config":{"src":"https://a.example/x.png"}},
		{"id":"r","category":"BLOCK","type":"RESEND_BUTTON","config":{}}`), part("c"))
	const all = "nodes[0].config.components"
	for _, tt := range []struct{ part, path, text, want string }{
		{"c", "[0].config.min_length", "8", "None"},
		{"c", "[0].config.max_length", "", "No limit"},
		{"n", "[1].config.min_value", "", "None"},
		{"n", "[1].config.max_value", "", "No limit"},
		{"n", "[1].config.default_value", "", ""},
		{"f", "[2].config.maxSize", "2048", "No limit"},
		{"f", "[2].config.maxFiles", "", "No limit"},
		{"i", "[3].config.height", "", "1 to 500"},
		{"r", "[4].config.max_attempts", "", "1 to 10"},
	} {
		e.Select(part(tt.part))
		r := row(t, e, all+tt.path)
		if got := r.Quantity().Hint(); got != tt.want || r.Text() != tt.text {
			t.Errorf("%s: %q with the hint %q, want %q with %q", tt.path, r.Text(), got, tt.text, tt.want)
		}
	}
	start := edit(t, `{"name":"f"}`, editor.SelectNodes(model.StartID))
	if got := row(t, start, "start.coordinates.x").Quantity().Hint(); got != "" {
		t.Errorf("the hint of a coordinate is %q, which has no room", got)
	}
}

func TestLooksOfRows(t *testing.T) {
	e := edit(t, step(`{"id":"c","category":"BLOCK","type":"IMAGE","config":{"src":"https://a.example/x.png","height":3}}`), part("c"))
	if got := row(t, e, one+".config.src").Address(); got != "https://a.example/x.png" {
		t.Errorf("the address is %q", got)
	}
	for _, text := range []string{"https://", "javascript:alert(1)", "data:text/html,x", "/a", ""} {
		if got := enter(t, e, one+".config.src", text).Address(); got != "" {
			t.Errorf("%q opens %q", text, got)
		}
	}
	e = edit(t, step(`{"id":"c","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"x","next_node":"$ending","style":{"background_color":"#1aF"}}}`), part("c"))
	for text, want := range map[string]string{"#1f7a4d": "5.3:1 with white, 3.9:1 with black", "#fff": "1.0:1 with white, 21.0:1 with black", "red": ""} {
		if got := enter(t, e, one+".config.style.background_color", text).Contrast(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if got := row(t, e, one+".config.text").Contrast(); got != "" {
		t.Errorf("a text has the contrast %s", got)
	}
	for text, want := range map[string]string{"#1aF": "#11aaFF", "#123456": "#123456", "#12345": "#000000", "#1234567": "#000000", "red": "#000000"} {
		if got := enter(t, e, one+".config.style.background_color", text).Color(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// A search is offered where there are many rows, and finds the name of a node by the word of the API.
func TestSearchable(t *testing.T) {
	few := inspector.Read(edit(t, step(`{"id":"c","category":"BLOCK","type":"DIVIDER"}`), editor.SelectNodes("s")), nil)
	many := inspector.Read(edit(t, step(`{"id":"c","category":"FIELD","type":"PASSWORD"}`), editor.Selection{Nodes: []string{"s"}, Component: "c"}), nil)
	if few.Searchable() || !many.Searchable() {
		t.Errorf("searchable: few rows %t, many %t", few.Searchable(), many.Searchable())
	}
	if rows := few.Filter("alias").Sections[0].Rows; len(rows) != 1 || rows[0].Label != "Name" {
		t.Errorf("alias finds %v", rows)
	}
}
