package versions

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/formtest"
)

func TestSummary(t *testing.T) {
	const start = `{"name":"A","nodes":[
		{"id":"s","type":"STEP","alias":"One","coordinates":{"x":1,"y":1},"config":{"components":[
			{"id":"c","type":"TEXT","label":"Old"},{"id":"map","type":"GMAPS_ADDRESS","config":{"api_key":"KEY-1"}}]}},
		{"id":"r","type":"ROUTER","coordinates":{"x":2,"y":2},"config":{"rules":[]}}]}`
	gone := formtest.Parse(t, strings.Replace(start, `"rules":[]`, `"rules":[],"fallback":"s"`, 1))
	if got, want := summary(gone, formtest.Parse(t, start)), "r: otherwise no longer goes to another node"; got != want {
		t.Errorf("a way that is taken away: got %q, want %q", got, want)
	}
	replaced := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(start) }
	for _, tt := range []struct{ name, now, want string }{
		{"nothing", start, ""},
		{"one", replaced(`"A"`, `"B"`), `Name is now “B”`},
		{"two", replaced(`"A"`, `"B"`, `"Old"`, `"New"`), `Name is now “B”; One › Old is now “New”`},
		{"HTML", replaced(`"Old"`, `"<h2>New &amp; better</h2>"`), `One › Old is now “New & better”`},
		{"from right to left", replaced(`"A"`, `"שם"`), "Name is now “\u2068שם\u2069”"},
		{"a name", replaced(`"One"`, `"Uno"`), "One is now “Uno”"},
		{"another text", replaced(`"label":"Old"`, `"label":"Old","hint":"Yours"`), "One › Old: hint is now “Yours”"},
		{"a way", replaced(`"config":{"components"`, `"config":{"next_node":"r","components"`), "One now goes to “r”"},
		{"the way of a router", replaced(`"rules":[]`, `"rules":[],"fallback":"s"`), "r: otherwise now goes to “One”"},
		{"a step", replaced(`"nodes":[`, `"nodes":[{"id":"t","type":"STEP","alias":"Two"},`), "Two added"},
		{"a component", replaced(`{"id":"c","type":"TEXT","label":"Old"},`, ""), "One › Old removed"},
		{"a list", replaced(`"rules":[]`, `"rules":[{"id":"x","alias":"Young"}]`), "r › Young added"},
		{"a condition", replaced(`"id":"r",`, `"id":"r","other":{"a":1},`), "r: other added"},
		{"a card", replaced(`"x":1`, `"x":9`), "1 card moved on the canvas"},
		{"cards", replaced(`"x":1`, `"x":9`, `"x":2`, `"x":9`), "2 cards moved on the canvas"},
		{"cards come last", replaced(`"A"`, `"B"`, `"x":1`, `"x":9`), `Name is now “B”; 1 card moved on the canvas`},
		{"four", replaced(`"A"`, `"B"`, `"Old"`, `"New"`, `"One"`, `"Two"`, `"x":1`, `"x":9`), " and 2 more"},
		{"a secret", replaced("KEY-1", "KEY-2"), "api key changed"},
	} {
		got := summary(formtest.Parse(t, start), formtest.Parse(t, tt.now))
		if !strings.Contains(got, tt.want) || tt.want == "" && got != "" || strings.Contains(got, "KEY") {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The words of a short change leave their room to the next.
func TestInWords(t *testing.T) {
	long := strings.Repeat("x", 300)
	if got := inWords([]string{"short", long}); utf8.RuneCountInString(got) != maxSummary || !strings.HasPrefix(got, "short; xxx") {
		t.Errorf("%d characters: %s", utf8.RuneCountInString(got), got)
	}
	got := inWords([]string{strings.Repeat("ä", 300), long, "third"})
	if utf8.RuneCountInString(got) != maxSummary || !strings.HasSuffix(got, "x… and 1 more") {
		t.Errorf("%d characters: %s", utf8.RuneCountInString(got), got)
	}
	if got := inWords([]string{long, "short"}); !strings.HasSuffix(got, "…; short") || !strings.HasPrefix(got, "xxx") {
		t.Errorf("got %s", got)
	}
}
