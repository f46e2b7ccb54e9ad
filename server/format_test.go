package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tool runs a command of the program on its own standard streams.
func tool(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), process{stdin: strings.NewReader(stdin), stdout: &o, stderr: &e, lookup: noEnv}, args)
	return code, o.String(), e.String()
}

func TestFormat(t *testing.T) {
	dir := t.TempDir()
	odd, good, twice := filepath.Join(dir, "odd.json"), filepath.Join(dir, "good.json"), filepath.Join(dir, "twice.json")
	const text, canonical = `{"x":1,"nodes":[],"name":"é\u0041"}`, "{\n  \"name\": \"éA\",\n  \"nodes\": [],\n  \"x\": 1\n}\n"
	write(t, odd, text)
	write(t, good, canonical)
	write(t, twice, `{"name":"a","name":"b"}`)
	for _, x := range []struct {
		name      string
		args      []string
		stdin     string
		code      int
		out, errs string
	}{
		{"print", []string{odd}, "", exitOK, canonical, ""},
		{"print two", []string{odd, good}, "", exitOK, canonical + canonical, ""},
		{"stdin", []string{"-"}, text, exitOK, canonical, ""},
		{"stdin is never written", []string{"-w", "-"}, text, exitOK, canonical, ""},
		{"list", []string{"-l", odd, good}, "", exitOK, odd + "\n", ""},
		{"check", []string{"--check", odd, good}, "", exitFailed, odd + "\n", ""},
		{"check, all good", []string{good, "--check"}, "", exitOK, "", ""},
		{"patch", []string{"--patch", "-"}, `{"form":1,"nodes":null,"name":"x"}`, exitOK, "{\n  \"name\": \"x\",\n  \"nodes\": null,\n  \"form\": 1\n}\n", ""},
		{"twice", []string{twice, good}, "", exitFailed, canonical, twice + ":1:13: name: "},
		{"no JSON", []string{"-"}, "{", exitFailed, "", "[syntax]"},
		{"no file", []string{filepath.Join(dir, "none"), good}, "", exitUnusable, canonical, "read form"},
		{"none", nil, "", exitUnusable, "", "at least one file"},
		{"option", []string{"--nope"}, "", exitUnusable, "", "fmt has no option --nope"},
		{"help", []string{"-h"}, "", exitOK, formatHelp, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			code, out, errs := tool(t, x.stdin, append([]string{"fmt"}, x.args...)...)
			if code != x.code || out != x.out || !strings.Contains(errs, x.errs) || x.errs == "" && errs != "" {
				t.Errorf("got %d\n%s\n%s", code, out, errs)
			}
		})
	}
}

func TestFormatWrites(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.json"), filepath.Join(dir, "link.json")
	if err := os.WriteFile(file, []byte(`{"nodes":[],"name":"x"}`), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := tool(t, "", "fmt", "-w", "-l", link); code != exitOK || out != link+"\n" || errs != "" {
		t.Fatalf("got %d\n%s\n%s", code, out, errs)
	}
	text, err := os.ReadFile(file)
	if want := "{\n  \"name\": \"x\",\n  \"nodes\": []\n}\n"; err != nil || string(text) != want {
		t.Errorf("the file holds %q, %v", text, err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no link any more: %v, %v", info.Mode(), err)
	}
	if info, err = os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if _, out, _ := tool(t, "", "fmt", "-w", "-l", link); out != "" {
		t.Errorf("written twice: %s", out)
	}
}

func TestDiff(t *testing.T) {
	dir := t.TempDir()
	a, b, moved, bad := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json"), filepath.Join(dir, "moved.json"), filepath.Join(dir, "bad.json")
	write(t, a, `{"name":"a","nodes":[{"id":"s","type":"STEP","alias":"Hello","coordinates":{"x":0,"y":0}}]}`)
	write(t, b, `{"form":{"name":"b","nodes":[{"id":"s","type":"STEP","coordinates":{"x":0,"y":20}}],"start":{"next_node":"s"}}}`)
	write(t, moved, `{"name":"a","nodes":[{"id":"s","type":"STEP","alias":"Hello","coordinates":{"x":0,"y":20}}]}`)
	write(t, bad, `{"name":"a","name":"b"}`)
	for _, x := range []struct {
		name  string
		args  []string
		stdin string
		code  int
		out   []string
		errs  string
	}{
		{"text", []string{a, b}, "", exitOK, []string{`form: name changed from "a" to "b"` + "\n", `start.next_node set to "s"` + "\n", "Step s", "(0, 0)", "(0, 20)"}, ""},
		{"same", []string{a, "-"}, `{"name":"a","nodes":[{"type":"STEP","id":"s","alias":"Hello","coordinates":{"x":0.0,"y":0}}]}`, exitOK, nil, ""},
		{"JSON", []string{"--json", a, b}, "", exitOK, []string{`"kind": "changed"`, `"path": "nodes[0].alias"`, `"before": "Hello"`, `"layout": true`}, ""},
		{"JSON of nothing", []string{"--json", a, a}, "", exitOK, []string{"[]\n"}, ""},
		{"patch", []string{"--patch", a, b}, "", exitOK, []string{"{\n  \"name\": \"b\",\n  \"nodes\": [", `"next_node": "s"`}, ""},
		{"patch of nothing", []string{"--patch", "--exit-code", a, a}, "", exitOK, []string{"{}\n"}, ""},
		{"patch, exit code", []string{"--patch", "--exit-code", a, b}, "", exitFailed, []string{`"b"`}, ""},
		{"exit code", []string{"--exit-code", a, moved}, "", exitFailed, []string{"(0, 20)"}, ""},
		{"without layout", []string{"--exit-code", "--no-layout", a, moved}, "", exitOK, nil, ""},
		{"a key twice", []string{a, bad}, "", exitUnusable, nil, bad + ":1:13: name: "},
		{"no object", []string{"-", a}, "[]", exitUnusable, nil, "-:1:1: : must be an object"},
		{"stdin twice", []string{"-", "-"}, "{}", exitUnusable, nil, "only one"},
		{"one file", []string{a}, "", exitUnusable, nil, "compares two files, has 1"},
		{"no such file", []string{a, dir + "/none"}, "", exitUnusable, nil, "read form"},
		{"option", []string{"--format", "xml", a, b}, "", exitUnusable, nil, `must be one of text, json, patch, is "xml"`},
		{"option without a value", []string{a, b, "--format"}, "", exitUnusable, nil, "needs a value"},
		{"help", []string{"--help"}, "", exitOK, []string{diffHelp}, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			code, out, errs := tool(t, x.stdin, append([]string{"diff"}, x.args...)...)
			for _, want := range x.out {
				if !strings.Contains(out, want) {
					t.Errorf("lacks %s", want)
				}
			}
			if code != x.code || x.out == nil && out != "" || !strings.Contains(errs, x.errs) || x.errs == "" && errs != "" {
				t.Errorf("got %d\n%s\n%s", code, out, errs)
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}
