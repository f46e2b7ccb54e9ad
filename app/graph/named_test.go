package graph_test

import (
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

const named = `{"name":"N","start":{"next_node":"s"},"nodes":[
	{"id":"s","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[
		{"id":"text_1","category":"FIELD","type":"TEXT","label":"Age","config":{}},
		{"id":"text_2","category":"FIELD","type":"TEXT","label":"Name","config":{}},
		{"id":"land","category":"FIELD","type":"DROPDOWN","label":"Country","config":{"options":[{"value":"de","label":"Germany"},{"value":"fr","label":"France"}]}}]}},
	{"id":"age","type":"ROUTER","coordinates":{"x":400,"y":0},"config":{"rules":[
		{"id":"r","condition":{"operator":"EQ","operands":["{{fields.text_1}}",18]},"next_node":"$ending"}]}},
	{"id":"land_router","type":"ROUTER","coordinates":{"x":400,"y":300},"config":{"rules":[
		{"id":"r","alias":"Near","condition":{"operator":"EQ","operands":["{{fields.land}}","de"]}}]}},
	{"id":"t","type":"STEP","coordinates":{"x":0,"y":600},"config":{"components":[]}}]}`

func set(t *testing.T, f *model.Form, path string, value any) *model.Form {
	t.Helper()
	g, err := f.Set(formtest.Path(t, path), value)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Rules show fields by their labels. A card is laid out again when the labels in it change, and only then.
func TestCardsFollowTheNamesOfFields(t *testing.T) {
	f := graphtest.Form(t, named)
	s := graph.New(f)
	shown := func() string {
		near := s.Card("land_router").Rows[0]
		below := ""
		for _, w := range near.Below() {
			below += " " + w.Text
		}
		return s.Card("age").Rows[0].Text() + ";" + below + "; " + s.Edge("age", model.RulePort("r")).Label(32)
	}
	for _, step := range []struct {
		name, path string
		value      any
		want       string
		age, land  bool // which cards are laid out again
	}{
		{"at first", "name", "M", "Age equals 18; Country equals Germany; Age equals 18", false, false},
		{"another name", "nodes[0].config.components[1].label", "Family name", "Age equals 18; Country equals Germany; Age equals 18", false, false},
		{"its name", "nodes[0].config.components[0].label", "Years", "Years equals 18; Country equals Germany; Years equals 18", true, false},
		{
			"the same name twice", "nodes[0].config.components[1].label", "Years",
			"Years (text_1) equals 18; Country equals Germany; Years (text_1) equals 18", true, false,
		},
		{
			"an option", "nodes[0].config.components[2].config.options[0].label", "Deutschland",
			"Years (text_1) equals 18; Country equals Deutschland; Years (text_1) equals 18", false, true,
		},
		{
			"another option", "nodes[0].config.components[2].config.options[0].value", "at",
			"Years (text_1) equals 18; Country equals de; Years (text_1) equals 18", false, true,
		},
		{"no name", "nodes[0].config.components[0].label", "", "fields.text_1 equals 18; Country equals de; fields.text_1 equals 18", true, false},
		{
			"a component more in another step", "nodes[3].config.components",
			[]any{schema.NewObject(schema.Member{Key: "id", Value: "x"}, schema.Member{Key: "label", Value: "Country"})},
			"fields.text_1 equals 18; Country (land) equals de; fields.text_1 equals 18", false, true,
		},
	} {
		t.Run(step.name, func(t *testing.T) {
			age, land, rev := s.Card("age").Content, s.Card("land_router").Content, s.Rev()
			g := set(t, f, step.path, step.value)
			s.Update(g)
			f = g
			if got := shown(); got != step.want {
				t.Errorf("the cards show %s, want %s", got, step.want)
			}
			if (s.Card("age").Content != age) != step.age || (s.Card("land_router").Content != land) != step.land {
				t.Error("the wrong cards were laid out again")
			}
			if (step.age || step.land) && s.Rev() == rev {
				t.Error("the revision of the scene is the same")
			}
		})
	}
}

// After random edits, the words of an updated scene are those of a new one.
func TestNamesOfAnUpdateEqualNew(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	f := graphtest.Form(t, named)
	s := graph.New(f)
	labels := []string{"Age", "Name", "", "Country"}
	ids := []string{"text_1", "text_2", "land", "other"}
	for i := range 500 {
		of := "nodes[0].config.components[" + string(rune('0'+rnd.IntN(3))) + "]"
		switch rnd.IntN(5) {
		case 0:
			f = set(t, f, of+".label", labels[rnd.IntN(len(labels))])
		case 1:
			f = set(t, f, of+".id", ids[rnd.IntN(len(ids))])
		case 2:
			f = set(t, f, "nodes[1].config.rules[0].condition.operands[0]", "{{fields."+ids[rnd.IntN(len(ids))]+"}}")
		case 3:
			f = set(t, f, "nodes[0].config.components[2].config.options[0].label", labels[rnd.IntN(len(labels))])
		case 4:
			f = set(t, f, "nodes[3].id", "n"+ids[rnd.IntN(len(ids))])
		}
		s.Update(f)
		got, want := describe(s), describe(graph.New(model.FromTree(f.Tree())))
		if at := firstDifference(got, want); at >= 0 {
			t.Fatalf("edit %d, line %d: got %s, want %s", i, at, got[at], want[at])
		}
	}
}
