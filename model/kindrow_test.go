package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// lookup is a kind that does everything a kind can do, by properties that no other kind has.
var lookup = model.Kind{
	Category: model.Field, Type: "LOOKUP", Alias: "VENDOR_LOOKUP", Label: "Lookup", Icon: "search", Keywords: "register company",
	Doc:            "Finds a company.",
	ConfigRequired: true,
	Config: schema.Table{
		{Name: "heading", Spec: schema.String{Min: 1, Max: 20, Role: schema.Caption}, Required: true},
		{Name: "when_missing", Label: "If missing", Spec: schema.String{Role: schema.NodePointer}},
		{Name: "finder", Spec: schema.String{Role: schema.FlowID}},
		{Name: "indices", Noun: "index", Spec: schema.List{Item: schema.String{Min: 1}}},
		{Name: "token", Spec: schema.String{Secret: true}},
	},
	Default: schema.NewObject(schema.Member{Key: "heading", Value: "Company"}, schema.Member{Key: "indices", Value: []any{"a"}}),
}

const lookupForm = `{"name":"f","start":{"next_node":"s"},"ending":{},"nodes":[
	{"id":"s","type":"STEP","config":{"components":[
		{"id":"c","category":"FIELD","type":"LOOKUP","config":{"heading":"Your firm","when_missing":"t","finder":"af_1","indices":["x"],
"token":"hidden"}},
		{"id":"d","category":"BLOCK","type":"RICH_TEXT","config":{"content":"{{fields.c}}"}}]}},
	{"id":"t","type":"STEP","config":{"components":[{"id":"n","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],
"next_node":"$ending"}}]}`

const lookupConfig = "nodes[0].config.components[0].config."

func withLookup(t *testing.T) *model.Form {
	t.Helper()
	t.Cleanup(model.AddKind(lookup))
	return formOf(t, lookupForm)
}

func lookupEditor(f *model.Form) *editor.Editor {
	return editor.New(f, editor.Config{Now: func() time.Time { return time.Time{} }, Rand: func(int) int { return 0 }})
}

func TestNewKindIsChecked(t *testing.T) {
	f := withLookup(t)
	if ps := new(model.Checker).Check(f); len(ps) > 0 {
		t.Errorf("problems of a valid one: %v", ps)
	}
	if got := lines(model.Warnings(f)); got != "" {
		t.Errorf("warnings of a valid one: %s", got)
	}
	bad := formOf(t, strings.NewReplacer(`"t","finder":"af_1"`, `"gone","finder":"x"`, `"Your firm"`, `""`).Replace(lookupForm))
	got, want := lines(new(model.Checker).Check(bad)), lookupConfig+"heading length; "+lookupConfig+"when_missing unknown_node"
	if got != want {
		t.Errorf("problems\n%s\nwant\n%s", got, want)
	}
	if got, want := lines(model.Warnings(bad)), lookupConfig+"finder flow_id"; got != want {
		t.Errorf("warnings %s, want %s", got, want)
	}
	if s := string(schema.Encode(model.PatchSchema())); !strings.Contains(s, `"when_missing"`) {
		t.Error("the JSON Schema lacks the kind")
	}
	if model.KindOf("VENDOR_LOOKUP") != model.KindOf("LOOKUP") {
		t.Error("the alias is another kind")
	}
}

func TestNewKindLeadsOnTheCanvas(t *testing.T) {
	f := withLookup(t)
	out, ok := f.OutOf("s", model.JumpPort("c"))
	if !ok || out.To != "t" || out.Path.String() != lookupConfig+"when_missing" {
		t.Errorf("the way out is %+v, %v", out, ok)
	}
	scene := graph.New(f)
	card := scene.Card("s")
	if row := card.Rows[0]; row.Text() != "Your firm" || row.Icon != "search" {
		t.Errorf("the row says %q with %s", row.Text(), row.Icon)
	}
	if e := scene.Edge("s", model.JumpPort("c")); e == nil || e.Target().ID != "t" || card.Outs[0].Row != 0 {
		t.Errorf("the edge is %+v, from %+v", e, card.Outs)
	}
}

