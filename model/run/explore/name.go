package explore

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// longestName bounds names, in code points.
const longestName = 80

// Name returns a name for a scenario: the last decision among the edges, or where its path ends.
func Name(f *model.Form, s *scenario.Scenario, edges []scenario.Edge) string {
	name := ""
	for _, e := range edges {
		if s := decision(f, e); s != "" {
			name = s
		}
	}
	if name == "" {
		name = "To the ending"
		if n := len(s.Expect); n > 0 && s.Expect[n-1] != model.EndingID {
			name = "To " + title(f, s.Expect[n-1])
		}
	}
	return schema.Shorten(name, longestName)
}

// name returns a name for a scenario that no other has, from what only this one takes.
func (f *finder) name(d discovery) string {
	name := Name(f.search.w.program.Form(), &d.scenario, d.news)
	unique := name
	for i := 2; f.names[unique]; i++ {
		unique = fmt.Sprintf("%s (%d)", name, i)
	}
	f.names[unique] = true
	return unique
}

func title(f *model.Form, id string) string {
	if n, _ := f.Node(id); n != nil && n.Alias != "" {
		return n.Alias
	}
	return id
}

// decision describes an edge that is one of several ways, "" for any other.
func decision(f *model.Form, e scenario.Edge) string {
	n, _ := f.Node(e.From)
	if n == nil {
		return ""
	}
	at := title(f, e.From) + ":"
	if strings.HasSuffix(at, "?:") {
		at = strings.TrimSuffix(at, ":")
	}
	switch config := n.Config.(type) {
	case *model.Flow:
	case *model.Router:
		for _, r := range config.Rules {
			if r.ID != e.Port.Rule() || e.Port.Rule() == "" {
				continue
			}
			if r.Alias != "" {
				return at + " " + r.Alias
			}
			if _, ok := flow.ParseCondition(r.Condition); ok {
				return at + " " + flow.Sentence(f.Fields(), r.Condition)
			}
			return at + " " + r.ID
		}
		return at + " otherwise"
	case *model.Step:
		if id := e.Port.Jump(); id != "" {
			for _, c := range config.Components {
				if c.ID == id {
					return at + " " + c.Config().Text("text")
				}
			}
		}
	}
	return ""
}
