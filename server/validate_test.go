package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
		{"stdin twice", []string{"-", "-"}, "{}", exitUnusable, "", "only one of the files can be standard input"},
		{"two formats", []string{"--json", "--format", "sarif", good}, "", exitUnusable, "", "--format: must be given once, has json and sarif"},
		{"any size too large", []string{"-"}, strings.Repeat(" ", 5<<20), exitFailed, "-:1:1: : must be at most 4194304 bytes [limit]\n", ""},
		{"no such option", []string{"--nope", good}, "", exitUnusable, "", "--nope"},
		{"help", []string{"--help"}, "", exitOK, "--patch", ""},
		{"a name like an option", []string{"--", "--json"}, "", exitUnusable, "", "open --json"},
	} {
		t.Run(x.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(t.Context(), process{stdin: strings.NewReader(x.stdin), stdout: &out, stderr: &errs, lookup: noEnv},
				append([]string{"validate"}, x.args...))
			if code != x.code || !strings.Contains(out.String(), x.out) || !strings.Contains(errs.String(), x.errs) || x.out == "" &&
				out.Len() > 0 || x.errs == "" && errs.Len() > 0 {
				t.Errorf("got %d\n%s\n%s", code, out.String(), errs.String())
			}
		})
	}
}

// Rules that never decide are warnings with their lines and columns. They do not change the exit code.
func TestValidateChecksRules(t *testing.T) {
	const form = `{"name":"f","start":{"next_node":"ask"},"nodes":[
{"id":"ask","type":"STEP","config":{"components":[{"id":"age","category":"FIELD","type":"NUMBER","config":{}},
{"id":"n","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"r"}},
{"id":"r","type":"ROUTER","config":{"rules":[
{"id":"x","condition":{"operator":"EQ","operands":["{{fields.age}}","old"]},"next_node":"$ending"},
{"id":"y","condition":{"operator":"EQ","operands":["{{vars.v}}","1"]},"next_node":"$ending"},
{"id":"z","condition":{"operator":"EQ","operands":["{{vars.v}}","1"]},"next_node":"$ending"}],"fallback":"$ending"}}]}`
	for _, x := range []struct {
		name, src string
		args      []string
		want      []string
	}{
		{"form", form, nil, []string{
			`-:5:23: warning: nodes[1].config.rules[0].condition: never holds: no accepted answer of fields.age equals "old"; it is a number. So the rule never applies [impossible]`,
			`-:7:1: warning: nodes[1].config.rules[2]: never decides: rule 2 has the same condition [never_decides]`,
		}},
		{"export", "{\"form\":\n" + form + "}", nil, []string{"-:6:23: ", "-:8:1: "}},
		{"patch", form, []string{"--patch"}, []string{"-:5:23: ", "-:7:1: "}},
		{"a part of a form", strings.Replace(form, `"start"`, `"ending":{"resume_flow":true},"style":{},"x"`, 1), []string{"--patch"}, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, _, errs := inTool(t, x.src, append(append([]string{"validate", "--rules"}, x.args...), "-")...)
			lines := strings.Split(strings.TrimSpace(errs), "\n")
			if x.want == nil && errs == "" {
				return
			}
			if len(lines) != len(x.want) {
				t.Fatalf("it prints %s", errs)
			}
			for i, want := range x.want {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("line %d is %s, want %s", i, lines[i], want)
				}
			}
		})
	}
	if code, out, _ := inTool(t, form, "validate", "--rules", "--json", "-"); code != exitOK || strings.Count(out, `"code":"never_decides"`) != 1 {
		t.Errorf("exits with %d: %s", code, out)
	}
}

// Without the option, rules, cycles of routers and repeated options are not checked.
func TestValidateChecksRulesWhenAsked(t *testing.T) {
	const form = `{"name":"f","start":{"next_node":"s"},"nodes":[{"id":"s","type":"STEP","config":{"components":[
{"id":"c","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"a","label":"A"},{"value":"a","label":"B"}]}},
{"id":"n","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"r"}},{"id":"r","type":"ROUTER","config":{"rules":[
{"id":"x","condition":{"operator":"EQ","operands":["{{vars.v}}","1"]},"next_node":"r"},
{"id":"y","condition":{"operator":"EQ","operands":["{{vars.v}}","1"]},"next_node":"$ending"}],"fallback":"$ending"}}]}`
	if _, _, errs := inTool(t, form, "validate", "-"); errs != "" {
		t.Errorf("it prints %s", errs)
	}
	_, _, errs := inTool(t, form, "validate", "--rules", "-")
	for _, code := range []string{"[loop]", "[never_decides]", "[repeated_option]"} {
		if !strings.Contains(errs, code) {
			t.Errorf("without %s it prints %s", code, errs)
		}
	}
}

