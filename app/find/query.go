package find

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The bounds of a query. The part beyond them is ignored, so that a pasted document costs no more than a sentence.
const (
	maxQuery = 1024 // bytes
	maxTerms = 32
)

// query is a parsed and folded query.
type query struct {
	words []string // each must occur
	whole string   // the words in their order, separated by one space
	ids   []string // each must occur in the id
	types []string // each must begin the type, without separators
	kinds []string // each must begin the kind
}

// parse parses a query. Words are separated by spaces; type:, kind: and id: begin
// filters, which may be empty while they are being typed.
func parse(text string) query {
	var q query
	for _, term := range split(text) {
		name, value, filter := strings.Cut(term, ":")
		switch {
		case filter && name == "id":
			q.ids = append(q.ids, value)
		case filter && name == "type":
			q.types = append(q.types, squeeze(value))
		case filter && name == "kind":
			q.kinds = append(q.kinds, value)
		default:
			q.word(term)
		}
	}
	return q
}

// parseWords parses a query without filters.
func parseWords(text string) query {
	var q query
	for _, term := range split(text) {
		q.word(term)
	}
	return q
}

// split returns the folded terms of a query within its bounds.
func split(text string) []string {
	if len(text) > maxQuery {
		end := maxQuery
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	terms := strings.Fields(string(appendFold(nil, text)))
	return terms[:min(len(terms), maxTerms)]
}

func (q *query) word(w string) {
	if q.whole != "" {
		q.whole += " "
	}
	q.whole += w
	if !slices.Contains(q.words, w) {
		q.words = append(q.words, w)
	}
}

func (q *query) empty() bool {
	return len(q.words) == 0 && len(q.ids) == 0 && len(q.types) == 0 && len(q.kinds) == 0
}

// squeeze removes separators from the name of a type: type:rich-text and
// type:richtext mean RICH_TEXT.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-", r) {
			return -1
		}
		return r
	}, s)
}
