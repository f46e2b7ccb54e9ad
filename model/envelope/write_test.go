package envelope_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/schema"
)

// flowForm names four flows in six places. The ending is written first.
const flowForm = `{"id":"ap_1","name":"f","created_at":"c","updated_at":"u","embedded_at":"e","submitted_at":"s",
 "ending":{"after_submit":{"flow_id":"af_end"}},
 "nodes":[
  {"id":"a","type":"STEP","config":{"components":[
   {"id":"t","category":"FIELD","type":"TEXT","config":{"flow_id":"af_no"}},
   {"id":"r","category":"BLOCK","type":"RESEND_BUTTON","config":{"flow_id":"af_2"}}]}},
  {"id":"b","type":"FLOW","config":{"flow_id":"af_1"}},
  {"id":"c","type":"FLOW","config":{"flow_id":"af_2"}},
  {"id":"d","type":"FLOW","config":{"flow_id":""}},
  {"id":"e","type":"FLOW","config":{"flow_id":3}},
  {"id":"g","type":"ROUTER","config":{"flow_id":"af_no"}},
  {"id":"h","type":"FLOW"},
  {"id":"i","type":"FLOW","config":{"flow_id":"my flow"}}]}`

// flowIDs returns the places that name a flow, in document order.
func flowIDs(f *model.Form) []model.FlowRef {
	var refs []model.FlowRef
	var ps schema.Problems
	for _, r := range f.Flows() {
		if r.ID != "" {
			ps = append(ps, schema.Problem{Path: r.Path, Offset: len(refs)})
			refs = append(refs, r)
		}
	}
	schema.Sort(f.Tree(), ps)
	sorted := make([]model.FlowRef, len(refs))
	for i, p := range ps {
		sorted[i] = refs[p.Offset]
	}
	return sorted
}

func TestFlowIDs(t *testing.T) {
	f := form(t, flowForm)
	var got []string
	for _, r := range flowIDs(f) {
		got = append(got, r.Path.String()+" "+r.ID)
		if v, _ := schema.Lookup(f.Tree(), r.Path); v != r.ID {
			t.Errorf("%s holds %v, want %s", r.Path, v, r.ID)
		}
	}
	want := "ending.after_submit.flow_id af_end; nodes[0].config.components[1].config.flow_id af_2; nodes[1].config.flow_id af_1; " +
		"nodes[2].config.flow_id af_2; nodes[7].config.flow_id my flow"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("flow ids:\n got %s\nwant %s", s, want)
	}
}

func TestMapFlows(t *testing.T) {
	f := form(t, flowForm)
	if g := envelope.MapFlows(f, func(id string) (string, bool) { return id, true }); g != f {
		t.Error("mapping ids to themselves makes another form")
	}
	if g := envelope.MapFlows(f, func(string) (string, bool) { return "x", false }); g != f {
		t.Error("unmapped ids make another form")
	}
	asked := 0
	g := envelope.MapFlows(f, func(id string) (string, bool) { asked++; return "new " + id, id != "af_1" })
	if asked != 5 {
		t.Errorf("asked %d times, want 5", asked)
	}
	want := strings.NewReplacer(`"af_end"`, `"new af_end"`, `"af_2"`, `"new af_2"`, `"my flow"`, `"new my flow"`).Replace(flowForm)
	if got := string(schema.Encode(g.Tree())); got != compact(t, want) {
		t.Errorf("mapped:\n got %s\nwant %s", got, compact(t, want))
	}
	if g.Nodes[1] != f.Nodes[1] {
		t.Error("a node whose flow does not change is another one")
	}
}

