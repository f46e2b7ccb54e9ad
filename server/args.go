package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// errHelp reports that the help of a command was asked for.
var errHelp = errors.New("help")

// arguments are the options and the files of a tool. Unlike package flag, they
// take options behind files too, as people and hooks write them.
type arguments struct {
	tool    string
	flags   map[string]*bool    // by name with dashes
	choices map[string]*choice  // options with a value, by name with dashes
	texts   map[string]*string  // options with any value, by name with dashes
	files   []string            // what is not an option
	some    bool                // it needs a file
	alias   map[string][]string // options that stand for others
}

// choice is an option whose value is one of a list; the first is the default.
type choice struct {
	of    []string
	value string
	given bool // value was named, which can be done once
}

// set takes a value that was named.
func (c *choice) set(tool, name, value string) error {
	switch {
	case !slices.Contains(c.of, value):
		return fmt.Errorf("%s: %s must be one of %s, is %q", tool, name, strings.Join(c.of, ", "), value)
	case c.given && c.value != value:
		return fmt.Errorf("%s takes one %s, has %s and %s", tool, strings.TrimLeft(name, "-"), c.value, value)
	}
	c.value, c.given = value, true
	return nil
}

// parse reads args. The error says which word is wrong; errHelp is no fault.
func (a *arguments) parse(args []string) error {
	for _, c := range a.choices {
		c.value = c.of[0]
	}
	if err := a.read(args, false); err != nil {
		return err
	}
	if i := slices.Index(a.files, stdinName); i >= 0 && slices.Contains(a.files[i+1:], stdinName) {
		return fmt.Errorf("%s: only one of the files can be standard input (-)", a.tool)
	}
	if a.some && len(a.files) == 0 {
		return fmt.Errorf("%s needs at least one file; - is standard input", a.tool)
	}
	return nil
}

func (a *arguments) read(args []string, onlyFiles bool) error {
	for i := 0; i < len(args); i++ {
		word := args[i]
		name, value, given := strings.Cut(word, "=")
		c, text := a.choices[name], a.texts[name]
		switch {
		case onlyFiles || word == stdinName || !strings.HasPrefix(word, "-"):
			a.files = append(a.files, word)
		case word == "--":
			onlyFiles = true
		case word == "--help" || word == "-h":
			return errHelp
		case a.alias[word] != nil:
			if err := a.read(a.alias[word], false); err != nil {
				return err
			}
		case a.flags[word] != nil:
			*a.flags[word] = true
		case text != nil:
			if !given {
				if i++; i == len(args) {
					return fmt.Errorf("%s: %s needs a value", a.tool, name)
				}
				value = args[i]
			}
			*text = value
		case c != nil:
			if !given {
				if i++; i == len(args) {
					return fmt.Errorf("%s: %s needs a value: %s", a.tool, name, strings.Join(c.of, ", "))
				}
				value = args[i]
			}
			if err := c.set(a.tool, name, value); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%s has no option %s", a.tool, word)
		}
	}
	return nil
}
