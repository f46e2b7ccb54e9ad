package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	formrun "github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/run/suite"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/config"
)

var testTool = tool{
	name: "test", usage: []string{"[options] FORM [SCENARIOS]"},
	about: `Replays the scenarios of a form and prints a line for each: ok, or differs with the path
that it expects and the one that it takes. Without SCENARIOS, those of NAME.json are in
NAME.scenarios.json beside it. - reads standard input.

Exits with 1 if a scenario differs or has a fault, and with 2 if a file cannot be read.`,
	options: []config.Option{
		{
			Name: "coverage", Kind: config.Text, Value: "MIN", FlagOnly: true,
			Help: "exit 1 unless the scenarios take MIN percent of the edges that can be taken",
		},
		option("generate", "", "add scenarios until every edge that can be taken is taken, and write the file"),
		option("update", "", "write the path that each scenario takes to the file as the expected one"),
		option("json", "", "print one JSON value instead of lines"),
		option("junit", "FILE", "also write the results to FILE in the XML format of JUnit"),
	},
}

// scenarioResult is the result of a scenario, as --json prints it.
type scenarioResult struct {
	Name     string       `json:"name"`
	Status   suite.Status `json:"status"`
	Expected []string     `json:"expected"`
	Taken    []string     `json:"taken"`
	Reason   string       `json:"reason,omitempty"`
}

// resultLine returns a result in one line for people.
func resultLine(r *suite.Result) string {
	name := r.Name
	if strings.ContainsFunc(name, func(c rune) bool { return !strconv.IsPrint(c) }) {
		name = strconv.Quote(name)
	}
	switch r.Status {
	case suite.Differs:
		return fmt.Sprintf("%s %s: %s", r.Status, name, r.Detail())
	case suite.Fault:
		return fmt.Sprintf("%s %s: %s", r.Status, name, r.Reason)
	case suite.OK:
	}
	return string(r.Status) + " " + name
}

// scenarioReport is what --json prints.
type scenarioReport struct {
	Form      string           `json:"form"`
	Scenarios []scenarioResult `json:"scenarios"`
	Coverage  *coverageReport  `json:"coverage,omitempty"`
}

// coverageReport is the coverage of the edges that can be taken.
type coverageReport struct {
	Taken    int      `json:"taken"`
	Takeable int      `json:"takeable"`
	Percent  float64  `json:"percent"`
	Missing  []string `json:"missing"`
}

// scenarios is one call of formgraph test.
type scenarios struct {
	process
	args    *config.Arguments
	form    string // its file
	name    string // of the file of scenarios
	program *formrun.Program
	file    *scenario.File
}

// test replays the scenarios of a form.
func test(ctx context.Context, p process, args []string) int {
	a, code := p.arguments(testTool, args)
	if a == nil {
		return code
	}
	least, err := coverageOf(a)
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	t := scenarios{process: p, args: a}
	faulty, err := t.load()
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	if a.On("update") || a.On("generate") {
		if faulty {
			return p.fail(exitFailed, fmt.Errorf("%s has faults and was not written", t.name))
		}
		if err := t.rewrite(ctx); err != nil {
			return p.fail(exitUnusable, err)
		}
	}
	results, err := suite.Replay(ctx, t.program, t.file)
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	var coverage *coverageReport
	if a.Text("coverage") != "" {
		if coverage, err = t.coverage(ctx, results); err != nil {
			return p.fail(exitUnusable, err)
		}
	}
	if err := t.write(results, coverage); err != nil {
		return p.fail(exitUnusable, err)
	}
	failed := slices.ContainsFunc(results, func(r suite.Result) bool { return r.Status != suite.OK })
	low := coverage != nil && coverage.Percent < least
	if faulty || low || failed && !a.On("generate") {
		return exitFailed
	}
	return exitOK
}

// coverageOf returns the percentage of --coverage.
func coverageOf(a *config.Arguments) (float64, error) {
	if a.Text("coverage") == "" {
		return 0, nil
	}
	least, err := strconv.ParseFloat(strings.TrimSuffix(a.Text("coverage"), "%"), 64)
	if err != nil || !(least >= 0 && least <= 100) {
		return 0, fmt.Errorf("test: --coverage must be a percentage from 0 to 100, is %q", a.Text("coverage"))
	}
	return least, nil
}

