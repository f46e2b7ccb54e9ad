package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/selfcheck"
	"github.com/formgraph/formgraph/server/servicetoken"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
)

var checkTool = tool{
	name: "check", usage: []string{"[options]"}, options: config.CheckOptions(),
	about: `Tries a configuration of formgraph serve, from which it takes the options, and prints one line for each check: ok, warn, fail or
skip, its name, what was found, and what to do. It changes nothing, here or at the tenant, and needs no running server.
Exits with 0 if no check fails, 1 if one does or the run is interrupted, and 2 if the configuration is wrong.

` + serverAbout,
}

// check tries a configuration.
func check(ctx context.Context, p process, args []string) int {
	c, asJSON, err := config.LoadCheck(p.input(args))
	failed := false
	code := p.configured(checkTool, c, err, func() error {
		failed = !p.tryAll(ctx, c, asJSON)
		return nil
	})
	if code == exitOK && failed {
		return exitFailed
	}
	return code
}

// tryAll runs the checks, prints the results and reports whether all passed.
func (p process) tryAll(ctx context.Context, c *config.Config, asJSON bool) bool {
	transport := upstream.NewTransport()
	defer transport.CloseIdleConnections()
	s := &parts{p: p, c: c, log: slog.New(slog.DiscardHandler)}
	place := database.Place{Folder: c.Data, URL: c.Database}
	checks := append(s.checks(expectedURL(c), transport),
		selfcheck.Check{Name: "data", Run: func(context.Context) selfcheck.Result { return dataFolder(place, c.Keys) }},
		selfcheck.Check{Name: "database", Run: func(ctx context.Context) selfcheck.Result { return databaseState(ctx, place) }})
	results := selfcheck.Run(ctx, checks, time.Now, p.printer(asJSON))
	passed := selfcheck.Passed(results) && ctx.Err() == nil
	return p.printAll(asJSON, passed, results) && passed
}

// printer returns the function that prints each result as soon as it is there, or nil for JSON.
func (p process) printer(asJSON bool) func(selfcheck.Result) {
	if asJSON {
		return nil
	}
	return p.printResult
}

// printAll prints all results if that is to be done in one JSON value, and reports whether it could.
func (p process) printAll(asJSON, passed bool, results []selfcheck.Result) bool {
	if !asJSON {
		return true
	}
	text, err := json.Marshal(struct {
		OK     bool               `json:"ok"`
		Checks []selfcheck.Result `json:"checks"`
	}{passed, results})
	if err != nil {
		_ = p.fail(exitFailed, err)
		return false
	}
	p.print("%s\n", text)
	return true
}

// printResult prints one line.
func (p process) printResult(r selfcheck.Result) {
	line := r.Detail
	if r.Milliseconds > 0 {
		line += fmt.Sprintf(" (%d ms)", r.Milliseconds)
	}
	if r.Remedy != "" {
		line += ". " + r.Remedy
	}
	p.print("%-4s  %-13s  %s\n", r.Status, r.Name, line)
}

// checks returns the checks of a new run of the editor at a public address, "" if it is not known.
func (s *parts) checks(public string, transport http.RoundTripper) []selfcheck.Check {
	r := s.c.Remote
	scopes, audience := bff.RemoteRequest(r.Audience, r.Service != nil, r.MeAudience != "")
	return selfcheck.Checks(selfcheck.Config{
		Options: s.c, PublicURL: public, Scopes: scopes, Audience: audience, Transport: transport, Now: time.Now,
		Tokens: func(transport http.RoundTripper) (*servicetoken.Source, error) {
			return s.serviceTokens(issuer.New(issuer.Config{
				Issuer: r.Issuer, Transport: transport, Timeout: session.TokenTimeout, Now: time.Now,
			}), transport, time.Now)
		},
	})
}

// expectedURL returns the public address that the editor will have, or "" if --listen takes any free port.
func expectedURL(c *config.Config) string {
	_, port, err := net.SplitHostPort(c.Editor.Listen)
	if c.Editor.URL == "" && (err != nil || port == "0") {
		return ""
	}
	return c.PublicURL(c.Editor, unbound(net.JoinHostPort("", port)))
}

// unbound is an address to which nothing is bound yet.
type unbound string

func (unbound) Network() string  { return "tcp" }
func (a unbound) String() string { return string(a) }

