package editor_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/schema"
)

// ways prints the edges of a form as "a:next>b".
func ways(f *model.Form) string {
	var out []string
	for _, e := range f.Edges() {
		out = append(out, fmt.Sprintf("%s:%s>%s", e.From, e.Port, e.To))
	}
	return strings.Join(out, " ")
}

// named replaces random ids by "<type>_?".
func named(f *model.Form, s string) string {
	old := map[string]bool{}
	put := func(id string) {
		if i := len(id) - 5; i > 0 && id[i] == '_' && !old[id] {
			old[id] = true
			s = strings.ReplaceAll(s, id, id[:i]+"_?")
		}
	}
	for _, n := range f.Nodes {
		put(n.ID)
		switch c := n.Config.(type) {
		case *model.Step:
			for _, comp := range c.Components {
				put(comp.ID)
			}
		case *model.Router:
			for _, r := range c.Rules {
				put(r.ID)
			}
		case *model.Flow, nil:
		}
	}
	return s
}

// encoded returns the text of the last nodes of a form, after named.
func encoded(f *model.Form, from int) string {
	return named(f, string(schema.Encode(f.Tree().List("nodes")[from:])))
}

// Pasting a text with all kinds of references into a form that has some of the ids.
func TestPasteNodes(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	p := pasted(t, `{"nodes":[
 {"id":"a","type":"STEP","coordinates":{"x":10,"y":500},"more":1.50,"config":{"components":[
   {"id":"n","category":"BLOCK","type":"RICH_TEXT","config":{"content":"{{fields.n}} and {{ fields['n'] }}, {{fields.m}}, {{fields.out}}"}},
   {"id":"m","category":"FIELD","type":"TEXT","label":"{{fields.n}}"},
   {"id":"j2","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"x","next_node":"b"}},
   {"id":"j3","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"x","next_node":"gone"}}],"next_node":"b"}},
 {"id":"b","type":"ROUTER","coordinates":{"x":110,"y":450},"config":{"rules":[
   {"id":"r1","condition":"{{fields.n}}","next_node":"a"},{"id":"r1","condition":1,"next_node":"w"},{"condition":2,"next_node":`+
		`"gone"}],"fallback":"$ending"}},
 {"id":"b","type":"FLOW","config":{"flow_id":"#FLOW-1#","next_node":"b"}},
 {"id":"no id","type":"LOOP","config":{"next_node":"b"}}]}`)
	at := model.Point{X: 993, Y: -9}
	c := e.Make().Paste(p, &at)
	if got := c.Dropped(e.State()); got != 2 {
		t.Errorf("%d edges are dropped, want 2", got)
	}
	run(t, e, c)
	f := e.State().Form
	want := `[{"id":"step_?","type":"STEP","coordinates":{"x":1000,"y":50},"more":1.50,"config":{"components":[` +
		`{"id":"rich_text_?","category":"BLOCK","type":"RICH_TEXT","config":{"content":"{{fields.rich_text_?}} and {{ ` +
		`fields['rich_text_?'] }}, {{fields.m}}, {{fields.out}}"}},` +
		`{"id":"m","category":"FIELD","type":"TEXT","label":"{{fields.rich_text_?}}"},` +
		`{"id":"j2","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"x","next_node":"b"}},` +
		`{"id":"j3","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"x"}}],"next_node":"b"}},` +
		`{"id":"b","type":"ROUTER","coordinates":{"x":1100,"y":0},"config":{"rules":[` +
		`{"id":"r1","condition":"{{fields.rich_text_?}}","next_node":"step_?"},{"id":"rule_?","condition":1,"next_node":"w"},{"condition":` +
		`2,"id":"rule_?"}],"fallback":"$ending"}},` +
		`{"id":"flow_?","type":"FLOW","config":{"flow_id":"#FLOW-1#","next_node":"b"},"coordinates":{"x":1420,"y":0}},` +
		`{"id":"node_?","type":"LOOP","config":{"next_node":"b"},"coordinates":{"x":1740,"y":0}}]`
	if got := encoded(f, 3); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := len(e.State().Selection.Nodes); got != 4 || e.State().Selection.Nodes[1] != "b" {
		t.Errorf("selected is %v", e.State().Selection.Nodes)
	}
	if e.UndoLabel() != "Paste 4 nodes" {
		t.Errorf("the step is called %q", e.UndoLabel())
	}
	for i := range 3 {
		if !schema.Equal(f.Nodes[i].Tree(), e.Base().Nodes[i].Tree()) {
			t.Errorf("node %d was changed", i)
		}
	}
}

