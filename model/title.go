package model

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Title names the node for people, by its type and its alias, else its id: "Step
// Account".
func (n *Node) Title() string { return NodeTitle(n.tree) }

// NodeTitle is Node.Title for the tree of a node, or for any value that a broken file has instead.
func NodeTitle(v any) string {
	o, ok := v.(*schema.Object)
	if !ok {
		return "Node without properties"
	}
	word := "Node"
	if k := NodeKindOf(NodeType(o.Text("type"))); k != nil {
		word = k.Label
	}
	if alias := strings.TrimSpace(o.Text("alias")); alias != "" {
		return word + " " + schema.Shorten(alias, maxTitle)
	}
	return word + " " + IDTitle(o.Text("id"))
}

// IDTitle formats an id for people: it shortens a long id and describes an empty one.
func IDTitle(id string) string {
	if id == "" {
		return "without an id"
	}
	return schema.Shorten(id, maxTitle)
}

// maxTitle bounds an alias or id in a title, in characters.
const maxTitle = 61
