package scenario_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// in returns a file of scenarios.
func in(scenarios ...string) string {
	return `{"version":1,"scenarios":[` + strings.Join(scenarios, ",") + `]}`
}

// with returns a scenario called A with steps and other members.
func with(steps string, more ...string) string {
	return `{"name":"A","steps":[` + steps + `]` + strings.Join(append([]string{""}, more...), ",") + `,"expect":["a"]}`
}

// faults returns the path and the code of each problem.
func faults(problems schema.Problems) []string {
	var list []string
	for _, p := range problems {
		list = append(list, p.Path.String()+" "+string(p.Code))
	}
	return list
}

// TestFaultBelongsToItsScenario checks that a fault inside a scenario leaves the file and the other scenarios readable.
func TestFaultBelongsToItsScenario(t *testing.T) {
	const at = "scenarios[0]"
	for _, x := range []struct{ name, scenario, want string }{
		{"no name", `{"steps":[],"expect":[]}`, at + ".name required"},
		{"an empty name", `{"name":"","steps":[],"expect":[]}`, at + ".name length"},
		{"a long name", `{"name":"` + strings.Repeat("ä", 256) + `","steps":[],"expect":[]}`, at + ".name length"},
		{"a name of another type", `{"name":1,"steps":[],"expect":[]}`, at + ".name type"},
		{"an empty language", with("", `"language":""`), at + ".language length"},
		{"a language of another type", with("", `"language":1`), at + ".language type"},
		{"a context of another type", with("", `"context":[]`), at + ".context type"},
		{"vars of another type", with("", `"vars":null`), at + ".vars type"},
		{"hidden fields of another type", with("", `"hidden_fields":"x"`), at + ".hidden_fields type"},
		{"no steps", `{"name":"A","expect":[]}`, at + ".steps required"},
		{"steps of another type", `{"name":"A","steps":{},"expect":[]}`, at + ".steps type"},
		{"no expected path", `{"name":"A","steps":[]}`, at + ".expect required"},
		{"an expected path of another type", `{"name":"A","steps":[],"expect":null}`, at + ".expect type"},
		{"an expected node of another type", `{"name":"A","steps":[],"expect":[1]}`, at + ".expect[0] type"},
		{"an expected node without a name", `{"name":"A","steps":[],"expect":[""]}`, at + ".expect[0] length"},
		{"another member", with("", `"x":1`), at + ".x unknown"},
		{"a member twice", with("", `"language":"en","language":"de"`), at + ".language duplicate_key"},
		{"a step of another type", with(`"a"`), at + ".steps[0] type"},
		{"a step without a node", with(`{"press":"b"}`), at + ".steps[0].node required"},
		{"an empty node", with(`{"node":""}`), at + ".steps[0].node length"},
		{"answers of another type", with(`{"node":"a","answers":[]}`), at + ".steps[0].answers type"},
		{"an empty button", with(`{"node":"a","press":""}`), at + ".steps[0].press length"},
		{"a button of another type", with(`{"node":"a","press":null}`), at + ".steps[0].press type"},
		{"a result of another type", with(`{"node":"a","result":null}`), at + ".steps[0].result type"},
		{"an error of another type", with(`{"node":"a","error":true}`), at + ".steps[0].error type"},
		{"an empty way", with(`{"node":"a","choose":""}`), at + ".steps[0].choose length"},
		{"another member of a step", with(`{"node":"a","x":1}`), at + ".steps[0].x unknown"},
		{"a press and a result", with(`{"node":"a","press":"b","result":{}}`), at + ".steps[0] one_of"},
		{"a result and an error", with(`{"node":"a","result":{},"error":""}`), at + ".steps[0] one_of"},
		{"answers beside a result", with(`{"node":"a","answers":{},"result":{}}`), at + ".steps[0].answers one_of"},
		{"answers beside an error", with(`{"node":"a","answers":{},"error":""}`), at + ".steps[0].answers one_of"},
		{"answers beside a way", with(`{"node":"a","answers":{},"choose":"fallback"}`), at + ".steps[0].answers one_of"},
		{"no object", `"A"`, at + " type"},
	} {
		t.Run(x.name, func(t *testing.T) {
			f, problems := scenario.Read([]byte(in(x.scenario, `{"name":"B","steps":[],"expect":["b"]}`)))
			if f == nil || len(problems) > 0 {
				t.Fatalf("no file, %v", problems)
			}
			if diff := cmp.Diff([]string{x.want}, faults(f.Scenarios[0].Faults)); diff != "" {
				t.Error(diff)
			}
			for _, p := range f.Scenarios[0].Faults {
				if p.Offset < 0 && p.Code != schema.CodeRequired {
					t.Errorf("%v has no offset", p)
				}
			}
			if b := f.Scenarios[1]; len(b.Faults) > 0 || b.Name != "B" || !slices.Equal(b.Expect, []string{"b"}) {
				t.Errorf("the other scenario is %+v", b)
			}
		})
	}
}

