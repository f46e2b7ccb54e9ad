package style

import (
	"testing"

	"github.com/formgraph/formgraph/server/templates"
)

// People can read every template in both themes.
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
	}
}
