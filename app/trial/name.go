package trial

import (
	"cmp"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// name returns the name of a node of the form, or of a component or a way out of it if part is not "".
func (s *Session) name(node, part string) string {
	return cmp.Or(nameIn(s.program.Form(), node, part), part, node)
}

// namesIn returns names in quotation marks, from the first of the forms that has them.
func namesIn(forms ...*model.Form) scenario.Names {
	return func(node, part string) string {
		for _, f := range forms {
			if name := nameIn(f, node, part); name != "" {
				return schema.Quote(name)
			}
		}
		return schema.Quote(cmp.Or(part, node))
	}
}

// nameIn is name for a form, "" for what it does not have.
func nameIn(f *model.Form, node, part string) string {
	n, _ := f.Node(node)
	switch {
	case node == model.EndingID:
		return "Ending"
	case n == nil:
		return ""
	case part == "":
		return n.Name()
	}
	switch of := n.Config.(type) {
	case *model.Step:
		for _, c := range of.Components {
			if c.ID == part {
				return caption.Component(c)
			}
		}
	case *model.Flow:
	case *model.Router:
		if part == string(model.FallbackPort) {
			return "Otherwise"
		}
		for i, r := range of.Rules {
			if model.RulePort(r.ID) == model.Port(part) {
				return caption.Rule(f.Fields(), r, i)
			}
		}
	}
	return ""
}
