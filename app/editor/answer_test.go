package editor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

const asked = `{"id":"ap_1","name":"Contact","updated_at":"2026-01-01T00:00:00Z","nodes":[
	{"id":"a","type":"STEP","config":{"components":[{"id":"mail","category":"FIELD","type":"EMAIL"}]}},
	{"id":"b","type":"STEP","config":{"components":[]}}],"start":{"next_node":"a"}}`

func pathTo(t *testing.T, text string) schema.Path {
	t.Helper()
	p, err := schema.ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// answered returns what a tenant makes of a form: it adds a default to each component and drops labels.
func answered(t *testing.T, f *model.Form) *model.Form {
	t.Helper()
	text := strings.ReplaceAll(string(schema.Encode(f.Tree())), `"type":"EMAIL"`, `"type":"EMAIL","visible":true`)
	text = strings.Replace(text, `,"label":"E-mail"`, "", 1)
	text = strings.Replace(text, `,"label":"Mail"`, "", 1)
	text = strings.Replace(text, "2026-01-01", "2026-01-02", 1)
	return formtest.Parse(t, text)
}

const label = "nodes[0].config.components[0].label"

func TestAnswerOfTheTenantIsTheTruth(t *testing.T) {
	e := remoteEditor(t, formtest.Parse(t, asked))
	edit(t, e, editor.Set{Path: pathTo(t, label), Value: "Mail"})
	e.Seal()
	edit(t, e, editor.Set{Path: pathTo(t, label), Value: "E-mail"})
	edit(t, e, editor.Set{Path: pathTo(t, "nodes[1].alias"), Value: "Thanks"})
	sent := e.State().Form
	changed, conflicts := e.Answered(sent, answered(t, sent))
	var texts []string
	for _, c := range changed {
		texts = append(texts, c.String())
	}
	slices.Sort(texts)
	want := []string{`Step a: component mail: label removed, was "E-mail"`, `Step a: component mail: visible set to true`}
	if !slices.Equal(texts, want) || len(conflicts) > 0 {
		t.Errorf("the tenant changed %q, conflicts %v", texts, conflicts)
	}
	c := e.State().Form.Nodes[0].Component(0)
	if c.Label != "" || !c.Tree().Has("visible") || e.Unsaved() || e.State().Form.UpdatedAt != "2026-01-02T00:00:00Z" {
		t.Errorf("the form has %s, unsaved %t", schema.Encode(c.Tree()), e.Unsaved())
	}
	if e.State().Form.Nodes[1] != sent.Nodes[1] {
		t.Error("a node that the tenant did not change is another one")
	}
	if len(e.Steps()) != 4 || e.UndoLabel() != "Edit alias" {
		t.Errorf("the history has %d steps, undo is %q", len(e.Steps()), e.UndoLabel())
	}
	for _, want := range []int{1, 1, 1} { // the alias; then only the alias: the label is gone in every state
		e.Undo()
		c := e.State().Form.Nodes[0].Component(0)
		if c.Label != "" || !c.Tree().Has("visible") || e.ChangeCount() != want {
			t.Errorf("undo leads to %s, %d changes", schema.Encode(c.Tree()), e.ChangeCount())
		}
	}
	for e.RedoLabel() != "" {
		e.Redo()
	}
	if e.Unsaved() {
		t.Errorf("redo leads to %s", schema.Encode(e.Changes().Tree()))
	}
}

func TestEditsDuringASaveMeetTheAnswer(t *testing.T) {
	e := remoteEditor(t, formtest.Parse(t, asked))
	edit(t, e, editor.Set{Path: pathTo(t, label), Value: "E-mail"})
	sent := e.State().Form
	e.Seal()
	edit(t, e, editor.Set{Path: pathTo(t, label), Value: "Your mail"})
	edit(t, e, editor.Set{Path: pathTo(t, "name"), Value: "Other"})
	_, conflicts := e.Answered(sent, answered(t, sent))
	if len(conflicts) != 1 || conflicts[0].Kind != merge.RemovedAndChanged {
		t.Fatalf("conflicts %v", conflicts)
	}
	f := e.State().Form
	if c := f.Nodes[0].Component(0); f.Name != "Other" || c.Label != "Your mail" || !c.Tree().Has("visible") {
		t.Errorf("the form is %s with %s", f.Name, schema.Encode(c.Tree()))
	}
	edit(t, e, editor.TakeTheirs{Conflicts: conflicts[:1]})
	if l := e.State().Form.Nodes[0].Component(0).Label; l != "" {
		t.Errorf("theirs is %q", l)
	}
	if got := string(schema.Encode(e.Changes().Tree())); got != `{"name":"Other"}` {
		t.Errorf("unsaved are %s", got)
	}
}

func TestAnswerAsSentIsNoNews(t *testing.T) {
	e := remoteEditor(t, formtest.Parse(t, asked))
	edit(t, e, editor.Set{Path: pathTo(t, "name"), Value: "Other"})
	sent := e.State().Form
	answer := formtest.Parse(t, strings.Replace(strings.Replace(asked, "Contact", "Other", 1), "2026", "2027", 1))
	if changed, _ := e.Answered(sent, answer); len(changed) > 0 || e.Unsaved() || e.State().Form != sent {
		t.Errorf("the tenant changed %v, unsaved %t", changed, e.Unsaved())
	}
	// Empty lists that a tenant leaves out, and what only it sets, are no news either.
	edit(t, e, editor.Set{Path: pathTo(t, "messages"), Value: schema.NewObject()})
	sent = e.State().Form
	answer = model.FromTree(sent.Tree().Without("messages").With("links", "x"))
	if changed, _ := e.Answered(sent, answer); len(changed) > 0 || e.Unsaved() || e.State().Form.Tree().Has("messages") {
		t.Errorf("the tenant changed %v, unsaved %t", changed, e.Unsaved())
	}
}

// The tenant may add and drop nodes; undo follows.
func TestAnswerWithOtherNodes(t *testing.T) {
	e := remoteEditor(t, formtest.Parse(t, asked))
	edit(t, e, editor.Set{Path: pathTo(t, "name"), Value: "Other"})
	sent := e.State().Form
	nodes := sent.Tree().List("nodes")
	added := formtest.Parse(t, `{"nodes":[{"id":"c","type":"STEP"}]}`).Nodes[0].Tree()
	e.Answered(sent, model.FromTree(sent.Tree().With("nodes", []any{nodes[0], added})))
	e.Undo()
	var ids []string
	for _, n := range e.State().Form.Nodes {
		ids = append(ids, n.ID)
	}
	if e.State().Form.Name != "Contact" || !slices.Equal(ids, []string{"a", "c"}) {
		t.Errorf("undo leads to %s with %q", e.State().Form.Name, ids)
	}
}
