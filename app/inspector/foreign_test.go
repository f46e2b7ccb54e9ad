package inspector_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// A value of another JSON type than the table's is shown as what it is, has its
// problem, and is not changed by looking at it or by editing beside it.
func TestAnotherType(t *testing.T) {
	wrong := []any{
		nil, true, "text", schema.Number("1e400"),
		[]any{"a", nil},
		[]any{},
		schema.NewObject(),
		schema.NewObject(schema.Member{Key: "k", Value: []any{schema.Number("1.0")}}),
	}
	for _, s := range subjects(t, false) {
		t.Run(s.name, func(t *testing.T) {
			for _, r := range flat(inspector.Read(open(t, s.form, s.sel), nil)) {
				last := r.Path[len(r.Path)-1].Key
				if r.OnLeave() || len(r.Path) == 1 && r.Input != inspector.Text {
					continue // an id is what selects; TestWithoutAPanel has the others
				}
				for _, v := range wrong {
					tree, err := schema.Set(s.form, r.Path, v)
					if err != nil {
						t.Fatal(err)
					}
					e := open(t, tree.(*schema.Object), s.sel)
					panelLaw(t, e)
					if len(r.Path) > 2 && last == "condition" {
						continue // any value, TestUnknownConditionStays
					}
					got := row(t, e, r.Path.String())
					if !schema.Equal(got.Value, v) {
						t.Errorf("%s shows %v, want %v", r.Path, got.Value, v)
					}
					if got.Input.Contains() || got.Input == inspector.Checks {
						continue // it fits
					}
					if want := shownAs(v); got.Text() != want && got.Input == inspector.JSON {
						t.Errorf("%s shows %q for %s, want %q", r.Path, got.Text(), text(v), want)
					}
					if got.Input != inspector.JSON {
						switch v.(type) {
						case nil, []any, *schema.Object:
							t.Errorf("%s shows %s in a %s", r.Path, text(v), inputs[got.Input])
						default:
							if _, isBool := v.(bool); isBool != (got.Input == inspector.Switch) {
								t.Errorf("%s shows %s in a %s", r.Path, text(v), inputs[got.Input])
							}
						}
					}
				}
			}
		})
	}
}

func shownAs(v any) string {
	b := schema.EncodeIndent(v)
	return string(b[:len(b)-1])
}

