package oauth

import (
	"slices"
	"strings"
)

// Bounds of a scope parameter; the longest one of our own is below 300 characters.
const (
	maxScopeBytes = 4 << 10
	maxScopeWords = 100
)

// SplitScope returns the words of a scope parameter, each once. Words are separated by single spaces
// and nothing else: a tab belongs to its word, so that it cannot smuggle in a second one.
// RFC 6749, section 3.3.
func SplitScope(s string) ([]string, *Error) {
	if len(s) > maxScopeBytes {
		return nil, InvalidScope("the scope is too long")
	}
	var words []string
	for w := range strings.SplitSeq(s, " ") {
		if w == "" || slices.Contains(words, w) {
			continue
		}
		for i := range len(w) {
			if c := w[i]; c < 0x21 || c > 0x7e || c == '"' || c == '\\' {
				return nil, InvalidScope("the scope holds a character that is not allowed")
			}
		}
		words = append(words, w)
	}
	if len(words) > maxScopeWords {
		return nil, InvalidScope("the scope holds too many words")
	}
	return words, nil
}
