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

// Quoted is Target inside a sentence, with the names that the author chose in quotes, as in “E-mail” in “Contact”.
func Quoted(f *model.Form, path schema.Path) (name, icon string) {
	if _, inGraph := f.At(path); !inGraph {
		return "the form", "form"
	}
	return target(f, path, kit.Quote)
}

// Part is Quoted without the node that a component or rule is in.
func Part(f *model.Form, path schema.Path) string {
	if at, ok := f.At(path); ok && at.Part() >= 0 {
		name, _ := part(f, at)
		return kit.Quote(name)
	}
	name, _ := Quoted(f, path)
	return name
}

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
	if at.Part() < 0 {
		return quote(n.Name()), NodeIcon(n)
	}
	name, icon = part(f, at)
	return quote(name) + " in " + quote(n.Name()), icon
}

// part returns the name of a component or rule, and its symbol.
func part(f *model.Form, at model.Place) (name, icon string) {
	n := f.Nodes[at.Node]
	if r := n.Rule(at.Rule); r != nil {
		return caption.Rule(f.Fields(), r, at.Rule), NodeIcon(n)
	}
	c := n.Component(at.Component)
	if c.Kind == nil {
		return caption.Component(c), "unknown"
	}
	return caption.Component(c), c.Kind.Icon
}

// Property returns the name of the innermost property to which a path leads, such as "Label" or "Options 3", "" for a whole part of the form.
func Property(f *model.Form, path schema.Path) string {
	at, inGraph := f.At(path)
	if !inGraph && len(path) > 1 {
		return f.Row(path[:1]).Title()
	}
	from := len(path) - len(at.Rest)
	for i := len(path) - 1; i > from; i-- {
		if path[i].Index < 0 {
			return caption.Property(f, path, i)
		}
	}
	return caption.Property(f, path, from)
}

// Place names the part of the form that a path leads into, with the property: "Contact › E-mail › Label".
func Place(f *model.Form, path schema.Path) string {
	who, rest := whoseProblem(f, path)
	if len(rest) == 0 {
		return who
	}
	return who + caption.PlaceSign + caption.Property(f, path, len(path)-len(rest))
}
