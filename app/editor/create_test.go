package editor_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// A new component goes before the buttons at the end, not before one in the middle,
// and to the front of a step that has only buttons.
func TestNewComponentBeforeTheLastButtons(t *testing.T) {
	for _, tt := range []struct{ types, add, want string }{
		{"", "TEXT", "TEXT"},
		{"NEXT_BUTTON", "TEXT", "TEXT NEXT_BUTTON"},
		{"JUMP_BUTTON NEXT_BUTTON", "TEXT", "TEXT JUMP_BUTTON NEXT_BUTTON"},
		{"TEXT RESEND_BUTTON EMAIL NEXT_BUTTON", "DIVIDER", "TEXT RESEND_BUTTON EMAIL DIVIDER NEXT_BUTTON"},
		{"TEXT NEXT_BUTTON", "JUMP_BUTTON", "TEXT NEXT_BUTTON JUMP_BUTTON"},
		{"NEXT_BUTTON EMAIL", "TEXT", "NEXT_BUTTON EMAIL TEXT"},
	} {
		var list []string
		for i, typ := range strings.Fields(tt.types) {
			list = append(list, `{"id":"c`+string(rune('a'+i))+`","type":"`+typ+`"}`)
		}
		e, _ := newEditor(t, `{"nodes":[{"id":"s","type":"STEP","config":{"components":[`+strings.Join(list, ",")+`]}}]}`)
		run(t, e, e.Make().Component(model.KindOf(tt.add), "s", -1))
		var got []string
		for _, c := range e.State().Form.Nodes[0].Config.(*model.Step).Components {
			got = append(got, c.Type)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s in %q: got %s, want %s", tt.add, tt.types, s, tt.want)
		}
		if sel := e.State().Selection; sel.Only() != "s" || sel.Component == "" {
			t.Errorf("%s in %q: selected is %v", tt.add, tt.types, sel)
		}
	}
}

func TestNewNodePlace(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	for _, typ := range []model.NodeType{model.StepNode, model.FlowNode, model.RouterNode} {
		at := model.Point{X: 40, Y: -60}
		run(t, e, e.Make().Node(typ, at, nil))
		n, _ := e.State().Form.Node(e.State().Selection.Only())
		if n == nil || n.At != at || n.Type != typ || !strings.HasPrefix(n.ID, strings.ToLower(string(typ))+"_") {
			t.Errorf("%s: got %+v", typ, n)
		}
		s, ok := n.Config.(*model.Step)
		if ok != (typ == model.StepNode) || ok && (len(s.Components) != 1 || s.Components[0].Type != "NEXT_BUTTON") {
			t.Errorf("%s: the node holds %s", typ, schema.Encode(n.Tree()))
		}
	}
}

// repeating gives the first id twice and then others, so that the caller must check whether an
// id is taken.
func repeating() func(int) int {
	n := -1
	return func(int) int {
		n++
		return max(0, n/4-1)
	}
}

func TestFreshIDs(t *testing.T) {
	const src = `{"nodes":[{"id":"flow_AAAA","type":"FLOW"},{"id":"s","type":"STEP","config":{"components":[
{"id":"text_AAAA","type":"TEXT"}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"rule_AAAA"}]}},{"id":"q","type":"ROUTER"}]}`
	tree, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	form := model.FromTree(tree.(*schema.Object))
	for name, tt := range map[string]struct {
		id   func(*editor.Editor) string
		want string
	}{
		"node": {func(e *editor.Editor) string {
			return e.Make().Node(model.FlowNode, model.Point{}, nil).Node.Text("id")
		}, "flow_BBBB"},
		"component": {func(e *editor.Editor) string {
			return e.Make().Component(model.KindOf("TEXT"), "s", 0).Component.Text("id")
		}, "text_BBBB"},
		"component in other step": {func(e *editor.Editor) string {
			return e.Make().Component(model.KindOf("TEXT"), "z", 0).Component.Text("id")
		}, "text_BBBB"},
		"rule":                   {func(e *editor.Editor) string { return e.Make().Rule("r").Rule.Text("id") }, "rule_BBBB"},
		"rule of another router": {func(e *editor.Editor) string { return e.Make().Rule("q").Rule.Text("id") }, "rule_AAAA"},
	} {
		if got := tt.id(editor.New(form, editor.Config{Rand: repeating()})); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

func TestNewComponentDialect(t *testing.T) {
	k := model.KindOf("MAPS_ADDRESS")
	for _, d := range []model.Dialect{model.SpecDialect, model.VendorDialect} {
		e := editor.New(model.New("f"), editor.Config{Rand: repeating(), Dialect: d})
		if got := e.Make().Component(k, "s", 0).Component.Text("type"); got != k.Name(d) {
			t.Errorf("%s: got %s, want %s", d, got, k.Name(d))
		}
	}
}

// A new element is the smallest value that its rule allows, as far as a program can know it.
func TestItemValue(t *testing.T) {
	table := schema.Table{
		{Name: "id", Spec: schema.String{Min: 1}, Required: true},
		{Name: "no", Spec: schema.Bool{}},
		{Name: "in", Spec: schema.Table{{Name: "of", Spec: schema.Enum{"a", "b"}, Required: true}}, Required: true},
	}
	for _, tt := range []struct {
		spec schema.Spec
		want string
	}{
		{table, `{"id":"","in":{"of":"a"}}`},
		{schema.Enum{"a", "b"}, `"a"`},
		{schema.Open{Rows: table}, `{}`},
		{schema.Map{Value: schema.Bool{}}, `{}`},
		{schema.List{Item: schema.Bool{}, Min: 1}, `[]`},
		{schema.Bool{}, `true`},
		{schema.True{}, `true`},
		{schema.Numeric{Min: "3", Max: "9"}, `3`},
		{schema.Numeric{}, `0`},
		{schema.String{Max: 5}, `""`},
		{schema.Any{}, `""`},
		{schema.Either{Of: []schema.Spec{schema.String{}, schema.Bool{}}}, `""`},
	} {
		if got := string(schema.Encode(editor.ItemValue(tt.spec))); got != tt.want {
			t.Errorf("%T: got %s, want %s", tt.spec, got, tt.want)
		}
	}
	for _, s := range []schema.Spec{
		schema.Enum{"a", "b"},
		schema.Bool{},
		schema.True{},
		schema.Numeric{Min: "3"},
		schema.Map{Value: schema.Bool{}},
		schema.Open{},
		schema.List{Item: schema.Bool{}},
	} {
		if ps := schema.Check(s, editor.ItemValue(s)); len(ps) > 0 {
			t.Errorf("%T: what is made has problems: %v", s, ps)
		}
	}
}
