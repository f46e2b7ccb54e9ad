package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/dump"
)

// movingNote is the part of the help that these commands share.
const movingNote = `

Exits 0 on success, 1 when the operation failed, and 2 when the arguments are wrong or
a database or file cannot be used.`

var backupTool = tool{
	name: "backup", usage: []string{"FILE", "-"},
	about: `Writes a consistent snapshot of all rows of the database. Servers may be running. The
file can be restored into SQLite and PostgreSQL. Only its owner can read it, and it
appears when it is complete; - is standard output. A file that is not a backup is never
replaced. The keys file is not in the backup: keep a copy of it in another place.` + movingNote,
	options: []config.Option{dataOption(), config.DatabaseOption()},
}

var restoreTool = tool{
	name: "restore", usage: []string{"FILE", "-", "--check FILE"},
	about: `Reads a backup into the database, which must have no rows, and compares all rows
afterwards. No server may use the database. A damaged or newer backup changes nothing.
The keys are not in the backup: servers need those of the database that it was made of.` + movingNote,
	options: []config.Option{
		option("check", "", "only read the backup, and report whether it is complete"),
		dataOption(), config.DatabaseOption(),
	},
}

var migrateTool = tool{
	name: "migrate", usage: []string{"--to URL|DIR [--from URL|DIR]"},
	about: `Copies all rows of the database to another one, which must have no rows, and compares
them afterwards: to PostgreSQL (postgres://...) or to a SQLite file in a data folder. No
server may use either. The source is not changed; after a failure the target has
no rows. The keys file is not copied.` + movingNote,
	options: []config.Option{
		config.StoreOption("to", "where to copy to"),
		config.StoreOption("from", "where to copy from (default what --data and --database name)"),
		dataOption(), config.DatabaseOption(),
	},
}

// progressEvery is the time between two reports of progress.
const progressEvery = 2 * time.Second

// progress returns a function that periodically reports the progress of a copy on standard error.
func (p process) progress(now func() time.Time) dump.Progress {
	last := now()
	return func(table string, rows int64) {
		if t := now(); t.Sub(last) >= progressEvery {
			last = t
			_, _ = fmt.Fprintf(p.stderr, "formgraph: %d rows of table %s\n", rows, table) // there is nowhere to report a failure
		}
	}
}

// placeOf returns the store that --data and --database name.
func placeOf(a *config.Arguments) database.Place {
	return database.Place{Folder: a.Text("data"), URL: a.Text("database")}
}

// placeAt returns the store that a value of config.StoreOption names.
func placeAt(text string) database.Place {
	if strings.Contains(text, "://") {
		return database.Place{URL: text}
	}
	return database.Place{Folder: text}
}

// refusals are errors after which nothing was tried.
func refusals() []error {
	return []error{
		store.ErrNewer, store.ErrOlder, store.ErrNoTables, store.ErrInUse, dump.ErrNotEmpty, dump.ErrNoBackup, dump.ErrDamaged, os.ErrNotExist,
	}
}

// endedCopy ends a command that copies rows.
func (p process) endedCopy(err error) int {
	for _, refused := range refusals() {
		if errors.Is(err, refused) {
			err = unusable{err}
			break
		}
	}
	return p.ended(err)
}

// oneFile reads the arguments of a tool that takes one file. If it returns nil, the command must exit with code.
func (p process) oneFile(t tool, args []string) (a *config.Arguments, code int) {
	if a, code = p.arguments(t, args); a != nil && len(a.Words) != 1 {
		return nil, p.fail(exitUnusable, fmt.Errorf("%s takes one file; - is standard input or output", t.name))
	}
	return a, code
}

// backup is formgraph backup.
func backup(ctx context.Context, p process, args []string) int {
	a, code := p.oneFile(backupTool, args)
	if a == nil {
		return code
	}
	from, name := placeOf(a), a.Words[0]
	if !from.Exists() {
		return p.fail(exitUnusable, folder{path: from.Folder}.missing())
	}
	release, _ := buildInfo()
	var rows dump.Digests
	write := func(w io.Writer) (err error) {
		rows, err = from.Backup(ctx, w, time.Now(), release, p.progress(time.Now))
		return err
	}
	said := p.stdout
	var err error
	if name == stdinName {
		said, err = p.stderr, write(p.stdout)
	} else if err = replaceable(name); err == nil {
		err = writePrivate(name, write)
	}
	if err != nil {
		return p.endedCopy(fmt.Errorf("backup: %w", err))
	}
	_, _ = fmt.Fprintf(said, "wrote %d rows of %s\nThe keys are not in the backup: keep a copy of the keys file in another place.\n",
		rows.Rows(), from) // there is nowhere to report a failure
	return exitOK
}

// replaceable returns an error if there is a file of this name that is not a backup.
func replaceable(name string) error {
	f, err := os.Open(name) //nolint:gosec // the operator names the file
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read from
	if _, err := dump.Open(f); errors.Is(err, dump.ErrNoBackup) {
		return unusable{fmt.Errorf("%s exists and is not a backup: choose another name, or remove the file", name)}
	}
	return nil
}

