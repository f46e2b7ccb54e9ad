package outline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// branches is a router with two branches that join, a cycle, and an unreachable
// node, listed in another order in the document.
const branches = `{"name":"F","start":{"next_node":"a"},"nodes":[
	{"id":"lost","type":"FLOW","alias":"Lost","config":{"flow_id":"x","next_node":"a"}},
	{"id":"meet","type":"STEP","alias":"Meet","config":{"components":[],"next_node":"$ending"}},
	{"id":"right","type":"STEP","alias":"Right","config":{"components":[],"next_node":"meet"}},
	{"id":"left","type":"STEP","alias":"Left","config":{"components":[{"id":"again","category":"BLOCK","type":"JUMP_BUTTON",
	"config":{"text":"Again","next_node":"a"}}],"next_node":"meet"}},
	{"id":"r","type":"ROUTER","alias":"Which?","config":{"rules":[{"id":"r1","alias":"To the left","condition":{},"next_node":"left"},
	{"id":"r2","next_node":"gone"}],"fallback":"right"}},
	{"id":"a","type":"STEP","alias":"Ask","config":{"components":[{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},
	{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"r"}}]}`

func TestJourney(t *testing.T) {
	o := newOutline(formtest.Parse(t, branches), nil, nil)
	var ids []string
	for at := range o.len() {
		ids = append(ids, o.id(at))
	}
	want := "$start a r left right meet lost $ending"
	if got := strings.Join(ids, " "); got != want {
		t.Errorf("the journey is %s, want %s", got, want)
	}
	if o.reached != 5 {
		t.Errorf("%d nodes are reached, want 5", o.reached)
	}
}

func TestOutlineWalk(t *testing.T) {
	o := newOutline(formtest.Parse(t, branches), nil, nil)
	want := []string{
		"Start", "Ask", "E-mail", "On", "Which?", "To the left", "No condition", "Otherwise", "Left", "Again", "Right", "Meet", "Lost",
		"Ending",
	}
	var down, up []string
	for s := (spot{0, -1}); ; s = o.next(s) {
		down = append(down, o.name(s))
		if !o.has(s) {
			t.Errorf("%v is visited but does not exist", s)
		}
		if s == o.last() {
			break
		}
	}
	for s := o.last(); ; s = o.previous(s) {
		up = append(up, o.name(s))
		if s == (spot{0, -1}) {
			break
		}
	}
	slices.Reverse(up)
	if !slices.Equal(down, want) || !slices.Equal(up, want) {
		t.Errorf("down %v\nup   %v\nwant %v", down, up, want)
	}
	if o.next(o.last()) != o.last() || o.previous(spot{0, -1}) != (spot{0, -1}) {
		t.Error("the walk goes on behind the ends")
	}

	ask, _ := o.find("a", "")
	o.setOpen(ask.at, false)
	if o.open(ask.at) || o.next(ask) != (spot{2, -1}) {
		t.Errorf("closed, the next row is %v", o.next(ask))
	}
	if s, ok := o.find("a", "mail"); !ok || s != ask {
		t.Errorf("a part that is not shown is found at %v", s)
	}
	again := newOutline(o.form, nil, o)
	if again.open(ask.at) {
		t.Error("a change of the form opens a closed node")
	}
	again.openAll()
	if s, ok := again.find("a", "next"); !ok || s != (spot{1, 1}) {
		t.Errorf("the second component is found at %v, %v", s, ok)
	}
	if _, ok := again.find("nobody", ""); ok {
		t.Error("a missing node is found")
	}
	again.setOpen(0, true)
	if again.open(0) {
		t.Error("the start opens and has no parts")
	}
}

// Of the rows of a level, those in view are drawn, and the one with the tab stop wherever it is.
func TestRowsInView(t *testing.T) {
	tops := []float64{32, 60, 88, 116, 160}
	for _, test := range []struct {
		from, to float64
		stop     int
		want     []int
	}{
		{0, 20, -1, nil},
		{0, 40, -1, []int{0}},
		{70, 100, -1, []int{1, 2}},
		{70, 100, 0, []int{0, 1, 2}},
		{70, 100, 2, []int{1, 2}},
		{70, 100, 3, []int{1, 2, 3}},
		{0, 20, 3, []int{3}},
		{300, 400, -1, nil},
		{300, 400, 1, []int{1}},
		{0, 999, 2, []int{0, 1, 2, 3}},
	} {
		first, end := between(tops, test.from, test.to)
		if got := withStop(first, end, test.stop); !slices.Equal(got, test.want) {
			t.Errorf("from %v to %v with the stop at %d: %v, want %v", test.from, test.to, test.stop, got, test.want)
		}
	}
	if first, end := between([]float64{32}, 0, 999); first != end {
		t.Errorf("rows of a closed node: %d to %d", first, end)
	}
}

