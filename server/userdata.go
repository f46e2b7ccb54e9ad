package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// dataHelp is the part that the help texts of these commands share.
const dataHelp = `
  --data DIR  the data folder (default data; FORMGRAPH_DATA)

The server may be running. Exits 0 on success, 1 when the operation failed, and 2
when the arguments are wrong or there is no data folder.
`

// verb is one word behind the name of a command that works on a data folder.
type verb struct {
	name string
	do   func(ctx context.Context, f folder, a *arguments) error
	// least and most are how many words may stand behind it.
	least, most int
}

// folder is the data folder a command works on. db is nil for commands that need none.
type folder struct {
	p    process
	path string
	db   *sqlite.DB
	now  func() time.Time
}

// errWords reports arguments that are wrong.
type errWords struct{ error }

// onData runs one verb of a command. a holds the options of all verbs of the command but --data.
func onData(ctx context.Context, p process, args []string, a arguments, help string, withDatabase bool, verbs []verb) int {
	f := folder{p: p, path: "data", now: time.Now}
	if v, ok := p.lookup("FORMGRAPH_DATA"); ok && v != "" {
		f.path = v
	}
	a.texts["--data"] = &f.path
	if err := a.parse(args); err != nil {
		return p.usage(err, help)
	}
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
		if len(a.files) == 0 || a.files[0] != v.name {
			continue
		}
		a.files = a.files[1:]
		if n := len(a.files); n < v.least || n > v.most {
			return p.fail(exitUnusable, fmt.Errorf("%s %s takes %s; see formgraph %s --help", a.tool, v.name, count(v.least, v.most), a.tool))
		}
		return f.run(ctx, &a, v, withDatabase)
	}
	return p.fail(exitUnusable, fmt.Errorf("%s needs one of %s; see formgraph %s --help", a.tool, strings.Join(names, ", "), a.tool))
}

func count(least, most int) string {
	switch {
	case most == 0:
		return "no more arguments"
	case least == most:
		return fmt.Sprintf("%d more argument", most)
	}
	return fmt.Sprintf("%d to %d more arguments", least, most)
}

func (f folder) run(ctx context.Context, a *arguments, v verb, withDatabase bool) (code int) {
	// Nothing is made here: a wrong --data must not become a new tenant.
	if _, err := os.Stat(databaseFile(f.path)); err != nil {
		return f.p.fail(exitUnusable, fmt.Errorf("%s is not a data folder: name one with --data, or create it by running formgraph serve", f.path))
	}
	if withDatabase {
		var err error
		if f.db, err = sqlite.Open(ctx, databaseFile(f.path)); err != nil {
			return f.p.fail(exitUnusable, err)
		}
		defer func() {
			if err := f.db.Close(); err != nil {
				code = max(code, f.p.fail(exitFailed, err))
			}
		}()
	}
	err := v.do(ctx, f, a)
	var wrong errWords
	var problems schema.Problems
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &wrong), errors.As(err, &problems):
		return f.p.fail(exitUnusable, err)
	}
	return f.p.fail(exitFailed, err)
}

// issuer returns the tenant's public address as the last start of the server left it.
func (f folder) issuer(ctx context.Context) (string, error) {
	api, err := f.db.APIByID(ctx, access.ManagementAPI)
	if errors.Is(err, store.ErrNotFound) {
		return "", errors.New("the tenant has never been started: run formgraph serve once")
	}
	return strings.TrimSuffix(api.Identifier, "/api/v2/"), err
}

// line reads one line of standard input: a password that no list of processes shows.
func (f folder) line() (string, error) {
	s, err := bufio.NewReader(io.LimitReader(f.p.stdin, 4<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return strings.TrimRight(s, "\r\n"), nil
}

// table prints rows in columns, or each as one line of JSON.
func table[T any](p process, asJSON bool, head []string, rows []T, cells func(T) []string) error {
	if asJSON {
		for _, r := range rows {
			b, err := json.Marshal(r)
			if err != nil {
				return err
			}
			p.print("%s\n", b)
		}
		return nil
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, strings.Join(head, "\t")) // Flush tells what went wrong
	for _, r := range rows {
		_, _ = fmt.Fprintln(w, strings.Join(cells(r), "\t"))
	}
	return w.Flush()
}

// every reads all pages of a list.
func every[T any](ctx context.Context, read func(ctx context.Context, offset, limit int) ([]T, int, error)) ([]T, error) {
	const size = 100
	var out []T
	for {
		page, _, err := read(ctx, len(out), size)
		if out = append(out, page...); err != nil || len(page) < size {
			return out, err
		}
	}
}

// list takes words apart that commas separate; an empty text has none.
func list(text string) []string {
	var out []string
	for s := range strings.SplitSeq(text, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// texts makes the array of a body.
func texts(words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}
