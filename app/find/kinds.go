package find

import (
	"strings"

	"github.com/formgraph/formgraph/model"
)

// Kinds returns the component kinds that match a query by name, type or keyword, the best first. Unlike Rank it does not match separate
// letters.
func Kinds(query string) []*model.Kind {
	names := make([]Entry, len(model.Kinds))
	for i := range model.Kinds {
		k := &model.Kinds[i]
		names[i] = Entry{Name: k.Label, Words: k.Synonyms()}
	}
	var out []*model.Kind
	for _, m := range Rank(names, query) {
		if len(m.InName) <= len(strings.Fields(query)) {
			out = append(out, &model.Kinds[m.Index])
		}
	}
	return out
}
