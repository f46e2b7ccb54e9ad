package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestSARIF reads the log as a code scanning service would, by the names of SARIF 2.1.0.
func TestSARIF(t *testing.T) {
	dir := t.TempDir()
	bad, odd := filepath.Join(dir, "bad form.json"), filepath.Join(dir, "odd.json")
	write(t, bad, "{\n  \"NAME\": 1,\n  \"name\": \"é\"\n}")
	write(t, odd, `{"name":"x","ending":{"after_submit":{"flow_id":"my flow"}}}`)
	var out, errs bytes.Buffer
	code := run(t.Context(), process{stdout: &out, stderr: &errs, lookup: noEnv},
		[]string{"validate", "--format", "sarif", bad, odd, filepath.Join(dir, "none")})
	if code != exitUnusable {
		t.Errorf("ends with %d, want %d for the file that is not there", code, exitUnusable)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			ColumnKind  string
			Invocations []struct {
				ExecutionSuccessful        bool
				ToolExecutionNotifications []struct{ Message struct{ Text string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn int }
					}
					LogicalLocations []struct{ FullyQualifiedName string }
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("version %q, %d runs", log.Version, len(log.Runs))
	}
	r := log.Runs[0]
	if r.Tool.Driver.Name != "formgraph" || r.ColumnKind != "unicodeCodePoints" || r.Invocations[0].ExecutionSuccessful ||
		len(r.Invocations[0].ToolExecutionNotifications) != 1 {
		t.Errorf("the run: %+v", r)
	}
	var got []string
	for _, x := range r.Results {
		if r.Tool.Driver.Rules[x.RuleIndex].ID != x.RuleID {
			t.Errorf("%s: its index is that of %s", x.RuleID, r.Tool.Driver.Rules[x.RuleIndex].ID)
		}
		at := x.Locations[0]
		place := at.PhysicalLocation
		got = append(got, fmt.Sprintf("%s %s %s %d:%d %s", x.Level, x.RuleID, place.ArtifactLocation.URI,
			place.Region.StartLine, place.Region.StartColumn, at.LogicalLocations[0].FullyQualifiedName))
	}
	base := "file://" + filepath.ToSlash(dir) + "/"
	if want := []string{
		"error unknown " + base + "bad%20form.json 2:3 NAME",
		"warning flow_id " + base + "odd.json 1:49 ending.after_submit.flow_id",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A run in which every file was read says so; a file beside the caller keeps its
// relative name, by which it is found in a repository; and what is about the whole
// file has no place inside it.
func TestSARIFTexts(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "bad form.json", "{\n  \"NAME\": 1,\n  \"name\": \"x\"\n}")
	write(t, "list.json", "[]")
	write(t, "good.json", `{"name":"x"}`)
	sarif := func(files ...string) sarifLog {
		t.Helper()
		_, out, _ := inTool(t, "", append([]string{"validate", "--format=sarif"}, files...)...)
		var log sarifLog
		if err := json.Unmarshal([]byte(out), &log); err != nil {
			t.Fatal(err)
		}
		if len(log.Runs) != 1 || len(log.Runs[0].Invocations) != 1 {
			t.Fatalf("got %s", out)
		}
		return log
	}
	log := sarif("bad form.json", "list.json")
	release, _ := buildInfo()
	if d := log.Runs[0].Tool.Driver; log.Schema != "https://json.schemastore.org/sarif-2.1.0.json" || d.Version != release || release == "" ||
		d.Rules[0].Text.Text != ruleTexts[0].text {
		t.Errorf("schema %s, driver %s, first rule %+v", log.Schema, d.Version, d.Rules[0])
	}
	if !log.Runs[0].Invocations[0].Successful {
		t.Error("files that were read are no success")
	}
	var got []string
	for _, r := range log.Runs[0].Results {
		got = append(got, fmt.Sprintf("%s %s %v", r.Locations[0].Physical.Artifact.URI, r.Message.Text, r.Locations[0].Logical))
	}
	want := []string{"bad%20form.json NAME: is not a property of this object [{ NAME}]", "list.json must be an object, is a list []"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}

	run := sarif("good.json", "none.json").Runs[0]
	if run.Results == nil || len(run.Results) > 0 {
		t.Errorf("results of a good file: %v, want an empty list", run.Results)
	}
	notices := run.Invocations[0].Notifications
	if len(notices) != 1 || notices[0].Level != "error" || !strings.Contains(notices[0].Message.Text, "read form: open none.json") {
		t.Errorf("a file that does not exist: %+v", notices)
	}
}

// Every code of the model is a rule: a finding without one would point at another's.
func TestEveryCodeIsARule(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../model/schema/problem.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Type != nil {
			if id, ok := v.Type.(*ast.Ident); ok && id.Name == "Code" {
				text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				codes = append(codes, text)
			}
		}
		return true
	})
	var rules []string
	for _, r := range ruleTexts {
		rules = append(rules, string(r.code))
	}
	slices.Sort(codes)
	slices.Sort(rules)
	if len(codes) < 15 || !slices.Equal(codes, rules) {
		t.Errorf("codes %v\nrules %v", codes, rules)
	}
}
