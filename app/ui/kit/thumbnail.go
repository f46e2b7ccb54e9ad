package kit

import (
	"maps"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/model/schema"
)

// The size of a thumbnail, in CSS pixels, for which its paths are made.
const (
	ThumbnailWidth  = 88
	ThumbnailHeight = 48
)

// ByKind returns the paths of nodes as Thumbnail takes them: in the order of their kinds.
func ByKind(paths map[string]string) (nodes []schema.Member) {
	for _, kind := range slices.Sorted(maps.Keys(paths)) {
		nodes = append(nodes, schema.Member{Key: kind, Value: paths[kind]})
	}
	return nodes
}

// Thumbnail draws a form as a small picture: the path of its edges, and those of its nodes by their kinds.
func Thumbnail(edges string, nodes []schema.Member) app.UI {
	path := func(class, d string) app.UI { return El("path").XMLNS(SVG).Attr("class", class).Attr("d", d) }
	body := []app.UI{path("edges", edges)}
	for _, m := range nodes {
		d, _ := m.Value.(string)
		body = append(body, path(m.Key, d))
	}
	box := "0 0 " + strconv.Itoa(ThumbnailWidth) + " " + strconv.Itoa(ThumbnailHeight)
	return El("svg").XMLNS(SVG).Attr("class", "thumb").Attr("viewBox", box).Attr("aria-hidden", "true").Body(body...)
}
