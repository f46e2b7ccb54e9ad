package transfer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/charset/charsettest"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// An import is a single undo step; the server's properties stay.
func TestReplaceForm(t *testing.T) {
	mine := formtest.Parse(t,
		`{"id":"ap_mine","name":"Mine","created_at":"2024-01-01T00:00:00Z","languages":{"primary":"de"},"style":{"css":"a{}"},
		"nodes":[{"id":"a","type":"STEP","config":{"components":[]}},{"id":"keep","type":"STEP","config":{"components":[]}}]}`)
	file := formtest.Parse(t,
		`{"id":"ap_theirs","name":"Theirs","created_at":"2025-01-01T00:00:00Z","links":{"x":1},"languages":{"primary":"en"},
			"start":{"next_node":"b"},
		"nodes":[{"id":"b","type":"STEP","config":{"components":[]}},{"id":"keep","type":"STEP","config":{"components":[]}}]}`)
	ed := editor.New(mine, editor.Config{Now: func() time.Time { return time.Time{} }, Rand: rand.IntN})
	ed.Select(editor.SelectNodes("a", "keep"))
	if err := ed.Run(replaceForm{file, "theirs.json"}); err != nil {
		t.Fatal(err)
	}
	got := ed.State().Form
	want := `{"id":"ap_mine","name":"Theirs","created_at":"2024-01-01T00:00:00Z","languages":{"primary":"en"},
		"nodes":[{"id":"b","type":"STEP","config":{"components":[]}},{"id":"keep","type":"STEP","config":{"components":[]}}],
		"start":{"next_node":"b"}}`
	if wantTree, _ := schema.Decode([]byte(want)); !schema.Equal(got.Tree(), wantTree) {
		t.Errorf("the form is %s", schema.Encode(got.Tree()))
	}
	if label := ed.UndoLabel(); label != "Import theirs.json" {
		t.Errorf("the step is called %q", label)
	}
	if !ed.State().Selection.Empty() {
		t.Errorf("%v is selected", ed.State().Selection)
	}
	if _, ok := ed.Undo(); !ok || ed.State().Form != mine {
		t.Error("undo does not bring back the form that was")
	}
	if ed.UndoLabel() != "" {
		t.Errorf("after undo, %q can still be undone", ed.UndoLabel())
	}
}

// The nodes of the file are in memory once.
func TestReplacedNodesAreShared(t *testing.T) {
	ed := editor.New(formtest.Parse(t, `{"name":"Mine","nodes":[{"id":"a"}]}`), editor.Config{Now: func() time.Time { return time.Time{} }, Rand: rand.IntN})
	file := formtest.Parse(t, `{"name":"Mine","nodes":[{"id":"b"},{"id":"c"}]}`)
	if err := ed.Run(replaceForm{file, "b.json"}); err != nil || !slices.Equal(ed.State().Form.Nodes, file.Nodes) {
		t.Errorf("%v, the nodes are %v", err, ed.State().Form.Nodes)
	}
}

// Importing identical contents is not an undo step.
func TestReplaceWithSameContents(t *testing.T) {
	mine := formtest.Parse(t, `{"id":"ap_mine","name":"Mine","nodes":[]}`)
	ed := editor.New(mine, editor.Config{Now: func() time.Time { return time.Time{} }, Rand: rand.IntN})
	if err := ed.Run(replaceForm{formtest.Parse(t, `{"name":"Mine","nodes":[]}`), "same.json"}); err != nil || ed.UndoLabel() != "" ||
		ed.State().Form != mine {
		t.Errorf("%v, %q", err, ed.UndoLabel())
	}
}

func TestContent(t *testing.T) {
	got := Content(formtest.Parse(t, `{"id":"ap_x","name":"N","nodes":[],"created_at":"2024-01-01T00:00:00Z","extra":1}`))
	if text := string(schema.Encode(got.Tree())); text != `{"name":"N","nodes":[],"extra":1}` {
		t.Errorf("the content is %s", text)
	}
}

func TestNotAForm(t *testing.T) {
	one := schema.Problems{{Path: schema.Path{schema.Key("name")}, Detail: "must not be empty"}}
	if text := Refusal(one); !strings.HasSuffix(text, "name: must not be empty") {
		t.Errorf("one problem reads %q", text)
	}
	if text := Refusal(append(one, one...)); !strings.HasSuffix(text, "name: must not be empty (and 1 more)") {
		t.Errorf("two problems read %q", text)
	}
}

