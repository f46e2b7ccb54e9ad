package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/run/scenario"
)

func TestBehaviour(t *testing.T) {
	dir := t.TempDir()
	a, b, texts := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json"), filepath.Join(dir, "texts.json")
	write(t, a, ageForm)
	write(t, b, strings.Replace(ageForm, `"{{fields.age}}",18`, `"{{fields.age}}",21`, 1))
	write(t, texts, strings.ReplaceAll(strings.Replace(ageForm, `"Of age"`, `"Adult"`, 1), "Continue", "Go on"))
	const words = `now goes to "minor" instead of "$ending", from "ask"
    ask: age 18, then presses go
`
	for _, x := range []struct {
		name      string
		args      []string
		code      int
		out, errs string
	}{
		{"a bound", []string{a, b}, exitOK, words, ""},
		{"exit code", []string{"--exit-code", a, b}, exitFailed, words, ""},
		{"texts", []string{"--exit-code", a, texts}, exitOK, "", ""},
		{"no difference", []string{"--json", a, a}, exitOK, "{\n  \"differences\": []\n}\n", ""},
		{"patch", []string{"--patch", a, b}, exitUnusable, "", "exclude each other"},
		{"nothing to compare with", []string{"/dev/null", b}, exitUnusable, "", "needs a form on both sides"},
	} {
		t.Run(x.name, func(t *testing.T) {
			code, out, errs := inTool(t, "", append([]string{"diff", "--behaviour"}, x.args...)...)
			if code != x.code || out != x.out || !strings.Contains(errs, x.errs) || x.errs == "" && errs != "" {
				t.Errorf("got %d\n%s\n%s", code, out, errs)
			}
		})
	}
}

// TestBehaviourScenarios checks that the scenarios of diff --behaviour --json replay, and run differently in the two forms.
func TestBehaviourScenarios(t *testing.T) {
	dir := t.TempDir()
	a, b, file := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json"), filepath.Join(dir, "s.json")
	write(t, a, ageForm)
	write(t, b, strings.Replace(ageForm, `"GTE"`, `"GT"`, 1))
	code, out, errs := inTool(t, "", "diff", "--behaviour", "--json", a, b)
	var got struct {
		Differences []struct {
			Kind, Node, Before, After string
			Scenario                  json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK || len(got.Differences) != 1 {
		t.Fatalf("got %d, %v\n%s\n%s", code, err, out, errs)
	}
	if d := got.Differences[0]; d.Kind != "goes_elsewhere" || d.Node != "ask" || d.Before != "$ending" || d.After != "minor" {
		t.Errorf("got %+v", d)
	}
	text := scenarioFile(string(got.Differences[0].Scenario))
	if _, problems := scenario.Read([]byte(text)); len(problems) > 0 {
		t.Error(problems)
	}
	write(t, file, text)
	for form, want := range map[string]int{a: exitOK, b: exitFailed} {
		if code, out, errs := inTool(t, "", "test", form, file); code != want {
			t.Errorf("%s: got %d, want %d\n%s\n%s", form, code, want, out, errs)
		}
	}
}
