package ui

import (
	"strings"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/model"
)

// commandEntry is how a command is found: by its name, and what it adds by that
// alone, so that the exact name of a kind finds it first. Kinds have keywords too.
func commandEntry(name string) find.Entry {
	_, adds, _ := strings.Cut(name, ": ")
	e := find.Entry{Name: name, Also: adds}
	for i := range model.Kinds {
		if k := &model.Kinds[i]; k.Label == adds {
			e.Words = k.Keywords
		}
	}
	return e
}

// inName returns where a match stands in an entry's name. The second name of an
// entry of ours is the end of the first.
func inName(e find.Entry, m find.Match) []find.Range {
	if len(m.InName) > 0 || len(m.InAlso) == 0 {
		return m.InName
	}
	by := len(e.Name) - len(e.Also)
	var out []find.Range
	for _, r := range m.InAlso {
		out = append(out, find.Range{From: r.From + by, To: r.To + by})
	}
	return out
}

// kindsFor returns the component kinds that a query finds, the best first: by
// name, type or keyword. Letters that stand apart find nothing here.
func kindsFor(query string) []*model.Kind {
	names := make([]find.Entry, len(model.Kinds))
	for i := range model.Kinds {
		k := &model.Kinds[i]
		names[i] = find.Entry{Name: k.Label, Words: k.Keywords + " " + strings.ReplaceAll(k.Type, "_", " ")}
	}
	var out []*model.Kind
	for _, m := range find.Rank(names, query) {
		if len(m.InName) <= len(strings.Fields(query)) {
			out = append(out, &model.Kinds[m.Index])
		}
	}
	return out
}