func TestExportForm(t *testing.T) {
	flows := map[string]*schema.Object{
		"af_1": decode(t, `{"id":"af_1","name":"One","created_at":"c","actions":[
		 {"params":{"connection_id":"ac_b"}},
		 {"params":{"then":[{"params":{"connection_id":"ac_a"}}],"else":[{"params":{"connection_id":"{{vars.c}}"}},{"connection_id":""},
{"connection_id":3},{"connection_id":"ac_b"}]}}]}`),
		"af_2":   decode(t, `{"name":"Two","id":"af_2"}`),
		"af_not": decode(t, `{"name":"Not used"}`),
	}
	connections := map[string]*schema.Object{"ac_a": decode(t, `{"name":"A","id":"ac_a","app_id":"HTTP","ready":true}`)}
	outer, placeholders := envelope.ExportForm(form(t, flowForm), flows, connections)
	want := `{"version":"4.0.0","form":{"name":"f","ending":{"after_submit":{"flow_id":"#FLOW-4#"}},"nodes":[
	 {"id":"a","type":"STEP","config":{"components":[
	  {"id":"t","category":"FIELD","type":"TEXT","config":{"flow_id":"af_no"}},
	  {"id":"r","category":"BLOCK","type":"RESEND_BUTTON","config":{"flow_id":"#FLOW-1#"}}]}},
	 {"id":"b","type":"FLOW","config":{"flow_id":"#FLOW-2#"}},
	 {"id":"c","type":"FLOW","config":{"flow_id":"#FLOW-1#"}},
	 {"id":"d","type":"FLOW","config":{"flow_id":""}},
	 {"id":"e","type":"FLOW","config":{"flow_id":3}},
	 {"id":"g","type":"ROUTER","config":{"flow_id":"af_no"}},
	 {"id":"h","type":"FLOW"},
	 {"id":"i","type":"FLOW","config":{"flow_id":"#FLOW-3#"}}]},
	"flows":{"#FLOW-1#":{"name":"Two"},
	 "#FLOW-2#":{"name":"One","actions":[
	  {"params":{"connection_id":"#CONN-1#"}},
	  {"params":{"then":[{"params":{"connection_id":"#CONN-2#"}}],"else":[{"params":{"connection_id":"{{vars.c}}"}},{"connection_id":""},
{"connection_id":3},{"connection_id":"#CONN-1#"}]}}]},
	 "#FLOW-3#":{"id":"my flow"},"#FLOW-4#":{"id":"af_end"}},
	"connections":{"#CONN-1#":{"id":"ac_b"},"#CONN-2#":{"id":"ac_a","app_id":"HTTP","name":"A"}}}`
	if got := string(schema.Encode(outer)); got != compact(t, want) {
		t.Errorf("export:\n got %s\nwant %s", got, compact(t, want))
	}
	const known = "[{#FLOW-1# af_2 true} {#FLOW-2# af_1 true} {#FLOW-3# my flow false} {#FLOW-4# af_end false} {#CONN-1# ac_b false} " +
		"{#CONN-2# ac_a true}]"
	if got := fmt.Sprint(placeholders); got != known {
		t.Errorf("placeholders %s, want %s", got, known)
	}
	outer, placeholders = envelope.ExportForm(model.New("f"), nil, nil)
	if got, want := string(schema.Encode(outer)), `{"version":"4.0.0","form":{"name":"f"},"flows":{},"connections":{}}`; got != want ||
		placeholders != nil {
		t.Errorf("a form without flows: %s, want %s", got, want)
	}
}

