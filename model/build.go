package model

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// IDSource generates IDs. Rand returns a number from 0 to n-1; it is injected so that tests and replays generate the same IDs.
type IDSource struct{ Rand func(n int) int }

const idLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// Fresh returns an id of the form <type>_<4 letters or digits> that is not
// taken. The type is in lower case.
func (s IDSource) Fresh(typ string, taken func(id string) bool) string {
	for {
		b := append([]byte(strings.ToLower(typ)), '_')
		for range 4 {
			b = append(b, idLetters[s.Rand(len(idLetters))])
		}
		if id := string(b); !taken(id) {
			return id
		}
	}
}

// NewNode returns a node of a type at a place, with only the properties that its table requires. A flow node has an empty flow id, which is
// a warning until a flow is chosen.
func NewNode(t NodeType, id string, at Point) *schema.Object {
	config := schema.NewObject()
	if k := NodeKindOf(t); k != nil {
		config = k.Default
	}
	return obj("id", id, "type", string(t), "coordinates", at.Tree(), "config", config)
}

// NewComponent returns a component of a kind as the palette adds it.
func NewComponent(k *Kind, d Dialect, id string) *schema.Object {
	o := obj("id", id, "category", string(k.Category), "type", k.Name(d))
	if k.Category != Block {
		o = o.With("label", k.Question)
	}
	if k.Default != nil {
		return o.With("config", k.Default)
	}
	if k.ConfigRequired {
		return o.With("config", schema.NewObject())
	}
	return o
}

// NewRule returns a rule that compares a field with a text, in the shape of real exports: a group of comparisons.
func NewRule(id string) *schema.Object {
	return obj("id", id, "condition", obj("operator", "AND", "operands", []any{
		obj("operator", "EQ", "operands", []any{"{{fields.}}", ""}),
	}))
}
