package search

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/find"
)

// foundCommand is a line in the list of commands that match a query.
type foundCommand struct {
	command.Line
	in      []find.Range // ranges of Name that match the query
	missing string       // what to do before the command applies, "" if it applies
	// scattered reports whether only letters that are scattered in the name match. Such matches come last.
	scattered bool
}

// findCommands returns the commands that match a query, best match first; equal
// matches that apply come first. Commands that are not offered, or neither apply nor can
// be made to, are omitted.
func findCommands(query string, ctx command.Context, limit int) []foundCommand {
	var able, unable []foundCommand
	for _, l := range command.Lines() {
		remedy, ok := l.Needs.Missing(ctx)
		switch {
		case !l.Needs.Offered(ctx):
		case ok:
			able = append(able, foundCommand{Line: l})
		case remedy != "":
			unable = append(unable, foundCommand{Line: l, missing: remedy})
		}
	}
	all := slices.Concat(able, unable)
	entries := make([]find.Entry, len(all))
	for i, c := range all {
		entries[i] = commandEntry(c.Line)
	}
	var out []foundCommand
	for _, m := range find.Rank(entries, query) {
		if len(out) == limit {
			break
		}
		c := all[m.Index]
		c.in, c.scattered = inName(entries[m.Index], m), m.Scattered
		out = append(out, c)
	}
	return out
}

// commandEntry returns the texts by which a line is found: its name, and separately
// the name of the kind that it adds, so that the exact name of a kind ranks first.
// Kinds also have synonyms.
func commandEntry(l command.Line) find.Entry {
	_, adds, _ := strings.Cut(l.Name, ": ")
	e := find.Entry{Name: l.Name, Also: adds}
	if l.Kind != nil {
		e.Words = l.Kind.Synonyms()
	}
	return e
}

// inName returns the position of a match in an entry's name. The second name of our
// entries is the end of the first.
func inName(e find.Entry, m find.Match) []find.Range {
	if len(m.InName) > 0 || len(m.InAlso) == 0 {
		return m.InName
	}
	by := len(e.Name) - len(e.Also)
	var out []find.Range
	for _, r := range m.InAlso {
		out = append(out, find.Range{From: r.From + by, To: r.To + by})
	}
	return out
}
