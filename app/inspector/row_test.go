package inspector_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Every property of a table has one row in the panel of its subject, with the
// table's path, label and help, and there are no other rows. What the panel shows
// in another way has none: a kind is the title, components are parts, coordinates
// are the rows X and Y.
func TestEveryPropertyHasOneRow(t *testing.T) {
	for _, bare := range []bool{false, true} {
		for _, s := range subjects(t, bare) {
			t.Run(fmt.Sprintf("%s bare=%v", s.name, bare), func(t *testing.T) {
				e := open(t, s.form, s.sel)
				if !bare && len(e.Found().Problems()) > 0 {
					t.Fatalf("the sample has problems:\n%v", e.Found().Problems())
				}
				panelLaw(t, e)
				rows := map[string]inspector.Row{}
				for _, r := range flat(inspector.Read(e, nil)) {
					rows[r.Path.String()] = r
				}
				var hidden []string
				for _, h := range s.hidden {
					hidden = append(hidden, join(s.at, h))
				}
				for _, pt := range s.tables {
					expect(t, s.form, pt.at, pt.table, hidden, rows)
				}
				for left := range rows {
					t.Errorf("%s has a row and is in no table", left)
				}
			})
		}
	}
}

func join(at schema.Path, more string) string {
	if len(at) == 0 {
		return more
	}
	return at.String() + "." + more
}

// expect removes the rows of a table from rows and reports those that differ or
// are missing.
func expect(t *testing.T, form *schema.Object, at schema.Path, table schema.Table, hidden []string, rows map[string]inspector.Row) {
	t.Helper()
	for _, want := range table {
		p := at.Key(want.Name)
		path := p.String()
		v, present := schema.Lookup(form, p)
		if slices.Contains(hidden, path) {
			if in, ok := want.Spec.(schema.Table); ok && (want.Name == "config" || want.Name == "coordinates") {
				expect(t, form, p, in, hidden, rows)
			}
			continue
		}
		got, ok := rows[path]
		if !ok {
			t.Errorf("%s has no row", path)
			continue
		}
		delete(rows, path)
		if got.Label != want.Title() || got.Help != want.Doc || got.Required != want.Required || got.Present != present {
			t.Errorf("%s: label %q, help %q, required %v, present %v; want %q, %q, %v, %v",
				path, got.Label, got.Help, got.Required, got.Present, want.Title(), want.Doc, want.Required, present)
		}
		inside(t, form, p, want.Spec, v, rows)
	}
}

// inside removes the rows of what an object or list holds.
func inside(t *testing.T, form *schema.Object, p schema.Path, s schema.Spec, v any, rows map[string]inspector.Row) {
	t.Helper()
	switch s := s.(type) {
	case schema.Table:
		expect(t, form, p, s, nil, rows)
	case schema.Open:
		expect(t, form, p, s.Rows, nil, rows)
	case schema.Choice:
		tag := schema.Row{Name: s.Tag, Spec: schema.Enum(s.Tags()), Required: true}
		o, _ := v.(*schema.Object)
		own := slices.Index(s.Tags(), o.Text(s.Tag))
		chosen := s.Options[own].Row
		chosen.Required = true
		expect(t, form, p, schema.Table{tag, chosen}, nil, rows)
	case schema.List:
		if _, ok := s.Item.(schema.Enum); ok {
			return // the control of the list itself; see TestChecks
		}
		list, _ := v.([]any)
		for i := range list {
			element(t, form, p.Index(i), s.Item, list[i], rows)
		}
	case schema.Map:
		if _, open := s.Value.(schema.Open); open {
			return
		}
		o, _ := v.(*schema.Object)
		for _, m := range o.Members() {
			element(t, form, p.Key(m.Key), s.Value, m.Value, rows)
		}
	default: // a single value
	}
}

func element(t *testing.T, form *schema.Object, p schema.Path, s schema.Spec, v any, rows map[string]inspector.Row) {
	t.Helper()
	if _, ok := rows[p.String()]; !ok {
		t.Errorf("%s has no row", p)
	}
	delete(rows, p.String())
	inside(t, form, p, s, v, rows)
}

