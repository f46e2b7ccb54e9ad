package translate_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

const orphaned = `{"name":"f","languages":{"primary":"en"},"nodes":[{"id":"s","type":"STEP","config":{"components":[
	{"id":"y","category":"FIELD","type":"TEXT","label":"Year"},
	{"id":"c","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"r","label":"R"},{"value":"g","label":"G"}]}}]}}],
	"translations":{"de":{"components":{"gone":{"label":"Weg"},"y":{"label":2026},
		"c":{"config":{"options":[{"value":"x","label":"X"},{"label":"Grün"}]}}},"messages":{"custom":{"old":"Alt"}},"later":1},
		"fr":{"components":{"gone":{"label":"Parti"}}},"EN":{"components":{"y":{"label":"Anno"}}}}}`

// Each is removed alone, and all of them at once, without another change of what people see. A language stays without texts.
func TestRemoveOrphans(t *testing.T) {
	const left = `{"de":{"components":{"c":{"config":{"options":[{},{"label":"Grün"}]}}},"later":1},"fr":{}}`
	f := parse(t, orphaned)
	orphans := answer.Orphans(f)
	paths := make([]schema.Path, len(orphans))
	for i, o := range orphans {
		paths[i] = o.Path
		next, err := translate.RemoveOrphans{Paths: []schema.Path{o.Path}}.Do(editor.State{Form: f})
		if err != nil {
			t.Fatal(err)
		}
		if now := answer.Orphans(next.Form); len(now) != len(orphans)-1 {
			t.Errorf("without %s there are %v", o.Path, now)
		}
	}
	if len(orphans) != 6 {
		t.Fatalf("orphans %v", orphans)
	}
	next, err := translate.RemoveOrphans{Paths: paths}.Do(editor.State{Form: f})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(schema.Encode(next.Form.Tree().Object("translations"))); got != left {
		t.Errorf("left %s\nwant %s", got, left)
	}
	c := next.Form.Nodes[0].Component(1)
	if was, now := answer.In(f, "de").Component(c), answer.In(next.Form, "de").Component(c); !schema.Equal(was, now) {
		t.Errorf("people see %s, and saw %s", schema.Encode(now), schema.Encode(was))
	}
	// A second time, nothing is there. The last of all takes the property along.
	if again, err := (translate.RemoveOrphans{Paths: paths}).Do(next); err != nil || text(again.Form) != text(next.Form) {
		t.Errorf("again: %v, %s", err, text(again.Form))
	}
	alone := parse(t, `{"name":"f","translations":{"en":{"components":{}}}}`)
	next, err = translate.RemoveOrphans{Paths: []schema.Path{answer.Orphans(alone)[0].Path}}.Do(editor.State{Form: alone})
	if err != nil || next.Form.Tree().Has("translations") {
		t.Errorf("the last one: %v, %s", err, text(next.Form))
	}
}

// Files leave out what translates nothing, and an import of one keeps it in the form.
func TestFilesLeaveOrphansOut(t *testing.T) {
	f := parse(t, orphaned)
	table := tableOf(f, nil)
	for _, of := range formats {
		files, err := of.write(table)
		if err != nil {
			t.Fatal(err)
		}
		now := editor.State{Form: f}
		for _, src := range files {
			file, err := of.read(src)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range file.Items {
				if item.Key == "components.gone.label" {
					t.Errorf("%s: it has %v", of.name, item)
				}
			}
			plan, err := table.Plan(file)
			if err != nil {
				t.Fatal(err)
			}
			if now, err = plan.Write().Do(now); err != nil {
				t.Fatal(err)
			}
		}
		if text(now.Form) != text(f) {
			t.Errorf("%s: the form is %s", of.name, text(now.Form))
		}
	}
}
