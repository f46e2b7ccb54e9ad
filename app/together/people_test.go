package together_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/together"
)

func TestLookAlike(t *testing.T) {
	base := together.Person{Page: "p", Sub: "s", Name: "Bo", Edits: true, Node: "a", Component: "c", Field: "f", Forks: []together.Fork{{Field: "f", Text: "x"}}}
	for name, test := range map[string]struct {
		change func(*together.Person)
		node   string // that is selected
		want   bool
	}{
		"the same":                      {func(*together.Person) {}, "a", true},
		"another selection":             {func(p *together.Person) { p.Node, p.Component = "b", "d" }, "a", true},
		"types here":                    {func(p *together.Person) { p.Field = "g" }, "a", false},
		"types elsewhere":               {func(p *together.Person) { p.Field = "g" }, "z", true},
		"comes here to type":            {func(p *together.Person) { p.Node, p.Field = "z", "g" }, "z", false},
		"types in the form":             {func(p *together.Person) { p.Node, p.Field = "", "name" }, "", false},
		"asks":                          {func(p *together.Person) { p.Asks = true }, "z", false},
		"may not edit any more":         {func(p *together.Person) { p.Edits = false }, "z", false},
		"another name":                  {func(p *together.Person) { p.Name = "Ana" }, "z", false},
		"another text in their way":     {func(p *together.Person) { p.Forks = []together.Fork{{Field: "f", Text: "y"}} }, "z", false},
		"nobody has another text there": {func(p *together.Person) { p.Forks = nil }, "z", false},
	} {
		now := base
		test.change(&now)
		if got := together.LookAlike([]together.Person{base}, []together.Person{now}, test.node); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if together.LookAlike([]together.Person{base}, nil, "z") {
		t.Error("somebody who has left is still there")
	}
}
