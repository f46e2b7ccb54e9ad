// Package caption names components and rules for people, in cards, lists and searches, and extracts the text from the HTML that authors
// write. It knows no screen: its results are plain text, never HTML.
//
// No other package makes up such a name: cards, the outline, the inspector and searches must agree.
package caption

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// maxCaption bounds the characters of a text that are read: more than the width of a card, so that the style sheet truncates it.
const maxCaption = 80

// Component returns the name of a component: its label, else the beginning of a text of its own, else its kind.
func Component(c *model.Component) string {
	text := Excerpt(c.Label, maxCaption)
	for _, key := range c.Captions() {
		if text != "" {
			return text
		}
		text = Excerpt(heading(c.Config().Text(key)), maxCaption)
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

// heading returns the heading with which a rich text begins, and any other text whole.
func heading(html string) string {
	if !strings.HasPrefix(html, "<h") {
		return html
	}
	if end := strings.Index(html, "</h"); end > 0 && Excerpt(html[:end], 1) != "" {
		return html[:end]
	}
	return html
}

// Rule returns the name of the rule at an index of a router: its own name, else its condition in words with the names of fields, else its number,
// since conditions without words, or without a value to compare, cannot be distinguished.
func Rule(fields *model.Fields, r *model.Rule, place int) string {
	return ShortRule(fields, r, place, maxCaption)
}

// ShortRule is Rule with at most n characters of its condition, where its end must be seen.
func ShortRule(fields *model.Fields, r *model.Rule, place, n int) string {
	if r.Alias != "" {
		return r.Alias
	}
	if _, known := flow.ParseCondition(r.Condition); !known && r.Condition != nil {
		return number(place)
	}
	words := flow.Words(fields, r.Condition)
	if slices.ContainsFunc(words, func(w flow.Word) bool { return w.Text == flow.Unnamed }) {
		return number(place)
	}
	return Fit(words, n)
}

func number(place int) string { return "Rule " + strconv.Itoa(place+1) }

// Fit joins words in at most n characters. It shortens names first, from the left: what a field is compared with tells rules apart. A name ends
// at a word where that costs few characters.
func Fit(words []flow.Word, n int) string {
	const least = 6 // characters of a shortened name
	words = slices.Clone(words)
	over := utf8.RuneCountInString(Join(words)) - n
	for i := range words {
		w := &words[i]
		if length := utf8.RuneCountInString(w.Text); over > 0 && w.Name && length > least {
			w.Text = atWord(schema.Shorten(w.Text, max(least, length-over)))
			over -= length - utf8.RuneCountInString(w.Text)
		}
	}
	return schema.Shorten(Join(words), n)
}

// atWord removes the beginning of a word from the end of a shortened text, if at least three quarters of the text remain.
func atWord(text string) string {
	if at := strings.LastIndexByte(text, ' '); at >= len(text)*3/4 {
		return strings.TrimRight(text[:at], " ,") + "…"
	}
	return text
}

// Join joins words into one string.
func Join(words []flow.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}
