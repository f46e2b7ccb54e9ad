package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/config"
)

// tool is the help of a command, and its options.
type tool struct {
	name string
	// usage lists the forms of the command line after the command's name.
	usage []string
	// about describes the command, with its exit codes if they differ from the common ones.
	about   string
	options []config.Option
}

// help is the text that --help prints.
func (t tool) help() string {
	var b strings.Builder
	lead := "Usage: "
	for _, u := range t.usage {
		b.WriteString(strings.TrimRight(lead+"formgraph "+t.name+" "+u, " ") + "\n")
		lead = "       "
	}
	b.WriteString("\n" + t.about + "\n")
	if len(t.options) > 0 {
		b.WriteString("\nOptions:\n" + config.OptionsHelp(t.options))
	}
	return b.String()
}

// refused ends a command whose arguments could not be read. It prints the help if that was requested, and otherwise every fault.
func (p process) refused(t tool, err error) int {
	if errors.Is(err, config.ErrHelp) {
		p.print("%s", t.help())
		return exitOK
	}
	return p.fail(exitUnusable, fmt.Errorf("wrong options; see formgraph %s --help:\n%w", t.name, err))
}

// input returns the input from which the options of a command are read.
func (p process) input(args []string) config.Input {
	return config.Input{Args: args, Lookup: p.lookup, ReadFile: os.ReadFile}
}

// arguments reads a tool's arguments. If it returns nil, the command must exit with code.
func (p process) arguments(t tool, args []string) (a *config.Arguments, code int) {
	a, err := config.LoadArguments(t.options, p.input(args))
	if err != nil {
		return nil, p.refused(t, err)
	}
	if i := slices.Index(a.Words, stdinName); i >= 0 && slices.Contains(a.Words[i+1:], stdinName) {
		return nil, p.fail(exitUnusable, fmt.Errorf("%s: only one of the files can be standard input (-)", t.name))
	}
	return a, exitOK
}

// files is arguments for a tool that needs a file.
func (p process) files(t tool, args []string) (a *config.Arguments, code int) {
	if a, code = p.arguments(t, args); a != nil && len(a.Words) == 0 {
		return nil, p.fail(exitUnusable, fmt.Errorf("%s needs at least one file; - is standard input", t.name))
	}
	return a, code
}

// option returns a row of a tool's options, which have no environment names. value names the option's text in the help; with "" the option
// is a switch.
func option(name, value, help string) config.Option {
	if value == "" {
		return config.Option{Name: name, Kind: config.Switch, FlagOnly: true, Help: help}
	}
	return config.Option{Name: name, Kind: config.Text, Value: value, FlagOnly: true, Help: help}
}

// words returns an option that holds a list and may be repeated.
func words(name, value, help string) config.Option {
	o := option(name, value+",...", help)
	o.Repeat = true
	return o
}

// serverAbout is the common help of the commands that serve.
const serverAbout = `A flag takes precedence over its environment variable, and that over the default.
The environment variable of a secret, followed by _FILE, names a file that holds it.`

// listenAbout is the help about listeners for browsers.
const listenAbout = `

Plain http is for loopback only. A listener on any other address, including 0.0.0.0 and [::], needs TLS (--tls-cert or --tls-local)
or a reverse proxy with TLS: then its public address must be https, and --trusted-proxy must name the proxy's network.`

// dataOption returns the option that names the data folder.
func dataOption() config.Option {
	return config.Option{Name: "data", Kind: config.Folder, Value: "DIR", Default: "data", Help: "the data folder"}
}
