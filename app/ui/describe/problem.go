package describe

import (
	"fmt"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Problem turns a problem or warning into a sentence for the form's author: who
// names the part that it concerns, and text is the message.
func Problem(f *model.Form, pr schema.Problem) (who, text string) {
	who, rest := whoseProblem(f, pr.Path)
	text = " " + kit.Stop(pr.Detail)
	switch {
	case len(rest) == 0:
		return who, text
	case pr.Code == schema.CodeDeadEnd:
		// The subject is the node, rule or button that leads nowhere.
		if rest[len(rest)-1].Key == "fallback" {
			who += caption.PlaceSign + "Otherwise"
		}
		return who, text
	}
	if pr.Detail != "" && pr.Detail[0] >= 'A' && pr.Detail[0] <= 'Z' { // a sentence of the tenant's
		text = ":" + text
	}
	return who, ": " + caption.Property(f, pr.Path, len(pr.Path)-len(rest)) + text
}

// whoseProblem returns the name of the part of the form that a path leads into,
// and the rest of the path from there.
func whoseProblem(f *model.Form, path schema.Path) (who string, rest schema.Path) {
	at, inGraph := f.At(path)
	switch {
	case len(path) == 0:
		return "The form", nil
	case at.End == model.StartID:
		return "Start", at.Rest
	case at.End == model.EndingID:
		return "Ending", at.Rest
	case inGraph:
		return partName(f, f.Nodes[at.Node], at), at.Rest
	}
	for i, e := range path[:max(1, len(path)-1)] {
		switch {
		case e.Index >= 0:
			who += fmt.Sprintf(" %d", e.Index+1)
		case i == 0:
			who = f.Row(path[:1]).Title()
		default:
			who += caption.PlaceSign + e.Key // keys chosen by the author: languages, ids, message keys
		}
	}
	return who, path[max(1, len(path)-1):]
}

// partName returns the name of a node, or of a part with its node.
func partName(f *model.Form, n *model.Node, at model.Place) string {
	name := n.Name()
	if c := n.Component(at.Component); c != nil {
		return name + caption.PlaceSign + caption.Component(c)
	}
	if r := n.Rule(at.Rule); r != nil {
		return name + caption.PlaceSign + caption.Rule(f.Fields(), r, at.Rule)
	}
	return name
}