// Fresh ids are not among those to which the text refers, and unused ids are kept.
func TestPasteDrawsFreeIDs(t *testing.T) {
	tree, _ := schema.Decode([]byte(`{"nodes":[{"id":"a","type":"FLOW"}]}`))
	draws := 0
	// The first two fresh ids are flow_AAAA and flow_BBBB.
	e := editor.New(model.FromTree(tree.(*schema.Object)), editor.Config{Rand: func(int) int { draws++; return (draws - 1) / 4 }})
	run := func(src string) string {
		t.Helper()
		c := e.Make().Paste(pasted(t, src), nil)
		s, err := c.Do(e.State())
		if err != nil {
			t.Fatal(err)
		}
		return ways(s.Form) + " " + strings.Join(s.Selection.Nodes, " ")
	}
	if got := run(`[{"id":"b","type":"FLOW","config":{"next_node":"a"}}]`); got != "b:next>a b" || draws != 0 {
		t.Errorf("%s after %d draws", got, draws)
	}
	if got := run(`[{"id":"a","type":"FLOW","config":{"next_node":"flow_AAAA"}},{"id":"flow_BBBB","type":"FLOW","config":` +
		`{"next_node":"a"}}]`); got != "flow_BBBB:next>flow_CCCC flow_CCCC flow_BBBB" {
		t.Errorf("got %s", got)
	}
}

// The same within a router: a later rule keeps its id.
func TestPasteDrawsFreeRuleIDs(t *testing.T) {
	draws := 0
	e := editor.New(model.New("f"), editor.Config{Rand: func(int) int { draws++; return (draws - 1) / 4 }})
	p := pasted(t, `[{"id":"r","type":"ROUTER","config":{"rules":[{"condition":1},{"id":"rule_AAAA","condition":2}]}}]`)
	s, err := e.Make().Paste(p, nil).Do(e.State())
	if err != nil {
		t.Fatal(err)
	}
	if rules := s.Form.Nodes[0].Config.(*model.Router).Rules; rules[0].ID != "rule_BBBB" || rules[1].ID != "rule_AAAA" {
		t.Errorf("the rules are %s and %s", rules[0].ID, rules[1].ID)
	}
}

// Ids of components and keys of hidden fields are one namespace, since templates read both.
func TestPasteHiddenField(t *testing.T) {
	e, _ := newEditor(t, spoken)
	run(
		t,
		e,
		e.Make().Paste(
			pasted(t, `[{"id":"b","type":"STEP","config":{"components":[{"id":"h","category":"FIELD","type":"TEXT","label":"{{fields.h}}"}]}}]`),
			nil,
		),
	)
	f := e.State().Form
	want := `[{"id":"b","type":"STEP","config":{"components":[{"id":"text_?","category":"FIELD","type":"TEXT","label":"{{fields.text_?}}"}]}}]`
	if got := encoded(f, 2); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if c := f.Nodes[1].Config.(*model.Router).Rules[0].Condition; !strings.Contains(string(schema.Encode(c)), "{{fields.h}}") {
		t.Error("a reference outside the pasted elements changed")
	}
}

