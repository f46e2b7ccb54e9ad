package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	dir := t.TempDir()
	good, bad, odd := filepath.Join(dir, "good.json"), filepath.Join(dir, "bad.json"), filepath.Join(dir, "odd.json")
	write(t, good, `{"name":"x"}`)
	write(t, bad, "{\n  \"NAME\": 1\n}")
	write(t, odd, `{"name":"x","ending":{"after_submit":{"flow_id":"my flow"}}}`)
	for _, x := range []struct {
		name      string
		args      []string
		stdin     string
		code      int
		out, errs string
	}{
		{"good", []string{good}, "", exitOK, "", ""},
		{"bad", []string{bad}, "", exitFailed, bad + ":1:1: name: ", ""},
		{"bad, the place", []string{bad}, "", exitFailed, bad + ":2:3: NAME: ", ""},
		{"bad, the code", []string{bad}, "", exitFailed, "[unknown]\n", ""},
		{"JSON", []string{"--json", good, bad}, "", exitFailed, `{"file":"` + good + `","problems":[],"warnings":[]}` + "\n", ""},
		{"JSON, the place", []string{bad, "--json"}, "", exitFailed, `"line":2,"column":3}`, ""},
		{"warning", []string{odd}, "", exitOK, "", "warning: ending.after_submit.flow_id: "},
		{"stdin", []string{"-"}, `{`, exitFailed, "-:1:2: : ", ""},
		{"patch", []string{"--patch", "-"}, `{"nodes":null}`, exitOK, "", ""},
		{"patch without a name", []string{"--patch", "-"}, `{"name":null}`, exitFailed, "[type]", ""},
		{"too large", []string{"-"}, `"` + strings.Repeat("a", 5<<20) + `"`, exitFailed, "[limit]", ""},
		{"no such file", []string{filepath.Join(dir, "none"), good}, "", exitUnusable, "", "read form"},
		{"no such file beside a bad one", []string{filepath.Join(dir, "none"), bad}, "", exitUnusable, "[unknown]", "read form"},
		{"no file", nil, "", exitUnusable, "", "at least one file"},
		{"no such option", []string{"--nope", good}, "", exitUnusable, "", "--nope"},
		{"help", []string{"--help"}, "", exitOK, "--patch", ""},
		{"a name like an option", []string{"--", "--json"}, "", exitUnusable, "", "open --json"},
	} {
		t.Run(x.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(t.Context(), process{stdin: strings.NewReader(x.stdin), stdout: &out, stderr: &errs, lookup: noEnv}, append([]string{"validate"}, x.args...))
			if code != x.code || !strings.Contains(out.String(), x.out) || !strings.Contains(errs.String(), x.errs) || x.out == "" && out.Len() > 0 || x.errs == "" && errs.Len() > 0 {
				t.Errorf("got %d\n%s\n%s", code, out.String(), errs.String())
			}
		})
	}
}