// A property without a row is shown if it has a problem, and can
// be fixed or removed.
func TestOtherProblems(t *testing.T) {
	node := editor.SelectNodes("s")
	for _, tt := range []struct {
		name, form string
		sel        editor.Selection
		path       string // of the row
		code       schema.Code
		fix        string // what to type; "" empties
	}{
		{"unknown property of the form", `{"name":"f","colour":"red"}`, editor.Selection{}, "colour", schema.CodeUnknown, ""},
		{"nodes that are not a list", `{"name":"f","nodes":{}}`, editor.Selection{}, "nodes", schema.CodeType, "[]"},
		{
			"node that is not an object", `{"name":"f","nodes":[3]}`, editor.SelectNodes("\x001"), "nodes[0]", schema.CodeType,
			`{"id":"a","type":"STEP"}`,
		},
		{
			"unknown property of a group", `{"name":"f","languages":{"primary":"en","third":"de"}}`,
			editor.Selection{},
			"languages.third",
			schema.CodeUnknown, "",
		},
		{"start that is not an object", `{"name":"f","start":"a"}`, editor.SelectNodes(model.StartID), "start", schema.CodeType, "{}"},
		{
			"unknown property of the start", `{"name":"f","start":{"colour":1}}`, editor.SelectNodes(model.StartID), "start.colour",
			schema.CodeUnknown, "",
		},
		{
			"unknown property of coordinates", `{"name":"f","ending":{"coordinates":{"x":1,"y":1,"z":1}}}`, editor.SelectNodes(model.EndingID),
			"ending.coordinates.z", schema.CodeUnknown, "",
		},
		{"unknown property of a node", `{"name":"f","nodes":[
{"id":"s","type":"STEP","label":"x"}]}`, node, "nodes[0].label", schema.CodeUnknown, ""},
		{"missing config", `{"name":"f","nodes":[{"id":"s","type":"FLOW"}]}`, node, "nodes[0].config", schema.CodeRequired, `{"flow_id":"af_1"}`},
		{"config that is not an object", `{"name":"f","nodes":[
{"id":"s","type":"STEP","config":[]}]}`, node, "nodes[0].config", schema.CodeType, "{}"},
		{"components that are not a list", `{"name":"f","nodes":[
{"id":"s","type":"STEP","config":{"components":{}}}]}`, node, "nodes[0].config.components", schema.CodeType, "[]"},
		{"rules that are not a list", `{"name":"f","nodes":[
{"id":"s","type":"ROUTER","config":{"rules":1}}]}`, node, "nodes[0].config.rules", schema.CodeType, "[]"},
		{"component that is not an object", step(`1`), node, one, schema.CodeType, ""},
		{"rule that is not an object", `{"name":"f","nodes":[
{"id":"s","type":"ROUTER","config":{"rules":[1]}}]}`, node, "nodes[0].config.rules[0]", schema.CodeType, ""},
		{"component without id", step(`{"category":"BLOCK","type":"DIVIDER"}`), node, one + ".id", schema.CodeRequired, `"d"`},
		{"component with another's id", step(`{"id":"d","category":"BLOCK","type":"DIVIDER"},
{"id":"d","category":"BLOCK","type":"HTML"}`), node, "nodes[0].config.components[1].id", schema.CodeDuplicateID, `"e"`},
		{"node of an unknown type", `{"name":"f","nodes":[
{"id":"s","type":"PAGE","config":{"components":[]}}]}`, node, "nodes[0].type", schema.CodeEnum, "STEP"},
		{"node without a type", `{"name":"f","nodes":[{"id":"s"}]}`, node, "nodes[0].type", schema.CodeRequired, "STEP"},
		{
			"component of an unknown type", step(`{"id":"c","category":"FIELD","type":"MAP"}`), part("c"), one, schema.CodeEnum,
			`{"id":"c","category":"FIELD","type":"TEXT"}`,
		},
		{
			"component of another category", step(`{"id":"c","category":"BLOCK","type":"TEXT"}`), part("c"), one + ".type", schema.CodeEnum,
			`"DIVIDER"`,
		},
		{"component without a category", step(`{"id":"c","type":"TEXT"}`), part("c"), one + ".category", schema.CodeRequired, `"FIELD"`},
		{
			"unknown property of a component", step(`{"id":"c","category":"BLOCK","type":"DIVIDER","label":"x"}`), part("c"), one + ".label",
			schema.CodeUnknown, "",
		},
		{
			"unknown property of a config", step(`{"id":"c","category":"BLOCK","type":"DIVIDER","config":{"text":"a","colour":"x"}}`), part("c"),
			one + ".config.colour", schema.CodeUnknown, "",
		},
		{
			"component without its config", step(`{"id":"c","category":"BLOCK","type":"NEXT_BUTTON"}`), part("c"), one + ".config",
			schema.CodeRequired, `{"text":"Go"}`,
		},
		{
			"unknown property of a charge", step(`{"id":"c","category":"FIELD","type":"PAYMENT","config":{"charge":{"type":"SUBSCRIPTION",` +
				`"subscription":{},"tip":1},"credentials":{"public_key":"a","private_key":"b"}}}`), part("c"), one + ".config.charge.tip",
			schema.CodeUnknown, "",
		},
		{
			"unknown property of a rule", `{"name":"f","nodes":[{"id":"s","type":"ROUTER","config":{"rules":[
{"id":"a","condition":1,"when":2}]}}]}`,
			editor.Selection{Nodes: []string{"s"}, Rule: "a"},
			"nodes[0].config.rules[0].when",
			schema.CodeUnknown, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := edit(t, tt.form, tt.sel)
			panelLaw(t, e)
			r := row(t, e, tt.path)
			if len(r.Problems) != 1 || r.Problems[0].Code != tt.code {
				t.Fatalf("the row %s has %v, want one %s", tt.path, r.Problems, tt.code)
			}
			if err := e.Run(r.Edit(tt.fix)); err != nil {
				t.Fatal(err)
			}
			if left := e.Found().Problems(); len(left) > 0 {
				t.Errorf("after typing %q: %v", tt.fix, left)
			}
		})
	}
}

// Properties that an open table does not list are visible only in the JSON, so the whole object is
// shown.
func TestOpenObjects(t *testing.T) {
	for config, want := range map[string]inspector.Input{
		`{"storage":{"type":"CUSTOM"}}`:              inspector.Group,
		`{"storage":{"type":"CUSTOM","bucket":"b"}}`: inspector.JSON,
		`{}`:                         inspector.Group,
		`{"storage":{"bucket":"b"}}`: inspector.JSON,
		`{"storage":{}}`:             inspector.Group,
		`{"storage":{"type":"MANAGED","type ":"odd"}}`: inspector.JSON,
	} {
		e := edit(t, step(`{"id":"c","category":"FIELD","type":"FILE","config":`+config+`}`), part("c"))
		if got := row(t, e, one+".config.storage"); got.Input != want {
			t.Errorf("%s: storage is a %s, want a %s", config, inputs[got.Input], inputs[want])
		}
		panelLaw(t, e)
	}
}

// The vendor's names for kinds are recognized, and the document keeps the name that it has.
func TestVendorNames(t *testing.T) {
	for i := range model.Kinds {
		k := &model.Kinds[i]
		if k.Alias == "" {
			continue
		}
		c := model.NewComponent(k, model.VendorDialect, "c")
		e := edit(t, step(text(c)), part("c"))
		if p := inspector.Read(e, nil); p.Subtitle != k.Label {
			t.Errorf("%s is shown as %q", k.Alias, p.Title)
		}
		enter(t, e, one+".label", "Mine")
		if got := value(t, e, one+".type"); got != fmt.Sprintf("%q", k.Alias) {
			t.Errorf("the type became %s, was %s", got, k.Alias)
		}
	}
}