// restore is formgraph restore.
func restore(ctx context.Context, p process, args []string) int {
	a, code := p.oneFile(restoreTool, args)
	if a == nil {
		return code
	}
	from := p.stdin
	if name := a.Words[0]; name != stdinName {
		f, err := os.Open(name) //nolint:gosec // the operator names the file
		if err != nil {
			return p.fail(exitUnusable, fmt.Errorf("restore: %w", err))
		}
		defer f.Close() //nolint:errcheck // only read from
		from = f
	}
	file, err := dump.Open(from)
	if err != nil {
		return p.endedCopy(fmt.Errorf("restore: %w", err))
	}
	when := fmt.Sprintf("of %s by formgraph %s", file.Header.Made.Format(time.RFC3339), file.Header.Program)
	if a.On("check") {
		rows, err := dump.Sum(ctx, file, nil)
		if err != nil {
			return p.endedCopy(fmt.Errorf("restore: %w", err))
		}
		p.print("the backup %s is complete: %d rows\n", when, rows.Rows())
		return exitOK
	}
	to := placeOf(a)
	var done dump.Result
	err = withFolder(to, true, func() (err error) {
		done, err = to.Restore(ctx, file, p.progress(time.Now))
		return err
	})
	if err != nil {
		return p.endedCopy(fmt.Errorf("restore: %w", err))
	}
	p.print("restored %d rows of the backup %s into %s, and compared them\n", done.Rows.Rows(), when, to)
	p.replaced(done)
	p.print("The keys are not in the backup: servers need the keys file of the database that it was made of (%s, or --keys).\n",
		filepath.Join(a.Text("data"), "keys"))
	return exitOK
}

// replaced says that values were changed to fit the engine.
func (p process) replaced(done dump.Result) {
	if done.Replaced > 0 {
		p.print("%d rows had texts with characters that PostgreSQL does not store; they are now U+FFFD\n", done.Replaced)
	}
}

// migrate is formgraph migrate.
func migrate(ctx context.Context, p process, args []string) int {
	a, code := p.arguments(migrateTool, args)
	switch {
	case a == nil:
		return code
	case a.Text("to") == "" || len(a.Words) > 0:
		return p.fail(exitUnusable, errors.New("migrate needs --to and takes no other arguments; see formgraph migrate --help"))
	}
	from, to := placeOf(a), placeAt(a.Text("to"))
	if a.Text("from") != "" {
		from = placeAt(a.Text("from"))
	}
	switch {
	case !from.Exists():
		return p.fail(exitUnusable, folder{path: from.Folder}.missing())
	case same(from, to):
		return p.fail(exitUnusable, fmt.Errorf("migrate: %s is both the database to copy from and the one to copy to", from))
	}
	var done dump.Result
	err := withFolder(from, false, func() error {
		return withFolder(to, true, func() (err error) {
			done, err = database.Move(ctx, from, to, p.progress(time.Now))
			return err
		})
	})
	if err != nil {
		return p.endedCopy(fmt.Errorf("migrate: %w", err))
	}
	p.print("moved %d rows from %s to %s, and compared them\n", done.Rows.Rows(), from, to)
	p.replaced(done)
	p.print("The keys are not in the database: %s\n%s is unchanged; servers must no longer use it.\n", keysOf(from, to), from)
	return exitOK
}

// same reports whether two places are known to be one.
func same(a, b database.Place) bool {
	one, err1 := filepath.Abs(a.Folder)
	other, err2 := filepath.Abs(b.Folder)
	return a.URL == b.URL && (a.URL != "" || err1 == nil && err2 == nil && one == other)
}

// keysOf says where the keys of a moved database must be.
func keysOf(from, to database.Place) string {
	file := "the keys file"
	if !from.Shared() {
		file = filepath.Join(from.Folder, "keys")
	}
	if to.Shared() {
		return "name a copy of " + file + " with --keys at every server that uses it."
	}
	return "copy " + file + " to " + filepath.Join(to.Folder, "keys") + "."
}

// withFolder calls f while no server can use the data folder of a store; a database at a URL has its own locks. If create is set, the
// folder is created, and removed again if f fails.
func withFolder(p database.Place, create bool, f func() error) (err error) {
	if p.Shared() {
		return f()
	}
	if _, missing := os.Stat(p.Folder); create {
		if err := openFolder(p.Folder); err != nil {
			return unusable{err}
		}
		defer func() {
			if err != nil && missing != nil {
				_ = os.Remove(lockFile(p.Folder)) // it is empty
				_ = os.Remove(p.Folder)           // #nosec G703 -- the operator names the folder; it stays if it is not empty
			}
		}()
	}
	unlock, err := lockFolder(p.Folder)
	if err != nil {
		return unusable{err}
	}
	return errors.Join(f(), unlock())
}
