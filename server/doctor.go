package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/selfcheck"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/dump"
)

var doctorTool = tool{
	name: "doctor", usage: []string{"[--json]"},
	about: `Examines the database and the data folder, and prints one line for each check: ok, warn,
fail or skip, its name, what was found, and what to do. It changes nothing; servers may
be running. Exits 0 when nothing was found, 1 when something was, and 2 when the
arguments are wrong or there is no data folder.`,
	options: []config.Option{option("json", "", "print one JSON value"), keysOption(), dataOption(), config.DatabaseOption()},
}

// Bounds of the time of all checks and of each: reading a large database takes minutes.
const (
	doctorTime = time.Hour
	examTime   = 30 * time.Minute
)

// patient is what formgraph doctor examines.
type patient struct {
	folder string
	keys   string // the file
	place  database.Place
	now    func() time.Time
	view   database.View // nil if it cannot be opened
}

// doctor is formgraph doctor.
func doctor(ctx context.Context, p process, args []string) int {
	a, code := p.arguments(doctorTool, args)
	switch {
	case a == nil:
		return code
	case len(a.Words) > 0:
		return p.fail(exitUnusable, fmt.Errorf("doctor takes no arguments, got %q; see formgraph doctor --help", a.Words))
	}
	d := &patient{folder: a.Text("data"), keys: keysFile(a), place: placeOf(a), now: time.Now}
	if !d.place.Exists() {
		return p.fail(exitUnusable, folder{path: d.folder}.missing())
	}
	checks := d.checks(ctx)
	if d.view != nil {
		defer d.view.Close() //nolint:errcheck // it has only read
	}
	asJSON := a.On("json")
	results := selfcheck.RunWithin(ctx, doctorTime, examTime, checks, time.Now, p.printer(asJSON))
	healthy := selfcheck.Clean(results) && ctx.Err() == nil
	if !p.printAll(asJSON, healthy, results) || !healthy {
		return exitFailed
	}
	return exitOK
}

// checks opens the database and returns the checks. Those that need the database are absent if it cannot be read.
func (d *patient) checks(ctx context.Context) []selfcheck.Check {
	always := func(r selfcheck.Result) func(context.Context) selfcheck.Result {
		return func(context.Context) selfcheck.Result { return r }
	}
	checks := []selfcheck.Check{
		{Name: "data", Run: func(context.Context) selfcheck.Result { return dataFolder(d.place, d.keys) }},
		{Name: "permissions", Run: func(context.Context) selfcheck.Result { return d.permissions() }},
		{Name: "disk", Run: func(context.Context) selfcheck.Result { return d.disk() }},
	}
	view, err := d.place.View(ctx)
	if err != nil {
		return append(checks, selfcheck.Check{Name: "database", Run: always(unreachable(err))})
	}
	d.view = view
	if err := view.Version(ctx); err != nil {
		return append(checks, selfcheck.Check{Name: "database", Run: always(d.version(err))})
	}
	checks = append(checks, selfcheck.Check{Name: "database", Run: always(selfcheck.Result{
		Status: selfcheck.OK, Detail: d.place.String() + " has the tables of this version",
	})})
	for _, e := range view.Examinations(d.now) {
		checks = append(checks, selfcheck.Check{Name: e.Name, Run: func(ctx context.Context) selfcheck.Result {
			found, err := e.Run(ctx)
			return judged(e.Fine, found, err)
		}})
	}
	return append(checks, selfcheck.Check{Name: "keys", Run: d.matchKeys}, selfcheck.Check{Name: "rows", Run: d.rows})
}

// version judges an error of View.Version.
func (d *patient) version(err error) selfcheck.Result {
	r := selfcheck.Result{Status: selfcheck.Fail, Detail: err.Error()}
	switch {
	case errors.Is(err, store.ErrNoTables):
		r.Remedy = "Start formgraph serve once, restore a backup, or name the right database."
	case !errors.Is(err, store.ErrNewer) && !errors.Is(err, store.ErrOlder): // these say it themselves
		r.Remedy = notOurs
	}
	return r
}

