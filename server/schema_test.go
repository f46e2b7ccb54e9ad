package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func TestSchema(t *testing.T) {
	for _, x := range []struct {
		name      string
		args      []string
		code      int
		out, errs string // "" asks for silence
	}{
		{"the schema", nil, exitOK, "\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n", ""},
		{"help", []string{"--help"}, exitOK, "Usage: formgraph schema\n", ""},
		{"short help", []string{"-h"}, exitOK, "Usage: formgraph schema\n", ""},
		{"an option", []string{"--json"}, exitUnusable, "", "--json: is not an option"},
		{"a file", []string{"form.json"}, exitUnusable, "", "schema takes no arguments, got form.json"},
		{"help behind a file", []string{"form.json", "--help"}, exitOK, "Usage: formgraph schema\n", ""},
		{"standard input", []string{"-"}, exitUnusable, "", "schema takes no arguments, got -"},
		{"no file behind dashes", []string{"--"}, exitUnusable, "", "schema takes no arguments, got --"},
	} {
		t.Run(x.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(t.Context(), process{stdout: &out, stderr: &errs, lookup: noEnv}, append([]string{"schema"}, x.args...))
			if code != x.code || !strings.Contains(out.String(), x.out) || !strings.Contains(errs.String(), x.errs) || x.out == "" &&
				out.Len() > 0 || x.errs == "" && errs.Len() > 0 {
				t.Errorf("got %d\n%.300s\n%s", code, out.String(), errs.String())
			}
		})
	}
}

// The output is one JSON value, the whole schema, followed by a line break.
func TestSchemaMatchesTheModel(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), process{stdout: &out, stderr: &out, lookup: noEnv}, []string{"schema"}); code != exitOK {
		t.Fatalf("got %d", code)
	}
	v, ps := schema.Decode(out.Bytes())
	if len(ps) > 0 || !schema.Equal(v, model.PatchSchema()) || !strings.HasSuffix(out.String(), "\n}\n") {
		t.Errorf("got %v and %.300s", ps, out.String())
	}
}

// Output that cannot be written must not look like success: a script would keep half a schema.
func TestSchemaUnwritten(t *testing.T) {
	var errs bytes.Buffer
	code := run(t.Context(), process{stdout: closedPipe{}, stderr: &errs, lookup: noEnv}, []string{"schema"})
	if code != exitUnusable || !strings.Contains(errs.String(), "write schema: closed") {
		t.Errorf("got %d and %s", code, errs.String())
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, errors.New("closed") }
