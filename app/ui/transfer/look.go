package transfer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Title is the title of the dialog that shows a file before it is imported.
func (in *Incoming) Title() string { return "Import “" + in.file + "”" }

// lookLimit is the maximum number of warnings in the dialog.
const lookLimit = 20

// Look draws what a file contains, with a choice for each placeholder.
func (in *Incoming) Look() app.UI {
	f := in.doc.Form
	var items []app.UI
	for _, w := range in.warnings[:min(lookLimit, len(in.warnings))] {
		who, text := describe.Problem(f, w)
		items = append(items, kit.Tree("li { @warn span { b { % } % } }", []string{who, text}))
	}
	none, more := "", ""
	if items == nil {
		none = "true"
	}
	if n := len(in.warnings) - lookLimit; n > 0 {
		more = "and " + strconv.Itoa(n) + " more"
	}
	unmapped := ""
	if in.choices == nil {
		unmapped = "true"
	}
	return kit.Tree("div { div.look-head { dl.look { dt { % } dd { % } dt { % } dd { % } dt { % } dd { % } } * } "+
		"section.look-map hidden=% { h3.sub { % } p.dim { % } * } section hidden=% { h3.sub { % } * p.dim { % } } }",
		[]string{
			"Name", f.Name, "Nodes", nodesOf(f), "Languages", strings.Join(f.Languages(), ", "),
			unmapped, "Flows and connections", "An export has placeholders for them. What you keep shows as a warning.",
			none, kit.Several(len(in.warnings), "1 warning", "%d warnings"), more,
		},
		thumbnail(f), kit.El("div.look-choices").Body(in.rows()...), kit.El("ul.look-warnings").Body(items...))
}

// thumbnail draws a form.
func thumbnail(f *model.Form) app.UI {
	t := graph.New(f).Thumbnail(kit.ThumbnailWidth, kit.ThumbnailHeight)
	var nodes []schema.Member
	for kind, d := range t.Nodes {
		nodes = append(nodes, schema.Member{Key: kind, Value: d})
	}
	slices.SortFunc(nodes, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
	return kit.Thumbnail(t.Edges, nodes)
}

// nodesOf counts the nodes of a form by their kinds.
func nodesOf(f *model.Form) string {
	var kinds []string
	for i := range model.NodeKinds {
		n := 0
		for _, node := range f.Nodes {
			if node.Type == model.NodeKinds[i].Type {
				n++
			}
		}
		if n > 0 {
			kinds = append(kinds, model.NodeKinds[i].Label+" "+strconv.Itoa(n))
		}
	}
	if kinds == nil {
		return "None"
	}
	return strconv.Itoa(len(f.Nodes)) + " (" + strings.Join(kinds, ", ") + ")"
}
