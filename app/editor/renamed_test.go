package editor_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

const routed = `{"id":"ap_1","name":"F","start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","coordinates":{"x":1,"y":1},"config":{"components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"Mail","config":{}},
		{"id":"name","category":"FIELD","type":"TEXT","label":"Name","config":{}}],"next_node":"r"}},
	{"id":"r","type":"ROUTER","coordinates":{"x":2,"y":1},"config":{"rules":[
		{"id":"known","alias":"Known","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","a"]}]},
			"next_node":"ask"}],"fallback":"$ending"}}],"ending":{"resume_flow":true}}`

// renamedByOthers returns the form with other ids for everything.
func renamedByOthers(t *testing.T, f *model.Form) *model.Form {
	t.Helper()
	r := flow.Renames{
		Nodes: map[string]string{"ask": "start", "r": "route"}, Components: map[string]string{"mail": "email", "name": "full"},
		Rules: map[string]map[string]string{"r": {"known": "member"}},
	}
	return r.Apply(f)
}

// What a person has selected and is typing stays selected when others rename it, whether they edit with the person or save, and undo leads back to
// the person's own states with the new ids.
func TestWorkFollowsWhatOthersRename(t *testing.T) {
	for name, take := range map[string]func(e *editor.Editor, theirs *model.Form){
		"live": func(e *editor.Editor, theirs *model.Form) {
			local, _ := merge.Forms(e.Base(), e.State().Form, theirs)
			e.TakeOthers(e.Base(), theirs, local, nil)
		},
		"saved": func(e *editor.Editor, theirs *model.Form) { e.TakeSaved(nil, theirs) },
	} {
		for _, tt := range []struct{ of, want editor.Selection }{
			{editor.SelectNodes("ask", "r"), editor.SelectNodes("start", "route")},
			{editor.Selection{Nodes: []string{"ask"}, Component: "mail"}, editor.Selection{Nodes: []string{"start"}, Component: "email"}},
			{editor.Selection{Nodes: []string{"r"}, Rule: "known"}, editor.Selection{Nodes: []string{"route"}, Rule: "member"}},
			{
				editor.Selection{Nodes: []string{"ask"}, Parts: []string{"name", "mail"}},
				editor.Selection{Nodes: []string{"start"}, Parts: []string{"full", "email"}},
			},
			{
				editor.Selection{Edge: &editor.EdgeRef{From: "r", Port: model.RulePort("known")}},
				editor.Selection{Edge: &editor.EdgeRef{From: "route", Port: model.RulePort("member")}},
			},
		} {
			f := formtest.Parse(t, routed)
			e := editor.New(f, editor.Config{Now: time.Now, Rand: rand.IntN})
			label := model.ComponentPath(0, 0).Key("label")
			run(t, e, editor.Set{Path: label, Value: "E-mail"})
			e.Seal()
			run(t, e, editor.Set{Path: model.ComponentPath(0, 1).Key("label"), Value: "Full name"})
			e.Select(tt.of)
			take(e, renamedByOthers(t, f))
			if got := e.State().Selection; !got.Equal(tt.want) {
				t.Errorf("%s: %+v is selected, want %+v", name, got, tt.want)
			}
			state := func(mail, full string) {
				t.Helper()
				want := renamedByOthers(t, formtest.Parse(t, routed))
				for i, text := range []string{mail, full} {
					var err error
					if want, err = want.Set(model.ComponentPath(0, i).Key("label"), text); err != nil {
						t.Fatal(err)
					}
				}
				if got := e.State().Form; !schema.Equal(got.Tree(), want.Tree()) {
					t.Errorf("%s: the form is\n%s\nwant\n%s", name, schema.Encode(got.Tree()), schema.Encode(want.Tree()))
				}
			}
			state("E-mail", "Full name")
			e.Undo()
			state("E-mail", "Name")
			e.Undo()
			state("Mail", "Name")
			e.Redo()
			e.Redo()
			state("E-mail", "Full name")
		}
	}
}

// A state of the history in which the person renamed an element has what others saved in it.
func TestOwnRenameTakesWhatOthersSave(t *testing.T) {
	for _, own := range []editor.Command{
		editor.RenamePart{Path: model.ComponentPath(0, 0).Key("id"), ID: "own"}, editor.RenameNode{Index: 0, ID: "own"},
	} {
		f := formtest.Parse(t, routed)
		e := editor.New(f, editor.Config{Now: time.Now, Rand: rand.IntN})
		run(t, e, own)
		e.Seal()
		run(t, e, editor.Set{Path: schema.Path{schema.Key("name")}, Value: "Mine"})
		theirs, err := f.Set(model.ComponentPath(0, 0).Key("label"), "Theirs")
		if err != nil {
			t.Fatal(err)
		}
		e.TakeSaved(nil, theirs)
		for i := range 3 {
			node := e.State().Form.Nodes[0]
			c := node.Component(0)
			if renamed := c.ID == "own" || node.ID == "own"; renamed != (i < 2) || c.Label != "Theirs" || len(e.State().Form.Nodes) != 2 {
				t.Errorf("%T, %d steps back: %s", own, i, schema.Encode(e.State().Form.Tree()))
			}
			e.Undo()
		}
	}
}
