package workspace

import (
	"math"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// RememberView stores the last view of a form.
func RememberView(id string, v graph.Viewport) {
	number := func(f float64) string { return strconv.FormatFloat(math.Round(f*1e4)/1e4, 'f', -1, 64) }
	kit.Remember("view."+id, number(v.X)+" "+number(v.Y)+" "+number(v.Zoom))
}

// RecallView returns the last view of a form; the zero Viewport if it is
// unknown or invalid.
func RecallView(id string) graph.Viewport {
	var f [3]float64
	fields := strings.Fields(kit.Recall("view." + id))
	if len(fields) != len(f) {
		return graph.Viewport{}
	}
	for i := range f {
		var err error
		if f[i], err = strconv.ParseFloat(fields[i], 64); err != nil || f[i] != f[i] {
			return graph.Viewport{}
		}
	}
	if f[2] < graph.MinZoom || f[2] > graph.MaxZoom {
		return graph.Viewport{}
	}
	return graph.Viewport{X: f[0], Y: f[1], Zoom: f[2]}
}

// ForgetView deletes the stored view of a deleted form.
func ForgetView(id string) {
	defer func() { _ = recover() }()
	app.Window().Get("localStorage").Call("removeItem", "formgraph.view."+id)
}
