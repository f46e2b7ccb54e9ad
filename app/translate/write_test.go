package translate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/app/translate/sources"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func newEditor(f *model.Form) *editor.Editor {
	return editor.New(f, editor.Config{Now: func() time.Time { return time.Unix(0, 0) }, Rand: func(int) int { return 0 }})
}

// run applies a command and checks the laws of all commands: it has the same effect each time, does not change its argument, undo and redo
// restore both states, and the patch leads from the saved form to the new one.
func run(tb testing.TB, e *editor.Editor, c editor.Command) {
	tb.Helper()
	before := e.State()
	frozen := text(before.Form)
	once, err := c.Do(before)
	if err != nil {
		tb.Fatalf("%s: %v", c.Label(), err)
	}
	if err := e.Run(c); err != nil {
		tb.Fatalf("%s: %v", c.Label(), err)
	}
	after := e.State()
	changed := text(after.Form)
	if got := text(before.Form); got != frozen {
		tb.Fatalf("%s wrote to the state it was given:\n got %s\nwant %s", c.Label(), got, frozen)
	}
	if got := text(once.Form); got != changed {
		tb.Fatalf("%s had two results:\n got %s\nand %s", c.Label(), changed, got)
	}
	if after.Form == before.Form {
		return
	}
	if applied := e.Changes().Apply(e.Base()); !schema.Equal(applied.Tree(), after.Form.Tree()) {
		tb.Fatalf("%s: the patch gives\n     %s\nwant %s", c.Label(), schema.Encode(applied.Tree()), changed)
	}
	if _, ok := e.Undo(); !ok || text(e.State().Form) != frozen {
		tb.Fatalf("undo of %s gave\n     %s\nwant %s", c.Label(), text(e.State().Form), frozen)
	}
	if _, ok := e.Redo(); !ok || text(e.State().Form) != changed {
		tb.Fatalf("redo of %s gave\n     %s\nwant %s", c.Label(), text(e.State().Form), changed)
	}
}

// whole returns the block of all cells.
func whole(t *translate.Table) translate.Block {
	b := translate.Block{Rows: t.Rows}
	for i := range t.Languages {
		b.Columns = append(b.Columns, i)
	}
	return b
}

func translations(e *editor.Editor) string {
	v, ok := e.State().Form.Tree().Get("translations")
	if !ok {
		return "none"
	}
	return string(schema.Encode(v))
}

func TestSetText(t *testing.T) {
	const base = `{"nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"a","category":"FIELD","type":"CHOICE","label":"L","config":{"options":[{"value":"r","label":"R"},{"value":"g","label":"G"}]}}]}}],
		"messages":{"custom":{"hi":"Hi"}},"translations":{"de":%s}}`
	for _, tt := range []struct{ was, key, text, want string }{
		{`null`, "components.a.label", "T", `{"components":{"a":{"label":"T"}}}`},
		{`{"ending":null}`, "messages.custom.hi", "T", `{"ending":null,"messages":{"custom":{"hi":"T"}}}`},
		{`{"components":null}`, "components.a.config.options.g.label", "T", `{"components":{"a":{"config":{"options":[{"value":"g",` +
			`"label":"T"}]}}}}`},
		{`{"components":{"a":{"label":"T"}}}`, "components.a.label", "", `{}`},
		{`{"components":{"a":{"label":"T"},"b":{}},"messages":{}}`, "components.a.label", "", `{"components":{"b":{}},"messages":{}}`},
		{`{"components":{"a":{"label":"","config":{}}}}`, "components.a.label", "", `{"components":{"a":{"label":"","config":{}}}}`},
		{`{"messages":{"custom":{"hi":"T"},"errors":{}}}`, "messages.custom.hi", "", `{"messages":{"errors":{}}}`},
		{`{"components":{}}`, "components.a.label", "", `{"components":{}}`},
		{`null`, "components.a.label", "", `null`},
	} {
		e := newEditor(parse(t, fmt.Sprintf(base, tt.was)))
		table := tableOf(e.State().Form, nil)
		run(t, e, table.SetText(rowOf(t, table, tt.key), 0, tt.text))
		if got, want := translations(e), `{"de":`+tt.want+`}`; got != want {
			t.Errorf("%s with %q at %s:\n got %s\nwant %s", tt.was, tt.text, tt.key, got, want)
		}
	}
}

