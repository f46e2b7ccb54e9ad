package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/suite"
)

// ageForm asks for an age, and sends minors to a step of their own.
const ageForm = `{"name":"Age","start":{"next_node":"ask"},"ending":{"resume_flow":true},"nodes":[
	{"id":"ask","type":"STEP","config":{"components":[
		{"id":"age","category":"FIELD","type":"NUMBER","required":true},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"adult"}},
	{"id":"adult","type":"ROUTER","config":{"rules":[{"id":"yes","alias":"Of age","condition":{"operator":"AND","operands":[
		{"operator":"GTE","operands":["{{fields.age}}",18]}]},"next_node":"$ending"}],"fallback":"minor"}},
	{"id":"minor","type":"STEP","config":{"components":[
		{"id":"ok","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"$ending"}}]}`

// scenarioOf returns the text of a scenario of ageForm.
func scenarioOf(name, age, more string) string {
	return `{"name":"` + name + `","steps":[{"node":"ask","answers":{"age":` + age + `},"press":"go"}]` + more + `}`
}

func scenarioFile(scenarios ...string) string {
	return `{"version":1,"scenarios":[` + strings.Join(scenarios, ",") + `]}`
}

func TestScenarios(t *testing.T) {
	const adults, minors = `,"expect":["ask","adult","$ending"]`, `,"expect":["ask","adult","minor"]`
	for _, x := range []struct {
		name      string
		file      string
		args      []string
		code      int
		out, errs string // all of the first, a part of the second
	}{
		{"ok", scenarioFile(scenarioOf("Adults", "18", adults), scenarioOf("Minors", `"17"`, minors)), nil, exitOK, "ok Adults\nok Minors\n", ""},
		{
			"another path", scenarioFile(scenarioOf("Adults", "17", adults)), nil, exitFailed,
			"differs Adults: expected ask > adult > $ending, took ask > adult > minor; there is no further step, and the run is at \"minor\"\n", "",
		},
		{
			"a refused answer", scenarioFile(scenarioOf("Adults", `"x"`, adults)), nil, exitFailed,
			"differs Adults: expected ask > adult > $ending, took ask; steps[0]: the answer of \"age\" is refused: Please enter a number.\n", "",
		},
		{"an expected refusal", scenarioFile(scenarioOf("Odd", `"x"`, `,"expect":["ask"]`)), nil, exitOK, "ok Odd\n", ""},
		{
			"an unknown node", scenarioFile(`{"name":"A","steps":[{"node":"x","press":"go"}],"expect":["ask"]}`), nil, exitFailed,
			"differs A: expected ask, took ask; steps[0]: there is no node \"x\"\n", "",
		},
		{
			"an unknown button", scenarioFile(`{"name":"A","steps":[{"node":"ask","press":"x"}],"expect":["ask"]}`), nil, exitFailed,
			"differs A: expected ask, took ask; steps[0]: node \"ask\" has no button \"x\"\n", "",
		},
		{
			"a field that is no button", scenarioFile(`{"name":"A","steps":[{"node":"ask","press":"age"}],"expect":["ask"]}`), nil, exitFailed,
			"differs A: expected ask, took ask; steps[0]: node \"ask\" has no button \"age\"\n", "",
		},
		{
			"an unknown way", scenarioFile(`{"name":"A","steps":[{"node":"adult","choose":"rule:x"}],"expect":["ask"]}`), nil, exitFailed,
			"differs A: expected ask, took ask; steps[0]: node \"adult\" has no way \"rule:x\"\n", "",
		},
		{
			"an unknown field", scenarioFile(`{"name":"A","steps":[{"node":"ask","answers":{"x":1}}],"expect":["ask"]}`), nil, exitFailed,
			"differs A: expected ask, took ask; steps[0]: node \"ask\" has no field \"x\"\n", "",
		},
		{
			"an unknown hidden field", scenarioFile(scenarioOf("A", "18", adults+`,"hidden_fields":{"x":1}`)), nil, exitFailed,
			"differs A: expected ask > adult > $ending, took ask > adult > $ending; hidden_fields: there is no field \"x\"\n", "",
		},
		{
			"no expected path", scenarioFile(scenarioOf("A", "18", ""), scenarioOf("B", "18", adults)), nil, exitFailed,
			"fault A: scenarios[0].expect: is required\nok B\n", "",
		},
		{
			"a name twice", scenarioFile(scenarioOf("A", "18", adults), scenarioOf("A", "18", adults)), nil, exitFailed,
			"ok A\nfault A: scenarios[1].name: must be unique, but an earlier scenario is also called \"A\"\n", "",
		},
		{
			"an unknown member", scenarioFile(scenarioOf("A", "18", adults+`,"x":1`)), nil, exitFailed,
			"fault A: scenarios[0].x: is not a property of this object\n", "",
		},
		{"an unknown member of the file", `{"version":1,"scenarios":[],"x":1}`, nil, exitFailed, "", "a.scenarios.json:1:29: x: "},
		{"another version", `{"version":2,"scenarios":[]}`, nil, exitUnusable, "", "[range]"},
		{"no version", `{"scenarios":[]}`, nil, exitUnusable, "", "[required]"},
		{"not JSON", `{`, nil, exitUnusable, "", "[syntax]"},
		{
			"two events", scenarioFile(`{"name":"A","steps":[{"node":"ask","press":"go","choose":"fallback"}],"expect":["ask"]}`), nil, exitFailed,
			"fault A: scenarios[0].steps[0]: must have only one of press, result, error and choose\n", "",
		},
		{
			"coverage", scenarioFile(scenarioOf("A", "18", adults)),
			[]string{"--coverage", "80"},
			exitFailed,
			"ok A\ncoverage 60.0 %: 3 of 5 edges that can be taken\nnot taken: adult:fallback\nnot taken: minor:next\n", "",
		},
		{
			"enough coverage", scenarioFile(scenarioOf("A", "18", adults)),
			[]string{"--coverage", "60"},
			exitOK,
			"ok A\ncoverage 60.0 %: 3 of 5 edges that can be taken\nnot taken: adult:fallback\nnot taken: minor:next\n", "",
		},
		{"no percentage", scenarioFile(), []string{"--coverage", "many"}, exitUnusable, "", "--coverage must be a percentage"},
		{"no scenarios", scenarioFile(), nil, exitOK, "", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			form := filepath.Join(dir, "a.json")
			write(t, form, ageForm)
			write(t, filepath.Join(dir, "a.scenarios.json"), x.file)
			code, out, errs := inTool(t, "", append([]string{"test", form}, x.args...)...)
			if code != x.code || out != x.out || !strings.Contains(errs, x.errs) || x.errs == "" && errs != "" {
				t.Errorf("got %d\n%s\n%s\nwant %d\n%s\n%s", code, out, errs, x.code, x.out, x.errs)
			}
		})
	}
}

