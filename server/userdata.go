package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	osuser "os/user"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// dataNote is the part of the help that these commands share.
const dataNote = `

The server may be running. Exits 0 on success, 1 when the operation failed, and 2
when the arguments are wrong or there is no data folder.`

// verb is a subcommand of a command that works on a data folder.
type verb struct {
	name string
	do   func(ctx context.Context, f folder) error
	// words is the number of arguments that must follow it.
	words int
}

// folder is the data folder that a command works on. db is nil for commands that need none.
type folder struct {
	p    process
	path string
	// args are the arguments without the verb.
	args *config.Arguments
	db   *database.DB
	now  func() time.Time
	// log keeps the entries of a command in their order, even in the same millisecond. nil without db.
	log *audit.Log
}

// errWords reports wrong arguments.
type errWords struct{ error }

// onData runs one verb of a command.
func onData(ctx context.Context, p process, args []string, t tool, withDatabase bool, verbs []verb) int {
	a, code := p.arguments(t, args)
	if a == nil {
		return code
	}
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
		if len(a.Words) == 0 || a.Words[0] != v.name {
			continue
		}
		if a.Words = a.Words[1:]; len(a.Words) != v.words {
			return p.fail(exitUnusable, fmt.Errorf("%s %s takes %d arguments, got %d; see formgraph %s --help", t.name, v.name, v.words,
				len(a.Words), t.name))
		}
		return folder{p: p, path: a.Text("data"), args: a, now: time.Now}.run(ctx, v, withDatabase)
	}
	return p.fail(exitUnusable, fmt.Errorf("%s needs one of %s; see formgraph %s --help", t.name, strings.Join(names, ", "), t.name))
}

func (f folder) run(ctx context.Context, v verb, withDatabase bool) (code int) {
	// Nothing is created here: a wrong --data must not become a new tenant.
	if withDatabase {
		place := database.Place{Folder: f.path, URL: f.args.Text("database")}
		if !place.Exists() {
			return f.p.fail(exitUnusable, f.missing())
		}
		var err error
		if f.db, err = place.Open(ctx); err != nil {
			return f.p.fail(exitUnusable, err)
		}
		f.now = f.db.Now // the servers judge what a command dates
		f.log = audit.New(audit.Config{Rows: f.db, Now: f.now})
		defer func() {
			if err := f.db.Close(); err != nil {
				code = max(code, f.p.fail(exitFailed, err))
			}
		}()
	}
	err := v.do(ctx, f)
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

// missing is the error for a folder without a database.
func (f folder) missing() error {
	return fmt.Errorf("%s is not a data folder: name one with --data, or create it by running formgraph serve", f.path)
}

// issuer returns the tenant's public address, as stored at the server's last start.
func (f folder) issuer(ctx context.Context) (string, error) {
	api, err := f.db.APIByID(ctx, access.ManagementAPI)
	if errors.Is(err, store.ErrNotFound) {
		return "", errors.New("the tenant has never been started: run formgraph serve once")
	}
	return strings.TrimSuffix(api.Identifier, "/api/v2/"), err
}

// line reads one line of standard input: unlike an argument, it appears in no list of processes.
func (f folder) line() (string, error) {
	s, err := bufio.NewReader(io.LimitReader(f.p.stdin, 4<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return strings.TrimRight(s, "\r\n"), nil
}

// audit records the change made by a command and the operating system user who ran it. If recording fails, the change remains.
func (f folder) audit(ctx context.Context, event, object, id, detail string) {
	by := "uid " + strconv.Itoa(os.Getuid())
	if u, err := osuser.Current(); err == nil {
		by = u.Username
	}
	if err := f.log.RecordNow(context.WithoutCancel(ctx), store.AuditEntry{
		Source: audit.SourceCommand, Event: event, Object: object, ObjectID: id, Detail: detail, Subject: by, Outcome: audit.Done,
	}); err != nil {
		_ = f.p.fail(exitFailed, fmt.Errorf("the change was made, but is not in the audit log: %w", err))
	}
}

// table prints rows in columns, or with --json each as one line of JSON.
func table[T any](f folder, head []string, rows []T, cells func(T) []string) error {
	if f.args.On("json") {
		for _, r := range rows {
			b, err := json.Marshal(r)
			if err != nil {
				return err
			}
			f.p.print("%s\n", b)
		}
		return nil
	}
	w := tabwriter.NewWriter(f.p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, strings.Join(head, "\t")) // Flush reports errors
	for _, r := range rows {
		_, _ = fmt.Fprintln(w, strings.Join(cells(r), "\t"))
	}
	return w.Flush()
}

// every reads all pages of a list.
func every[T any](ctx context.Context, read func(ctx context.Context, f store.Find, offset, limit int) ([]T, int, error)) ([]T, error) {
	const size = 100
	var out []T
	for {
		page, _, err := read(ctx, store.Find{}, len(out), size)
		if out = append(out, page...); err != nil || len(page) < size {
			return out, err
		}
	}
}

// list splits a comma-separated text; an empty text has no words.
func list(text string) []string {
	var out []string
	for s := range strings.SplitSeq(text, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// texts returns words as a JSON array of a request body.
func texts(words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}
