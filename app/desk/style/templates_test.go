package style

import (
	"testing"

	"github.com/formgraph/formgraph/server/templates"
)

// People can read every template in both themes, also the links in its texts, which have the accent as their color.
func TestTemplatesCanBeRead(t *testing.T) {
	list, err := templates.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range list {
		f, err := of.Form()
		if err != nil {
			t.Fatal(err)
		}
		p := Page{sheet: parse(f.Tree().Object("style").Text("css"))}
		if low := p.contrasts(); len(low) > 0 || len(p.sheet.faults) > 0 {
			t.Errorf("%s: %v %v", of.ID, low, p.sheet.faults)
		}
		for i, page := range pages {
			dark := i > 0
			link, ok := colorIn(p.sheet, "--primary-color", dark)
			ground, _ := colorOf(page)
			if c := contrastOf(link, ground); !ok || c < 4.5 {
				t.Errorf("%s: links have a contrast of %.1f:1 in the %s theme", of.ID, c, themeOf(dark))
			}
		}
	}
}