// Translations of nothing are warnings with their lines, in each shape of a form. An update without nodes may translate those of the form.
func TestValidateWarnsOfOrphanTranslations(t *testing.T) {
	const nodes = `"nodes":[{"id":"s","type":"STEP","config":{"components":[` +
		`{"id":"y","category":"FIELD","type":"TEXT","label":"Year"},{"id":"n","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],` +
		`"next_node":"$ending"}}],"start":{"next_node":"s"},`
	const translations = `"languages":{"primary":"en"},"translations":{"de":{"components":{
"gone":{"label":"Weg"},
"y":{"label":2026}}}}}`
	for name, x := range map[string]struct {
		src   string
		patch bool
		want  []string
	}{
		"form": {src: `{"name":"f",` + nodes + translations, want: []string{"2:8", "3:14"}},
		"export": {
			src: `{"form":{"name":"f",` + nodes + translations + `,"flows":{}}`, want: []string{"2:8", "3:14"},
		},
		"update":                 {src: `{` + nodes + translations, patch: true, want: []string{"2:8", "3:14"}},
		"update of translations": {src: `{` + translations, patch: true},
	} {
		args := []string{"validate", "-"}
		if x.patch {
			args = []string{"validate", "--patch", "-"}
		}
		code, _, errs := inTool(t, x.src, args...)
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		if code != exitOK || x.want == nil && errs != "" || x.want != nil && len(lines) != len(x.want) {
			t.Errorf("%s: exits with %d, %s", name, code, errs)
			continue
		}
		for i, at := range x.want {
			if !strings.Contains(lines[i], ":"+at+": warning: translations.de.") {
				t.Errorf("%s: line %d is %s", name, i, lines[i])
			}
		}
	}
}

// A journey has whole names, ids and places, in both formats for programs.
func TestJourneysAreWhole(t *testing.T) {
	const long = "Progressive profiling step of the year"
	const form = `{"name":"f","start":{"next_node":"ask"},"nodes":[
{"id":"ask","type":"STEP","alias":"` + long + `","config":{"components":[` +
		`{"id":"n","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"save"}},
{"id":"save","type":"FLOW","config":{"flow_id":"af_1"}},` +
		`{"id":"c","type":"FLOW","config":{"flow_id":"af_1","next_node":"d"}},` +
		`{"id":"d","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}]}`
	wrapped := `{"form":` + form + `,"flows":{}}`
	for name, src := range map[string]string{"form": form, "export": wrapped} {
		_, out, _ := inTool(t, src, "validate", "--json", "-")
		var r struct {
			Warnings []struct {
				Code, Path string
				Journey    []map[string]any
			}
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range r.Warnings {
			line := w.Code + " " + w.Path
			for _, s := range w.Journey {
				line += fmt.Sprintf(" %v(%v)%v@%v", s["node"], s["name"], s["port"], s["line"])
			}
			got = append(got, line)
		}
		want := []string{
			"no_ending ending $start(<nil>)next@1 ask(" + long + ")next@2 save(<nil>)<nil>@3",
			"dead_end nodes[1].config.next_node $start(<nil>)next@1 ask(" + long + ")next@2 save(<nil>)<nil>@3",
			"unreachable nodes[2]",
			"unreachable nodes[3] c(<nil>)next@3 d(<nil>)<nil>@3",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %s\nwant %s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		_, out, _ = inTool(t, src, "validate", "--format=sarif", "-")
		for _, want := range []string{
			`"codeFlows"`, long + ` (ask), left by next`, `"name": "ask"`, `"fullyQualifiedName": "nodes[0]"`,
			`"text": "save"`,
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: the log lacks %s", name, want)
			}
		}
	}
}

// The journeys of all warnings together may be a square of the form; what is printed is not.
func TestJourneysAreBounded(t *testing.T) {
	const n = 2000
	nodes := make([]string, n)
	for i := range nodes {
		nodes[i] = fmt.Sprintf(`{"id":"n%d","type":"FLOW","config":{"flow_id":"af_1","next_node":"n%d"}}`, i, i+1)
	}
	nodes[n-1] = `{"id":"n1999","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}`
	_, out, _ := inTool(t, `{"name":"f","start":{"next_node":"$ending"},"nodes":[`+strings.Join(nodes, ",")+`]}`, "validate", "--json", "-")
	if got := strings.Count(out, `"code":"unreachable"`); got != n {
		t.Errorf("%d warnings, want %d", got, n)
	}
	if got := strings.Count(out, `"node":`); got > maxStops || got < maxStops/2 {
		t.Errorf("%d nodes of journeys, want some %d", got, maxStops)
	}
}

// Ten times the findings on one line may take little more than ten times as long.
func BenchmarkValidateOneLine(b *testing.B) {
	src := func(n int) string {
		var s strings.Builder
		s.WriteString(`{"name":"f"`)
		for i := range n {
			fmt.Fprintf(&s, `,"p%d":0`, i)
		}
		return s.String() + "}"
	}
	spent := func(n int) time.Duration {
		text, best := src(n), time.Hour
		for range 3 {
			began := time.Now()
			if code := run(b.Context(), process{stdin: strings.NewReader(text), stdout: io.Discard, stderr: io.Discard, lookup: noEnv},
				[]string{"validate", "-"}); code != exitFailed {
				b.Fatalf("ends with %d", code)
			}
			best = min(best, time.Since(began))
		}
		return best
	}
	var ratio float64
	for b.Loop() {
		ratio = float64(spent(100_000)) / float64(spent(10_000))
	}
	b.ReportMetric(ratio, "ratio-100k/10k")
}
