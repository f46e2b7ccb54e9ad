package scenario

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/schema"
)

var update = flag.Bool("update", false, "rewrite the tables in SCENARIOS.md")

const pageFile = "../SCENARIOS.md"

func readPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPageHasTheTables checks that the page describes the tables of the file.
func TestPageHasTheTables(t *testing.T) {
	var b strings.Builder
	for _, of := range []struct {
		title string
		table schema.Table
	}{{"The file", fileTable}, {"An element of `scenarios`", scenarioTable}, {"An element of `steps`", stepTable}} {
		fmt.Fprintf(&b, "\n%s:\n\n| property | type | required | meaning |\n| --- | --- | --- | --- |\n", of.title)
		for _, r := range of.table {
			required := "no"
			if r.Required {
				required = "yes"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Name, typeWords(t, r.Spec), required, r.Doc)
		}
	}
	const from, to = "writes it. -->\n", "\n<!-- end -->"
	page := readPage(t)
	start, rest, ok := strings.Cut(page, from)
	old, end, ended := strings.Cut(rest, to[1:])
	if !ok || !ended {
		t.Fatal("the page has no place for the tables")
	}
	if want := b.String() + "\n"; old != want {
		if !*update {
			t.Fatalf("the page does not match the tables; -update rewrites it\n%s", cmp.Diff(want, old))
		}
		if err := os.WriteFile(pageFile, []byte(start+from+want+to[1:]+end), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func typeWords(t *testing.T, s schema.Spec) string {
	t.Helper()
	switch s := s.(type) {
	case schema.Map:
		return "object of any properties"
	case schema.List:
		if _, ok := s.Item.(schema.Table); ok {
			return "list of objects"
		}
		return "list of strings"
	case schema.String:
		switch {
		case s.Max > 0:
			return fmt.Sprintf("string, %d to %d characters", s.Min, s.Max)
		case s.Min > 0:
			return "string, not empty"
		}
		return "string"
	case schema.Numeric:
		return "integer"
	default: // not in the tables
	}
	t.Fatalf("there are no words for %T", s)
	return ""
}

// TestPageExample replays the scenarios of the page's form.
func TestPageExample(t *testing.T) {
	var blocks []string
	for i, part := range strings.Split(readPage(t), "```") {
		if text, ok := strings.CutPrefix(part, "json\n"); i%2 == 1 && ok {
			blocks = append(blocks, text)
		}
	}
	f, problems := Read([]byte(blocks[1]))
	if len(problems) > 0 || len(f.Scenarios) != 4 {
		t.Fatal(problems)
	}
	form := formtest.Parse(t, blocks[0])
	if problems := model.CheckNew(form.Tree()); len(problems) > 0 {
		t.Error(problems)
	}
	p, taken := run.NewProgram(form), map[Edge]bool{}
	for _, s := range f.Scenarios {
		o := Replay(p, &s)
		if len(s.Faults) > 0 || !o.Same(&s) {
			t.Errorf("%s takes %v: %v%s%s", s.Name, o.Path(), s.Faults, o.Missing, o.Reason)
		}
		for _, e := range Edges(o.Run) {
			taken[e] = true
		}
	}
	if len(taken) != len(form.Edges()) {
		t.Errorf("the scenarios take %d of %d edges", len(taken), len(form.Edges()))
	}
	later := run.NewProgram(formtest.Parse(t, strings.Replace(blocks[0], ", 18]", ", 21]", 1)))
	for i, s := range f.Scenarios {
		if o := Replay(later, &s); o.Same(&s) != (i > 0) {
			t.Errorf("%s takes %v", s.Name, o.Path())
		}
	}
}