func TestTypingIsOneStep(t *testing.T) {
	now := time.Unix(0, 0)
	e := editor.New(parse(t, small), editor.Config{Now: func() time.Time { now = now.Add(time.Millisecond); return now }})
	table := tableOf(e.State().Form, nil)
	for _, key := range []string{"components.go.config.text", "components.name.label"} {
		for i := range 3 {
			if err := e.Run(table.SetText(rowOf(t, table, key), 1, "abc"[:i+1])); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := len(e.Steps()); got != 3 {
		t.Errorf("%d states, want 3: typing in a cell is one step", got)
	}
	name := translate.Block{Rows: []*translate.Row{rowOf(t, table, "components.name.label")}, Columns: []int{1}}
	if err := e.Run(table.Clear(name)); err != nil {
		t.Fatal(err)
	}
	if got := len(e.Steps()); got != 4 {
		t.Errorf("%d states, want 4: clearing a cell is a step of its own", got)
	}
}

func TestLanguageCommands(t *testing.T) {
	for _, tt := range []struct {
		form string
		c    editor.Command
		want string
		err  error
	}{
		{`{}`, translate.AddLanguage{Language: "de"}, `{"translations":{"de":{}}}`, nil},
		{`{"translations":{"de":{}}}`, translate.AddLanguage{Language: "DE"}, "", translate.ErrTaken},
		{`{}`, translate.AddLanguage{Language: "en"}, "", translate.ErrTaken},
		{`{}`, translate.AddLanguage{Language: "=x"}, "", translate.ErrMalformed},
		{`{}`, translate.AddLanguage{Language: strings.Repeat("x", 56)}, "", translate.ErrMalformed},
		{`{}`, translate.AddLanguage{Language: "de-"}, "", translate.ErrMalformed},
		{
			`{"languages":{"default":"de","primary":"en"},"translations":{"fr":{},"de":{"x":1}}}`,
			translate.RemoveLanguage{Language: "de"},
			`{"languages":{"primary":"en"},"translations":{"fr":{}}}`, nil,
		},
		{`{"languages":{"primary":"en","default":"de"}}`, translate.RemoveLanguage{Language: "de"}, `{"languages":{"primary":"en"}}`, nil},
		{`{"translations":{"de":{},"DE":{}}}`, translate.RemoveLanguage{Language: "de"}, `{}`, nil},
		{`{"translations":{"de":{}}}`, translate.RemoveLanguage{Language: "fr"}, "", translate.ErrUnknown},
		{`{"translations":{"en":{}}}`, translate.RemoveLanguage{Language: "en"}, "", translate.ErrSource},
		{
			`{"languages":{"primary":"en","default":"de"},"translations":{"de":{"x":1},"fr":{}}}`,
			translate.RenameLanguage{From: "de", To: "de-AT"},
			`{"languages":{"primary":"en","default":"de-AT"},"translations":{"de-AT":{"x":1},"fr":{}}}`, nil,
		},
		{`{"translations":{"pt_br":{}}}`, translate.RenameLanguage{From: "pt_br", To: "pt-BR"}, `{"translations":{"pt-BR":{}}}`, nil},
		{`{"translations":{"de":{},"fr":{}}}`, translate.RenameLanguage{From: "de", To: "fr"}, "", translate.ErrTaken},
		{`{"translations":{"de":{}}}`, translate.RenameLanguage{From: "fr", To: "it"}, "", translate.ErrUnknown},
		{`{"translations":{"de":{}}}`, translate.RenameLanguage{From: "en", To: "it"}, `{"translations":{"de":{}},"languages":{"primary":"it"}}`, nil},
		{`{"languages":{"primary":"en","default":"en"}}`, translate.RenameLanguage{From: "en", To: "en-GB"}, `{"languages":{"primary":"en-GB","default":"en-GB"}}`, nil},
		{`{"translations":{"de":{}}}`, translate.RenameLanguage{From: "en", To: "de"}, "", translate.ErrTaken},
		{`{"translations":{"de":{}}}`, translate.SetDefault{Language: "de"}, `{"translations":{"de":{}},"languages":{"primary":"en","default":"de"}}`, nil},
		{`{"languages":{"default":"de"},"translations":{"fr":{}}}`, translate.SetDefault{Language: "fr"}, `{"languages":{"default":"fr","primary":"de"},"translations":{"fr":{}}}`, nil},
		{`{"languages":{"primary":"en","default":"de"},"translations":{"de":{}}}`, translate.SetDefault{Language: "en"}, `{"languages":{"primary":"en"},"translations":{"de":{}}}`, nil},
		{`{"translations":{"de":{}}}`, translate.SetDefault{Language: "it"}, "", translate.ErrUnknown},
	} {
		e := newEditor(parse(t, tt.form))
		if tt.err != nil {
			if err := e.Run(tt.c); !errors.Is(err, tt.err) || text(e.State().Form) != tt.form {
				t.Errorf("%s of %s: %v, want %v", tt.c.Label(), tt.form, err, tt.err)
			}
			continue
		}
		run(t, e, tt.c)
		if got := text(e.State().Form); got != tt.want {
			t.Errorf("%s of %s\n got %s\nwant %s", tt.c.Label(), tt.form, got, tt.want)
		}
	}
}

func TestPaste(t *testing.T) {
	e := newEditor(parse(t, small))
	table := tableOf(e.State().Form, nil)
	b := whole(table)
	b.Rows = b.Rows[1:]
	w, err := table.Paste(b, "Nom\t\"deux\r\nlignes\"\r\n\ta \"b\"\n'=x\n\"c\"d")
	if err != nil {
		t.Fatal(err)
	}
	run(t, e, w)
	now := tableOf(e.State().Form, nil)
	got := fmt.Sprintf("%q %q %q %q", now.Rows[1].Cells, now.Rows[2].Cells, now.Rows[3].Cells, now.Rows[4].Cells)
	got = strings.NewReplacer(`"missing"`, "-", `"translated"`, "+", `"too long"`, "!").Replace(got)
	const want = `[{"Nom" +} {"deux\r\nlignes" +}] [{"" -} {"a \"b\"" +}] [{"=x" +} {"" -}] [{"\"c\"d" +} {"" -}]`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for _, text := range []string{"a\tb\tc", strings.Repeat("a\n", len(b.Rows)+1)} {
		if _, err := table.Paste(b, text); err == nil {
			t.Errorf("%.20q can be pasted", text)
		}
	}
	if _, err := table.Paste(b, strings.Repeat("x", translate.MaxBytes+1)); !errors.Is(err, translate.ErrTooLarge) {
		t.Errorf("a large text: %v", err)
	}
	run(t, e, now.Clear(whole(now)))
	if got := translations(e); got != `{"de":{"messages":{"custom":{},"errors":{}},"ending":null},"fr":{}}` {
		t.Errorf("all cleared: %s", got)
	}
}

// What was copied changes nothing where it was, and makes equal cells elsewhere.
func TestPasteOfCopy(t *testing.T) {
	for seed := range 10 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		say := func() string { return nastyText(r) }
		f := translated(t, randomForm(3, say), 6, r, 0.7, say)
		table := tableOf(f, nil)
		b := whole(table)
		w, err := table.Paste(b, table.Copy(b))
		if err != nil {
			t.Fatal(err)
		}
		if next, err := w.Do(editor.State{Form: f}); err != nil || next.Form != f {
			t.Fatalf("seed %d: the paste changed the form (%v)", seed, err)
		}
		from := translate.Block{Rows: table.Rows[2:9], Columns: []int{1, 3, 4}}
		to := translate.Block{Rows: table.Rows[7:14], Columns: []int{5, 0, 1}}
		if w, err = table.Paste(to, table.Copy(from)); err != nil {
			t.Fatal(err)
		}
		e := newEditor(f)
		run(t, e, w)
		now := tableOf(e.State().Form, nil)
		for i := range to.Rows {
			for j, l := range to.Columns {
				if got, want := now.Rows[7+i].Cells[l].Text, from.Rows[i].Cells[from.Columns[j]].Text; got != want {
					t.Fatalf("seed %d: pasted %q, want %q", seed, got, want)
				}
			}
		}
	}
}

// A form that could not be saved is not made.
func TestWriteKeepsLimits(t *testing.T) {
	f := parse(t, small)
	table := tableOf(f, nil)
	b := whole(table)
	row := strings.Repeat("x", schema.MaxBytes/8) + "\n"
	w, err := table.Paste(b, strings.Repeat(row, 9))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := w.Do(editor.State{Form: f}); err == nil || s.Form != f {
		t.Errorf("the form may be too large: %v", err)
	}
}

func TestSources(t *testing.T) {
	f := parse(t, small)
	table := tableOf(f, nil)
	records := translate.Adopt(nil, table)
	name := rowOf(t, table, "components.name.label")
	state := func(s *sources.Records, key string) string {
		return rowOf(t, tableOf(f, s), key).Cells[0].State.String()
	}
	if got := state(records, name.Key); got != "translated" {
		t.Errorf("after adoption %s", got)
	}
	f, _ = f.Set(name.At, "Full name")
	if got := state(records, name.Key); got != "stale" {
		t.Errorf("after an edit of the source %s", got)
	}
	if got := state(nil, name.Key); got != "translated" {
		t.Errorf("without records %s", got)
	}
	table = tableOf(f, records)
	if got := state(translate.Adopt(records, table), name.Key); got != "stale" {
		t.Errorf("adopted again: %s", got)
	}
	read, problems := sources.Read(records.Text())
	if len(problems) > 0 || state(read, name.Key) != "stale" || string(read.Text()) != string(records.Text()) {
		t.Errorf("read again: %v, %s", problems, read.Text())
	}
	renamed, err := translate.RenameLanguage{From: "de", To: "de-AT"}.Do(editor.State{Form: f})
	if err != nil {
		t.Fatal(err)
	}
	if got := rowOf(t, tableOf(renamed.Form, records.Renamed("de", "de-AT")), name.Key).Cells[0].State; got != translate.Stale {
		t.Errorf("renamed: %s", got)
	}
	row := rowOf(t, table, name.Key)
	block := translate.Block{Rows: []*translate.Row{row}, Columns: []int{0, 1}}
	if got := state(translate.Record(records, table.Confirm(block)), name.Key); got != "translated" {
		t.Errorf("confirmed: %s", got)
	}
	if got := state(translate.Record(records, table.SetText(row, 0, "Voller Name").Changes), name.Key); got != "translated" {
		t.Errorf("translated again: %s", got)
	}
	if got := state(records, name.Key); got != "stale" {
		t.Errorf("the old records have changed: %s", got)
	}
	if got := string(translate.Record(records, table.Clear(whole(table)).Changes).Text()); got != `{"version":1,"sources":{}}` {
		t.Errorf("all cleared: %s", got)
	}
	// The languages of a text may be of different sources.
	nom := table.SetText(row, 1, "Nom")
	next, err := nom.Do(editor.State{Form: f})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 { // the order of a map is random
		cells := rowOf(t, tableOf(next.Form, translate.Record(records, nom.Changes)), name.Key).Cells
		if cells[0].State != translate.Stale || cells[1].State != translate.Translated {
			t.Fatalf("of two sources: %v", cells)
		}
	}
	for _, src := range []string{``, `[]`, `{"version":2,"sources":{}}`, `{"version":1,` +
		`"sources":{"a":{"de":"x"}}}`, `{"version":1,"sources":{"a":{"de":1}}}`} {
		if s, problems := sources.Read([]byte(src)); s != nil || len(problems) == 0 {
			t.Errorf("%s is read", src)
		}
	}
}
