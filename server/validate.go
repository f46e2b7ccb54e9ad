package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/schema"
)

// maxRead is one byte more than a document may have, so that the model itself
// says that it is too large.
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
}

// report is what --json prints for one file.
type report struct {
	File     string    `json:"file"`
	Problems []finding `json:"problems"`
	Warnings []finding `json:"warnings"`
}

// validate prints every problem of every file on standard output and warnings on
// standard error, or with --json both in one line a file. It ends with 0 when
// there is no problem, 1 when there are some, 2 when a file cannot be read.
func validate(_ context.Context, p process, args []string) int {
	var asJSON, asPatch, onlyFiles bool
	var files []string
	for _, a := range args {
		switch {
		case onlyFiles || a == stdinName || !strings.HasPrefix(a, "-"):
			files = append(files, a)
		case a == "--":
			onlyFiles = true
		case a == "--json":
			asJSON = true
		case a == "--patch":
			asPatch = true
		case a == "--help" || a == "-h":
			p.print("Usage: formgraph validate [--json] [--patch] FILE...\n\n- reads standard input; --patch takes bodies of a PATCH: nothing is required, null is allowed.\n")
			return exitOK
		default:
			return p.fail(exitUnusable, fmt.Errorf("validate has no option %s", a))
		}
	}
	if len(files) == 0 {
		return p.fail(exitUnusable, errors.New("validate needs at least one file; - is standard input"))
	}
	judge := envelope.Read
	if asPatch {
		judge = envelope.ReadUpdate
	}
	code := exitOK
	for _, name := range files {
		src, err := p.read(name)
		if err != nil {
			code = max(code, p.fail(exitUnusable, err))
			continue
		}
		_, problems, warnings := judge(src)
		if len(problems) > 0 {
			code = max(code, exitFailed)
		}
		r := report{name, findings(src, problems), findings(src, warnings)}
		if err := p.tell(r, asJSON); err != nil {
			return p.fail(exitUnusable, err)
		}
	}
	return code
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
	for _, q := range problems {
		line, column := schema.Position(src, q.Offset)
		out = append(out, finding{q.Path, q.Code, q.Detail, line, column})
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
		if _, err := fmt.Fprintf(p.stdout, "%s:%d:%d: %s: %s [%s]\n", r.File, f.Line, f.Column, f.Path, f.Detail, f.Code); err != nil {
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