// The positions of rows agree with the drawing: each begins where the previous one
// ends.
func TestOutlineHeights(t *testing.T) {
	o := newOutline(formtest.Parse(t, branches), nil, nil)
	y := 0.0
	for s := (spot{0, -1}); ; s = o.next(s) {
		if o.top(s) != y {
			t.Errorf("%v begins at %v, want %v", s, o.top(s), y)
		}
		switch {
		case o.row(s).note != "":
			y += 44
		case s.part >= 0:
			y += 28
		default:
			y += 32
		}
		if s == o.last() {
			break
		}
	}
	if end := o.tops[o.len()]; end != y {
		t.Errorf("the list is %v high, want %v", end, y)
	}
	ask, _ := o.find("a", "")
	o.setOpen(ask.at, false)
	if got, want := o.top(spot{ask.at, 1}), o.top(spot{ask.at + 1, -1}); got != want {
		t.Errorf("a part of a closed node is at %v, want %v", got, want)
	}
	o.setOpen(ask.at, true)
	for from := -100.0; from < y+100; from += 7 {
		for _, height := range []float64{1, 50, 400} {
			first, end := o.within(from, from+height)
			for at := range o.len() {
				in := o.tops[at+1] > from && o.tops[at] < from+height
				if in && (at < first || at >= end) {
					t.Fatalf("from %v, %v high: row %d is left out of %d to %d", from, height, at, first, end)
				}
				if at >= first && at < end && (o.tops[at+1] < from || o.tops[at] > from+height) {
					t.Fatalf("from %v, %v high: row %d is drawn for nothing", from, height, at)
				}
			}
		}
	}
}

func TestOutlineNear(t *testing.T) {
	o := newOutline(formtest.Parse(t, branches), nil, nil)
	for _, c := range []struct{ at, want spot }{
		{spot{1, 1}, spot{1, 1}},
		{spot{1, 2}, spot{1, 1}}, // the last component was deleted
		{spot{4, 5}, spot{4, -1}},
		{spot{99, -1}, spot{7, -1}},
		{spot{-3, -1}, spot{0, -1}},
	} {
		if got := o.near(c.at); got != c.want {
			t.Errorf("near %v is %v, want %v", c.at, got, c.want)
		}
	}
}

func TestOutlineTyped(t *testing.T) {
	o := newOutline(formtest.Parse(t, branches), nil, nil)
	for _, c := range []struct {
		from, text, want string
	}{
		{"Start", "l", "Left"},
		{"Left", "l", "Lost"},
		{"Lost", "l", "Left"}, // wraps around
		{"Left", "lo", "Lost"},
		{"Left", "ll", "Lost"},  // the same letter again
		{"Lost", "los", "Lost"}, // the text grows, the row stays
		{"Ask", "to the", "To the left"},
		{"Ask", "zzz", "Ask"},
		{"Start", "E-M", "E-mail"},
	} {
		at := spot{0, -1}
		for o.name(at) != c.from {
			at = o.next(at)
		}
		if got := o.name(o.typed(at, c.text)); got != c.want {
			t.Errorf("%q typed at %s goes to %s, want %s", c.text, c.from, got, c.want)
		}
	}
}

func TestOutlineParse(t *testing.T) {
	o := newOutline(formtest.Parse(t, branches), nil, nil)
	for text, want := range map[string]spot{"0": {0, -1}, "1 1": {1, 1}, "7": {7, -1}} {
		if s, ok := o.parse(text); !ok || s != want {
			t.Errorf("%q is %v, %v", text, s, ok)
		}
	}
	for _, text := range []string{"", "8", "-1", "1 2", "1 -2", "x", "1 x"} {
		if s, ok := o.parse(text); ok {
			t.Errorf("%q is %v", text, s)
		}
	}
}

// A row has a warning about a flow that the tenant lacks, also once the flows are known later than the form.
func TestRowOfAFlowThatTheTenantLacks(t *testing.T) {
	f := formtest.Parse(t, `{"name":"F","start":{"next_node":"a"},"ending":{"after_submit":{"flow_id":"af_gone"}},"nodes":[
		{"id":"a","type":"FLOW","alias":"Send","config":{"flow_id":"af_gone","next_node":"b"}},
		{"id":"b","type":"FLOW","alias":"Save","config":{"flow_id":"af_here","next_node":"$ending"}}]}`)
	w := workspace.New("ap_1", nil)
	w.Editor = editor.New(f, editor.Config{Now: time.Now})
	c := cursor{Workspace: w}
	for _, flows := range [][]formapi.Flow{nil, {{ID: "af_here", Name: "Save"}}} {
		w.Flows = flows
		c.follow(false)
		for at, want := range map[int]bool{0: false, 1: flows != nil, 2: false, 3: flows != nil} {
			if r := c.o.row(spot{at, -1}); (r.warnings == 1) != want || strings.Contains(r.spoken, "1 warning") != want || r.counted() != "" {
				t.Errorf("with %d flows, row %d is %+v", len(flows), at, r)
			}
		}
	}
}

