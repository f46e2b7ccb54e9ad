package trial

import (
	"context"
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model"
	check "github.com/formgraph/formgraph/model/run/rules"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// checked returns what is wrong with the rules of a form. If there are too many to check them all, it says so at the router with the most.
func checked(ctx context.Context, f *model.Form) []message.Flaw {
	var list []message.Flaw
	findings, all := check.FormUntil(ctx, f)
	if !all {
		list = append(list, message.Flaw{Path: mostRules(f).String(), Text: "Not every rule of the form was checked: there are too many to compare."})
	}
	for _, found := range findings {
		r := message.Flaw{Path: found.Path.String(), Text: found.Detail, Example: example(f.Fields(), found.Example)}
		for _, fix := range found.Fixes {
			switch {
			case fix.Change == check.Move && !r.Moves:
				r.Moves, r.Before = true, fix.Before
			case fix.Change == check.Remove:
				r.Removes = true
			}
		}
		list = append(list, r)
	}
	return list
}

// mostRules returns the path of the rules of the router with the most.
func mostRules(f *model.Form) schema.Path {
	most, at := 0, 0
	for i, n := range f.Nodes {
		if r, ok := n.Config.(*model.Router); ok && len(r.Rules) > most {
			most, at = len(r.Rules), i
		}
	}
	return model.NodePath(at).Key("config").Key("rules")
}

// maxExample is the length of a value in an example, in characters.
const maxExample = 40

// example returns an example in words.
func example(fields *model.Fields, e *check.Example) string {
	if e == nil {
		return ""
	}
	var values []string
	for _, v := range e.Values {
		name := v.Variable.Namespace
		if len(v.Variable.Path) > 0 {
			name += "." + v.Variable.Path.String()
		}
		text := schema.Shorten(template.Text(v.Value), maxExample)
		if label, ok := fields.ValueName(name, v.Value); ok {
			text = label
		}
		if label, ok := fields.Name(name); ok {
			name = label
		}
		switch {
		case !v.Defined:
			values = append(values, "without "+name)
		case text == "":
			values = append(values, "with an empty "+name)
		default:
			values = append(values, fmt.Sprintf("with %s %s", name, text))
		}
	}
	return fmt.Sprintf("For example %s: rule %d decides.", strings.Join(values, " and "), e.Decides+1)
}