const exported = `{"form":{"name":"F","nodes":[{"id":"a","type":"FLOW","config":{"flow_id":"#FLOW-1#"}},{"id":"b","type":"FLOW",
	"config":{"flow_id":"#FLOW-2#"}},
	{"id":"c","type":"FLOW","config":{"flow_id":"#FLOW-1#"}}]},"flows":{"#FLOW-1#":{"name":"Save"},"#FLOW-2#":{"name":"Send"}}}`

// The flows of a file are matched by name; the others can be chosen, and unmatched
// ones stay placeholders.
func TestIncomingFlows(t *testing.T) {
	d, problems, _ := envelope.Read([]byte(exported))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	ids := func(f *model.Form) (got []string) {
		for _, r := range f.Flows() {
			got = append(got, r.ID)
		}
		return got
	}
	here := []formapi.Flow{{ID: "af_1", Name: "Save"}, {ID: "af_2", Name: "Other"}}
	in := newIncoming("f.json", d, here)
	if got, want := ids(in.Form()), []string{"af_1", "#FLOW-2#", "af_1"}; !slices.Equal(got, want) || in.missing() != 1 {
		t.Errorf("flows %q, want %q; %d missing", got, want, in.missing())
	}
	in.choose("#FLOW-2#", "af_2")
	in.choose("#FLOW-1#", "")
	in.choose("#FLOW-9#", "af_2")
	if got, want := ids(in.Form()), []string{"#FLOW-1#", "af_2", "#FLOW-1#"}; !slices.Equal(got, want) || in.missing() != 1 {
		t.Errorf("flows %q after the choice, want %q", got, want)
	}
	if n := newIncoming("f.json", d, []formapi.Flow{{ID: "af_1", Name: "Save"}, {ID: "af_2", Name: "Send"}}).missing(); n != 0 {
		t.Errorf("%d are missing although all flows are here", n)
	}
	flat, _, _ := envelope.Read([]byte(`{"name":"F","nodes":[{"id":"a","type":"FLOW","config":{"flow_id":"#FLOW-7#"}}]}`))
	if in := newIncoming("flat.json", flat, here); in.missing() != 1 || in.choices[0].placeholder != "#FLOW-7#" {
		t.Errorf("a flat form's placeholder: %+v", in.choices)
	}
}

