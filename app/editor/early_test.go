package editor_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

// What a new component lacks is no mistake before its control was left, or the form was checked or saved. It is a problem all the same.
func TestNewComponentsLackValues(t *testing.T) {
	const saved = `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"old","category":"WIDGET","type":"MAPS_ADDRESS","config":{"api_key":""}}]}}]}`
	opened := func() *editor.Editor {
		e, _ := newEditor(t, saved)
		e.Select(editor.SelectNodes("s"))
		if err := e.Run(e.Make().Component(model.KindOf("RECAPTCHA"), "s", -1)); err != nil {
			t.Fatal(err)
		}
		return e
	}
	early := func(e *editor.Editor) (n int) {
		for _, p := range e.Found().Problems() {
			if e.Early(p) {
				n++
			}
		}
		return n
	}
	e := opened()
	if n := len(e.Found().Problems()); n != 3 || early(e) != 2 {
		t.Fatalf("of %d problems %d are early, want 2 of 3", n, early(e))
	}
	asked := e.Asked()
	e.Left(formtest.Path(t, "nodes[0].config.components[1].config.site_key"))
	if early(e) != 1 || e.Asked() == asked {
		t.Errorf("after the control of the site key was left, %d are early", early(e))
	}
	e.Left(formtest.Path(t, "nodes[0].alias"))
	if err := e.Run(editor.Set{Path: formtest.Path(t, "nodes[0].config.components[1].config.secret_key"), Value: "k"}); err != nil {
		t.Fatal(err)
	}
	if early(e) != 0 || len(e.Found().Problems()) != 2 {
		t.Errorf("with the other key, %d of %d are early", early(e), len(e.Found().Problems()))
	}
	e = opened()
	if e.Checked(); early(e) != 0 {
		t.Errorf("once the form was checked, %d are early", early(e))
	}
	if err := e.Run(e.Make().Component(model.KindOf("MAPS_ADDRESS"), "s", -1)); err != nil {
		t.Fatal(err)
	}
	if early(e) != 1 {
		t.Errorf("of a component that was added since, %d are early", early(e))
	}
	e = opened()
	if e.Saved(e.State().Form); early(e) != 0 {
		t.Errorf("in the saved form, %d are early", early(e))
	}
	if err := e.Run(editor.Set{Path: formtest.Path(t, "nodes[0].config.components[0].label"), Value: ""}); err != nil {
		t.Fatal(err)
	}
	if early(e) != 0 {
		t.Error("a text that was taken from a saved component is early")
	}
}
