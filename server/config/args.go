package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ErrHelp is returned when the arguments ask for help.
var ErrHelp = errors.New("help requested")

// Arguments are the checked options and arguments of a tool.
type Arguments struct {
	values
	// Words are the arguments that are not options, in order.
	Words []string
}

// LoadArguments reads the options of a tool and the words between them. If an option occurs again, its last value counts; a Choice must be
// the same each time. LoadArguments returns ErrHelp when help is requested, and otherwise Faults with every error.
func LoadArguments(table []Option, in Input) (*Arguments, error) {
	p := parser{table: table, tool: true}
	v, faults, err := p.load(in)
	if err != nil || len(faults) == 0 {
		return &Arguments{v, p.words}, err
	}
	return nil, faults
}

// values are the options' texts by name.
type values map[string]value

// Text returns the value of an option, or "" if it has none.
func (v values) Text(name string) string { return v[name].text }

// On reports whether a switch is on.
func (v values) On(name string) bool {
	on, err := strconv.ParseBool(v[name].text)
	return err == nil && on
}

// parser collects the contents of a command line. Package flag reads the options, but stops at the first word and at the first fault. The
// parser continues after them, so options may follow words and all faults are found.
type parser struct {
	table  []Option
	tool   bool // words are allowed, and an option may occur again
	given  map[string]string
	words  []string
	faults Faults
}

// parse reads all arguments. Its only error is ErrHelp.
func (p *parser) parse(args []string) error {
	p.given = map[string]string{}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, o := range p.table {
		take := func(text string) error { p.take(o, text); return nil }
		if o.Kind == Switch {
			set.BoolFunc(o.Name, "", take)
		} else {
			set.Func(o.Name, "", take)
		}
	}
	for len(args) > 0 {
		err := set.Parse(args)
		rest := set.Args()
		last := len(args) - len(rest) - 1 // the argument that was read last
		if err != nil && strings.HasPrefix(err.Error(), "bad flag syntax") {
			last, rest = last+1, rest[1:] // the faulty argument, which was not read
		}
		switch {
		case errors.Is(err, flag.ErrHelp):
			return ErrHelp
		case err != nil:
			rest = p.refuse(set, args[last], rest)
		case last >= 0 && args[last] == "--":
			p.word(rest...)
			return nil
		case len(rest) > 0:
			p.word(rest[0])
			rest = rest[1:]
		}
		args = rest
	}
	return nil
}

func (p *parser) word(words ...string) {
	p.words = append(p.words, words...)
	for _, w := range words {
		if !p.tool {
			p.add(w, "is not an option")
		}
	}
}

// refuse records an option that package flag does not accept, and returns the arguments after it.
func (p *parser) refuse(set *flag.FlagSet, word string, rest []string) []string {
	name, _, has := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
	if set.Lookup(name) != nil {
		p.add(name, "must have a value")
		return rest
	}
	p.add(name, "is not an option")
	// The value of an unknown option is not a word.
	if !has && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return rest[1:]
	}
	return rest
}

// take records a value of an option.
func (p *parser) take(o Option, text string) {
	if o.Means != "" {
		if text != "true" {
			p.add(o.Name, "must have no value")
		}
		name, value, _ := strings.Cut(o.Means, "=")
		p.take(p.table[slices.IndexFunc(p.table, func(o Option) bool { return o.Name == name })], value)
		return
	}
	before, twice := p.given[o.Name]
	switch {
	case twice && o.Repeat:
		text = before + "," + text
	case twice && o.List:
		text = before + "\n" + text
	case twice && o.Kind == Choice && before != text:
		p.add(o.Name, fmt.Sprintf("must be given once, has %s and %s", before, text))
	case twice && !p.tool:
		p.add(o.Name, "must be given once")
	}
	p.given[o.Name] = text
}

func (p *parser) add(name, detail string) {
	p.faults = append(p.faults, Fault{Option: name, Source: sourceFlag, Detail: detail})
}