// The dialog has controls for as many flows as can be drawn, with some of the nodes that run each.
func TestManyIncomingFlows(t *testing.T) {
	var nodes []string
	for i := range 250 {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"FLOW","alias":"Node %d","config":{"flow_id":"af_%d"}}`, i, i, max(0, i-9)))
	}
	d, problems, _ := envelope.Read([]byte(`{"name":"F","nodes":[` + strings.Join(nodes, ",") + `]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	in := newIncoming("f.json", d, []formapi.Flow{{ID: "af_here", Name: "Save"}})
	for i := range 241 {
		in.add([]string{fmt.Sprintf("af_%d", i), "af_0"})
	}
	html := app.HTMLString(kit.El("div").Body(in.rows()...))
	if n := strings.Count(html, "data-flow="); n != 100 || len(in.choices) != 241 || !strings.Contains(html, "141 others are kept.") {
		t.Errorf("%d of %d flows are drawn: %.300s", n, len(in.choices), html)
	}
	if !strings.Contains(html, "Node 0, Node 1, Node 2, …<") {
		t.Errorf("the first flow is run by many nodes: %.300s", html)
	}
}

// An export contains the available details of the form's flows, and reports how many
// are incomplete.
func TestExportWithFlows(t *testing.T) {
	f := formtest.Parse(t,
		`{"id":"ap_x","name":"F","nodes":[{"id":"a","type":"FLOW","config":{"flow_id":"af_1"}},{"id":"b","type":"FLOW",
			"config":{"flow_id":"af_2"}},
		{"id":"c","type":"FLOW","config":{"flow_id":"af_3"}}],"created_at":"2024-01-01T00:00:00Z"}`)
	var flows []*schema.Object
	for _, src := range []string{
		`{"id":"af_1","name":"Whole","actions":[]}`, `{"id":"af_2","name":"Listed"}`,
		`{"id":"af_9","name":"Another"}`,
	} {
		flows = append(flows, formtest.Parse(t, src).Tree())
	}
	text, incomplete := exportWithFlows(f, flows)
	if incomplete != 2 {
		t.Errorf("%d flows are incomplete, want 2", incomplete)
	}
	d, problems, warnings := envelope.Read([]byte(text))
	if len(problems) > 0 || d.Shape != envelope.Export {
		t.Fatalf("%v in %s", problems, text)
	}
	for _, w := range warnings {
		if w.Code == schema.CodeFlowID {
			t.Errorf("warning %v", w)
		}
	}
	want := `{"#FLOW-1#":{"name":"Whole","actions":[]},"#FLOW-2#":{"name":"Listed"},"#FLOW-3#":{"id":"af_3"}}`
	if got := string(schema.Encode(d.Outer.Object("flows"))); got != want {
		t.Errorf("got flows %s, want %s", got, want)
	}
}

func TestFlowsReplacePlaceholders(t *testing.T) {
	d, _, _ := envelope.Read([]byte(`{"name":"F","nodes":[
		{"id":"a","type":"FLOW","config":{"flow_id":"#FLOW-1#"}},{"id":"b","type":"FLOW","config":{"flow_id":"#FLOW-1#"}},{"id":"c","type":"FLOW",
		"config":{"flow_id":"#FLOW-2#"}}]}`))
	count := func(f *model.Form) int { return len(model.Warnings(f)) }
	if n := count(d.Form); n != 3 {
		t.Fatalf("%d places with placeholders, want 3", n)
	}
	e := editor.New(d.Form, editor.Config{Now: time.Now})
	if err := e.Run(useFlows{map[string]string{"#FLOW-1#": "af_1"}}); err != nil {
		t.Fatal(err)
	}
	if n := count(e.State().Form); n != 1 {
		t.Errorf("%d places with placeholders are left, want 1", n)
	}
	if e.Undo(); e.State().Form != d.Form {
		t.Error("undo does not bring the placeholders back")
	}
}

// A file of a tenant that is not ours may have what only that tenant knows.
func TestForeignFileIsReadAtARemoteTenant(t *testing.T) {
	const text = `{"name":"N","social":[1],"nodes":[{"id":"a","type":"AGENT","config":{"flow_id":"#FLOW-1#"}},
		{"id":"b","type":"FLOW","visible":true,"config":{"flow_id":"#FLOW-1#"}}]}`
	calls := 0
	c := client.New(uitest.Server(func(client.Request) (client.Response, error) {
		calls++
		return uitest.Answer(200, `[]`), nil
	}))
	in, bad, err := Tenant{Client: c, Remote: true}.Read(t.Context(), "f.json", text)
	if err != nil || len(bad.Problems) > 0 || calls > 0 {
		t.Fatalf("%v, problems %v, %d calls for flows", err, bad.Problems, calls)
	}
	if got := string(schema.Encode(Content(in.Form()).Tree())); !strings.Contains(got, `"AGENT"`) || !strings.Contains(got, `"social":[1]`) {
		t.Errorf("the form is %s", got)
	}
	if _, bad, _ := (Tenant{Client: c, Remote: true}).Read(t.Context(), "f.json", `{"name":"","x":1}`); len(bad.Problems) != 1 {
		t.Errorf("problems %v", bad.Problems)
	}
	if _, bad, _ := (Tenant{Client: c, Flows: true}).Read(t.Context(), "f.json", text); len(bad.Problems) != 3 {
		t.Errorf("at the embedded tenant: problems %v", bad.Problems)
	}
}

// Every file is a form as it was written, or is refused with the words of formgraph validate.
func TestFilesInOtherEncodings(t *testing.T) {
	for _, c := range charsettest.Of(charsettest.Form) {
		in, bad, err := Tenant{}.Read(t.Context(), "f.json", string(c.File))
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.Name, err)
		case c.Refused != "" && (len(bad.Problems) != 1 || !strings.Contains(Refusal(bad.Problems), c.Refused)):
			t.Errorf("%s: the problems are %v", c.Name, bad.Problems)
		case c.Refused == "" && (in == nil || in.Form().Name != c.Text):
			t.Errorf("%s: %v, problems %v", c.Name, in, bad.Problems)
		}
	}
}
