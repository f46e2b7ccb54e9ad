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

// process is what a command sees of the process around it.
type process struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	lookup         func(string) (string, bool)
}

// command is one word of the command line.
type command struct {
	name, help string
	run        func(ctx context.Context, p process, args []string) int
}

// version and the commit are set by the linker (make build); nothing in the program changes them.
var version, commit string

func commands() []command {
	return []command{
		{"serve", "serve the editor and, unless --issuer names a remote one, the embedded tenant (default)", serve},
		{"tenant", "serve the embedded tenant alone, for an editor that runs elsewhere", tenantCommand},
		{"sample", "serve the protected sample API alone, or call one: formgraph sample call", sampleCommand},
		{"validate", "print every problem of form files", validate},
		{"fmt", "print form files in canonical text, or write it", format},
		{"diff", "print what changed from one form to another", diff},
		{"user", "add, list, block and reset people of the embedded tenant", user},
		{"client", "add, list, renew and remove clients of the embedded tenant", client},
		{"keys", "list and rotate the keys of a data folder", keysCommand},
		{"schema", "print the JSON Schema of the PATCH body", printSchema},
		{"version", "print version, Go version and build", printVersion},
		{"help", "print this", help},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once, as if nothing caught it.
	context.AfterFunc(ctx, stop)
	code := run(ctx, process{os.Stdin, os.Stdout, os.Stderr, os.LookupEnv}, os.Args[1:])
	stop()
	os.Exit(code)
}

// run does one command. Without a word, or with an option first, it is serve.
func run(ctx context.Context, p process, args []string) int {
	name := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	} else if len(args) > 0 && (args[0] == "--help" || args[0] == "-h") {
		name = "help"
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(ctx, p, args)
		}
	}
	return p.fail(exitUnusable, fmt.Errorf("there is no command %q; see formgraph help", name))
}

// fail tells people why a command ends.
func (p process) fail(code int, err error) int {
	_, _ = fmt.Fprintln(p.stderr, "formgraph:", err) // nobody to tell when this fails
	return code
}

// print writes text for people. Its only error is that nobody reads.
func (p process) print(format string, args ...any) {
	_, _ = fmt.Fprintf(p.stdout, format, args...)
}

func help(_ context.Context, p process, _ []string) int {
	p.print("Usage: formgraph COMMAND [options]\n\nCommands:\n")
	for _, c := range commands() {
		p.print("  %-10s %s\n", c.name, c.help)
	}
	p.print("\nformgraph serve --help lists all options.\n")
	return exitOK
}

func printVersion(_ context.Context, p process, _ []string) int {
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

// serve reads the configuration and serves until ctx ends.
func serve(ctx context.Context, p process, args []string) int {
	c, err := config.Load(config.Input{Args: args, Lookup: p.lookup, ReadFile: os.ReadFile})
	return p.configured(c, err, config.PrintHelp, func() error { return serveWith(ctx, p, c) })
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

// unusable marks errors that a person must mend before the next start.
type unusable struct{ error }

func (u unusable) Unwrap() error { return u.error }
