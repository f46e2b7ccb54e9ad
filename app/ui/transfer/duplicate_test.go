package transfer

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

func TestDuplicateHasItsOwnNameAndTheSameContent(t *testing.T) {
	for _, name := range []string{"Sign-up", strings.Repeat("ä", maxName), strings.Repeat("x", 400)} {
		f, err := formtest.Parse(t, `{"id":"ap_1","name":"x","nodes":[]}`).Set(schema.Path{schema.Key("name")}, name)
		if err != nil {
			t.Fatal(err)
		}
		g, err := Duplicate(f)
		if err != nil {
			t.Fatal(err)
		}
		if g.ID != "" || !strings.HasPrefix(g.Name, "Copy of ") || len(g.Nodes) != len(f.Nodes) {
			t.Errorf("the copy is %q with the id %q and %d nodes", g.Name, g.ID, len(g.Nodes))
		}
		if ps := model.CheckPatch(g.Tree()); len(ps) > 0 {
			t.Errorf("the copy of %q cannot be stored: %v", name, ps)
		}
		if want := "Copy of " + name; len(name) < 20 && g.Name != want {
			t.Errorf("the copy is called %q, want %q", g.Name, want)
		}
	}
}