func TestPasteParts(t *testing.T) {
	const src = `{"nodes":[
 {"id":"s","type":"STEP","config":{"components":[
   {"id":"t","category":"FIELD","type":"TEXT"},{"id":"n","category":"BLOCK","type":"NEXT_BUTTON"},{"id":"j","category":"BLOCK",` +
		`"type":"JUMP_BUTTON"}]}},
 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":1},{"id":"y","condition":1}]}},
 {"id":"w","type":"FLOW"},{"id":"e","type":"STEP"}]}`
	const texts = `[{"id":"t","category":"FIELD","type":"TEXT","label":"{{fields.t}}"},{"id":"u","category":"FIELD","type":"TEXT",` +
		`"label":"{{fields.t}}"}]`
	const jumps = `[{"id":"k","category":"BLOCK","type":"JUMP_BUTTON","config":{"next_node":"w"}},{"id":"l","category":"BLOCK","type":` +
		`"JUMP_BUTTON","config":{"next_node":"s"}},{"id":"m","category":"BLOCK","type":"JUMP_BUTTON","config":{"next_node":"q"}}]`
	const rules = `[{"id":"x","condition":2,"next_node":"w"},{"id":"z","condition":2,"next_node":"r"}]`
	on := func(node, component, rule string) editor.Selection {
		return editor.Selection{Nodes: []string{node}, Component: component, Rule: rule}
	}
	for _, tt := range []struct {
		name, src string
		sel       editor.Selection
		want      string // the parts of the node, or the error
		dropped   int
	}{
		{"before the buttons", texts, on("s", "", ""), "t text_? u n j", 0},
		{"after the selected", texts, on("s", "n", ""), "t n text_? u j", 0},
		{"into nothing", texts, on("e", "", ""), "text_? u", 0},
		{"buttons at the end", jumps, on("s", "", ""), "t n j k>w l m", 2},
		{"buttons elsewhere", jumps, on("e", "", ""), "k>w l>s m", 1},
		{"rules at the end", rules, on("r", "", ""), "x y rule_?>w z", 1},
		{"rules after the selected", rules, on("r", "", "x"), "x rule_?>w z y", 1},
		{"components into a router", texts, on("r", "", ""), "components go into a step: select one first", 0},
		{"components into nothing", texts, editor.Selection{}, "components go into a step: select one first", 0},
		{"components into many", texts, editor.SelectNodes("s", "e"), "components go into a step: select one first", 0},
		{"rules into a step", rules, on("s", "", ""), "rules go into a router: select one first", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, src)
			e.Select(tt.sel)
			c := e.Make().Paste(pasted(t, tt.src), nil)
			if got := c.Dropped(e.State()); got != tt.dropped {
				t.Errorf("%d pointers are dropped, want %d", got, tt.dropped)
			}
			if err := e.Can(c); err != nil {
				if err.Error() != tt.want {
					t.Errorf("got %v, want %s", err, tt.want)
				}
				return
			}
			run(t, e, c)
			f := e.State().Form
			n, _ := f.Node(e.State().Selection.Only())
			var got []string
			add := func(id string, to string) {
				if to != "" {
					id += ">" + to
				}
				got = append(got, id)
			}
			last := ""
			switch c := n.Config.(type) {
			case *model.Step:
				for _, comp := range c.Components {
					add(comp.ID, comp.Config().Text("next_node"))
					if comp.Label != "" && !strings.HasPrefix(named(f, comp.Label), "{{fields.text_?") {
						t.Errorf("%s says %s", comp.ID, comp.Label)
					}
				}
				if last = e.State().Selection.Component; last == "" {
					last = e.State().Selection.Parts[len(e.State().Selection.Parts)-1]
				}
			case *model.Router:
				for _, r := range c.Rules {
					add(r.ID, string(r.Next))
				}
				last = e.State().Selection.Rule
			case *model.Flow, nil:
			}
			if got := named(f, strings.Join(got, " ")); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			ids := []string{"u", "m", "z"}
			if !slices.Contains(ids, last) {
				t.Errorf("%q is selected, want the last of what was pasted", last)
			}
		})
	}
}

