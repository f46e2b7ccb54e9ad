package editor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
)

func TestPastePlaces(t *testing.T) {
	// one writes nodes with places; "-" is a node without one.
	one := func(at ...string) string {
		var nodes []string
		for i, p := range at {
			n := fmt.Sprintf(`{"id":"p%d","type":"FLOW"`, i)
			if x, y, ok := strings.Cut(p, " "); ok {
				n += `,"coordinates":{"x":` + x + `,"y":` + y + `}`
			}
			nodes = append(nodes, n+"}")
		}
		return "[" + strings.Join(nodes, ",") + "]"
	}
	at := func(x, y int) *model.Point { return &model.Point{X: x, Y: y} }
	for _, tt := range []struct {
		name, form, src string
		at              *model.Point
		want            string
	}{
		{"beside", `{"nodes":[]}`, one("5 7"), nil, "45 47"},
		{"group beside", `{"nodes":[]}`, one("5 7", "0 100"), nil, "45 47 40 140"},
		{"on the grid", `{"nodes":[]}`, one("5 7", "0 100"), at(-31, 29), "-35 20 -40 113"},
		{"over a node", `{"nodes":[{"id":"a","coordinates":{"x":45,"y":47}},
{"id":"b","coordinates":{"x":65,"y":67}}]}`, one("5 7"), nil, "85 87"},
		{"a group over a node", `{"nodes":[{"id":"a","coordinates":{"x":140,"y":40}}]}`, one("0 0", "100 0"), nil, "60 60 160 60"},
		{"over the ends", `{"start":{"coordinates":{"x":40,"y":40}},"ending":{"coordinates":{"x":60,"y":60}}}`, one("0 0"), nil, "80 80"},
		{"no place", `{"nodes":[]}`, one("-", "-"), nil, "- -"},
		{"no place but one to go", `{"nodes":[]}`, one("-", "-"), at(100, 100), "100 100 420 100"},
		{"some without", `{"nodes":[]}`, one("-", "0 10", "100 0", "-"), at(0, 0), "420 0 0 10 100 0 740 0"},
		{
			"rows", `{"nodes":[]}`, one("-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"), at(0, 0),
			"0 0 320 0 640 0 960 0 1280 0 1600 0 1920 0 2240 0 2560 0 2880 0 0 240",
		},
		{"at the bounds", `{"nodes":[]}`, one("999990 -999999", "999980 0"), nil, "999999 -999959 999989 40"},
		{"to the bounds", `{"nodes":[]}`, one("0 0", "10 10"), at(9_000_000, -9_000_000), "999989 -999999 999999 -999989"},
		{"over a node at the bounds", `{"nodes":[{"id":"a","coordinates":{"x":999999,"y":999999}}]}`, one("999999 999999"), nil, "999979 999979"},
		{"as wide as the canvas", `{"nodes":[
{"id":"a","coordinates":{"x":0,"y":40}}]}`, one("-999999 0", "999999 0", "0 0"), nil, "-999999 60 999999 60 0 60"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, tt.form)
			had := len(e.State().Form.Nodes)
			run(t, e, e.Make().Paste(pasted(t, tt.src), tt.at))
			var got []string
			for _, n := range e.State().Form.Nodes[had:] {
				if n.Placed {
					got = append(got, fmt.Sprint(n.At.X, n.At.Y))
				} else {
					got = append(got, "-")
				}
			}
			if g := strings.Join(got, " "); g != tt.want {
				t.Errorf("got %s, want %s", g, tt.want)
			}
		})
	}
}

// The search for a free place ends: a group that meets nodes at thousands of places
// along the diagonal goes to the right of all nodes.
func TestPasteWhereLittleIsFree(t *testing.T) {
	var form, src []string
	for i := range 2000 {
		form = append(form, fmt.Sprintf(`{"id":"n%d","coordinates":{"x":%d,"y":%d}}`, i, 20*i+40, 20*i+40))
		src = append(src, fmt.Sprintf(`{"type":"FLOW","coordinates":{"x":%d,"y":%d}}`, -20*i, -20*i))
	}
	e, _ := newEditor(t, `{"nodes":[`+strings.Join(form, ",")+`]}`)
	far, _ := newEditor(t, `{"nodes":[`+strings.Join(form, ",")+`],"start":{"coordinates":{"x":50000,"y":0}}}`)
	for _, tt := range []struct {
		e     *editor.Editor
		src   string
		place model.Point // of the last node
	}{
		{e, strings.Join(src[:1], ","), model.Point{X: 40_040, Y: 40_040}},
		{e, strings.Join(src, ","), model.Point{X: 40_340, Y: 28_980}},
		{far, strings.Join(src, ","), model.Point{X: 50_320, Y: 28_980}},
	} {
		e := tt.e
		s, err := e.Make().Paste(pasted(t, "["+tt.src+"]"), nil).Do(e.State())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Form.Nodes[len(s.Form.Nodes)-1].At; got != tt.place {
			t.Errorf("placed at %v, want %v", got, tt.place)
		}
	}
}