func TestNewKindIsEdited(t *testing.T) {
	e := lookupEditor(withLookup(t))
	e.Select(editor.Selection{Nodes: []string{"s"}, Component: "c"})
	var got []string
	for _, s := range inspector.Read(e, nil).Sections {
		for _, r := range s.Rows {
			got = append(got, fmt.Sprintf("%s %d %s", r.Label, r.Input, r.Element.Noun))
		}
	}
	for _, want := range []string{
		fmt.Sprintf("Heading %d ", inspector.Text), fmt.Sprintf("If missing %d ", inspector.Pointer), fmt.Sprintf("Finder %d ", inspector.Flow),
		fmt.Sprintf("Indices %d index", inspector.Items), fmt.Sprintf("Token %d ", inspector.Secret),
	} {
		if !slices.Contains(got, want) {
			t.Errorf("the inspector has %q, not %q", got, want)
		}
	}
	k := model.KindOf("LOOKUP")
	if err := e.Run(e.Make().Component(k, "t", -1)); err != nil {
		t.Fatal(err)
	}
	added := e.State().Form.Nodes[1].Component(0) // before the button
	if added.Type != "LOOKUP" || added.Config().Text("heading") != "Company" {
		t.Errorf("added %s", schema.Encode(added.Tree()))
	}
	if found := find.Kinds("company"); len(found) != 1 || found[0] != k {
		t.Errorf("the palette finds %v", found)
	}
}

func TestNewKindIsProved(t *testing.T) {
	f := withLookup(t)
	if fs := flow.Warnings(f); len(fs) > 0 {
		t.Errorf("a step that it leads out of has %v", fs)
	}
	for exit, want := range map[model.Exit]string{
		model.NoExit: "nodes[0] no_button\nnodes[1] unreachable\nending no_ending", model.PressedExit: "", model.OwnExit: "",
	} {
		k := lookup
		k.Type, k.Alias, k.Exit, k.Config = "PLAIN", "", exit, schema.Table{{Name: "heading", Spec: schema.String{}}}
		restore := model.AddKind(k)
		src := strings.NewReplacer(
			`"LOOKUP"`,
			`"PLAIN"`,
			`"content":"{{fields.c}}"}}]}`,
			`"content":"x"}}],"next_node":"t"}`,
			`,"when_missing":"t","finder":"af_1","indices":["x"],"token":"hidden"`,
			"",
		)
		var got []string
		for _, p := range flow.Warnings(formOf(t, src.Replace(lookupForm))) {
			got = append(got, p.Path.String()+" "+string(p.Code))
		}
		slices.Sort(got)
		all := strings.Split(want, "\n")
		slices.Sort(all)
		if strings.Join(got, "\n") != strings.Join(all, "\n") {
			t.Errorf("exit %d: %q, want %q", exit, got, all)
		}
		restore()
	}
}

func TestReferencesOfANewKindFollow(t *testing.T) {
	f := withLookup(t)
	renamed, err := flow.RenameNode(f, "t", "other")
	if err != nil {
		t.Fatal(err)
	}
	if out, _ := renamed.OutOf("s", model.JumpPort("c")); out.To != "other" {
		t.Errorf("it leads to %s after the node has another id", out.To)
	}
	if renamed, err = flow.RenameComponent(f, "c", "firm"); err != nil ||
		renamed.Nodes[0].Component(1).Config().Text("content") != "{{fields.firm}}" {
		t.Errorf("a template still reads the old id: %v", err)
	}
	outer, placeholders := envelope.ExportForm(f, nil, nil)
	if len(placeholders) != 1 || !strings.Contains(string(schema.Encode(outer)), `"finder":"#FLOW-1#"`) {
		t.Errorf("the export has %v in %s", placeholders, schema.Encode(outer))
	}
	e := lookupEditor(f)
	if err := e.Run(editor.RemoveNodes{IDs: []string{"t"}}); err != nil || e.State().Form.Nodes[0].Component(0).Config().Has("when_missing") {
		t.Errorf("it leads to a removed node: %v", err)
	}
}

func TestNewKindIsFound(t *testing.T) {
	f := withLookup(t)
	var x find.Index
	x.SetFlows(map[string]string{"af_1": "Find the register"})
	for query, want := range map[string]int{"your firm": 1, "register": 1, "lookup": 1, "hidden": 0} {
		if hits := x.Search(f, query, 10); len(hits) != want || want > 0 && hits[0].Component != "c" {
			t.Errorf("%q finds %+v", query, hits)
		}
	}
}
