package translate_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/app/translate/sources"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

func TestTable(t *testing.T) {
	table := tableOf(parse(t, small), nil)
	if table.Source != "en" || strings.Join(table.Languages, " ") != "de fr" {
		t.Errorf("languages %s and %s", table.Source, table.Languages)
	}
	var got []string
	for _, g := range table.Groups {
		got = append(got, fmt.Sprintf("%s %.2g", g.Name(), g.Weight))
		for _, r := range g.Rows {
			got = append(got, fmt.Sprintf("  %s %s [%s] %s: %s = %s (%s), "+
				"%.2g", r.Key, r.At, r.Icon(), r.Property, r.Text, r.Cells[0].Text, r.Cells[0].State, r.Weight))
		}
	}
	want := []string{
		"a 1",
		"  components.line.config.text nodes[3].config.components[0].config.text [divider] text: Hello {{ fields.colour }} = Hallo " +
			"{{fields.color}} (templates differ), 1",
		"  components.name.label nodes[3].config.components[1].label [text] label: Name = Name der Person (translated), 1",
		"  components.name.hint nodes[3].config.components[1].hint [text] hint: In full = " + longHint + " (too long), 1",
		"  components.go.config.text nodes[3].config.components[2].config.text [next] text: Go =  (missing), 1",
		"Second 0.5",
		"  components.colour.label nodes[1].config.components[0].label [choice] label: Colour =  (missing), 0.5",
		"  components.colour.config.options.r.label nodes[1].config.components[0].config.options[0].label [choice] options r: " +
			"label: Red =  (missing), 0.5",
		"  components.colour.config.options.g.label nodes[1].config.components[0].config.options[1].label [choice] options g: " +
			"label: Green = Grün (translated), 0.5",
		"  components.end.config.text nodes[1].config.components[1].config.text [next] text: OK = OK (same as the source), 0.5",
		"lost 0",
		"  components.x.config.text nodes[0].config.components[0].config.text [divider] text: Nobody =  (missing), 0",
		"Messages 1",
		"  messages.custom.hi messages.custom.hi [] custom: hi: Hi =  (missing), 1",
		"  messages.errors.ERR_INVALID_INPUT messages.errors.ERR_INVALID_INPUT [] errors: ERR_INVALID_INPUT: This answer cannot be used here. " +
			"Please check it. =  (missing), 1",
		"  messages.errors.ERR_INVALID_OPTION messages.errors.ERR_INVALID_OPTION [] errors: ERR_INVALID_OPTION: Please choose one " +
			"of the options shown. =  (missing), 0.5",
		"  messages.errors.ERR_TOO_MANY_OPTIONS messages.errors.ERR_TOO_MANY_OPTIONS [] errors: ERR_TOO_MANY_OPTIONS: Please choose " +
			"only one option. =  (missing), 0.5",
	}
	if got, want := strings.Join(got, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for key, want := range map[string]string{
		"components.name.label":                    "translations.de.components.name.label",
		"components.go.config.text":                "translations.de.components.go.config.text",
		"components.colour.config.options.g.label": "translations.de.components.colour.config.options[0].label",
		"components.colour.config.options.r.label": "translations.de.components.colour.config.options[1].label",
		"messages.custom.hi":                       "translations.de.messages.custom.hi",
	} {
		if got := table.Path(rowOf(t, table, key), 0).String(); got != want {
			t.Errorf("%s is at %s, want %s", key, got, want)
		}
	}
}

func rowOf(tb testing.TB, t *translate.Table, key string) *translate.Row {
	tb.Helper()
	for _, r := range t.Rows {
		if r.Key == key {
			return r
		}
	}
	tb.Fatalf("no row %s", key)
	return nil
}

// Components that share an id share their translations, so the first one has the rows.
func TestSharedIDs(t *testing.T) {
	const step = `{"id":%q,"type":"STEP","config":{"components":[{"id":"x","category":"BLOCK","type":"DIVIDER","config":{"text":%q}}]}}`
	f := parse(t, `{"start":{"next_node":"b"},"nodes":[`+fmt.Sprintf(step+","+step, "a", "not met", "b", "met")+`]}`)
	if rows := tableOf(f, nil).Rows; len(rows) != 1 || rows[0].Text != "met" {
		t.Errorf("%d rows, of %q", len(rows), rows[0].Text)
	}
}

func TestTemplates(t *testing.T) {
	for _, tt := range []struct {
		source, translation string
		want                translate.State
	}{
		{"{{ a }} x", "y {{a}}", translate.Translated},
		{"{{a}}{{b}}", "{{b}}{{a}}{{b}}", translate.Translated},
		{"{{a}}", "a", translate.LostTemplate},
		{"a", "{{a}}", translate.LostTemplate},
		{"{{a}}", "{{a}} {{b}}", translate.LostTemplate},
		{"{{a", "{{b", translate.Translated},
	} {
		f := model.FromTree(object("messages", object("custom", object("k", tt.source)),
			"translations", object("de", object("messages", object("custom", object("k", tt.translation))))))
		if got := tableOf(f, nil).Rows[0].Cells[0].State; got != tt.want {
			t.Errorf("%q as %q is %s, want %s", tt.source, tt.translation, got, tt.want)
		}
	}
}

func TestCoverage(t *testing.T) {
	c := tableOf(parse(t, small), nil).Coverage(0)
	if c.Texts != 13 || c.States != [...]int{8, 1, 1, 0, 1, 2} {
		t.Errorf("%+v", c)
	}
	if got := fmt.Sprintf("%.4f %.4f", c.Share(), c.Seen()); got != fmt.Sprintf("%.4f %.4f", 3.0/13, 2.0/9) {
		t.Errorf("shares %s of %+v", got, c)
	}
	empty := tableOf(parse(t, `{"translations":{"de":{}}}`), nil).Coverage(0)
	if empty.Share() != 1 || empty.Seen() != 1 {
		t.Errorf("of nothing %v is covered, %v of what is seen", empty.Share(), empty.Seen())
	}
}

// Each row's paths lead to its text and its translations, and a run shows what the table does.
func TestTableEqualsRun(t *testing.T) {
	for i := range 20 {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		say := func() string { return nastyText(r) }
		checkRun(t, translated(t, randomForm(3, say), 5, r, 0.6, say))
	}
}

func TestRealForms(t *testing.T) {
	for _, f := range realForms(t) {
		checkRun(t, f)
	}
}

func realForms(t *testing.T) []*model.Form {
	t.Helper()
	var forms []*model.Form
	for _, file := range realforms.Files(t) {
		d, _, _ := envelope.Read(file.Text)
		if d.Form == nil {
			t.Fatalf("%s is no form", file.Name)
		}
		forms = append(forms, d.Form)
	}
	return forms
}

func checkRun(t *testing.T, f *model.Form) {
	t.Helper()
	table := tableOf(f, nil)
	seen := map[string]bool{}
	for _, r := range table.Rows {
		if v, ok := schema.Lookup(f.Tree(), r.At); v != r.Text && (ok || r.Component != nil) {
			t.Fatalf("%s is %q at %s, not %q", r.Key, v, r.At, r.Text)
		}
		if seen[r.Key] {
			t.Fatalf("two rows have the key %s", r.Key)
		}
		seen[r.Key] = true
		for l, c := range r.Cells {
			p := table.Path(r, l)
			v, _ := schema.Lookup(f.Tree(), p)
			if s, _ := v.(string); s != c.Text {
				t.Fatalf("%s in %s is %q at %s, not %q", r.Key, table.Languages[l], s, p, c.Text)
			}
			if seen[p.String()] {
				t.Fatalf("two texts have the path %s", p)
			}
			seen[p.String()] = true
			want := c.Text
			if want == "" {
				want = r.Text
			}
			texts := answer.In(f, table.Languages[l])
			var got any
			switch at := model.PlaceOf(r.At); {
			case r.Component != nil:
				got, _ = schema.Lookup(texts.Component(r.Component), at.Rest)
			case r.At[1].Key == "custom":
				got, _ = texts.Custom(r.At[2].Key)
			default:
				got = texts.Error(answer.Key(r.At[2].Key))
			}
			if texts.Language() == table.Languages[l] && got != want {
				t.Fatalf("a run shows %q for %s in %s, the table %q", got, r.Key, table.Languages[l], want)
			}
		}
	}
}

// A builder that has made tables of other states makes the same table as a new one, and keeps rows that do not change.
func TestBuilderEqualsNew(t *testing.T) {
	for seed := range sizetest.Of(0, 3, 60) {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		say := func() string { return nastyText(r) }
		s := editor.State{Form: translated(t, randomForm(4, say), 4, r, 0.5, say)}
		var b translate.Builder
		var records *sources.Records
		last := b.Table(s.Form, records)
		for range 60 {
			var cmd editor.Command
			row := last.Rows[r.IntN(len(last.Rows))]
			column := r.IntN(len(last.Languages))
			switch r.IntN(12) {
			default:
				w := last.SetText(row, column, []string{"", say(), row.Text}[r.IntN(3)])
				records = translate.Record(records, w.Changes)
				cmd = w
			case 0:
				records = translate.Adopt(records, last)
			case 1, 2:
				cmd = editor.Set{Path: row.At, Value: say()}
			case 3:
				cmd = translate.AddLanguage{Language: fmt.Sprint("n", r.IntN(1000))}
			case 4:
				if len(last.Languages) > 2 {
					cmd = translate.RemoveLanguage{Language: last.Languages[column]}
				}
			case 5:
				if n := s.Form.Nodes; len(n) > 1 {
					cmd = editor.RemoveNodes{IDs: []string{n[r.IntN(len(n))].ID}, Join: true}
				}
			case 6:
				nodes := s.Form.Tree().List("nodes")
				cmd = editor.MoveItem{List: schema.Path{schema.Key("nodes")}, From: r.IntN(len(nodes)), To: r.IntN(len(nodes))}
			case 7:
				cmd = editor.Set{Path: schema.Path{schema.Key("start"), schema.Key("next_node")}, Value: s.Form.Nodes[r.IntN(len(s.Form.Nodes))].ID}
			case 8:
				records = translate.Record(records, last.Confirm(translate.Block{Rows: []*translate.Row{row}, Columns: []int{column}}))
			}
			if cmd != nil {
				if next, err := cmd.Do(s); err == nil {
					s = next
				}
			}
			now, want := b.Table(s.Form, records), tableOf(s.Form, records)
			if got, want := described(now), described(want); got != want {
				t.Fatalf("seed %d, after %T: got\n%s\nwant\n%s", seed, cmd, got, want)
			}
			last = now
		}
	}
}

// described returns everything that a table tells.
func described(t *translate.Table) string {
	var b strings.Builder
	fmt.Fprintln(&b, t.Source, t.Languages)
	for _, g := range t.Groups {
		fmt.Fprintln(&b, g.Name(), g.Weight, len(g.Rows))
	}
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "%q %s %q %q %d %v %q %t\n", r.Key, r.At, r.Property, r.Text, r.Max, r.Weight, r.Cells, r.Component == nil)
		for l := range t.Languages {
			fmt.Fprintln(&b, t.Path(r, l))
		}
	}
	return b.String()
}

