package scenarios

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func TestReasonsNameWhatTheyAreAbout(t *testing.T) {
	read := func(text string) *model.Form {
		v, problems := schema.Decode([]byte(text))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return model.FromTree(v.(*schema.Object))
	}
	now := read(`{"name":"f","nodes":[{"id":"ask","type":"STEP","alias":"About you","config":{"components":[{"id":"age","category":"FIELD","type":"NUMBER","label":"Your age"}]}},
		{"id":"age","type":"STEP","alias":"Too young"}]}`)
	saved := read(`{"name":"f","nodes":[{"id":"minor","type":"STEP","alias":"For minors"}]}`)
	for text, want := range map[string]string{
		`Step 2 is for "age", but the run is at "ask".`:                "Step 2 is for “Too young”, but the run is at “About you”.",
		`Step 1: the answer of "age" is refused: No.`:                  "Step 1: the answer of “Your age” is refused: No.",
		"Step 2 needs the node “minor”, which the form does not have.": "Step 2 needs the node “For minors”, which the form does not have.",
		`Step 3: node "ask" has no field "mail".`:                      "Step 3: node “About you” has no field \"mail\".",
		`Step 3: node "gone" has no button "ask".`:                     `Step 3: node "gone" has no button "ask".`,
		`Step 1: the answer of "age" is refused: Say "yes.`:            `Step 1: the answer of “Your age” is refused: Say "yes.`,
		`There is no further step, and the run is at "ask".`:           "There is no further step, and the run is at “About you”.",
		`The answer of "age" is refused: Say "ask" or “ask`:            `The answer of “Your age” is refused: Say “About you” or “ask`,
		"": "",
	} {
		if got := named(now, saved, text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}
