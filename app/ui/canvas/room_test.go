package canvas

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

// A row is marked long if its text may be wider than the card, given the space
// taken by the elements beside it.
func TestRowFits(t *testing.T) {
	const chars = 26 // just fits beside an icon, at 8.3 each
	row := func(n int) graph.Row {
		return graph.Row{Icon: "text", Words: []graph.Word{{Text: strings.Repeat("a", n)}}}
	}
	tests := []struct {
		name   string
		change func(*graph.Row)
		bad    bool
		fewer  int // the number of characters that still fit
	}{
		{"alone", func(*graph.Row) {}, false, 0},
		{"bad", func(*graph.Row) {}, true, 3},
		{"required", func(r *graph.Row) { r.Required = true }, false, 1},
		{"sensitive", func(r *graph.Row) { r.Sensitive = true }, false, 3},
		{"warns", func(r *graph.Row) { r.Warn = true }, false, 3},
		{"a rule's number for an icon", func(r *graph.Row) { r.Icon, r.Kind = "", graph.RuleRow }, false, 0},
		{"a fallback's gap for an icon", func(r *graph.Row) { r.Icon, r.Kind = "", graph.FallbackRow }, false, 0},
	}
	for _, tt := range tests {
		for _, more := range []int{0, 1} {
			r := row(chars - tt.fewer + more)
			tt.change(&r)
			if got := rowFits(&r, r.Words, tt.bad, 0); got != (more == 0) {
				t.Errorf("%s, %d characters: fits is %v", tt.name, len(r.Words[0].Text), got)
			}
		}
	}
	values := graph.Row{Kind: graph.RuleRow, Words: []graph.Word{{Text: "is"}, {Text: strings.Repeat("v", 26), Value: true}}}
	if rowFits(&values, values.Words, false, 0) {
		t.Error("a value of 26 characters fits beside a word")
	}
}

func TestHeadFits(t *testing.T) {
	head := func(title string, problems int) bool {
		return headFits(look{content: &graph.Content{Kind: graph.StepKind, Title: title}, trouble: trouble{count: problems}})
	}
	switch {
	case !head("Your address", 0):
		t.Error("a short name does not fit")
	case head("A name of many words, all of them", 0):
		t.Error("a long name fits")
	case head("Your address at work", 1) || !head("Your address at work", 0):
		t.Error("problems take no room")
	case !headFits(look{content: &graph.Content{Kind: graph.StartKind, Title: strings.Repeat("S", 40)}}):
		t.Error("the start is cut")
	}
}

// Only texts that do not fit are marked, in the head and in the rows.
func TestLongLines(t *testing.T) {
	for title, long := range map[string]bool{"Address": false, "The address of the place where you live": true} {
		c := &graph.Content{Kind: graph.StepKind, Title: title, Rows: []graph.Row{{Words: []graph.Word{{Text: title + title}}}}}
		got := string(appendInner(nil, look{content: c, id: "a", row: -1}))
		if strings.Contains(got, `"cv-head cv-long"`) != long || strings.Contains(got, `"cv-row cv-long"`) != long {
			t.Errorf("%s: %s", title, got)
		}
	}
}

func TestCharWidth(t *testing.T) {
	for text, want := range map[string]int{"il. ": 17, "aE": 18, "mW": 26, "ü漢": 28, "09": 17, "": 0} {
		if got := textWidth(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}
