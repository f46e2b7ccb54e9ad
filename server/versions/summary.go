package versions

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/compare"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Limits of a summary.
const (
	maxSummary = 200 // characters
	maxChanges = 2   // described, the others are counted
	maxValue   = 40  // characters of a new value
)

// summary says in words what changed between two forms, with the names that the editor shows. It shows no secret.
func summary(before, now *model.Form) string {
	var changes []string
	layout := 0
	for _, it := range compare.Forms(before, now) {
		if it.Moved {
			layout++
		}
		if it.Layout() {
			continue
		}
		if it.IsNode() && it.Kind != merge.Changed {
			changes = append(changes, it.Name+" "+string(it.Kind))
			continue
		}
		for i := range it.Lines {
			if l := &it.Lines[i]; !l.Layout {
				changes = append(changes, sentence(&it, l))
			}
		}
	}
	// Where cards lie on the canvas matters least, and a tidy layout moves all of them.
	if layout > 0 {
		noun := " cards moved on the canvas"
		if layout == 1 {
			noun = " card moved on the canvas"
		}
		changes = append(changes, strconv.Itoa(layout)+noun)
	}
	return inWords(changes)
}

// sentence returns a line of a comparison as a sentence, such as "About you › E-mail: hint is now “Yours”". A renamed element has its old name, as in
// "E-mail is now “Work e-mail”".
func sentence(it *compare.Item, l *compare.Line) string {
	what, value, was := it.Name, caption.Excerpt(l.After, maxValue), caption.Excerpt(l.Before, maxValue)
	of := cmp.Or(l.Name, it.Name)
	if l.Name != "" {
		what += caption.PlaceSign + l.Name
	}
	if renamed := it.IsNode() && value == of && was != "" && !l.Whole; renamed {
		return strings.TrimSuffix(what, of) + was + " is now " + schema.Quote(value)
	}
	if l.Property == "" && l.Name != "" {
		return what + " " + string(l.Kind)
	}
	if l.Pointer {
		return leads(what, value, l.Property)
	}
	if l.Property != "" {
		what += ": " + lower(l.Property)
	}
	switch {
	case value != "" && !l.Whole:
		return what + " is now " + schema.Quote(value)
	case l.Kind == merge.Added || l.Kind == merge.Removed:
		return what + " " + string(l.Kind)
	}
	return what + " changed"
}

// leads says to which node something now goes, none if to is "". It names the way unless that is the usual one, the next node.
func leads(what, to, way string) string {
	if way != "Goes to" {
		what += ": " + lower(way)
	}
	if to == "" {
		return what + " no longer goes to another node"
	}
	return what + " now goes to " + schema.Quote(to)
}

// lower returns a name as it is written inside a sentence, with a small first letter unless it begins with an abbreviation.
func lower(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if second, _ := utf8.DecodeRuneInString(name[size:]); unicode.IsUpper(second) {
		return name
	}
	return string(unicode.ToLower(first)) + name[size:]
}

// inWords returns the first changes, and how many more there are.
func inWords(changes []string) string {
	shown := changes[:min(len(changes), maxChanges)]
	more := ""
	if n := len(changes) - len(shown); n > 0 {
		more = " and " + strconv.Itoa(n) + " more"
	}
	room := maxSummary - len(more) - len("; ")*(maxChanges-1)
	words := make([]string, len(shown))
	for i, s := range shown {
		// A short change leaves its room to those after it.
		s = schema.Shorten(s, room/(len(shown)-i))
		words[i] = s
		room -= len([]rune(s))
	}
	return strings.Join(words, "; ") + more
}
