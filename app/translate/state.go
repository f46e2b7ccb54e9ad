package translate

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/run/template/scan"
)

// State is the most serious of what can be said about a translation.
type State uint8

// The states, the most serious first.
const (
	Missing      State = iota
	TooLong            // it has more characters than the property allows
	LostTemplate       // it lacks a template of the source, or has one that the source lacks
	Stale              // it is the translation of an earlier source
	Same               // it equals the source, which may be right
	Translated
	states
)

// Done reports whether nothing is left to do for the translation.
func (s State) Done() bool { return s == Same || s == Translated }

// String returns the state in words.
func (s State) String() string {
	return [states]string{"missing", "too long", "templates differ", "stale", "same as the source", "translated"}[s]
}

// stateOf returns the state of a translation into a language.
func (r *Row) stateOf(text, language string) State {
	switch {
	case text == "":
		return Missing
	case r.Max > 0 && len(text) > r.Max && utf8.RuneCountInString(text) > r.Max:
		return TooLong
	case !hasTemplates(text, r.templates):
		return LostTemplate
	case r.recorded.Changed(language, r.hash):
		return Stale
	case text == r.Text:
		return Same
	}
	return Translated
}

// hasTemplates reports whether a text has exactly the given templates.
func hasTemplates(text string, templates []string) bool {
	var room [8]string // enough for most texts, so that a table of many needs no memory for them
	return slices.Equal(appendTemplates(room[:0], text), templates)
}

// appendTemplates appends to an empty list the different expressions in a text, sorted, without the spaces around them.
func appendTemplates(found []string, text string) []string {
	if !strings.Contains(text, "{{") {
		return found
	}
	scan.Frames(text, func(from, to int) {
		if to >= 0 {
			found = append(found, strings.TrimSpace(text[from:to]))
		}
	})
	slices.Sort(found)
	return slices.Compact(found)
}
