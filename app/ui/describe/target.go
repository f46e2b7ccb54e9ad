package describe

import (
	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Target returns the name of the part of the form that a path leads into, such as "E-mail in Contact", with its symbol.
func Target(f *model.Form, path schema.Path) (name, icon string) {
	return target(f, path, func(name string) string { return name })
}

// Quoted is Target with the names that the author chose in quotes, as in “E-mail” in “Contact”.
func Quoted(f *model.Form, path schema.Path) (name, icon string) { return target(f, path, kit.Quote) }

func target(f *model.Form, path schema.Path, quote func(string) string) (name, icon string) {
	at, inGraph := f.At(path)
	switch {
	case at.End == model.StartID:
		return "Start", "start"
	case at.End == model.EndingID:
		return "Ending", "ending"
	case !inGraph:
		return "The form", "form"
	}
	n := f.Nodes[at.Node]
	name, icon = quote(n.Name()), NodeIcon(n)
	if c := n.Component(at.Component); c != nil {
		name, icon = quote(caption.Component(c))+" in "+name, "unknown"
		if c.Kind != nil {
			icon = c.Kind.Icon
		}
	} else if r := n.Rule(at.Rule); r != nil {
		name = quote(caption.Rule(f.Fields(), r, at.Rule)) + " in " + name
	}
	return name, icon
}

// Property returns the name of the property to which a path leads, such as "Label", "" for a whole part of the form.
func Property(f *model.Form, path schema.Path) string {
	at, inGraph := f.At(path)
	if !inGraph && len(path) > 1 {
		return f.Row(path[:1]).Title()
	}
	return caption.Property(f, path, len(path)-len(at.Rest))
}

// Place names the part of the form that a path leads into, with the property: "Contact › E-mail › Label".
func Place(f *model.Form, path schema.Path) string {
	who, rest := whoseProblem(f, path)
	if len(rest) == 0 {
		return who
	}
	return who + caption.PlaceSign + caption.Property(f, path, len(path)-len(rest))
}
