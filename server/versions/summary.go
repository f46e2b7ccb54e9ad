package versions

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Limits of a summary.
const (
	maxSummary = 200 // characters
	maxChanges = 2   // described, the others are counted
)

// summary says in words what changed between two forms. It shows no secret.
func summary(before, now *model.Form) string {
	var changes []string
	layout := 0
	for _, c := range merge.Changes(before, now) {
		if c.Layout() {
			layout++
			continue
		}
		changes = append(changes, c.String())
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
