package search

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/find"
)

// foundCommand is a line of the list of commands that a query finds.
type foundCommand struct {
	command.Line
	in      []find.Range // what of Name the query finds
	missing string       // what to do before it applies, "" when it does
}

// findCommands returns the commands that a query finds, the best first and of equals
// what applies. What does not apply and has no remedy is left out.
func findCommands(query string, ctx command.Context, limit int) []foundCommand {
	var able, unable []foundCommand
	for _, l := range command.Lines() {
		remedy, ok := l.Needs.Missing(ctx)
		switch {
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
		c.in = inName(entries[m.Index], m)
		out = append(out, c)
	}
	return out
}

// commandEntry is how a line is found: by its name, and what it adds by that alone,
// so that the exact name of a kind finds it first. Kinds have keywords too.
func commandEntry(l command.Line) find.Entry {
	_, adds, _ := strings.Cut(l.Name, ": ")
	e := find.Entry{Name: l.Name, Also: adds}
	if l.Kind != nil {
		e.Words = l.Kind.Keywords
	}
	return e
}

// inName returns where a match is in an entry's name. The second name of an
// entry of ours is the end of the first.
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