// There is a panel for several nodes, and for a selection that no longer exists.
func TestSelections(t *testing.T) {
	src := `{"name":"Form","nodes":[{"id":"a","type":"STEP","config":{"components":[
{"id":"c","category":"FIELD","type":"TEXT","label":"Name"},{"id":"x","category":"FIELD","type":"TEXT","hint":""}]}},
{"id":"b","type":"ROUTER","config":{"rules":[{"id":"r","condition":1},{"id":"q","condition":1,"alias":"Other","next_node":"a"},
{"id":"p","condition":1,"next_node":"$ending"}]}}]}`
	for _, tt := range []struct {
		sel                      editor.Selection
		title, subtitle, parent  string
		parts                    []string
		noun                     string
		sections, problemsOfPart int
	}{
		{editor.Selection{}, "This form", "Nothing is selected", "", nil, "", 1, 0},
		{editor.SelectNodes("a"), "a", "Step with 2 components", "", []string{"c Name Text", "x Text Text"}, "component", 2, 1},
		{
			editor.SelectNodes("b"), "b", "Router with 3 rules", "",
			[]string{"r Rule 1 leads nowhere", "q Other to a", "p Rule 3 to Ending"},
			"rule", 2, 0,
		},
		{editor.SelectNodes("a", "b"), "2 nodes", "1 step, 1 router", "", nil, "", 2, 0},
		{editor.Selection{Nodes: []string{"a"}, Component: "c"}, "Name", "Text", "a", nil, "", 3, 0},
		{
			editor.Selection{Nodes: []string{"b"}, Rule: "r"},
			"b", "Router with 3 rules", "",
			[]string{"r Rule 1 leads nowhere", "q Other to a", "p Rule 3 to Ending"},
			"rule", 2, 0,
		},
	} {
		e := edit(t, src, tt.sel)
		p := inspector.Read(e, nil)
		var parts []string
		problems := 0
		for _, part := range p.Parts {
			parts = append(parts, part.ID+" "+part.Title+" "+part.Type)
			problems += part.Problems
		}
		if p.Title != tt.title || p.Subtitle != tt.subtitle || p.Parent != tt.parent || p.PartNoun != tt.noun || len(p.Sections) != tt.sections ||
			problems != tt.problemsOfPart ||
			fmt.Sprint(parts) != fmt.Sprint(tt.parts) {
			t.Errorf(
				"%+v: %q, %q, parent %q, %d sections, %ss %q with %d problems; want %+v",
				tt.sel,
				p.Title,
				p.Subtitle,
				p.Parent,
				len(p.Sections),
				p.PartNoun,
				parts,
				problems,
				tt,
			)
		}
		if len(tt.sel.Nodes) < 2 {
			panelLaw(t, e)
		}
	}
}

// What only the tenant's tables know is shown, without a problem, and a choice keeps it.
func TestForeignPropertiesHaveRows(t *testing.T) {
	tree, _ := schema.Decode([]byte(`{"name":"f","nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"p","category":"FIELD","type":"PAYMENT","visible":true,"config":{
			"charge":{"type":"ONE_OFF","one_off":{"amount":1,"currency":"EUR"},"tax":"x"}}}]}}]}`))
	f := model.FromTree(tree.(*schema.Object))
	e := editor.New(f, editor.Config{Now: time.Now, Remote: true})
	e.Select(editor.Selection{Nodes: []string{"a"}, Component: "p"})
	const component = "nodes[0].config.components[0]"
	if r := row(t, e, component+".visible"); r.Text() != "true" || len(r.Problems) > 0 {
		t.Errorf("the row shows %q with problems %v", r.Text(), r.Problems)
	}
	if err := e.Run(row(t, e, component+".config.charge.type").Edit("SUBSCRIPTION")); err != nil {
		t.Fatal(err)
	}
	charge := e.State().Form.Nodes[0].Component(0).Config().Object("charge")
	if charge.Text("tax") != "x" || charge.Has("one_off") || !charge.Has("subscription") {
		t.Errorf("the choice leaves %s", schema.Encode(charge))
	}
}

// A panel shows as many unlisted problems as can be drawn. Others follow when these are fixed.
func TestManyUnlistedProblems(t *testing.T) {
	nodes := make([]any, 150)
	for i := range nodes {
		nodes[i] = "no node"
	}
	form := schema.NewObject(schema.Member{Key: "name", Value: "Form"}, schema.Member{Key: "nodes", Value: nodes})
	for n, note := range map[int]string{150: "the first 100 of 150", 100: "", 1: ""} {
		p := inspector.Read(open(t, form.With("nodes", nodes[:n]), editor.Selection{}), nil)
		last := p.Sections[len(p.Sections)-1]
		if last.Title != "Other problems" || len(last.Rows) != min(n, 100) || last.Note != note || len(last.Rows[0].Problems) != 1 {
			t.Errorf("%d problems: %q, %d rows, %q", n, last.Title, len(last.Rows), last.Note)
		}
	}
}
