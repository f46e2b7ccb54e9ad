package style

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
)

// The values of both themes are those of the preview.
func TestValuesOfThePreview(t *testing.T) {
	css, err := os.ReadFile("../../../web/static/preview.css")
	if err != nil {
		t.Fatal(err)
	}
	var themes [2]map[string]string
	for i, start := range []string{":root {", `:root[data-theme="dark"] {`} {
		_, rest, _ := strings.Cut(string(css), start)
		rule, _, _ := strings.Cut(rest, "\n}")
		themes[i] = map[string]string{}
		for _, m := range regexp.MustCompile(`(--[\w-]+): ([^;]+);`).FindAllStringSubmatch(rule, -1) {
			themes[i][m[1]] = m[2]
		}
	}
	for _, g := range groups {
		for _, v := range g.variables {
			if themes[0][v.name] != v.value || themes[1][v.name] != v.dark {
				t.Errorf("%s is %q and %q, in the preview %q and %q", v.name, v.value, v.dark, themes[0][v.name], themes[1][v.name])
			}
		}
	}
	for i, page := range pages {
		if themes[i]["--fg-page"] != page {
			t.Errorf("page %d is %s, in the preview %s", i, page, themes[i]["--fg-page"])
		}
	}
}

// A variable may be the value of another one, and is then judged as that one.
func TestColorOfAVariable(t *testing.T) {
	s := parse(":root { --hint-font-color: var(--font-color); --a: var( --b ); --b: var(--a) }")
	if c, ok := colorIn(s, "--hint-font-color", true); !ok || c.hexOf() != "#f0f0ec" {
		t.Errorf("the color is %v, %t", c, ok)
	}
	if _, ok := colorIn(s, "--a", false); ok {
		t.Error("a circle has a color")
	}
}

// The samples begin with those by which a style is judged, and each says what it is.
func TestSamples(t *testing.T) {
	list := samples()
	var kinds []string
	for i, c := range list {
		if strings.HasSuffix(c.ID, "_caption") {
			continue
		}
		kinds = append(kinds, c.Type)
		said := c.Label
		if i > 0 && strings.HasSuffix(list[i-1].ID, "_caption") {
			said = list[i-1].Config().Text("content")
		}
		if !strings.Contains(said, c.Kind.Label) {
			t.Errorf("%s says %q", c.Type, said)
		}
	}
	if got := strings.Join(kinds[:3], " "); got != "RICH_TEXT TEXT NEXT_BUTTON" || len(kinds) != len(model.Kinds) {
		t.Errorf("%d of %d samples, from %s", len(kinds), len(model.Kinds), got)
	}
}