func TestScenariosOfOtherFiles(t *testing.T) {
	dir := t.TempDir()
	form, file := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	write(t, form, ageForm)
	write(t, file, scenarioFile(scenarioOf("A", "18", `,"expect":["ask","adult","$ending"]`)))
	for _, x := range []struct {
		name, stdin string
		args        []string
		code        int
		errs        string
	}{
		{"named", "", []string{form, file}, exitOK, ""},
		{"form from standard input", ageForm, []string{"-", file}, exitOK, ""},
		{"no name for the scenarios", ageForm, []string{"-"}, exitUnusable, "needs a file of scenarios"},
		{"no file", "", []string{form}, exitUnusable, "formgraph test --generate " + form + " creates it"},
		{"no form", "", []string{filepath.Join(dir, "none.json")}, exitUnusable, "no such file"},
		{"no argument", "", nil, exitUnusable, "needs a form"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if code, out, errs := inTool(t, x.stdin, append([]string{"test"}, x.args...)...); code != x.code || !strings.Contains(errs, x.errs) {
				t.Errorf("got %d\n%s\n%s", code, out, errs)
			}
		})
	}
}

// TestGenerateScenarios checks that generated scenarios cover the form, stay the same when they are generated again, and leave those of
// the author alone.
func TestGenerateScenarios(t *testing.T) {
	dir := t.TempDir()
	form, file := filepath.Join(dir, "a.json"), filepath.Join(dir, "a.scenarios.json")
	write(t, form, ageForm)
	generate := func(want string) string {
		t.Helper()
		code, out, errs := inTool(t, "", "test", "--generate", "--coverage", "100", form)
		if code != exitOK || errs != want {
			t.Fatalf("got %d\n%s\n%s", code, out, errs)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := generate("")
	if again := generate(""); again != first {
		t.Errorf("generated again: %s", cmp.Diff(first, again))
	}
	if code, out, _ := inTool(t, "", "fmt", "--check", file); code != exitOK {
		t.Errorf("the text is not canonical: %s", out)
	}
	write(t, file, scenarioFile(scenarioOf("My own", "77", ""), `{"name":"Old","steps":[{"node":"gone"}],"expect":[]}`))
	text := generate("removed Old: steps[0]: there is no node \"gone\"\n")
	if !strings.Contains(text, `"My own"`) || !strings.Contains(text, `"age": 77`) || strings.Contains(text, "Old") {
		t.Errorf("scenarios of the author: %s", text)
	}
	if code, out, errs := inTool(t, "", "test", form); code != exitOK {
		t.Errorf("got %d\n%s\n%s", code, out, errs)
	}
}

func TestUpdateScenarios(t *testing.T) {
	dir := t.TempDir()
	form, file := filepath.Join(dir, "a.json"), filepath.Join(dir, "a.scenarios.json")
	write(t, form, ageForm)
	write(t, file, scenarioFile(scenarioOf("A", "17", `,"expect":["ask","adult","$ending"]`), scenarioOf("B", "18", "")))
	if code, out, errs := inTool(t, "", "test", "--update", form); code != exitOK || out != "ok A\nok B\n" || errs != "" {
		t.Fatalf("got %d\n%s\n%s", code, out, errs)
	}
	const faulty = `{"version":1,"scenarios":[{"name":"A","steps":[{"node":"ask","x":1}],"expect":[]}]}`
	write(t, file, faulty)
	code, _, errs := inTool(t, "", "test", "--update", form)
	if text, err := os.ReadFile(file); err != nil || string(text) != faulty || code != exitUnusable || !strings.Contains(errs, "was not written") {
		t.Errorf("a faulty file: %d, %s\n%s", code, errs, text)
	}
}

func TestScenarioReports(t *testing.T) {
	dir := t.TempDir()
	form, report := filepath.Join(dir, "a.json"), filepath.Join(dir, "report.xml")
	write(t, form, ageForm)
	write(t, filepath.Join(dir, "a.scenarios.json"), scenarioFile(
		scenarioOf("A", "18", `,"expect":["ask","adult","$ending"]`), scenarioOf("B", "17", `,"expect":["ask","adult","$ending"]`), scenarioOf("C", "1", "")))
	code, out, errs := inTool(t, "", "test", "--json", "--junit", report, "--coverage", "0", form)
	if code != exitFailed || errs != "" {
		t.Fatalf("got %d\n%s\n%s", code, out, errs)
	}
	var got scenarioReport
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want := scenarioReport{Form: form, Scenarios: []scenarioResult{
		{"A", suite.OK, []string{"ask", "adult", "$ending"}, []string{"ask", "adult", "$ending"}, ""},
		{"B", suite.Differs, []string{"ask", "adult", "$ending"}, []string{"ask", "adult", "minor"}, `there is no further step, and the run is at "minor"`},
		{"C", suite.Fault, []string{}, []string{}, "scenarios[2].expect: is required"},
	}, Coverage: &coverageReport{4, 5, 80, []string{"minor:next"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var junit struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal(text, &junit); err != nil {
		t.Fatal(err)
	}
	if junit.Tests != 3 || junit.Failures != 2 || junit.Cases[0].Failure != nil || !strings.Contains(junit.Cases[1].Failure.Message, "took ask > adult > minor") {
		t.Errorf("report %+v\n%s", junit, text)
	}
}

// TestScenarioPageIsWhole checks that the page about scenarios lists every option and every kind of difference.
func TestScenarioPageIsWhole(t *testing.T) {
	text, err := os.ReadFile("../model/run/SCENARIOS.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	want := func(row string) {
		t.Helper()
		if !strings.Contains(page, "\n| "+row) {
			t.Errorf("the page has no row for %s", row)
		}
	}
	for _, o := range testTool.options {
		row := "`--" + o.Name
		if o.Value != "" {
			row += " " + o.Value
		}
		want(row + "` |")
	}
	for _, code := range []int{exitOK, exitFailed, exitUnusable} {
		want(strconv.Itoa(code) + " |")
	}
	for _, status := range []string{string(suite.OK), string(suite.Differs), string(suite.Fault)} {
		want("`" + status + " NAME")
	}
	for _, kind := range explore.DifferenceKinds {
		want("`" + string(kind) + "` |")
	}
}

// TestScenarioPageExample runs the example of the page about scenarios and compares what it prints.
func TestScenarioPageExample(t *testing.T) {
	text, err := os.ReadFile("../model/run/SCENARIOS.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split(string(text), "```") {
		if i%2 == 1 {
			_, block, _ := strings.Cut(part, "\n")
			blocks = append(blocks, block)
		}
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "club.json", blocks[0])
	write(t, "club.scenarios.json", blocks[1])
	_, want, _ := strings.Cut(blocks[2], "\n")
	if code, out, errs := inTool(t, "", "test", "--coverage", "100", "club.json"); code != exitOK || out != want || errs != "" {
		t.Errorf("got %d\n%s\n%s\nwant\n%s", code, out, errs, want)
	}
	write(t, "later.json", strings.Replace(blocks[0], ", 18]", ", 21]", 1))
	_, out, _ := inTool(t, "", "test", "later.json", "club.scenarios.json")
	if !strings.Contains(out, blocks[3]) {
		t.Errorf("got\n%s\nwant\n%s", out, blocks[3])
	}
	if _, out, _ := inTool(t, "", "diff", "--behaviour", "club.json", "later.json"); !strings.HasPrefix(out, blocks[len(blocks)-1]) {
		t.Errorf("got\n%s\nwant\n%s", out, blocks[len(blocks)-1])
	}
}

// TestFormatOfScenarios checks that fmt writes files of scenarios in the order of their own tables.
func TestFormatOfScenarios(t *testing.T) {
	dir := t.TempDir()
	odd, twice := filepath.Join(dir, "a.scenarios.json"), filepath.Join(dir, "b.scenarios.json")
	write(t, odd, `{"scenarios":[{"expect":["b","a"],"vars":{"y":1,"x":2.0},"steps":[{"press":"go","node":"ask"}],"name":"A"}],"version":1.0}`)
	write(t, twice, `{"version":1,"scenarios":[{"name":"A","name":"B"}]}`)
	const canonical = `{
  "version": 1,
  "scenarios": [
    {
      "name": "A",
      "vars": {
        "x": 2.0,
        "y": 1
      },
      "steps": [
        {
          "node": "ask",
          "press": "go"
        }
      ],
      "expect": [
        "b",
        "a"
      ]
    }
  ]
}
`
	if code, out, errs := inTool(t, "", "fmt", odd); code != exitOK || out != canonical || errs != "" {
		t.Errorf("got %d\n%s\n%s", code, cmp.Diff(canonical, out), errs)
	}
	if code, out, _ := inTool(t, canonical, "fmt", "--check", "-", odd); code != exitFailed || out != odd+"\n" {
		t.Errorf("check: got %d, %s", code, out)
	}
	if code, _, errs := inTool(t, "", "fmt", twice); code != exitFailed || !strings.Contains(errs, "scenarios[0].name") {
		t.Errorf("a property twice: got %d, %s", code, errs)
	}
}

// TestScenarioIsOneLine checks that there is one line for each scenario, whatever it is called.
func TestScenarioIsOneLine(t *testing.T) {
	dir := t.TempDir()
	form := filepath.Join(dir, "a.json")
	write(t, form, ageForm)
	write(t, filepath.Join(dir, "a.scenarios.json"), scenarioFile(scenarioOf(`A\nok B\u001b`, "18", `,"expect":["ask","adult","$ending"]`)))
	if code, out, _ := inTool(t, "", "test", form); code != exitOK || out != "ok \"A\\nok B\\x1b\"\n" {
		t.Errorf("got %d\n%q", code, out)
	}
}