func TestMatchAndImport(t *testing.T) {
	src := `{"form":{"name":"f","ending":{"after_submit":{"flow_id":"#FLOW-9#"}},"nodes":[
	 {"id":"a","type":"FLOW","config":{"flow_id":"#FLOW-1#"}},{"id":"b","type":"FLOW","config":{"flow_id":"#FLOW-2#"}},
	 {"id":"c","type":"FLOW","config":{"flow_id":"#FLOW-3#"}},{"id":"d","type":"FLOW","config":{"flow_id":"#FLOW-2#"}},
	 {"id":"e","type":"FLOW","config":{"flow_id":"by hand"}},{"id":"f","type":"FLOW","config":{"flow_id":"af_real"}},
	 {"id":"g","type":"FLOW","config":{"flow_id":"#FLOW-4#"}}]},
	 "flows":{"#FLOW-1#":{"name":"One"},"#FLOW-2#":{"name":"Twice"},"#FLOW-3#":{"id":"af_3"},"#FLOW-4#":{"id":"af_gone"},
"by hand":{"name":"one"},"odd":3}}`
	d, _, _ := envelope.Read([]byte(src))
	mapping, missing := envelope.MatchFlows(
		d,
		[]envelope.Target{{"af_t", "Twice"}, {"af_1", "One"}, {"af_u", "Twice"}, {"af_v", "Twice"}, {"af_3", "Three"}},
	)
	if got, want := fmt.Sprint(mapping), "map[#FLOW-1#:af_1 #FLOW-3#:af_3]"; got != want {
		t.Errorf("mapping %s, want %s", got, want)
	}
	const left = "[{#FLOW-2# Twice [nodes[1].config.flow_id nodes[3].config.flow_id]} {by hand one [nodes[4].config.flow_id]} " +
		"{#FLOW-4#  [nodes[6].config.flow_id]} {#FLOW-9#  [ending.after_submit.flow_id]}]"
	if got := fmt.Sprint(missing); got != left {
		t.Errorf("missing:\n got %s\nwant %s", got, left)
	}
	f, again := envelope.ImportForm(d, mapping)
	if got := fmt.Sprint(again); got != left {
		t.Errorf("missing in the import:\n got %s\nwant %s", got, left)
	}
	var ids []string
	for _, r := range flowIDs(f) {
		ids = append(ids, r.ID)
	}
	if got, want := strings.Join(ids, " "), "#FLOW-9# af_1 #FLOW-2# af_3 #FLOW-2# by hand af_real #FLOW-4#"; got != want {
		t.Errorf("ids %q, want %q", got, want)
	}
	none, missing := envelope.ImportForm(envelope.Document{}, nil)
	if none != nil || missing != nil {
		t.Error("a form of nothing")
	}
	if m, missing := envelope.MatchFlows(envelope.Document{}, nil); len(m) > 0 || missing != nil {
		t.Error("a match of nothing")
	}
}

// These do not match: an unknown name, even with a known id; a flow without a name and
// id; and an id of another tenant.
func TestMatchIsExact(t *testing.T) {
	d, _, _ := envelope.Read([]byte(`{"form":{"name":"f","nodes":[
	 {"id":"a","type":"FLOW","config":{"flow_id":"#FLOW-1#"}},{"id":"b","type":"FLOW","config":{"flow_id":"#FLOW-2#"}},
	 {"id":"c","type":"FLOW","config":{"flow_id":"#FLOW-3#"}},{"id":"d","type":"FLOW","config":{"flow_id":"#FLOW-x y#"}},
	 {"id":"e","type":"FLOW","config":{"flow_id":"#FLOW-4#"}}]},
	 "flows":{"#FLOW-1#":{"name":"Gone","id":"af_1"},"#FLOW-2#":{},"#FLOW-3#":{"id":"af_other"},"#FLOW-4#":{"name":"One"}}}`))
	mapping, missing := envelope.MatchFlows(d, []envelope.Target{{"af_1", "One"}, {"af_2", ""}, {"", "No id"}})
	if got, want := fmt.Sprint(mapping), "map[#FLOW-4#:af_1]"; got != want {
		t.Errorf("mapping %s, want %s", got, want)
	}
	const left = "[{#FLOW-1# Gone [nodes[0].config.flow_id]} {#FLOW-2#  [nodes[1].config.flow_id]} {#FLOW-3#  [nodes[2].config.flow_id]}]"
	if got := fmt.Sprint(missing); got != left {
		t.Errorf("missing:\n got %s\nwant %s", got, left)
	}
}

