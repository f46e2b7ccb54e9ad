package editor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
)

// What deleting breaks is counted: nodes behind it, ways to it, and templates that read its fields.
func TestDamage(t *testing.T) {
	const form = `{"start":{"next_node":"a"},"nodes":[
 {"id":"a","type":"STEP","config":{"components":[{"id":"mail","category":"FIELD","type":"EMAIL"},
  {"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"b"}},
 {"id":"b","type":"FLOW","config":{"flow_id":"af_1","next_node":"c"}},
 {"id":"c","type":"STEP","config":{"components":[{"id":"text","category":"BLOCK","type":"RICH_TEXT","config":{"content":"{{fields.mail}}"}},
  {"id":"on","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"{{ fields.mail }}"}}],"next_node":"$ending"}},
 {"id":"lost","type":"FLOW","config":{"flow_id":"af_1","next_node":"lost2"}},{"id":"lost2","type":"FLOW","config":{"flow_id":"af_1"}}]}`
	for name, tt := range map[string]struct {
		sel  editor.Selection
		join bool
		want editor.Damage
	}{
		"in the middle":           {editor.SelectNodes("b"), false, editor.Damage{Unreachable: 1, DeadEnds: 1}},
		"closing the gap":         {editor.SelectNodes("b"), true, editor.Damage{}},
		"with a field":            {editor.SelectNodes("a"), true, editor.Damage{References: 2}},
		"the reader too":          {editor.SelectNodes("a", "c"), true, editor.Damage{}},
		"a field":                 {editor.Selection{Nodes: []string{"a"}, Component: "mail"}, false, editor.Damage{References: 2}},
		"a text":                  {editor.Selection{Nodes: []string{"c"}, Component: "text"}, false, editor.Damage{}},
		"an unreachable node":     {editor.SelectNodes("lost"), false, editor.Damage{}},
		"the last one":            {editor.SelectNodes("c"), false, editor.Damage{DeadEnds: 1}},
		"what is not in the form": {editor.Selection{}, false, editor.Damage{}},
	} {
		e, _ := newEditor(t, form)
		e.Select(tt.sel)
		before := e.State()
		if got := e.Damage(editor.RemoveSelection{Join: tt.join}); got != tt.want || e.State().Form != before.Form {
			t.Errorf("%s: got %+v, want %+v", name, got, tt.want)
		}
	}
}

// BenchmarkDamage deletes the first of 1,000 nodes whose field all others read: what a menu waits for when it opens.
func BenchmarkDamage(b *testing.B) {
	var nodes []string
	for i := range 1000 {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","config":{"components":[{"id":"f%d","category":"FIELD","type":"TEXT","label":`+
			`"{{fields.f0}}"},{"id":"b%d","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"n%d"}}`, i, i, i, i+1))
	}
	e, _ := newEditor(b, `{"start":{"next_node":"n0"},"nodes":[`+strings.Join(nodes, ",")+`]}`)
	e.Select(editor.SelectNodes("n0"))
	for b.Loop() {
		if got := e.Damage(editor.RemoveSelection{}); got.Unreachable != 999 || got.References != 999 {
			b.Fatalf("got %+v", got)
		}
	}
}
