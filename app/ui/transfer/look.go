package transfer

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// Title is the title of the dialog that shows a file before it is imported.
func (in *Incoming) Title() string { return "Import “" + in.file + "”" }

// Look draws what a file contains, with a choice for each placeholder.
func (in *Incoming) Look() app.UI {
	f := in.doc.Form
	rows := []app.UI{in.fact("Name", caption.Line(f.Name)), in.fact("Nodes", nodesOf(f)), in.fact("Languages", strings.Join(f.Languages(), ", "))}
	body := []app.UI{kit.El("dl.look").Body(rows...)}
	if len(in.choices) > 0 {
		body = append(body, kit.El("h3.sub").Text("Flows and connections"),
			kit.El("p.dim").Text("An export has placeholders for them. What you keep shows as a warning."), kit.El("div.look-map").Body(in.rows()...))
	}
	if n := len(in.warnings); n > 0 {
		var items []app.UI
		for i, w := range in.warnings {
			if i == lookLimit {
				items = append(items, kit.El("li.quiet-text").Text("and "+strconv.Itoa(n-i)+" more"))
				break
			}
			who, text := describe.Problem(f, w)
			items = append(items, kit.Tree("li { @warn span { b { % } % } }", []string{who, text}))
		}
		body = append(body, kit.El("h3.sub").Text(kit.Several(n, "1 warning", "%d warnings")), kit.El("ul.look-warnings").Body(items...))
	}
	return kit.El("div").Body(body...)
}

// lookLimit is the maximum number of warnings in the dialog.
const lookLimit = 20

func (in *Incoming) fact(name, text string) app.UI {
	return kit.Tree("div { dt { % } dd { % } }", []string{name, text})
}

// nodesOf counts the nodes of a form by their kinds.
func nodesOf(f *model.Form) string {
	var kinds []string
	for i := range model.NodeKinds {
		k := &model.NodeKinds[i]
		n := 0
		for _, node := range f.Nodes {
			if node.Type == k.Type {
				n++
			}
		}
		if n > 0 {
			kinds = append(kinds, kit.Several(n, "1 "+strings.ToLower(k.Label), "%d "+strings.ToLower(k.Label)+"s"))
		}
	}
	if kinds == nil {
		return "None"
	}
	return strconv.Itoa(len(f.Nodes)) + ": " + strings.Join(kinds, ", ")
}
