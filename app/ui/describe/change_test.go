package describe

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
)

func TestChangesAreWords(t *testing.T) {
	const start = `{"name":"F","nodes":[
		{"id":"a","type":"STEP","alias":"First","coordinates":{"x":1,"y":2},"config":{"components":[
			{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail","hint":"For receipts","required":true},
			{"id":"pay","category":"FIELD","type":"PAYMENT","label":"Pay","config":{"provider":"STRIPE","credentials":{"private_key":"hunter2"}}},
			{"id":"one","category":"FIELD","type":"DROPDOWN","label":"One","config":{"options":[{"value":"x","label":"X"},{"value":"y","label":"Y"}]}}],"next_node":"b"}},
		{"id":"b","type":"STEP","alias":"Second","config":{"components":[]}}]}`
	base := formtest.Parse(t, start)
	for _, c := range []struct{ edit, want string }{
		{`"hint":"For receipts",|`, `E-mail in First: Hint removed; it was “For receipts”`},
		{`"For receipts"|"For you"`, `E-mail in First: Hint changed from “For receipts” to “For you”`},
		{`"required":true|"required":true,"sensitive":true`, `E-mail in First: Sensitive set to “Yes”`},
		{`"next_node":"b"|"next_node":"$ending"`, `First: Goes to “Ending” instead of “Second”`},
		{`hunter2|hunter3`, `Pay in First: Private key changed`},
		{`,"next_node":"b"|`, `First: Goes to nothing instead of “Second”`},
		{`"x":1|"x":9`, `First: Moved on the canvas`},
		{`,{"value":"y","label":"Y"}|`, `One in First: Options changed`},
		{`"name":"F"|"name":"G"`, `The form: Name changed from “F” to “G”`},
		{`,
		{"id":"b","type":"STEP","alias":"Second","config":{"components":[]}}|`, `Second: Removed`},
		{`"type":"STEP","alias":"Second","config":{"components":[]}|"type":"STEP","alias":"Second","config":{"components":[{"id":"two","category":"FIELD","type":"TEXT","label":"Two"}]}`, `Two in Second: Added`},
	} {
		after := formtest.Parse(t, edited(start, c.edit))
		changes := merge.Changes(base, after)
		if len(changes) != 1 {
			t.Errorf("%s: %d changes", c.edit, len(changes))
			continue
		}
		part, icon, became := Change(base, after, &changes[0])
		if got := part + ": " + became; got != c.want || icon == "" || strings.Contains(got, "hunter") {
			t.Errorf("%s: %s (%s), want %s", c.edit, got, icon, c.want)
		}
	}
}