// Mapping does not change the original form or its lists.
func TestMapFlowsLeavesTheForm(t *testing.T) {
	f := form(t, flowForm)
	was := string(schema.Encode(f.Tree()))
	envelope.MapFlows(f, func(id string) (string, bool) { return "new " + id, true })
	if got := string(schema.Encode(f.Tree())); got != was {
		t.Errorf("the form is now %s", got)
	}
	two := form(
		t,
		`{"nodes":[{"id":"a","type":"STEP","config":{"components":[{"id":"r","type":"RESEND_BUTTON","config":{"flow_id":"x"}},
{"id":"s","type":"RESEND_BUTTON","config":{"flow_id":"y"}}]}}]}`,
	)
	var ids []string
	for _, r := range flowIDs(envelope.MapFlows(two, func(id string) (string, bool) { return id + id, true })) {
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "xx yy" {
		t.Errorf("two buttons of one step: got %s", got)
	}
}

// exportLaws checks that importing an export with its own ids restores the form.
func exportLaws(t *testing.T, f *model.Form, flows, connections map[string]*schema.Object) *schema.Object {
	t.Helper()
	outer, placeholders := envelope.ExportForm(f, flows, connections)
	text := schema.Encode(outer)
	d, problems, _ := envelope.Read(text)
	if d.Shape != envelope.Export || d.Form == nil {
		t.Fatalf("the export is none: %v\n%s", problems, text)
	}
	identity := map[string]string{}
	for _, p := range placeholders {
		identity[p.Name] = p.ID
	}
	back, missing := envelope.ImportForm(d, identity)
	want := f.Tree()
	for _, key := range []string{"id", "created_at", "updated_at", "embedded_at", "submitted_at"} {
		want = want.Without(key)
	}
	if len(missing) > 0 || !schema.Equal(back.Tree(), want) {
		t.Fatalf("import of the export, missing %v:\n got %s\nwant %s", missing, schema.Encode(back.Tree()), schema.Encode(want))
	}
	return outer
}

// A real export that is imported and exported again is unchanged.
func TestCorpusExport(t *testing.T) {
	for _, file := range realforms.Files(t) {
		t.Run(file.Name, func(t *testing.T) {
			src := file.Text
			d, _, _ := envelope.Read(src)
			exportLaws(t, d.Form, nil, nil)
			if d.Shape != envelope.Export {
				return
			}
			// The placeholders of the file serve as the ids of the tenant.
			flows, connections := map[string]*schema.Object{}, map[string]*schema.Object{}
			for _, m := range d.Outer.Object("flows").Members() {
				flows[m.Key] = m.Value.(*schema.Object)
			}
			ids := map[string]string{}
			for _, m := range d.Outer.Object("connections").Members() {
				connections[m.Key] = m.Value.(*schema.Object)
				ids[m.Key] = m.Value.(*schema.Object).Text("id")
			}
			outer := exportLaws(t, d.Form, flows, connections)
			conns := outer.Object("connections")
			for _, m := range conns.Members() {
				conns = conns.With(m.Key, m.Value.(*schema.Object).With("id", ids[m.Key]))
			}
			if outer = outer.With("connections", conns); !schema.Equal(outer, d.Outer) {
				t.Errorf("another export:\n got %s\nwant %s", schema.Encode(outer), schema.Encode(d.Outer))
			}
		})
	}
}

func FuzzExport(f *testing.F) {
	f.Add([]byte(flowForm), []byte(`{"af_1":{"name":"n","actions":[{"connection_id":"a"}]},"af_2":3}`))
	f.Add([]byte(`{"nodes":[{"type":"FLOW","config":{"flow_id":"#FLOW-2#"}},{"type":"FLOW","config":{"flow_id":"#FLOW-1#"}}]}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, ps := schema.Decode(a)
		o, ok := x.(*schema.Object)
		y, qs := schema.Decode(b)
		p, ok2 := y.(*schema.Object)
		// Inside an envelope the form is one level deeper and larger.
		if !ok || !ok2 || len(ps)+len(qs) > 0 || len(schema.Encode(o)) > schema.MaxBytes/2 {
			return
		}
		if _, ps := schema.Decode([]byte(`[[[` + string(schema.Encode(o)) + `]]]`)); len(ps) > 0 {
			return
		}
		if _, ps := schema.Decode([]byte(`[[[` + string(schema.Encode(p)) + `]]]`)); len(ps) > 0 {
			return
		}
		flows := map[string]*schema.Object{}
		for _, m := range p.Members() {
			flows[m.Key], _ = m.Value.(*schema.Object)
		}
		exportLaws(t, model.FromTree(o), flows, flows)
	})
}
