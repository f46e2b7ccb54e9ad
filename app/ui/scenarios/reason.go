package scenarios

import (
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// named returns a reason with the names of nodes and components in place of their ids, which it quotes. The saved form may still have the name of
// what was deleted.
func named(f, saved *model.Form, reason string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(reason, `"“`)
		if i < 0 {
			return b.String() + reason
		}
		open, shut := `"`, `"`
		if reason[i] != '"' {
			open, shut = "“", "”"
		}
		before := reason[:i]
		b.WriteString(before)
		reason = reason[i+len(open):]
		id, rest, ok := strings.Cut(reason, shut)
		name := nameOf(f, before, id)
		if name == "" {
			name = nameOf(saved, before, id)
		}
		if !ok || name == "" {
			b.WriteString(open)
			continue
		}
		b.WriteString(schema.Quote(name))
		reason = rest
	}
}

// nameOf returns the name of what a form has with an id, "" for nothing. The text before the id says whether it is that of a component.
func nameOf(f *model.Form, before, id string) string {
	for _, word := range [...]string{"answer of ", "field ", "button "} {
		if strings.HasSuffix(before, word) {
			if c, _, _ := f.Component(id); c != nil {
				return caption.Component(c)
			}
			return ""
		}
	}
	if n, _ := f.Node(id); n != nil {
		return n.Name()
	}
	return ""
}