// Unusual elements stay as they are: values that are not objects, pointers of unknown
// types, nodes with the id of an end.
func TestPasteOddParts(t *testing.T) {
	e, _ := newEditor(t, `{"nodes":[]}`)
	const src = `[{"id":"s","type":"STEP","config":{"components":[3,{"id":"x","category":"FIELD","type":"CUSTOM","config":{"next_node":` +
		`"gone"}}],"next_node":"$ending"}},` +
		`{"id":"r","type":"ROUTER","config":{"rules":[7,null],"fallback":""}}]`
	run(t, e, e.Make().Paste(pasted(t, src), nil))
	if got := encoded(e.State().Form, 0); got != src {
		t.Errorf("got  %s\nwant %s", got, src)
	}
	run(t, e, e.Make().Paste(pasted(t, `[{"id":"$ending","type":"FLOW","config":{"next_node":"$ending"}}]`), nil))
	if got, want := encoded(e.State().Form, 2), `[{"id":"flow_?","type":"FLOW","config":{"next_node":"$ending"}}]`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// If no part is selected, a part without an id does not count as selected.
func TestPasteWithoutASelectedPart(t *testing.T) {
	e, _ := newEditor(t, `{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"type":"TEXT"},{"id":"t","type":"TEXT"}]}},
 {"id":"r","type":"ROUTER","config":{"rules":[{},{"id":"x"}]}}]}`)
	for id, src := range map[string]string{"s": `{"id":"new","type":"TEXT"}`, "r": `{"id":"new","condition":1}`} {
		e.Select(editor.SelectNodes(id))
		s, err := e.Make().Paste(pasted(t, src), nil).Do(e.State())
		if err != nil {
			t.Fatal(err)
		}
		n, _ := s.Form.Node(id)
		config := n.Tree().Object("config")
		list := append(slices.Clone(config.List("components")), config.List("rules")...)
		if o, _ := list[len(list)-1].(*schema.Object); len(list) != 3 || o.Text("id") != "new" {
			t.Errorf("pasted to %s", schema.Encode(config))
		}
	}
}

// A parsed text can be pasted again, since making a command does not change it.
func TestPasteDoesNotChangeThePasted(t *testing.T) {
	e, _ := newEditor(t, spoken)
	e.Select(editor.SelectNodes("r"))
	for _, src := range []string{
		spoken, `[{"id":"mail","type":"CHOICE","config":{"options":["{{fields.mail}}",{"x":["{{fields.mail}}"]}]}}]`,
		`[{"id":"r1","condition":["{{fields.mail}}"],"next_node":"gone"}]`,
		`[{"id":"q","type":"ROUTER","config":{"rules":[{"id":"a"},{"id":"a"}]}}]`,
	} {
		p := pasted(t, src)
		text := func() string {
			var b []byte
			for _, list := range [][]*schema.Object{p.Nodes, p.Components, p.Rules} {
				for _, o := range list {
					b = append(b, schema.Encode(o)...)
				}
			}
			return string(b)
		}
		was := text()
		run(t, e, e.Make().Paste(p, nil))
		if got := text(); got != was {
			t.Errorf("got  %s\nwant %s", got, was)
		}
	}
}

// A command that was made for one state must not damage another.
func TestPasteInAnotherState(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	for _, tt := range []struct{ name, src, want string }{
		{"node", `[{"id":"q","type":"FLOW"}]`, `paste node: the id "q" is taken`},
		{"component", `[{"id":"q","type":"TEXT"}]`, `paste component: the id "q" is taken`},
		{"rule", `[{"id":"q","condition":1}]`, `paste rule: the id "q" is taken`},
	} {
		e.Select(editor.SelectNodes(map[string]string{"component": "a", "rule": "r"}[tt.name]))
		c := e.Make().Paste(pasted(t, tt.src), nil)
		run(t, e, c)
		if err := e.Can(c); err == nil || err.Error() != tt.want {
			t.Errorf("a second time: %v, want %s", err, tt.want)
		}
	}
	if err := e.Can(editor.Paste{}); err == nil {
		t.Error("nothing can be pasted")
	}
}

// A value in place of a list is never overwritten.
func TestPasteIntoBrokenForm(t *testing.T) {
	e, _ := newEditor(t, `{"nodes":5}`)
	if err := e.Can(e.Make().Paste(pasted(t, `[{"type":"STEP"}]`), nil)); err == nil {
		t.Error("nodes that are not a list were replaced")
	}
	e, _ = newEditor(t, `{"nodes":[{"id":"s","type":"STEP","config":{"components":{}}},{"id":"r","type":"ROUTER","config":[]}]}`)
	for id, src := range map[string]string{"s": `{"type":"TEXT"}`, "r": `{"condition":1}`} {
		e.Select(editor.SelectNodes(id))
		if err := e.Can(e.Make().Paste(pasted(t, src), nil)); err == nil {
			t.Errorf("what stands in %s was replaced", id)
		}
	}
}

func TestPasteLimits(t *testing.T) {
	e, _ := newEditor(t, `{"name":"f","nodes":[{"id":"s","type":"STEP"}]}`)
	big := `{"nodes":[{"id":"a","type":"STEP","more":[` + strings.Repeat("1,", 120_000) + `1]}]}`
	if err := e.Run(e.Make().Paste(pasted(t, big), nil)); err != nil {
		t.Fatal(err)
	}
	e.Select(editor.SelectNodes("s"))
	deep := `{"type":"TEXT","id":"d","config":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}`
	deeper := `{"type":"TEXT","id":"d","config":` + strings.Repeat("[", 58) + strings.Repeat("]", 58) + `}`
	long := `{"type":"TEXT","id":"l","label":"` + strings.Repeat("x", 4_000_000) + `"}`
	for _, tt := range []struct{ src, want string }{
		{big, "too large: the form would hold 240016 values, at most 200000"},
		{deep, "too large: the form would be nested 66 deep, at most 64"},
		{deeper, ""},
		{long, "too large: the form would be of 42"},
	} {
		err := e.Can(e.Make().Paste(pasted(t, tt.src), nil))
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

func TestPasteDialect(t *testing.T) {
	const src = `[{"id":"v","category":"WIDGET","type":"GMAPS_ADDRESS"},{"id":"w","category":"WIDGET","type":"MAPS_ADDRESS"},{"id":"x",` +
		`"category":"WIDGET","type":"OTHER"}]`
	for d, want := range map[model.Dialect]string{
		"":                "MAPS_ADDRESS MAPS_ADDRESS OTHER",
		model.SpecDialect: "MAPS_ADDRESS MAPS_ADDRESS OTHER", model.VendorDialect: "GMAPS_ADDRESS GMAPS_ADDRESS OTHER",
	} {
		tree, _ := schema.Decode([]byte(`{"nodes":[{"id":"s","type":"STEP"}]}`))
		e := editor.New(model.FromTree(tree.(*schema.Object)), editor.Config{Dialect: d})
		e.Select(editor.SelectNodes("s"))
		s, err := e.Make().Paste(pasted(t, src), nil).Do(e.State())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range s.Form.Nodes[0].Config.(*model.Step).Components {
			got = append(got, c.Type)
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q: got %s, want %s", d, g, want)
		}
	}
}

// byCode counts problems.
func byCode(ps schema.Problems) map[schema.Code]int {
	m := map[schema.Code]int{}
	for _, p := range ps {
		m[p.Code]++
	}
	return m
}

// A real form pasted into an empty one is unchanged. Pasted again it has all its
// edges, unique ids and no new problems.
func TestPasteRealForms(t *testing.T) {
	some := 0
	for _, file := range realforms.Files(t) {
		name := file.Name
		p, err := editor.ParsePaste(string(file.Text))
		if err != nil {
			continue // blank forms
		}
		some++
		e, _ := newEditor(t, `{"name":"f"}`)
		first := e.Make().Paste(p, nil)
		if n := first.Dropped(e.State()); n != 0 {
			t.Errorf("%s: %d edges are dropped", name, n)
		}
		run(t, e, first)
		once := e.State().Form
		if len(once.Nodes) != len(p.Nodes) {
			t.Fatalf("%s: %d nodes, want %d", name, len(once.Nodes), len(p.Nodes))
		}
		for i, n := range once.Nodes {
			got := n.Tree().Without("coordinates")
			if want := p.Nodes[i].Without("coordinates"); string(schema.Encode(got)) != string(schema.Encode(want)) &&
				!strings.Contains(string(schema.Encode(want)), "GMAPS") {
				t.Errorf("%s: got  %s\nwant %s", name, schema.Encode(got), schema.Encode(want))
			}
		}
		had := e.Found().Problems()
		for range 2 {
			run(t, e, e.Make().Paste(p, nil))
		}
		thrice := e.State().Form
		if !uniqueIDs(thrice) || len(thrice.Edges()) != 3*len(once.Edges()) {
			t.Errorf("%s: ids unique %v, %d edges, want three times %d", name, uniqueIDs(thrice), len(thrice.Edges()), len(once.Edges()))
		}
		if got, want := byCode(e.Found().Problems()), byCode(had); len(had) == 0 && !maps.Equal(got, want) {
			t.Errorf("%s: problems %v, want %v", name, e.Found().Problems(), had)
		}
	}
	if some < 5 {
		t.Errorf("%d of the real forms have nodes", some)
	}
}

// Thousands of nodes that must all be renamed, with templates that must all
// follow: if this were not linear, the test would take minutes.
func TestPasteManyNodes(t *testing.T) {
	var nodes []string
	for i := range 5000 {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","coordinates":{"x":%d,"y":0},"config":{"components":[`+
			`{"id":"c%d","category":"FIELD","type":"TEXT","label":"{{fields.c%d}}"}],"next_node":"n%d"}}`, i, i, i, (i+1)%5000, (i+1)%5000))
	}
	src := `{"name":"f","nodes":[` + strings.Join(nodes, ",") + `]}`
	e, _ := newEditor(t, src)
	e.Select(editor.SelectAll(e.State()))
	for _, c := range []editor.Command{e.Make().Paste(pasted(t, src), nil), e.Make().Duplicate()} {
		s, err := c.Do(e.State())
		if err != nil {
			t.Fatal(err)
		}
		if ps := new(model.Checker).Check(s.Form); len(ps) > 0 || len(s.Form.Nodes) != 10_000 {
			t.Errorf("%d nodes, %v", len(s.Form.Nodes), ps)
		}
		n := s.Form.Nodes[5000].Config.(*model.Step)
		next := s.Form.Nodes[5001]
		if string(n.Next) != next.ID || n.Components[0].Label != "{{fields."+next.Config.(*model.Step).Components[0].ID+"}}" {
			t.Errorf("the first copy leads to %s and says %s", n.Next, n.Components[0].Label)
		}
	}
}
