// Package caption says what components and rules are called where people see them, in cards, lists and searches, and
// returns the text of what authors write in HTML. It knows no screen: what it returns is plain text, never HTML.
package caption

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// maxCaption is how many characters of a text are read: more than a card is wide, so that the style sheet cuts it.
const maxCaption = 80

// Component returns what a component is called: its label, else a text of its own, else its kind.
func Component(c *model.Component) string {
	text := Excerpt(c.Label, maxCaption)
	for _, key := range c.Captions() {
		if text != "" {
			return text
		}
		text = Excerpt(c.Config().Text(key), maxCaption)
	}
	switch {
	case text != "":
		return text
	case c.Kind != nil:
		return c.Kind.Label
	case c.Type != "":
		return c.Type
	}
	return "Unknown component"
}

// Rule returns what the rule at a place of a router is called: its name, else its condition in words, else its number,
// since conditions that have no words cannot be told apart.
func Rule(r *model.Rule, place int) string {
	if r.Alias != "" {
		return r.Alias
	}
	if _, known := flow.ParseCondition(r.Condition); !known && r.Condition != nil {
		return "Rule " + strconv.Itoa(place+1)
	}
	return schema.Shorten(Join(flow.Words(r.Condition)), maxCaption)
}

// Join returns words in one string.
func Join(words []flow.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}
