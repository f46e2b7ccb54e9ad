package editor_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

// faulty has a fault of each kind for which there is a fix.
const faulty = `{"name":"Faulty","nodes":[
	{"id":"a","type":"STEP","config":{"components":[
		{"id":"x","category":"FIELD","type":"TEXT","label":"T","config":{"max_length":5}},
		{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}],"next_node":"gone"}},
	{"id":"a","type":"STEP","config":{"components":[
		{"id":"x","category":"FIELD","type":"TEXT","label":"Again"},
		{"id":"img","category":"FIELD","type":"CARDS","label":"C","config":{"options":[
			{"value":"a","label":"A","image_url":"http://example.org/a.png"}]}},
		{"id":"next2","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}]}},
	{"id":"b","type":"STEP","config":{"components":[{"id":"y","category":"FIELD","type":"TEXT","label":"Y"}],"next_node":"a"}}],
	"start":{"next_node":"b"}}`

// Every fix removes its problem as one undo step and adds none.
func TestFixesRemoveTheirProblems(t *testing.T) {
	e, _ := newEditor(t, faulty)
	all := append(e.Found().Problems(), e.Found().Warnings()...)
	fixed := map[schema.Code]bool{}
	for _, p := range all {
		fix, ok := e.Make().Fix(p)
		if !ok {
			continue
		}
		fixed[p.Code] = true
		one, _ := newEditor(t, faulty)
		before := len(one.Found().Problems())
		if err := one.Run(fix.Command); err != nil {
			t.Errorf("%s: %v", fix.Name, err)
			continue
		}
		for _, q := range append(one.Found().Problems(), one.Found().Warnings()...) {
			if q.Code == p.Code && q.Path.Equal(p.Path) {
				t.Errorf("%s: the problem is still there: %v", fix.Name, q)
			}
		}
		if n := len(one.Found().Problems()); n > before {
			t.Errorf("%s: %d problems became %d: %v", fix.Name, before, n, one.Found().Problems())
		}
		if one.Undo(); dump(one.State()) != dump(e.State()) {
			t.Errorf("%s: undo does not restore the form", fix.Name)
		}
	}
	for _, c := range []schema.Code{schema.CodeUnknownNode, schema.CodeNoButton, schema.CodeDuplicateID, schema.CodeFormat} {
		if !fixed[c] {
			t.Errorf("there is no fix for %s in %v", c, all)
		}
	}
}

// Fixing all makes only the sure ones, together as one step.
func TestFixAllIsOneStep(t *testing.T) {
	e, _ := newEditor(t, faulty)
	c, n := e.Make().FixAll(append(e.Found().Problems(), e.Found().Warnings()...))
	if n != 4 {
		t.Errorf("%d fixes are sure, want 4: %v", n, e.Found().Problems())
	}
	was := dump(e.State())
	if err := e.Run(c); err != nil {
		t.Fatal(err)
	}
	if left, m := e.Make().FixAll(append(e.Found().Problems(), e.Found().Warnings()...)); m != 0 {
		t.Errorf("%d are left: %v", m, left)
	}
	if len(e.Found().Problems()) != 0 {
		t.Errorf("problems: %v", e.Found().Problems())
	}
	if e.Undo(); dump(e.State()) != was {
		t.Error("one undo does not restore the form")
	}
}

// A text past its limit is cut, and a dead end is led to the ending, but only when the author asks for it.
func TestFixesThatNeedAnEye(t *testing.T) {
	e, _ := newEditor(t, `{"name":"N","nodes":[{"id":"f","type":"FLOW","alias":"`+strings.Repeat("x", 170)+`","config":{"flow_id":"af_1"}}],"start":{"next_node":"f"}}`)
	seen := map[string]bool{}
	for _, p := range append(e.Found().Problems(), e.Found().Warnings()...) {
		if fix, ok := e.Make().Fix(p); ok {
			seen[fix.Name] = !fix.Sure
		}
	}
	for _, name := range []string{"Shorten the text", "Connect to the ending"} {
		if !seen[name] {
			t.Errorf("%q is not offered, or is made without asking: %v; %v", name, seen, e.Found().Problems())
		}
	}
}