// load reads the form and the scenarios. It reports whether the file of scenarios has faults, which it prints.
func (t *scenarios) load() (faulty bool, err error) {
	words := t.args.Words
	switch {
	case len(words) == 0 || len(words) > 2:
		return false, fmt.Errorf("test needs a form and possibly a file of scenarios, got %d files", len(words))
	case len(words) == 2:
		t.name = words[1]
	case words[0] == stdinName:
		return false, errors.New("test: a form from standard input needs a file of scenarios")
	default:
		t.name = strings.TrimSuffix(words[0], ".json") + ".scenarios.json"
	}
	t.form = words[0]
	form, err := t.side(t.form)
	if err != nil {
		return false, err
	}
	if form.form == nil {
		return false, fmt.Errorf("%s is not a form", t.form)
	}
	t.program = formrun.NewProgram(form.form)
	src, err := t.read(t.name)
	if errors.Is(err, fs.ErrNotExist) && t.args.On("generate") {
		t.file = &scenario.File{}
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w; formgraph test --generate %s creates it", err, t.form)
	}
	var problems schema.Problems
	t.file, problems = scenario.Read(src)
	for _, f := range findings(src, problems) {
		_, _ = fmt.Fprintln(t.stderr, f.line(t.name)) // there is nowhere to report a failure
	}
	if t.file == nil {
		return false, fmt.Errorf("%s is not a file of scenarios", t.name)
	}
	return len(problems) > 0, nil
}

// rewrite updates the scenarios, adds new ones, and writes the file if it changes.
func (t *scenarios) rewrite(ctx context.Context) error {
	file, removed, err := suite.Complete(ctx, t.program, t.file, suite.Options{Update: t.args.On("update"), Generate: t.args.On("generate")})
	if err != nil {
		return fmt.Errorf("%s was not written: %w", t.name, err)
	}
	for _, r := range removed {
		_, _ = fmt.Fprintf(t.stderr, "removed %s: %s\n", r.Name, r.Reason)
	}
	t.file = file
	text, err := t.file.Text()
	if err != nil {
		return fmt.Errorf("write scenarios: %w", err)
	}
	if t.name == stdinName {
		return errors.New("test: scenarios from standard input cannot be written")
	}
	old, err := os.ReadFile(t.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = os.WriteFile(t.name, text, 0o644) //nolint:gosec // a file of the author's project, as its form
	case err == nil && !bytes.Equal(old, text):
		err = replaceFile(t.name, text)
	}
	if err != nil {
		return fmt.Errorf("write scenarios: %w", err)
	}
	return nil
}

// coverage returns how much of what can be taken the scenarios take.
func (t *scenarios) coverage(ctx context.Context, results []suite.Result) (*coverageReport, error) {
	c, err := suite.Cover(ctx, t.program, results, nil)
	if err != nil {
		return nil, err
	}
	r := &coverageReport{Taken: c.Taken(), Takeable: len(c.Takeable), Percent: c.Percent(), Missing: []string{}}
	for _, e := range c.Missing {
		r.Missing = append(r.Missing, e.String())
	}
	return r, nil
}

// write prints the results, and writes the report of JUnit. The coverage may be nil.
func (t *scenarios) write(results []suite.Result, c *coverageReport) error {
	if t.args.On("json") {
		r := scenarioReport{Form: t.form, Scenarios: make([]scenarioResult, len(results)), Coverage: c}
		for i, of := range results {
			r.Scenarios[i] = scenarioResult{of.Name, of.Status, of.Expected, of.Taken, of.Reason}
		}
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		t.print("%s\n", text)
	} else {
		for i := range results {
			t.print("%s\n", resultLine(&results[i]))
		}
		if c != nil {
			t.print("coverage %.1f %%: %d of %d edges that can be taken\n", c.Percent, c.Taken, c.Takeable)
			for _, e := range c.Missing {
				t.print("not taken: %s\n", e)
			}
		}
	}
	if name := t.args.Text("junit"); name != "" {
		if err := os.WriteFile(name, junit(t.form, results), 0o644); err != nil { //nolint:gosec // a report for other programs
			return fmt.Errorf("write report: %w", err)
		}
	}
	return nil
}

// junit returns a report in the format that continuous integration systems read, https://github.com/testmoapp/junitxml.
func junit(form string, results []suite.Result) []byte {
	type failure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
	}
	type testcase struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Failure *failure `xml:"failure"`
	}
	type testsuite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	s := testsuite{Name: form, Tests: len(results)}
	for i := range results {
		of := &results[i]
		c := testcase{Name: of.Name, Class: form}
		switch of.Status {
		case suite.Differs:
			c.Failure = &failure{of.Detail(), string(of.Status)}
		case suite.Fault:
			c.Failure = &failure{of.Reason, string(of.Status)}
		case suite.OK:
		}
		if c.Failure != nil {
			s.Failures++
		}
		s.Cases = append(s.Cases, c)
	}
	text, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // the types above can always be written
	}
	return append([]byte(xml.Header), append(text, '\n')...)
}