// dataFolder judges the data folder, which it does not create or change.
func dataFolder(place database.Place, keysFile string) selfcheck.Result {
	data := place.Folder
	fail := func(err error, remedy string) selfcheck.Result {
		return selfcheck.Result{Status: selfcheck.Fail, Detail: err.Error(), Remedy: remedy}
	}
	info, err := os.Stat(data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return selfcheck.Result{Status: selfcheck.OK, Detail: data + " does not exist: the first start creates it"}
	case err != nil:
		return fail(err, "Check --data and the permissions of its folders.")
	case !info.IsDir():
		return fail(errors.New(data+" is not a folder"), "Choose another --data.")
	}
	_, err = keys.Read(keysFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && place.Shared():
		return selfcheck.Result{
			Status: selfcheck.Warn, Detail: "keys file " + keysFile + " does not exist",
			Remedy: "If the database has been used, copy the keys of another replica. If it is new, the first start creates them.",
		}
	case errors.Is(err, fs.ErrNotExist) && place.Exists():
		return fail(fmt.Errorf("keys file %s is missing, but the database %s exists", keysFile, place),
			"Restore the keys, or name their file with --keys.")
	case errors.Is(err, fs.ErrNotExist):
		return selfcheck.Result{Status: selfcheck.OK, Detail: data + " holds no state: the first start creates it"}
	case err != nil:
		return fail(err, "")
	}
	if info.Mode().Perm()&0o077 != 0 {
		return selfcheck.Result{
			Status: selfcheck.Warn, Detail: data + " is open to other users of this machine", Remedy: "Run chmod 700 " + data + ".",
		}
	}
	return selfcheck.Result{Status: selfcheck.OK, Detail: data}
}

// databaseState checks whether a server can start with the database. It does not create or change the database.
func databaseState(ctx context.Context, place database.Place) selfcheck.Result {
	if !place.Exists() {
		return selfcheck.Result{Status: selfcheck.OK, Detail: place.String() + " does not exist: the first start creates it"}
	}
	view, err := place.View(ctx)
	if err != nil {
		return unreachable(err)
	}
	defer view.Close() //nolint:errcheck // it is read-only
	engine, err := view.Engine(ctx)
	if err != nil {
		return unreachable(err)
	}
	r := tablesState(view.Version(ctx))
	r.Detail = place.String() + " (" + engine + ") " + r.Detail
	if place.Shared() {
		return r
	}
	free, whole, err := diskSpace(place.Folder)
	if err != nil {
		return r // its free space is unknown
	}
	space := freeSpace(free, whole)
	r.Detail += "; on its disk, " + space.Detail
	if r.Status != selfcheck.Fail && space.Status != selfcheck.OK {
		r.Status, r.Remedy = space.Status, strings.TrimSpace(r.Remedy+" "+space.Remedy)
	}
	return r
}

// unreachable returns the result for an error from opening a database.
func unreachable(err error) selfcheck.Result {
	return selfcheck.Result{
		Status: selfcheck.Fail, Detail: err.Error(), Remedy: "Check --data or --database, and that the database server is running.",
	}
}

// notOurs is the remedy for a database that Formgraph cannot read.
const notOurs = "The database was not created by formgraph or is damaged: restore the last backup."

// tablesState returns the result for an error of View.Version. Its detail is the predicate of a sentence about the database.
func tablesState(err error) selfcheck.Result {
	switch {
	case err == nil:
		return selfcheck.Result{Status: selfcheck.OK, Detail: "has the tables of this version"}
	case errors.Is(err, store.ErrNoTables):
		return selfcheck.Result{Status: selfcheck.OK, Detail: "has no tables: the first start creates them"}
	case errors.Is(err, store.ErrOlder):
		return selfcheck.Result{
			Status: selfcheck.Warn, Detail: "has the tables of an older version",
			Remedy: "The next start migrates them. Make a backup with the older version first: it cannot start on the new tables.",
		}
	case errors.Is(err, store.ErrNewer):
		return selfcheck.Result{
			Status: selfcheck.Fail, Detail: "has the tables of a newer version", Remedy: "Start that version, or restore a backup.",
		}
	}
	return selfcheck.Result{
		Status: selfcheck.Fail, Detail: "cannot be used: " + err.Error(), Remedy: notOurs,
	}
}
