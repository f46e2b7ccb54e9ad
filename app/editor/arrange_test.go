package editor_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func TestPlaceNodes(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	places := map[string]model.Point{
		"a": {X: 0, Y: 0}, "r": {X: 7, Y: -3_000_000}, "w": {X: 800, Y: 20},
		model.StartID: {X: -200, Y: 0}, model.EndingID: {X: 900, Y: 1},
	}
	c := editor.PlaceNodes{Places: places, Name: verb.Tidy.With("up")}
	was := e.State().Form
	run(t, e, c)
	f := e.State().Form
	if got := fmt.Sprint(f.Nodes[0].At, f.Nodes[1].At, f.Nodes[2].At, f.Start.At,
		f.Ending.At); got != "{0 0} {7 -999999} {800 20} {-200 0} {900 1}" {
		t.Errorf("placed at %s", got)
	}
	if f.Nodes[0] != was.Nodes[0] || f.Nodes[1] == was.Nodes[1] {
		t.Error("a node that did not move was written, or one that moved was not")
	}
	if e.UndoLabel() != "Tidy up" || f.Start.Next != "a" || !f.Ending.ResumeFlow {
		t.Errorf("step %q, form %s", e.UndoLabel(), schema.Encode(f.Tree()))
	}
	s, err := c.Do(e.State())
	if err != nil || s.Form != f {
		t.Errorf("placing them again made another form: %v", err)
	}
	if _, err := (editor.PlaceNodes{Places: map[string]model.Point{"a": {X: 1}, "z": {}}}).Do(e.State()); !errors.Is(err, editor.ErrNoNode) {
		t.Errorf("a missing node: %v", err)
	}
	for want, ids := range map[string][]string{"Move 2 nodes": {"a", "b"}, "Move node": {"a"}, "Move start": {model.StartID}} {
		c := editor.PlaceNodes{Places: map[string]model.Point{}}
		for _, id := range ids {
			c.Places[id] = model.Point{}
		}
		if c.Label().String() != want {
			t.Errorf("got %q, want %q", c.Label(), want)
		}
	}
}

// A node without coordinates is not at {0 0}.
func TestPlaceNodesUnplaced(t *testing.T) {
	e, _ := newEditor(t, `{"nodes":[{"id":"a","type":"FLOW"}]}`)
	run(t, e, editor.PlaceNodes{Places: map[string]model.Point{"a": {}, model.StartID: {}, model.EndingID: {}}})
	if f := e.State().Form; !f.Nodes[0].Placed || !f.Start.Placed || !f.Ending.Placed {
		t.Errorf("got %s", schema.Encode(f.Tree()))
	}
	e, _ = newEditor(t, `{"nodes":[],"start":5}`)
	if err := e.Can(editor.PlaceNodes{Places: map[string]model.Point{model.StartID: {}}}); !errors.Is(err, schema.ErrNoPlace) {
		t.Errorf("a start that is not an object: %v", err)
	}
}

func TestStreams(t *testing.T) {
	// The second a, which no pointer leads to, and nodes with the ids of the ends are
	// not followed.
	e, _ := newEditor(t, chain("a", "a>r", "r:r>b,c", "b>$ending", "c>r", "d>c", "e>gone", "a>e", "$start>e", "$ending>e"))
	for _, tt := range []struct {
		name string
		f    func(editor.State, []string) editor.Selection
		ids  string
		want string
	}{
		{"down", editor.Downstream, "a", "a r c b $ending"},
		{"down a round", editor.Downstream, "c", "c r b $ending"},
		{"down from the start", editor.Downstream, "$start", "$start a r c b $ending"},
		{"down from several", editor.Downstream, "d b", "d b c $ending r"},
		{"down to nothing", editor.Downstream, "e", "e"},
		{"down from the ending", editor.Downstream, "$ending", "$ending"},
		{"up", editor.Upstream, "b", "b r a c $start d"},
		{"up from the ending", editor.Upstream, "$ending", "$ending b r a c $start d"},
		{"up from the first", editor.Upstream, "a", "a $start"},
		{"up from an unreachable node", editor.Upstream, "d d", "d"},
		{"up from the start", editor.Upstream, "$start", "$start"},
		{"an unknown node", editor.Upstream, "z", ""},
	} {
		if got := strings.Join(tt.f(e.State(), strings.Fields(tt.ids)).Nodes, " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	e, _ = newEditor(t, `{"nodes":[{"id":"b","type":"FLOW"},{"type":"FLOW"},3,{"id":"a","type":"LOOP"},{"id":"b","type":"STEP"}]}`)
	if got := editor.SelectAll(e.State()).Nodes; !slices.Equal(got, []string{"$start", "b", "\x001", "a", "b\x002", "$ending"}) {
		t.Errorf("all is %v", got)
	}
	if got := editor.Downstream(e.State(), []string{"", "b"}).Nodes; !slices.Equal(got, []string{"b"}) {
		t.Errorf("below nodes without an id is %v", got)
	}
}