// A row shows what the page doubts, once it does and as long as it does.
func TestRowOfADoubt(t *testing.T) {
	w := workspace.New("ap_1", nil)
	f := formtest.Parse(t, branches)
	w.Editor = editor.New(f, editor.Config{Now: time.Now})
	_, ask := f.Node("a")
	c := cursor{Workspace: w}
	count := func() int {
		c.follow(false)
		at, _ := c.o.find("a", "mail")
		return c.o.row(at).warnings
	}
	was := count()
	w.Mark(func(m *canvas.Marks) {
		m.Doubts = schema.Problems{{Path: model.NodePath(ask).Key("config").Key("components").Index(0)}}
	})
	if n := count(); n != was+1 {
		t.Errorf("there are %d warnings after %d", n, was)
	}
	w.Mark(func(m *canvas.Marks) { m.Doubts = nil })
	if n := count(); n != was {
		t.Errorf("there are still %d warnings", n)
	}
}

// The content of a row: name, kind, targets and problems.
func TestOutlineRows(t *testing.T) {
	f := formtest.Parse(t, branches)
	problems := schema.Problems{
		{Path: formtest.Path(t, "start.next_node")},
		{Path: formtest.Path(t, "ending")},
		{Path: formtest.Path(t, "nodes[4].config.rules[1].next_node")},
		{Path: formtest.Path(t, "nodes[4].alias")},
		{Path: formtest.Path(t, "nodes[4].config.fallback")},
		{Path: formtest.Path(t, "nodes[5].config.components[0].label")},
	}
	o := newOutline(f, problems, nil)
	o.warnings = o.count(schema.Problems{
		{Path: formtest.Path(t, "ending")},
		{Path: formtest.Path(t, "nodes[3].config")},
		{Path: formtest.Path(t, "name")},
		{Path: formtest.Path(t, "nodes[4].config.fallback")},
		{Path: formtest.Path(t, "nodes[4].config.rules[0]")},
	})
	var got []string
	for s := (spot{0, -1}); ; s = o.next(s) {
		got = append(got, o.row(s).spoken)
		if s == o.last() {
			break
		}
	}
	want := []string{
		"Start, leads to Ask, 1 problem",
		"Ask, Step, leads to Which?, 1 problem",
		"E-mail, Email, 1 problem",
		"On, Next button",
		"Which?, Router, leads to Left, gone (no such node), Right, 3 problems, 2 warnings",
		"To the left, Rule, leads to Left, 1 warning",
		"No condition, Rule, leads to gone (no such node), 1 problem",
		"Otherwise, leads to Right, 1 problem, 1 warning",
		"Left, Step, leads to Ask, Meet, 1 warning",
		"Again, Jump button, leads to Ask",
		"Right, Step, leads to Meet",
		"Meet, Step, leads to Ending",
		"Lost, Flow, leads to Ask, not reached from the start",
		"Ending, 1 problem, 1 warning",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the rows say\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r := o.row(spot{2, 1}); r.note != "→ gone (no such node)" || r.problems != 1 || r.icon != "edge" {
		t.Errorf("the rule's row is %+v", r)
	}
	if r := o.row(spot{6, -1}); !r.away || r.tint != "flow" {
		t.Errorf("the row of the unreachable node is %+v", r)
	}
}

// The row of a rule shows the value that decides. Screen readers have its whole condition.
func TestRulesShowTheirValue(t *testing.T) {
	o := newOutline(formtest.Parse(t, `{"name":"f","start":{"next_node":"ask"},"nodes":[
		{"id":"ask","type":"STEP","config":{"components":[{"id":"mail","category":"FIELD","type":"EMAIL","label":"Work e-mail"}],"next_node":"way"}},
		{"id":"way","type":"ROUTER","config":{"fallback":"$ending","rules":[
			{"id":"1","condition":{"operator":"EQ","operands":["{{fields.mail}}","a@b.c"]},"next_node":"$ending"},
			{"id":"2","alias":"Everybody who works at home","condition":{"operator":"EQ","operands":["{{fields.mail}}","a"]},"next_node":"$ending"}]}}]}`), nil, nil)
	for part, want := range []row{
		{name: "Work … equals a@b.c", spoken: "Work e-mail equals a@b.c, Rule, leads to Ending"},
		{name: "Everybody who works at home", spoken: "Everybody who works at home, Rule, leads to Ending"},
	} {
		if r := o.row(spot{2, part}); r.name != want.name || r.spoken != want.spoken {
			t.Errorf("rule %d: %q, %q", part+1, r.name, r.spoken)
		}
	}
}

func TestOutlineWays(t *testing.T) {
	o := newOutline(formtest.Parse(t, branches), nil, nil)
	for _, c := range []struct {
		to   []model.Pointer
		want string
	}{
		{nil, ""},
		{[]model.Pointer{""}, "leads nowhere"},
		{[]model.Pointer{"", "a"}, "leads to Ask"},
		{[]model.Pointer{"a", "a", "$ending"}, "leads to Ask, Ending"},
		{[]model.Pointer{"a", "r", "left", "right"}, "leads to Ask, Which?, Left, 1 more"},
		{[]model.Pointer{"a", "r", "left", "right", "meet"}, "leads to Ask, Which?, Left, 2 more"},
	} {
		if got := o.way(c.to); got != c.want {
			t.Errorf("%v: %q, want %q", c.to, got, c.want)
		}
	}
}

// Two nodes with the same id both have a row; pointers to the id refer to the
// first.
func TestOutlineOfDuplicateIDs(t *testing.T) {
	o := newOutline(formtest.Parse(t, `{"name":"F","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","alias":"One","config":{"components":[]}},{"id":"a","type":"STEP","alias":"Two","config":{"components":[]}},
		{"id":"$start","type":"STEP","alias":"Odd"},{"type":"LOOP"},7]}`), nil, nil)
	if o.len() != 7 {
		t.Fatalf("%d rows, want 7", o.len())
	}
	if s, _ := o.find("a", ""); o.name(s) != "One" {
		t.Errorf("the id is that of %s", o.name(s))
	}
	if s, _ := o.find(model.StartID, ""); s != (spot{0, -1}) {
		t.Errorf("the start is at %v", s)
	}
	for s := (spot{0, -1}); s != o.last(); s = o.next(s) {
		if o.row(s).spoken == "" && o.id(s.at) != "" {
			t.Errorf("row %v is empty", s)
		}
	}
}

// A long form opens with its nodes only.
func TestOutlineOpens(t *testing.T) {
	for _, n := range []int{openUpTo, openUpTo + 1} {
		var nodes []string
		for i := range n {
			nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","config":{"components":[{"id":"c%d","type":"TEXT"}]}}`, i, i))
		}
		o := newOutline(formtest.Parse(t, `{"name":"F","nodes":[`+strings.Join(nodes, ",")+`]}`), nil, nil)
		if got := o.open(1); got != (n <= openUpTo) {
			t.Errorf("%d nodes: open is %v", n, got)
		}
		o.setOpen(1, n > openUpTo)
		if got := o.open(1); got != (n > openUpTo) {
			t.Errorf("%d nodes, turned: open is %v", n, got)
		}
		o.openAll()
		if !o.open(1) || !o.open(n) {
			t.Errorf("%d nodes: not all are open", n)
		}
	}
}

// Closed parts have no height and no position.
func TestOutlineClosed(t *testing.T) {
	o := newOutline(formtest.Parse(t, branches), nil, nil)
	end := o.tops[o.len()]
	o.setOpen(1, false)
	if got := o.tops[o.len()]; got != end-2*28 {
		t.Errorf("closed, the list is %v high, was %v", got, end)
	}
	if s, ok := o.parse("1 1"); ok {
		t.Errorf("a part that is not shown is at %v", s)
	}
	o.setOpen(1, true)
	if got := o.tops[o.len()]; got != end {
		t.Errorf("opened again, the list is %v high, was %v", got, end)
	}
}

// A name that equals the kind appears only once, a part without an id cannot be
// found, and nothing leads to the start.
func TestOutlineOddRows(t *testing.T) {
	o := newOutline(formtest.Parse(t, `{"name":"F","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","config":{"components":[{"type":"DIVIDER"},{"id":"x","type":"NOBODY"}],"next_node":"$start"}}]}`), nil, nil)
	for s, want := range map[spot]string{
		{1, -1}: "a, Step, leads to $start (no such node)", {1, 0}: "Divider", {1, 1}: "NOBODY",
	} {
		if got := o.row(s).spoken; got != want {
			t.Errorf("row %v reads %q, want %q", s, got, want)
		}
	}
	if s, ok := o.find("a", ""); !ok || s != (spot{1, -1}) {
		t.Errorf("the node is found at %v, %v", s, ok)
	}
}
