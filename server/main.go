package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/formgraph/formgraph/server/config"
)

// Exit codes of all commands.
const (
	exitOK       = 0
	exitFailed   = 1
	exitUnusable = 2
)

// process is a command's view of the process.
type process struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	lookup         func(string) (string, bool)
}

// command is one word of the command line.
type command struct {
	name, help string
	run        func(ctx context.Context, p process, args []string) int
	// drains means that the first signal cancels ctx and the command then finishes by itself. Any other command ends at once on a signal,
	// like a program that catches none.
	drains bool
}

// The linker sets version and the commit (make build); nothing in the program changes them.
var version, commit string

func commands() []command {
	return []command{
		{"serve", "serve the editor and, unless --issuer names a remote one, the embedded tenant (default)", serve, true},
		{"tenant", "serve the embedded tenant alone, for an editor that runs elsewhere", tenantCommand, true},
		{"sample", "serve the protected sample API alone, or call one: formgraph sample call", sampleCommand, true},
		{"check", "try the configuration of serve: discovery, callback, tokens, lists and clocks", check, true},
		{"health", "ask a running server whether it is alive, for container health checks", health, false},
		{"validate", "report every problem of form files", validate, false},
		{"fmt", "print or write the canonical text of form files", format, false},
		{"diff", "print what changed from one form to another", diff, false},
		{"test", "replay the scenarios of a form, or generate them", test, false},
		{"atlas", "write every screen of a form into one HTML file, to read and print", atlasCommand, false},
		{"user", "manage the people of the embedded tenant", user, true},
		{"client", "manage the clients of the embedded tenant", client, true},
		{"audit", "print who changed what, as lines of JSON", auditCommand, true},
		{"backup", "write a backup of the database to a file, while the server runs", backup, true},
		{"restore", "read a backup into an empty database", restore, true},
		{"migrate", "move everything to another database: from SQLite to PostgreSQL or back", migrate, true},
		{"doctor", "examine the database and the data folder, and say what to do", doctor, true},
		{"keys", "list and rotate the keys of a data folder", keysCommand, true},
		{"schema", "print the JSON Schema of the PATCH body", printSchema, false},
		{"version", "print the version, the Go version and the commit", printVersion, false},
		{"help", "list the commands, or print the options of one", help, false},
	}
}

func main() {
	os.Exit(untilSignal(process{os.Stdin, os.Stdout, os.Stderr, os.LookupEnv}, os.Args[1:]))
}

// untilSignal runs one command, and catches signals for those that drain.
func untilSignal(p process, args []string) int {
	ctx := context.Background()
	if c, _, err := commandOf(args); err == nil && c.drains {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		// A second signal ends the process at once, as if it were not caught.
		context.AfterFunc(ctx, stop)
		if _, given := p.lookup("GOMEMLIMIT"); !given {
			debug.SetMemoryLimit(softMemory)
		}
	}
	return run(ctx, p, args)
}

// softMemory is the memory limit of the Go runtime for a server, in bytes, unless GOMEMLIMIT sets another: near it, garbage is collected more often.
// Without a limit, the garbage of large forms can double the memory that is in use.
const softMemory = 400 << 20

// run runs one command.
func run(ctx context.Context, p process, args []string) int {
	c, rest, err := commandOf(args)
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	return c.run(ctx, p, rest)
}

// commandOf returns the command that args name, and its arguments. The default, without a word or with an option first, is serve.
func commandOf(args []string) (command, []string, error) {
	name := "serve"
	switch {
	case len(args) == 0:
	case args[0] == "--help" || args[0] == "-h":
		name, args = "help", nil
	case args[0] == "--version":
		name, args = "version", nil
	case !strings.HasPrefix(args[0], "-"):
		name, args = args[0], args[1:]
	}
	for _, c := range commands() {
		if c.name == name {
			return c, args, nil
		}
	}
	return command{}, nil, fmt.Errorf("unknown command %q; run formgraph help for a list", name)
}

// fail prints why a command fails and returns code.
func (p process) fail(code int, err error) int {
	_, _ = fmt.Fprintln(p.stderr, "formgraph:", err) // there is nowhere to report a failure
	return code
}

// print writes text for people to standard output. It ignores errors: there is nowhere to report them.
func (p process) print(format string, args ...any) {
	_, _ = fmt.Fprintf(p.stdout, format, args...)
}

var helpTool = tool{name: "help", usage: []string{"[COMMAND]"}, about: "Lists the commands, or prints the options of one."}

// help lists the commands, or prints the help of one.
func help(ctx context.Context, p process, args []string) int {
	a, code := p.arguments(helpTool, args)
	if a == nil {
		return code
	}
	if len(a.Words) > 0 {
		return run(ctx, p, append(a.Words, "--help"))
	}
	p.print("Usage: formgraph COMMAND [options]\n\nCommands:\n")
	for _, c := range commands() {
		p.print("  %-10s %s\n", c.name, c.help)
	}
	p.print("\nRun formgraph help COMMAND for the options of a command.\n")
	return exitOK
}

var versionTool = tool{name: "version", usage: []string{""}, about: "Prints the version, the Go version and the commit."}

func printVersion(_ context.Context, p process, args []string) int {
	if a, code := p.arguments(versionTool, args); a == nil {
		return code
	}
	v, build := buildInfo()
	p.print("formgraph %s\n%s %s/%s\nbuild %s\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH, build)
	return exitOK
}

// buildInfo returns the program's version and the commit it was built from.
func buildInfo() (release, build string) {
	release, build = version, "unknown"
	info, ok := debug.ReadBuildInfo()
	if release == "" {
		release = "devel"
		if ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
			release = info.Main.Version
		}
	}
	if commit != "" {
		return release, commit
	}
	if !ok {
		return release, build
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			build = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			build += " with changes"
		}
	}
	return release, build
}

var serveTool = tool{name: "serve", usage: []string{"[options]"}, about: serverAbout + listenAbout, options: config.Options()}

// serve reads the configuration and serves until ctx ends.
func serve(ctx context.Context, p process, args []string) int {
	c, err := config.Load(p.input(args))
	return p.configured(serveTool, c, err, func() error { return serveWith(ctx, p, c) })
}

func (p process) ended(err error) int {
	var u unusable
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &u):
		return p.fail(exitUnusable, err)
	default:
		return p.fail(exitFailed, err)
	}
}

// unusable marks errors that a person must fix before the next start.
type unusable struct{ error }

func (u unusable) Unwrap() error { return u.error }
