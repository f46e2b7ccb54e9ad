package model

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

var updateReference = flag.Bool("update", false, "rewrite REFERENCE.md")

// referenceFile is beside the tables that it describes, so that changes of both
// are visible in one place.
const referenceFile = "REFERENCE.md"

// A change of a table changes the page, whose diff is reviewed with the code.
func TestReference(t *testing.T) {
	got := referencePage()
	if *updateReference {
		if err := os.WriteFile(referenceFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(b) {
		return
	}
	page, file := strings.Split(got, "\n"), strings.Split(string(b), "\n")
	for i := range min(len(page), len(file)) {
		if page[i] != file[i] {
			t.Fatalf("%s does not match the tables; -update rewrites it. Line %d:\n got %s\nwant %s", referenceFile, i+1, file[i], page[i])
		}
	}
	t.Fatalf("%s does not match the tables; -update rewrites it. It has %d lines, want %d", referenceFile, len(file), len(page))
}

// The links of the contents must lead to headings, and every heading except the
// title must have one.
func TestReferenceLinks(t *testing.T) {
	page := referencePage()
	var links, headings []string
	for _, m := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(page, -1) {
		links = append(links, m[1])
	}
	for _, m := range regexp.MustCompile(`(?m)^##+ (.*)$`).FindAllStringSubmatch(page, -1) {
		headings = append(headings, anchor(m[1]))
	}
	for i, h := range headings {
		if slices.Contains(headings[:i], h) {
			t.Errorf("two headings have the anchor %s", h)
		}
		if !slices.Contains(links, h) {
			t.Errorf("no link to %s", h)
		}
	}
	for _, l := range links {
		if !slices.Contains(headings, l) {
			t.Errorf("no heading for the link %s", l)
		}
	}
}

// Markdown silently drops cells beyond those of the heading.
func TestReferenceTables(t *testing.T) {
	cells := 0
	for i, line := range strings.Split(referencePage(), "\n") {
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if n > 0 && cells > 0 && n != cells {
			t.Errorf("line %d has %d bars, the one before %d: %s", i+1, n, cells, line)
		}
		cells = n
	}
}

// The page must name everything in the tables, as found by a separate walk.
func TestReferenceIsWhole(t *testing.T) {
	page := referencePage()
	want := func(s string) {
		t.Helper()
		if !strings.Contains(page, s) {
			t.Errorf("the page lacks %s", s)
		}
	}
	var walk func(s schema.Spec)
	walk = func(s schema.Spec) {
		switch s := s.(type) {
		case schema.Table:
			for _, r := range s {
				// The last step of the name, alone or after those before it.
				if !strings.Contains(page, "| `"+r.Name+"` |") && !strings.Contains(page, "."+r.Name+"` |") {
					t.Errorf("the page has no row of %s", r.Name)
				}
				want(cell(r.Doc))
				walk(r.Spec)
			}
		case schema.Open:
			walk(s.Rows)
		case schema.Map:
			walk(s.Value)
		case schema.List:
			walk(s.Item)
		case schema.Nullable:
			walk(s.Spec)
		case schema.Either:
			for _, alt := range s.Of {
				walk(alt)
			}
		case schema.Union:
			for _, a := range s.Arms {
				want("`" + a.Tag + "`")
				for _, alias := range a.Aliases {
					want("`" + alias + "`")
				}
				walk(a.Spec)
			}
		case schema.Choice:
			for _, o := range s.Options {
				want("`" + o.Tag + "`")
				walk(schema.Table{o.Row})
			}
		case schema.String:
			if s.Format != nil {
				want("`" + s.Format.Name + "`")
				want(cell(s.Format.Pattern))
			}
		case schema.Enum:
			for _, v := range s {
				want("`" + v + "`")
			}
		case schema.Numeric:
			want(string(s.Min))
			want(string(s.Max))
		case schema.Bool, schema.True, schema.Any:
		}
	}
	walk(responseTable)
	for i := range Kinds {
		k := &Kinds[i]
		heading := "\n#### " + k.Type + "\n"
		want(heading)
		want(k.Doc)
		_, part, _ := strings.Cut(page, heading)
		part, _, _ = strings.Cut(part, "\n#")
		if got, want := strings.Count(part, "\n| `"), lines(k.Config); got != want {
			t.Errorf("%s has %d lines, want %d by its table", k.Type, got, want)
		}
	}
}

// lines counts the properties in a spec, at any depth.
func lines(s schema.Spec) int {
	n := 0
	switch s := s.(type) {
	case schema.Table:
		for _, r := range s {
			n += 1 + lines(r.Spec)
		}
	case schema.Open:
		return lines(s.Rows)
	case schema.List:
		return lines(s.Item)
	case schema.Choice:
		n = 1
		for _, o := range s.Options {
			n += 1 + lines(o.Row.Spec)
		}
	default: // no kind has other specs with properties
	}
	return n
}
