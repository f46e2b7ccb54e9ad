package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inTool runs a command of the program on its own standard streams.
func inTool(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
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
		{
			"patch",
			[]string{"--patch", "-"},
			`{"form":1,"nodes":null,"name":"x"}`, exitOK,
			"{\n  \"name\": \"x\",\n  \"nodes\": null,\n  \"form\": 1\n}\n", "",
		},
		{"twice", []string{twice, good}, "", exitFailed, canonical, twice + ":1:13: name: "},
		{"no JSON", []string{"-"}, "{", exitFailed, "", "[syntax]"},
		{"no file", []string{filepath.Join(dir, "none"), good}, "", exitUnusable, canonical, "read form"},
		{"no file, then no JSON", []string{filepath.Join(dir, "none"), "-"}, "{", exitUnusable, "", "[syntax]"},
		{"no file behind what is checked", []string{"--check", odd, filepath.Join(dir, "none")}, "", exitUnusable, odd + "\n", "read form"},
		{"no file, then one that is checked", []string{"--check", filepath.Join(dir, "none"), odd}, "", exitUnusable, odd + "\n", "read form"},
		{"no JSON, then no file", []string{"-", filepath.Join(dir, "none")}, "{", exitUnusable, "", "read form"},
		{"none", nil, "", exitUnusable, "", "at least one file"},
		{"option", []string{"--nope"}, "", exitUnusable, "", "--nope: is not an option"},
		{"help", []string{"-h"}, "", exitOK, formatTool.help(), ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			code, out, errs := inTool(t, x.stdin, append([]string{"fmt"}, x.args...)...)
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
	if code, out, errs := inTool(t, "", "fmt", "-w", "-l", link); code != exitOK || out != link+"\n" || errs != "" {
		t.Fatalf("got %d\n%s\n%s", code, out, errs)
	}
	text, err := os.ReadFile(file)
	if want := "{\n  \"name\": \"x\",\n  \"nodes\": []\n}\n"; err != nil || string(text) != want {
		t.Errorf("the file holds %q, %v", text, err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no longer a link: %v, %v", info.Mode(), err)
	}
	if info, err = os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if _, out, _ := inTool(t, "", "fmt", "-w", "-l", link); out != "" {
		t.Errorf("written twice: %s", out)
	}
}

// A file is replaced by another one, so that a program that reads it meanwhile reads the whole old text. A file with canonical
// text is left alone.
func TestFormatReplaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	write(t, file, `{"nodes":[],"name":"x"}`)
	stat := func() os.FileInfo {
		t.Helper()
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	// Beside the file is where a rename is sure to work.
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	was := stat()
	if code, _, errs := inTool(t, "", "fmt", "-w", file); code != exitOK || errs != "" {
		t.Fatalf("got %d\n%s", code, errs)
	}
	if os.SameFile(was, stat()) {
		t.Error("the file was written over")
	}
	was = stat()
	if code, _, errs := inTool(t, "", "fmt", "-w", file); code != exitOK || errs != "" || !os.SameFile(was, stat()) {
		t.Errorf("canonical text was written again: %d\n%s", code, errs)
	}
}

// A file that cannot be replaced stays, and no other is left next to it.
func TestReplaceFileFails(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"folder", "none"} {
		if name == "folder" {
			if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := replaceFile(filepath.Join(dir, name), []byte("x")); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || !entries[0].IsDir() {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

// A report that cannot be written is neither a success nor a verdict.
func TestUnwritten(t *testing.T) {
	dir := t.TempDir()
	bad, good := filepath.Join(dir, "bad.json"), filepath.Join(dir, "good.json")
	write(t, bad, `{"NAME":1}`)
	write(t, good, `{"name":"x"}`)
	for _, x := range []struct {
		args []string
		errs string
	}{
		{[]string{"fmt", good}, "write form: closed"},
		{[]string{"diff", "--exit-code", good, bad}, "write difference: closed"},
		{[]string{"diff", "--json", good, bad}, "write difference: closed"},
		{[]string{"diff", "--patch", good, bad}, "write difference: closed"},
		{[]string{"validate", bad}, "closed"},
		{[]string{"validate", "--json", good}, "closed"},
		{[]string{"validate", "--format=sarif", good}, "closed"},
	} {
		t.Run(strings.Join(x.args[:2], " "), func(t *testing.T) {
			var errs bytes.Buffer
			code := run(t.Context(), process{stdin: strings.NewReader(""), stdout: closedPipe{}, stderr: &errs, lookup: noEnv}, x.args)
			if code != exitUnusable || !strings.Contains(errs.String(), x.errs) {
				t.Errorf("got %d\n%s", code, errs.String())
			}
		})
	}
}

func TestDiff(t *testing.T) {
	dir := t.TempDir()
	a, b, moved, bad := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json"), filepath.Join(dir, "moved.json"),
		filepath.Join(dir, "bad.json")
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
		{"text", []string{a, b}, "", exitOK, []string{
			`form: name changed from "a" to "b"` + "\n", `start.next_node set to "s"` + "\n", "Step s",
			"(0, 0)", "(0, 20)",
		}, ""},
		{
			"same",
			[]string{a, "-"},
			`{"name":"a","nodes":[{"type":"STEP","id":"s","alias":"Hello","coordinates":{"x":0.0,"y":0}}]}`, exitOK, nil,
			"",
		},
		{
			"JSON",
			[]string{"--json", a, b},
			"", exitOK,
			[]string{`"kind": "changed"`, `"path": "nodes[0].alias"`, `"before": "Hello"`, `"layout": true`},
			"",
		},
		{"JSON of nothing", []string{"--json", a, a}, "", exitOK, []string{"[]\n"}, ""},
		{"patch", []string{"--patch", a, b}, "", exitOK, []string{"{\n  \"name\": \"b\",\n  \"nodes\": [", `"next_node": "s"`}, ""},
		{"patch of nothing", []string{"--patch", "--exit-code", a, a}, "", exitOK, []string{"{}\n"}, ""},
		{"patch, exit code", []string{"--patch", "--exit-code", a, b}, "", exitFailed, []string{`"b"`}, ""},
		{"exit code", []string{"--exit-code", a, moved}, "", exitFailed, []string{"(0, 20)"}, ""},
		{"JSON, exit code", []string{"--exit-code", "--json", a, moved}, "", exitFailed, []string{"(0, 20)"}, ""},
		{"JSON, without layout", []string{"--exit-code", "--json", "--no-layout", a, moved}, "", exitOK, []string{"[]\n"}, ""},
		{"forms with problems", []string{a, "-"}, `{"NAME":1,"nodes":7}`, exitOK, []string{"NAME set to 1"}, ""},
		{"without layout", []string{"--exit-code", "--no-layout", a, moved}, "", exitOK, nil, ""},
		{"a key twice", []string{a, bad}, "", exitUnusable, nil, bad + ":1:13: name: "},
		{"no object", []string{"-", a}, "[]", exitUnusable, nil, "-:1:1: : must be an object"},
		{"stdin twice", []string{"-", "-"}, "{}", exitUnusable, nil, "only one"},
		{"two formats", []string{"--json", "--patch", a, b}, "", exitUnusable, nil, "--format: must be given once, has json and patch"},
		{"a new form", []string{os.DevNull, a}, "", exitOK, []string{"form \"a\" added, nodes: 1\n"}, ""},
		{"a form that went", []string{"--exit-code", a, os.DevNull}, "", exitFailed, []string{"form \"a\" removed, nodes: 1\n"}, ""},
		{"a new form as JSON", []string{"--json", os.DevNull, a}, "", exitOK, []string{`"kind": "added"`, `"path": ""`, `"name": "a"`}, ""},
		{"no form twice", []string{"--exit-code", os.DevNull, os.DevNull}, "", exitOK, nil, ""},
		{"no form to patch", []string{"--patch", os.DevNull, a}, "", exitUnusable, nil, "needs a form on both sides"},
		{"words of git, not called by git", []string{"f.json", a, "0", "1", b, "0", "1"}, "", exitUnusable, nil, "diff needs two files, got 7"},
		{"one file", []string{a}, "", exitUnusable, nil, "diff needs two files, got 1"},
		{"three files", []string{a, b, moved}, "", exitUnusable, nil, "diff needs two files, got 3"},
		{"no such file", []string{a, dir + "/none"}, "", exitUnusable, nil, "read form"},
		{"option", []string{"--format", "xml", a, b}, "", exitUnusable, nil, `must be one of text, json, patch, is "xml"`},
		{"option without a value", []string{a, b, "--format"}, "", exitUnusable, nil, "--format: must have a value"},
		{"help", []string{"--help"}, "", exitOK, []string{diffTool.help()}, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			code, out, errs := inTool(t, x.stdin, append([]string{"diff"}, x.args...)...)
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

// TestDiffJSON has everything that programs read: every member, absent ones omitted, which distinguishes them from null, and
// text as it is in the form.
func TestDiffJSON(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	write(t, a, `{"name":"<b>&","nodes":[
		{"id":"s","type":"STEP","config":{"components":[{"id":"c","type":"TEXT","label":"L"},{"id":"d","type":"TEXT"}]}},
		{"id":"r","type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"rules":[{"id":"one","condition":null,"next_node":"s"}]}}]}`)
	write(t, b, `{"name":"<i>","nodes":[
		{"id":"s","type":"STEP","config":{"components":[{"id":"d","type":"TEXT","label":null},{"id":"c","type":"TEXT","label":"L"}]}},
		{"id":"r","type":"ROUTER","coordinates":{"x":0,"y":20},"config":{"rules":[{"id":"one","condition":true}]}}]}`)
	_, out, errs := inTool(t, "", "diff", "--json", a, b)
	if !strings.Contains(out, `"before": "<b>&"`) || strings.Contains(out, `\u003c`) {
		t.Errorf("markup is escaped: %s", out)
	}
	var changes []json.RawMessage
	if err := json.Unmarshal([]byte(out), &changes); err != nil || errs != "" {
		t.Fatalf("%v\n%s\n%s", err, out, errs)
	}
	var got []string
	for _, c := range changes {
		var line bytes.Buffer
		if err := json.Compact(&line, c); err != nil {
			t.Fatal(err)
		}
		got = append(got, line.String())
	}
	want := []string{
		`{"kind":"changed","path":"name","text":"form: name changed from \"<b>&\" to \"<i>\"","before":"<b>&","after":"<i>"}`,
		`{"kind":"moved","path":"nodes[0].config.components[0]","from":"nodes[0].config.components[1]","node":"s","component":"d",` +
			`"text":"Step s: component d moved from place 2 to 1"}`,
		`{"kind":"added","path":"nodes[0].config.components[0].label","node":"s","component":"d","text":"Step s: component d: label set to ` +
			`null","after":null}`,
		`{"kind":"changed","path":"nodes[1].coordinates","node":"r","layout":true,"text":"Router r: coordinates changed from (0, 0) to (0, ` +
			`20)","before":{"x":0,"y":0},"after":{"x":0,"y":20}}`,
		`{"kind":"changed","path":"nodes[1].config.rules[0].condition","node":"r","rule":"one","text":"Router r: rule one: condition changed ` +
			`from null to true","before":null,"after":true}`,
		`{"kind":"removed","path":"nodes[1].config.rules[0].next_node","node":"r","rule":"one","text":"Router r: rule one: next_node removed, ` +
			`was \"s\"","before":"s"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What two exports contain besides their forms can differ too.
func TestDiffOfExports(t *testing.T) {
	dir := t.TempDir()
	a, b, flat := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json"), filepath.Join(dir, "flat.json")
	write(t, a, `{"form":{"name":"f"},"flows":{"#FLOW-1#":{"name":"Verify","actions":[{"id":"x","params":{"token":"secret-1"}}]},`+
		`"#FLOW-2#":{"name":"Old"}},
		"connections":{"#CONN-1#":{"id":"c","app_id":"HTTP","setup":"secret-2"}}}`)
	write(t, b, `{"form":{"name":"f"},"flows":{"#FLOW-1#":{"name":"Verify mail","actions":[]},"#FLOW-3#":{"name":"New"}},
		"connections":{"#CONN-1#":{"id":"c","app_id":"MAIL","setup":"secret-3"}}}`)
	write(t, flat, `{"name":"f"}`)
	code, out, errs := inTool(t, "", "diff", "--exit-code", a, b)
	want := `Flow #FLOW-1# (Verify mail): name changed from "Verify" to "Verify mail"
Flow #FLOW-1# (Verify mail): actions changed
Flow #FLOW-3# (New) added
Flow #FLOW-2# (Old) removed
Connection #CONN-1#: app_id changed from "HTTP" to "MAIL"
Connection #CONN-1#: setup changed
`
	if code != exitFailed || out != want || errs != "" {
		t.Errorf("got %d %s\n%s\nwant\n%s", code, errs, out, want)
	}
	if _, out, _ := inTool(t, "", "diff", "--json", a, b); !strings.Contains(out, `"path": "flows[\"#FLOW-1#\"].name"`) {
		t.Errorf("no path of the flow's name in %s", out)
	}
	for _, pair := range [][]string{{a, a}, {a, flat}, {flat, b}} {
		if code, out, _ := inTool(t, "", append([]string{"diff", "--exit-code"}, pair...)...); code != exitOK || out != "" {
			t.Errorf("%v: got %d %s", pair, code, out)
		}
	}
	for _, broken := range []string{
		`{"form":{"name":"f"},"flows":[]}`, `{"form":{"name":"f"},"flows":{"#FLOW-1#":7}}`,
		`{"form":{"name":"f"}}`,
	} {
		if code, out, errs := inTool(t, broken, "diff", "--exit-code", a, "-"); code != exitFailed || out == "" ||
			strings.Contains(out, "secret") {
			t.Errorf("%s: got %d %s%s", broken, code, out, errs)
		}
	}
}
