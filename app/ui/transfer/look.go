package transfer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Title is the title of the dialog that shows a file before it is imported.
func (in *Incoming) Title() string { return "Import " + kit.Quote(in.file) }

// lookLimit is the maximum number of warnings in the dialog.
const lookLimit = 20

// Look draws what a file contains, with a choice for each placeholder.
func (in *Incoming) Look() app.UI {
	f, warnings := in.doc.Form, in.others()
	var items []app.UI
	for _, w := range warnings[:min(lookLimit, len(warnings))] {
		who, text := describe.Problem(f, w)
		items = append(items, kit.Tree("li { @warn span { b { % } % } }", []string{who, text}))
	}
	none, more := "", ""
	if items == nil {
		none = "true"
	}
	if n := len(warnings) - lookLimit; n > 0 {
		more = "and " + strconv.Itoa(n) + " more"
	}
	title := "Flows"
	if slices.ContainsFunc(in.choices, func(c choice) bool { return c.connection }) {
		title = "Flows and connections"
	}
	unmapped, how := "", "The file has placeholders for these. Choose yours now, or later."
	switch {
	case in.choices == nil:
		unmapped = "true"
	case len(in.flows) == 0:
		how = "The file has placeholders for these. You have no flows, so they stay for now."
	}
	languages := f.Languages()
	for i := range languages {
		languages[i] = kit.LanguageName(languages[i])
	}
	return kit.Tree("div { div.look-head { dl.look { dt { % } dd { % } dt { % } dd { % } dt { % } dd { % } } * } "+
		"section.look-map hidden=% { h3.sub { % } p.dim { % } * } section hidden=% { h3.sub { % } * p.dim { % } } }",
		[]string{
			"Name", f.Name, "Nodes", nodesOf(f), "Languages", strings.Join(languages, ", "),
			unmapped, title, how,
			none, kit.Several(len(warnings), "1 warning", "%d warnings"), more,
		},
		kit.Thumbnail(in.picture.Edges, kit.ByKind(in.picture.Nodes)), kit.El("div.look-choices").Body(in.rows()...), kit.El("ul.look-warnings").Body(items...))
}

// others returns the warnings of a file except those of placeholders, for which the dialog offers choices.
func (in *Incoming) others() (list schema.Problems) {
	for _, w := range in.warnings {
		if placeholder(in.doc.Form, w) == "" {
			list = append(list, w)
		}
	}
	return list
}

// nodesOf counts the nodes of a form by their kinds.
func nodesOf(f *model.Form) string {
	var kinds []string
	for _, of := range [...]struct {
		kind      model.NodeType
		one, many string
	}{{model.StepNode, "1 step", "%d steps"}, {model.FlowNode, "1 flow", "%d flows"}, {model.RouterNode, "1 router", "%d routers"}} {
		n := 0
		for _, node := range f.Nodes {
			if node.Type == of.kind {
				n++
			}
		}
		if n > 0 {
			kinds = append(kinds, kit.Several(n, of.one, of.many))
		}
	}
	if kinds == nil {
		return "None"
	}
	return strings.Join(kinds, ", ")
}
