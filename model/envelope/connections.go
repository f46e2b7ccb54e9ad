package envelope

import (
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// IsConnectionPlaceholder reports whether an id stands for a connection in an export, as in #CONN-1#.
func IsConnectionPlaceholder(id string) bool {
	return strings.HasPrefix(id, connPrefix) && strings.HasSuffix(id, "#")
}

const connPrefix = "#CONN-"

// Connections returns the placeholders of connections that occur in the form itself, in the order in which they first occur. Those that
// occur only in the actions of flows are not among them: an import takes the form alone.
func Connections(d Document) []Missing {
	if d.Form == nil {
		return nil
	}
	var out []Missing
	seen := map[string]bool{}
	mapConnections(d.Form.Tree(), func(id string) string {
		if IsConnectionPlaceholder(id) && !seen[id] {
			seen[id] = true
			out = append(out, Missing{Placeholder: id, Name: d.Outer.Object("connections").Object(id).Text("name")})
		}
		return id
	})
	return out
}

// MapConnections returns the form with the connection ids that the mapping has in place of others. It returns f for an empty mapping.
func MapConnections(f *model.Form, mapping map[string]string) *model.Form {
	if len(mapping) == 0 {
		return f
	}
	tree := mapConnections(f.Tree(), func(id string) string {
		if now, ok := mapping[id]; ok {
			return now
		}
		return id
	})
	return f.Derive(tree.(*schema.Object))
}