var inputs = map[inspector.Input]string{
	inspector.Text: "text", inspector.LongText: "long text", inspector.Secret: "secret", inspector.Number: "number",
	inspector.Select: "select", inspector.Switch: "switch", inspector.JSON: "JSON", inspector.Pointer: "pointer",
	inspector.Flow: "flow", inspector.Group: "group", inspector.Items: "items", inspector.Entries: "entries",
	inspector.Checks: "checks",
}

// The panel of every kind, as people see it. Rewrite the golden file
// with `go test ./app/inspector -update`, and review the change.
func TestPanels(t *testing.T) {
	var b strings.Builder
	for _, s := range subjects(t, false) {
		p := inspector.Read(open(t, s.form, s.sel), nil)
		fmt.Fprintf(&b, "%s: %s (%s, %s) %s\n", s.name, p.Title, p.Subtitle, p.Icon, p.Tint)
		for _, sec := range p.Sections {
			if sec.Title != "" {
				fmt.Fprintf(&b, "  [%s] %s\n", sec.Title, sec.Note)
			}
			for _, r := range sec.Rows {
				write(&b, r, "  ")
			}
		}
	}
	name := filepath.Join("testdata", "panels.golden")
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, golden := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(golden)) {
		g, w := "", ""
		if i < len(got) {
			g = got[i]
		}
		if i < len(golden) {
			w = golden[i]
		}
		if g != w {
			t.Fatalf("line %d\n got %s\nwant %s", i+1, g, w)
		}
	}
}

func write(b *strings.Builder, r inspector.Row, indent string) {
	marks := ""
	if r.Required {
		marks += " required"
	}
	if r.Code != schema.NoCode {
		marks += " code"
	}
	if r.Max > 0 {
		marks += fmt.Sprintf(" max %d", r.Max)
	}
	if r.Input == inspector.Select || r.Input == inspector.Checks {
		for _, o := range r.Options {
			marks += " " + o.Value
			if o.Label != o.Value {
				marks += "=" + strconv.Quote(o.Label)
			}
		}
	}
	fmt.Fprintf(b, "%s%s: %s%s @ %s\n", indent, r.Label, inputs[r.Input], marks, r.Path)
	for _, c := range r.Rows {
		write(b, c, indent+"  ")
	}
}

// A problem is shown at its row, and nowhere else.
func TestProblemAtItsRow(t *testing.T) {
	for _, s := range subjects(t, false) {
		t.Run(s.name, func(t *testing.T) {
			e := open(t, s.form, s.sel)
			for _, r := range flat(inspector.Read(e, nil)) {
				if len(r.Problems) > 0 {
					t.Errorf("%s has problems in a form that has none: %v", r.Path, r.Problems)
				}
			}
			for _, r := range flat(inspector.Read(e, nil)) {
				bad, ok := refused(r)
				if !ok {
					continue
				}
				e := open(t, s.form, s.sel)
				got := enter(t, e, r.Path.String(), bad)
				if len(got.Problems) != 1 || !got.Problems[0].Path.Equal(r.Path) {
					t.Errorf("%s: problems %v after typing %q, want one of its own", r.Path, got.Problems, bad)
				}
				if got.Text() != bad {
					t.Errorf("%s shows %q after typing %q", r.Path, got.Text(), bad)
				}
				for _, other := range flat(inspector.Read(e, nil)) {
					if !other.Path.Equal(r.Path) && len(other.Problems) > 0 {
						t.Errorf("%s has the problem of %s: %v", other.Path, r.Path, other.Problems)
					}
				}
			}
		})
	}
}

// refused returns a text that the table of a row does not allow.
func refused(r inspector.Row) (string, bool) {
	switch r.Input {
	case inspector.Number:
		return "12 apples", true
	case inspector.Select:
		return "NONE_OF_THESE", r.Path[len(r.Path)-1].Key != "type" || r.Path[len(r.Path)-2].Key != "charge"
	case inspector.Pointer:
		return "nobody", true
	case inspector.Text, inspector.LongText, inspector.Secret, inspector.Flow:
		if r.Max > 0 {
			return strings.Repeat("é", r.Max+1), true
		}
		if last := r.Path[len(r.Path)-1].Key; last == "key" || last == "background_color" || last == "image_url" {
			return "not one", true
		}
	default: // takes any text, or has none
	}
	return "", false
}