func TestBuilderKeepsRows(t *testing.T) {
	var b translate.Builder
	f := parse(t, small)
	before := b.Table(f, nil)
	row := rowOf(t, before, "components.go.config.text")
	next, err := before.SetText(row, 1, "Allez").Do(editor.State{Form: f})
	if err != nil {
		t.Fatal(err)
	}
	after := b.Table(next.Form, nil)
	for i, r := range after.Rows {
		if changed := r != before.Rows[i]; changed != (r.Key == row.Key) {
			t.Errorf("%s is another row: %t", r.Key, changed)
		}
	}
	if reflect.DeepEqual(row, after.Rows[3]) || row.Cells[1].Text != "" {
		t.Error("the old row has changed")
	}
}

func large(tb testing.TB) *model.Form {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	n := 0
	say := func() string {
		n++
		return fmt.Sprintf("Question %d", n) + []string{"", "", "", " {{vars.a}}"}[n%4]
	}
	f := translated(tb, randomForm(250, say), 40, r, 0.8, say)
	if got := len(tableOf(f, nil).Rows); got < 2000 {
		tb.Fatalf("%d texts, want 2000", got)
	}
	return f
}

func BenchmarkTable(b *testing.B) {
	f := large(b)
	records := translate.Adopt(nil, tableOf(f, nil))
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			tableOf(f, records)
		}
	})
	var builder translate.Builder
	t := builder.Table(f, records)
	states := make([]*model.Form, 2)
	for i := range states {
		s, err := t.SetText(t.Rows[1000], 20, fmt.Sprint("Text ", i)).Do(editor.State{Form: f})
		if err != nil {
			b.Fatal(err)
		}
		states[i] = s.Form
	}
	b.Run("edit", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			builder.Table(states[i%2], records)
		}
	})
	b.Run("source", func(b *testing.B) {
		at := t.Rows[1000].At
		for i := range states {
			states[i], _ = f.Set(at, fmt.Sprint("Source ", i))
		}
		for i := 0; b.Loop(); i++ {
			builder.Table(states[i%2], records)
		}
	})
	b.Run("coverage", func(b *testing.B) {
		for b.Loop() {
			for l := range t.Languages {
				t.Coverage(l)
			}
		}
	})
}
