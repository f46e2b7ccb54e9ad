package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/rules"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/config"
)

// maxRead is one byte more than a document may have, so that the model can report a document that is too large.
const maxRead = 4<<20 + 1

// stdinName stands for standard input among the files.
const stdinName = "-"

// finding is a problem or a warning with its place, as --json prints it.
type finding struct {
	Path   schema.Path `json:"path"`
	Code   schema.Code `json:"code"`
	Detail string      `json:"detail"`
	Line   int         `json:"line"`   // from 1
	Column int         `json:"column"` // from 1, in code points
	// Journey demonstrates a warning of the path analysis, node by node, in the machine-readable formats.
	Journey []stop `json:"journey,omitempty"`
}

// report is what --json prints for one file.
type report struct {
	File     string    `json:"file"`
	Problems []finding `json:"problems"`
	Warnings []finding `json:"warnings"`
}

var validateTool = tool{
	name: "validate", usage: []string{"[--patch] [--rules] [--format text|json|sarif] FILE..."},
	about: `Reports every problem of form files. Exits 0 when there are none, 1 when there are
some, and 2 when a file cannot be read. - reads standard input.`,
	options: []config.Option{
		option("patch", "", "the files are bodies of a PATCH: nothing is required, null is allowed"),
		{
			Name: "format", Kind: config.Choice, Choices: []string{"text", "json", "sarif"}, Default: "text", FlagOnly: true,
			Help: `text: FILE:LINE:COL: path: detail [code]; warnings on standard error
json: one line for each file. A warning about paths lists the nodes of a journey that shows it
sarif: one document for all files, for code scanning`,
		},
		option("rules", "", "also warn about rules that never decide, and about cycles that lead through routers only"),
		{Name: "json", Kind: config.Switch, Means: "format=json", FlagOnly: true, Help: "short for --format json"},
	},
}

// validate prints every problem of every file on standard output and warnings on standard error, or both in one of the machine-readable
// formats. It exits with 0 if there are no problems, 1 if there are some, and 2 if a file cannot be read.
func validate(ctx context.Context, p process, args []string) int {
	a, code := p.files(validateTool, args)
	if a == nil {
		return code
	}
	format := a.Text("format")
	read := envelope.Read
	if a.On("patch") {
		read = envelope.ReadUpdate
	}
	reports := make([]report, 0, len(a.Words))
	var unread []error
	for _, name := range a.Words {
		src, err := p.read(name)
		if err != nil {
			unread = append(unread, err)
			code = max(code, p.fail(exitUnusable, err))
			continue
		}
		d, problems, warnings := read(src)
		if len(problems) > 0 {
			code = max(code, exitFailed)
		}
		more := orphans(d)
		if a.On("rules") {
			flaws, all := ruleWarnings(ctx, d)
			if !all {
				_, _ = fmt.Fprintf(p.stderr, "%s: not all rules were checked: there are too many to compare\n", name)
			}
			more = append(more, flaws...)
		} else {
			warnings = slices.DeleteFunc(warnings, func(w schema.Problem) bool { return w.Code == schema.CodeLoop || w.Code == schema.CodeRepeatedOption })
		}
		if len(more) > 0 {
			warnings = append(warnings, located(d, src, more)...)
			schema.Sort(d.Form.Tree(), warnings)
		}
		r := report{name, findings(src, problems), findings(src, warnings)}
		if format != "text" {
			addJourneys(d, src, r.Warnings)
		}
		reports = append(reports, r)
		if format == "sarif" {
			continue
		}
		if err := p.tell(r, format == "json"); err != nil {
			return p.fail(exitUnusable, err)
		}
	}
	if format == "sarif" {
		if err := p.tellSARIF(reports, unread); err != nil {
			return p.fail(exitUnusable, err)
		}
	}
	return code
}

// rulesTime bounds the time for checking the rules of a form. Most forms take milliseconds.
const rulesTime = 5 * time.Second

// orphans returns the warnings about translations of nothing. An update that has no nodes may translate those that the form has.
func orphans(d envelope.Document) schema.Problems {
	if d.Form == nil || d.Shape == envelope.Update && !d.Form.Tree().Has("nodes") {
		return nil
	}
	return answer.Orphans(d.Form)
}

// ruleWarnings returns the warnings about rules that never decide. all reports whether every rule was checked.
func ruleWarnings(ctx context.Context, d envelope.Document) (warnings schema.Problems, all bool) {
	// A part of a form may lack the fields that the rules compare.
	if d.Form == nil || d.Shape == envelope.Update && (!d.Form.Tree().Has("nodes") || !d.Form.Tree().Has("start")) {
		return nil, true
	}
	ctx, cancel := context.WithTimeout(ctx, rulesTime)
	defer cancel()
	found, all := rules.FormUntil(ctx, d.Form)
	for _, f := range found {
		warnings = append(warnings, f.Problem())
	}
	return warnings, all
}

// located returns warnings about the form of a document with their offsets in its text.
func located(d envelope.Document, src []byte, warnings schema.Problems) schema.Problems {
	at := schema.Path{}
	if d.Shape == envelope.Export {
		at = at.Key("form")
	}
	warnings = warnings.Under(at)
	schema.Locate(src, warnings)
	for i := range warnings {
		warnings[i].Path = warnings[i].Path[len(at):]
	}
	return warnings
}

// line formats the finding for people and for programs that parse compiler output.
func (f finding) line(file string) string {
	return fmt.Sprintf("%s:%d:%d: %s: %s [%s]", file, f.Line, f.Column, f.Path, f.Detail, f.Code)
}

func (p process) read(name string) ([]byte, error) {
	from := p.stdin
	if name != stdinName {
		f, err := os.Open(name) //nolint:gosec // the caller names its own files
		if err != nil {
			return nil, fmt.Errorf("read form: %w", err)
		}
		defer f.Close() //nolint:errcheck // only read from
		from = f
	}
	src, err := io.ReadAll(io.LimitReader(from, maxRead))
	if err != nil {
		return nil, fmt.Errorf("read form: %w", err)
	}
	return src, nil
}

func findings(src []byte, problems schema.Problems) []finding {
	out := make([]finding, 0, len(problems))
	if len(problems) == 0 {
		return out
	}
	text := schema.NewPositioner(src)
	for _, q := range problems {
		line, column := text.Position(q.Offset)
		out = append(out, finding{Path: q.Path, Code: q.Code, Detail: q.Detail, Line: line, Column: column})
	}
	return out
}

func (p process) tell(r report, asJSON bool) error {
	if asJSON {
		line, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("write report: %w", err)
		}
		_, err = fmt.Fprintf(p.stdout, "%s\n", line)
		return err
	}
	for _, f := range r.Problems {
		if _, err := fmt.Fprintln(p.stdout, f.line(r.File)); err != nil {
			return err
		}
	}
	for _, f := range r.Warnings {
		if _, err := fmt.Fprintf(p.stderr, "%s:%d:%d: warning: %s: %s [%s]\n", r.File, f.Line, f.Column, f.Path, f.Detail, f.Code); err != nil {
			return err
		}
	}
	return nil
}