// judged returns the result of an examination. The worst finding counts.
func judged(fine string, found []store.Finding, err error) selfcheck.Result {
	if err != nil {
		return selfcheck.Result{Status: selfcheck.Fail, Detail: err.Error(), Remedy: "If it stays, restore the last backup."}
	}
	if len(found) == 0 {
		return selfcheck.Result{Status: selfcheck.OK, Detail: fine}
	}
	r := selfcheck.Result{Status: selfcheck.Warn}
	var details, remedies []string
	for _, f := range found {
		if f.Severe {
			r.Status = selfcheck.Fail
		}
		details, remedies = append(details, f.Detail), append(remedies, f.Remedy)
	}
	r.Detail, r.Remedy = strings.Join(details, "; "), strings.Join(remedies, " ")
	return r
}

// permissions judges who may read what is in the folder.
func (d *patient) permissions() selfcheck.Result {
	files := []string{d.folder, firstStartFile(d.folder), d.keys}
	if !d.place.Shared() {
		for _, more := range []string{"", "-wal", "-shm"} {
			files = append(files, filepath.Join(d.folder, database.File+more))
		}
	}
	var open []string
	for _, name := range files {
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // which other checks judge
		case err != nil:
			return judged("", nil, err)
		case info.Mode().Perm()&0o077 != 0:
			open = append(open, name)
		}
	}
	if len(open) > 0 {
		return judged("", []store.Finding{{
			Severe: true, Detail: "other users of this machine can use " + strings.Join(open, ", "),
			Remedy: "Run chmod go= " + strings.Join(open, " ") + ". If others have read the keys, run formgraph keys rotate --master.",
		}}, nil)
	}
	return selfcheck.Result{Status: selfcheck.OK, Detail: "only the owner can use the files"}
}

// Limits of the free space.
const (
	spaceWarns = 1 << 30
	spaceFails = 100 << 20
)

// disk judges the free space of the folder's disk.
func (d *patient) disk() selfcheck.Result {
	free, whole, err := diskSpace(d.folder)
	if err != nil {
		return selfcheck.Result{Status: selfcheck.Skip, Detail: "the free space is unknown: " + err.Error()}
	}
	return freeSpace(free, whole)
}

func freeSpace(free, whole uint64) selfcheck.Result {
	r := selfcheck.Result{Status: selfcheck.OK, Detail: fmt.Sprintf("%d MiB of %d MiB are free", free>>20, whole>>20)}
	if free < spaceWarns {
		r.Status, r.Remedy = selfcheck.Warn, "Make room on the disk of the data folder: when it is full, nothing can be saved."
	}
	if free < spaceFails {
		r.Status = selfcheck.Fail
	}
	return r
}

// matchKeys compares the keys with the database.
func (d *patient) matchKeys(ctx context.Context) selfcheck.Result {
	var known string
	err := d.view.Snapshot(ctx, func(s dump.Snapshot) error {
		return s.Rows(ctx, tableOf("marks"), func(r dump.Row) error {
			if m := tableOf("marks"); r[m.Index("name")] == keysMark {
				known, _ = r[m.Index("value")].(string)
			}
			return nil
		})
	})
	if err != nil {
		return judged("", nil, err)
	}
	set, err := keys.Read(d.keys)
	const remedy = "Restore the keys file that this database was used with, or name it with --keys."
	switch {
	case errors.Is(err, fs.ErrNotExist) && known == "":
		return selfcheck.Result{Status: selfcheck.OK, Detail: "the database has not been used with keys"}
	case err != nil:
		return selfcheck.Result{Status: selfcheck.Fail, Detail: err.Error(), Remedy: remedy}
	case known != "" && !belongs(set, known):
		return selfcheck.Result{Status: selfcheck.Fail, Detail: "the keys file " + d.keys + " does not belong to this database", Remedy: remedy}
	}
	return selfcheck.Result{Status: selfcheck.OK, Detail: "the keys belong to this database"}
}

// tableOf returns a table of dump.Tables.
func tableOf(name string) dump.Table {
	for _, t := range dump.Tables() {
		if t.Name == name {
			return t
		}
	}
	return dump.Table{}
}
