package oauth

import (
	"slices"
	"strings"
)

// Bounds of a scope parameter. The longest one of our own clients is below 300 characters.
const (
	maxScopeBytes = 4 << 10
	maxScopeWords = 100
)

// SplitScope returns the words of a scope parameter, each once. Only spaces separate words. A tab is part of its word, and so
// refused, so that it cannot hide a second one. RFC 6749, section 3.3.
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
				return nil, InvalidScope("the scope contains an invalid character")
			}
		}
		words = append(words, w)
	}
	if len(words) > maxScopeWords {
		return nil, InvalidScope("the scope has too many words")
	}
	return words, nil
}
