package scenario

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Names returns what people call a node, or a component or a way out of it if part is not "".
type Names func(node, part string) string

// Story describes what happens in the scenario, a line for each thing. nil names everything by its id.
func (s *Scenario) Story(names Names) []string {
	if names == nil {
		names = func(node, part string) string {
			if part != "" {
				return part
			}
			return node
		}
	}
	var lines []string
	for _, with := range []struct {
		name   string
		values *schema.Object
	}{{"context", s.Context}, {"hidden fields", s.Hidden}, {"variables", s.Vars}} {
		if with.values.Len() > 0 {
			lines = append(lines, with.name+": "+valuesText(with.values, func(key string) string { return key }))
		}
	}
	for _, step := range s.Steps {
		line := names(step.Node, "") + ": "
		answers := valuesText(step.Answers, func(id string) string { return names(step.Node, id) })
		switch {
		case step.Result != nil && step.Result.Len() == 0:
			line += "returns nothing"
		case step.Result != nil:
			line += "returns " + valuesText(step.Result, func(key string) string { return key })
		case step.Error != nil:
			line += "fails"
		case step.Choose != "":
			line += "takes " + names(step.Node, step.Choose)
		case step.Press == "":
			line += answers
		case step.Answers.Len() > 0:
			line += answers + ", then presses " + names(step.Node, step.Press)
		default:
			line += "presses " + names(step.Node, step.Press)
		}
		lines = append(lines, line)
	}
	return lines
}

// longestValue is the maximum length of a value in a story, in characters.
const longestValue = 60

func valuesText(o *schema.Object, name func(string) string) string {
	parts := make([]string, o.Len())
	for i, m := range o.Members() {
		parts[i] = fmt.Sprintf("%s %s", name(m.Key), schema.Shorten(string(schema.Encode(m.Value)), longestValue))
	}
	return strings.Join(parts, ", ")
}
