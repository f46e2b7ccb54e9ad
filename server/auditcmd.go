package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/config"
)

var auditTool = tool{
	name: "audit", usage: []string{"[--since TIME] [--until TIME] [--event NAME] [--form ID]"},
	about: `Prints the audit log, who changed what, as lines of JSON ordered by time. Servers may be
running. TIME is a time such as 2026-03-01T12:00:00Z, or a duration before now such as 24h
or 7d. server/AUDIT.md lists the events and the members of a line. Entries stored during
the export may be missing from it. Exits 0 on success, 1 when the export failed or was
interrupted, and 2 when the arguments are wrong or there is no data folder.`,
	options: []config.Option{
		option("since", "TIME", "entries from this time on (default all)"),
		option("until", "TIME", "entries before this time (default now)"),
		option("event", "NAME", "entries of one event, such as form_saved"),
		option("form", "ID", "entries about one form"),
		dataOption(), config.DatabaseOption(),
	},
}

// clockMargin is how far an entry's time may be ahead of this clock: replicas estimate the clock of the database.
const clockMargin = time.Second

// auditCommand runs formgraph audit.
func auditCommand(ctx context.Context, p process, args []string) int {
	a, code := p.arguments(auditTool, args)
	switch {
	case a == nil:
		return code
	case len(a.Words) > 0:
		return p.fail(exitUnusable, fmt.Errorf("audit takes no arguments, got %q; see formgraph audit --help", a.Words))
	}
	if _, err := filterOf(a, time.Now()); err != nil {
		return p.fail(exitUnusable, err)
	}
	place := placeOf(a)
	if !place.Exists() {
		return p.fail(exitUnusable, folder{path: place.Folder}.missing())
	}
	db, err := place.Open(ctx)
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	out := bufio.NewWriter(p.stdout)
	f, err := filterOf(a, db.Now()) // the servers date the entries by the clock of the store
	if err == nil {
		err = audit.Export(ctx, db, f, out)
	}
	if err := errors.Join(err, out.Flush(), db.Close()); err != nil {
		return p.fail(exitFailed, fmt.Errorf("audit: %w", err))
	}
	return exitOK
}

// filterOf returns the filter that the options of the command describe.
func filterOf(a *config.Arguments, now time.Time) (audit.Filter, error) {
	f := audit.Filter{Until: now.Add(clockMargin), Event: a.Text("event"), Form: a.Text("form")}
	for name, into := range map[string]*time.Time{"since": &f.Since, "until": &f.Until} {
		if text := a.Text(name); text != "" {
			at, err := instant(text, now)
			if err != nil {
				return f, fmt.Errorf("audit: --%s: %w", name, err)
			}
			*into = at
		}
	}
	if f.Until.Before(f.Since) {
		return f, errors.New("audit: --since must not be after --until")
	}
	return f, nil
}

// instant parses a time in RFC 3339 format, or a duration before now, which may be in days.
func instant(text string, now time.Time) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	ago, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int64
		n, err = strconv.ParseInt(days, 10, 17) // so that the duration does not overflow
		ago = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || ago < 0 {
		return time.Time{}, fmt.Errorf("must be a time such as 2026-03-01T12:00:00Z, or a duration such as 24h or 7d; got %q", text)
	}
	return now.Add(-ago), nil
}