func TestFaultOfTheFile(t *testing.T) {
	for _, x := range []struct {
		name, file, want string
		read             bool // whether there is a file nevertheless
	}{
		{"nothing", ``, " syntax", false},
		{"two values", `{"version":1,"scenarios":[]}{}`, " syntax", false},
		{"null", `null`, " type", false},
		{"a list", `[]`, " type", false},
		{"no version", `{"scenarios":[]}`, "version required", false},
		{"a later version", `{"version":2,"scenarios":[]}`, "version range", false},
		{"an earlier version", `{"version":0,"scenarios":[]}`, "version range", false},
		{"a version with a fraction", `{"version":1.5,"scenarios":[]}`, "version type", false},
		{"a version of another type", `{"version":"1","scenarios":[]}`, "version type", false},
		{"a version that is a list", `{"version":[{"a":1,"a":2}],"scenarios":[]}`, "version[0].a duplicate_key", false},
		{"no scenarios", `{"version":1}`, "scenarios required", false},
		{"scenarios of another type", `{"version":1,"scenarios":{}}`, "scenarios type", false},
		{"too deep", `{"version":1,"scenarios":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, " limit", false},
		{"another member", `{"version":1,"scenarios":[],"x":1}`, "x unknown", true},
		{"a fault in another member", `{"version":1,"scenarios":[],"x":[{"a":1,"a":2}]}`, "x[0].a duplicate_key", true},
		{"the scenarios twice", `{"version":1,"scenarios":[{"name":"A","name":"B"}],"scenarios":[]}`, "scenarios[0].name duplicate_key", true},
	} {
		t.Run(x.name, func(t *testing.T) {
			f, problems := scenario.Read([]byte(x.file))
			if (f != nil) != x.read {
				t.Errorf("read %v", f)
			}
			if !slices.ContainsFunc(faults(problems), func(of string) bool { return strings.HasSuffix(of, x.want) }) {
				t.Errorf("got %v, want %s", faults(problems), x.want)
			}
		})
	}
}

// TestFirstOfTwoNamesIsKept checks that only a name that is taken is a fault.
func TestFirstOfTwoNamesIsKept(t *testing.T) {
	f, problems := scenario.Read([]byte(in(with(""), with(""), with(""))))
	if len(problems) > 0 || len(f.Scenarios[0].Faults) > 0 {
		t.Fatalf("%v, %v", problems, f.Scenarios[0].Faults)
	}
	for i := 1; i < 3; i++ {
		if got := f.Scenarios[i].Faults; len(got) != 1 || got[0].Code != schema.CodeDuplicateID || got[0].Path[len(got[0].Path)-1].Key != "name" {
			t.Errorf("scenario %d: %v", i, got)
		}
	}
}

// all is a scenario with every member.
const all = `{
  "version": 1,
  "scenarios": [
    {
      "name": "A",
      "language": "de",
      "context": {
        "z": 1
      },
      "hidden_fields": {
        "h": "x"
      },
      "vars": {
        "v": [
          1.50,
          null
        ]
      },
      "steps": [
        {
          "node": "a",
          "answers": {
            "b": null,
            "f": ""
          },
          "press": "go"
        },
        {
          "node": "f",
          "result": {}
        },
        {
          "node": "g",
          "error": ""
        },
        {
          "node": "r",
          "choose": "rule:x"
        },
        {
          "node": "a",
          "answers": {}
        }
      ],
      "expect": []
    }
  ]
}
`

func TestTextKeepsEverything(t *testing.T) {
	f, problems := scenario.Read([]byte(all))
	if len(problems) > 0 || len(f.Scenarios[0].Faults) > 0 {
		t.Fatal(problems, f.Scenarios[0].Faults)
	}
	text, err := f.Text()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all, string(text)); diff != "" {
		t.Error(diff)
	}
}

func TestTextOfTooManyScenarios(t *testing.T) {
	f := scenario.File{Scenarios: []scenario.Scenario{{Name: "A", Language: strings.Repeat("x", schema.MaxBytes)}}}
	if text, err := f.Text(); err == nil {
		t.Errorf("%d bytes", len(text))
	}
}

// FuzzCanonical checks that the canonical text is its own, has the same scenarios, and that no file makes Read panic.
func FuzzCanonical(f *testing.F) {
	for _, src := range []string{
		all, in(), `null`, `{"scenarios":[{"steps":[{"choose":1,"node":[]}]}],"version":1.0}`,
		`{"expect":[],"scenarios":[],"version":[{"a":1,"a":2}]}`, `{"version":1,"scenarios":[{"name":"A","name":"B"}],"scenarios":[]}`,
		in(`{"expect":["a"],"vars":{"b":1,"a":2},"name":"A","x":1,"steps":[{"press":"b","node":"a"}]}`),
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file, problems := scenario.Read(src)
		if file == nil && len(problems) == 0 {
			t.Error("neither a file nor a problem")
		}
		text, problems := scenario.Canonical(src)
		if len(problems) > 0 {
			return
		}
		again, problems := scenario.Canonical(text)
		if len(problems) > 0 || !bytes.Equal(text, again) {
			t.Errorf("%v\n%s", problems, cmp.Diff(string(text), string(again)))
		}
		same, _ := scenario.Read(text)
		if (file == nil) != (same == nil) {
			t.Fatalf("a file before is %v, after %v", file != nil, same != nil)
		}
		if file == nil {
			return
		}
		first, err := file.Text()
		second, err2 := same.Text()
		if (err == nil) != (err2 == nil) || !bytes.Equal(first, second) {
			t.Errorf("%v, %v\n%s", err, err2, cmp.Diff(string(first), string(second)))
		}
	})
}

func TestIs(t *testing.T) {
	for src, want := range map[string]bool{
		in(): true, `{"scenarios":1}`: true, `{"version":1}`: false, `{"name":"x","nodes":[],"scenarios":[]}`: false,
		`{"form":{},"scenarios":[]}`: false, `[]`: false, `null`: false, `{`: false, `"scenarios"`: false,
	} {
		if got := scenario.Is([]byte(src)); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}
