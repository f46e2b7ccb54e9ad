package search

import (
	"strings"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// caret returns the position of the caret in a matching text: after the last word of the query in the text, or else
// at its end. It counts in UTF-16 units, like the browser.
func caret(value, query string) int {
	lower := strings.ToLower(value)
	end := -1
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if i := strings.Index(lower, word); i >= 0 {
			end = max(end, i+len(word))
		}
	}
	if end < 0 || len(lower) != len(value) {
		end = len(value)
	}
	return kit.UTF16Len(value[:end])
}
