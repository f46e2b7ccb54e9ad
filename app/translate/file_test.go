package translate_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

var randomForms = flag.Int("forms", 0, "number of random forms whose files are written and read")

// format writes all languages of a table, and reads them.
type format struct {
	name  string
	write func(*translate.Table) ([][]byte, error)
	read  func([]byte) (*translate.File, error)
}

var formats = []format{
	{"CSV", one((*translate.Table).CSV), translate.ReadCSV},
	{"JSON", one((*translate.Table).JSON), translate.ReadJSON},
	{"XLIFF", func(t *translate.Table) ([][]byte, error) {
		var files [][]byte
		for i := range t.Languages {
			file, err := t.XLIFF(i, "form \"1\" & <2>")
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
		return files, nil
	}, translate.ReadXLIFF},
}

func one(write func(*translate.Table) ([]byte, error)) func(*translate.Table) ([][]byte, error) {
	return func(t *translate.Table) ([][]byte, error) {
		file, err := write(t)
		return [][]byte{file}, err
	}
}

// Files lose nothing: read into the same form they change nothing, and into the form without translations they restore all of them.
func TestFilesLoseNothing(t *testing.T) {
	for seed := range sizetest.Of(*randomForms, 5, 100) {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		say := func() string { return nastyText(r) }
		checkFiles(t, translated(t, randomForm(2, say), 40, r, 0.8, say))
	}
}

func TestFilesOfRealForms(t *testing.T) {
	for _, f := range realForms(t) {
		checkFiles(t, f)
	}
}

func checkFiles(t *testing.T, f *model.Form) {
	t.Helper()
	table := tableOf(f, nil)
	bare := editor.State{Form: f}
	for _, l := range table.Languages {
		var err error
		if bare, err = (editor.Clear{Path: schema.Path{schema.Key("translations"), schema.Key(l)}}).Do(bare); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range formats {
		files, err := format.write(table)
		if err != nil {
			t.Fatal(err)
		}
		s := bare
		for _, src := range files {
			file, err := format.read(src)
			if err != nil {
				t.Fatalf("%s: %v in\n%q", format.name, err, src)
			}
			plan, err := table.Plan(file)
			if err != nil {
				t.Fatalf("%s: %v", format.name, err)
			}
			if n := len(plan.Added) + len(plan.Changed) + len(plan.Outdated) + len(plan.Unknown) + len(plan.Languages); n > 0 {
				t.Fatalf("%s: the form would change: %v %v %v\n%q", format.name, plan.Added, plan.Changed, plan.Unknown, src)
			}
			if plan, err = tableOf(s.Form, nil).Plan(file); err != nil {
				t.Fatalf("%s: %v", format.name, err)
			}
			if s, err = plan.Write().Do(s); err != nil {
				t.Fatalf("%s: %v", format.name, err)
			}
		}
		restored := tableOf(s.Form, nil)
		rows := map[string]*translate.Row{}
		for _, r := range restored.Rows {
			rows[r.Key] = r
		}
		for l, language := range table.Languages {
			column := restored.Column(language)
			for _, r := range table.Rows {
				got := ""
				row := rows[r.Key]
				if _, own := schema.Lookup(f.Tree(), r.At); row == nil && !own {
					continue // a built-in message that the form cannot show, and has only because a language replaced it
				}
				if row != nil && column >= 0 {
					got = row.Cells[column].Text
				}
				if got != r.Cells[l].Text {
					t.Fatalf("%s: %s is %q in %s, want %q", format.name, r.Key, got, language, r.Cells[l].Text)
				}
			}
		}
	}
}

func TestPlan(t *testing.T) {
	f := parse(t, small)
	table := tableOf(f, nil)
	file, err := translate.ReadCSV([]byte("key,context,source,DE,it\r\n" +
		"components.go.config.text,,Go,Los,Via\r\n" +
		"components.name.label,,Old name,Der Name,\r\n" +
		"components.end.config.text,,Old,OK,\r\n" +
		"components.line.config.text,,Hello {{ fields.colour }},,\r\n" +
		"components.gone.label,,x,y,\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := table.Plan(file)
	if err != nil {
		t.Fatal(err)
	}
	said := func(list []translate.Change) string {
		var out []string
		for _, c := range list {
			out = append(out, fmt.Sprintf("%s %s=%s of %s", c.Row.Key, c.Language, c.Text, c.Source))
		}
		return strings.Join(out, "; ")
	}
	for _, tt := range []struct{ name, got, want string }{
		{"added", said(plan.Added), "components.go.config.text de=Los of Go; components.go.config.text it=Via of Go"},
		{"changed", said(plan.Changed), "components.name.label de=Der Name of Old name"},
		{"unchanged", said(plan.Unchanged), "components.end.config.text de=OK of Old"},
		{"outdated", said(plan.Outdated), "components.name.label de=Der Name of Old name"},
		{"languages", strings.Join(plan.Languages, " "), "it"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, tt.got, tt.want)
		}
	}
	if len(plan.Unknown) != 1 || plan.Unknown[0].Key != "components.gone.label" || plan.Unknown[0].Where != "line 6" {
		t.Errorf("unknown: %+v", plan.Unknown)
	}
	e := newEditor(f)
	run(t, e, plan.Write())
	now := tableOf(e.State().Form, translate.Record(nil, plan.Write().Changes))
	if got := fmt.Sprint(now.Languages, rowOf(t, now, "components.name.label").Cells, rowOf(t, now, "components.go.config.text").Cells); got !=
		"[de it fr] [{Der Name stale} { missing} { missing}] [{Los translated} {Via translated} { missing}]" {
		t.Errorf("after the import: %s", got)
	}
}

func TestBadFiles(t *testing.T) {
	const head = "key,context,source,de\n"
	const open = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de"><file id="f">`
	const end = `</file></xliff>`
	for _, tt := range []struct {
		format int
		src    string
		want   string
	}{
		{0, "", "line 1: must have the columns key, context, source"},
		{0, "key,source\n", "line 1: must begin with the columns key, context, source"},
		{0, "key,context,source,\"\",de\n", "line 1: column 4: must have a language"},
		{0, "key,context,source,de,DE\n", `line 1: the columns "de" and "DE" are of one language`},
		{0, head + "a,b,c,d,e\n", "line 2: must have 3 to 4 cells, has 5"},
		{0, head + "a,b\n", "line 2: must have 3 to 4 cells, has 2"},
		{0, head + "\"a\n\n\",b,c,d\n\na,b,\"c", "line 6: a quoted cell is not closed"},
		{0, head + "\na,b,\"c\"d", "line 3: a cell continues after its closing quote"},
		{0, head + "a,b,c\"d", "line 2: a cell with a quote must be quoted"},
		{0, head + "a,,,\nb,,,\na,,,", `line 4: the key "a" is also in line 2`},
		{0, head + "a,,,\n\xff", "line 3: must be UTF-8; save the file as UTF-8, in a spreadsheet as CSV UTF-8"},
		{0, strings.Repeat("x", translate.MaxBytes+1), "must have at most 16777216 bytes"},
		{1, "{\n]", "line 2: must have a property name here, has ']'"},
		{1, "{\n\n\"a\":{\"de\":1}}", "line 3: a.de: must be a string, is a number"},
		{1, `{"a":{},"a":{}}`, "line 1: a: is written more than once"},
		{1, `[]`, "line 1: must be an object, is a list"},
		{2, ``, "line 1: must be XLIFF 1.2, 2.0 or 2.1; save it in one of these versions"},
		{2, `<xliff version="1.1"/>`, "line 1: must be XLIFF 1.2, 2.0 or 2.1; save it in one of these versions"},
		{2, `<xliff version="1.2"/>`, "line 1: must name the source and the target language"},
		{2, `<xliff version="1.2"><file source-language="en"/></xliff>`, "line 1: must name the source and the target language"},
		{
			2, `<xliff version="1.2"><file source-language="en" target-language="de"/>` + "\n" + `<file source-language="en" target-language="fr"/></xliff>`,
			"line 2: must have the same source and target language in all its parts; send each language as a file of its own",
		},
		{
			2, `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en"/>`,
			"line 1: must name the source and the target language",
		},
		{2, "<!DOCTYPE xliff [\n<!ENTITY a \"b\">]>\n" + open + end, "line 2: must not have a document type"},
		{
			2, open + "\n<unit id=\"u1\" name=\"k\"><segment><source>&a;</source></segment></unit>" + end,
			"line 2, unit u1: must not have the character entity &a;",
		},
		{2, open + "\n<unit id=\"u1\"/>" + end, "line 2, unit u1: must have the name that it was exported with"},
		{
			2, open + `<unit id="u1" name="k"><segment><source><ph id="1" dataRef="d1"/></source></segment></unit>` + end,
			`line 1, unit u1: the placeholder "1" has no original data "d1"`,
		},
		{
			2, open + `<unit id="u1" name="k"><segment><source><pc id="1">x</pc></source></segment></unit>` + end,
			`line 1, unit u1: the text has the element <pc id="1">, and the file does not say what that stands for; ` +
				"save the file with the original text of tags and placeholders",
		},
		{
			2, open + `<unit id="u1" name="k"><segment><source><cp hex="41"/></source></segment></unit>` + end,
			`line 1, unit u1: the character "41" is not one that XML lacks`,
		},
		{
			2, open + `<unit id="u1" name="k"><segment><source/><target order="2"/></segment></unit>` + end,
			`line 1, unit u1: must not have segments in another order`,
		},
		{2, open + `<unit id="u1" name="k"/><unit id="u2" name="k"/>` + end, `line 1: unit u2: the key "k" is also in unit u1`},
		{2, open + strings.Repeat("<group>", 40), "line 1: must nest at most 32 deep"},
		{2, open + "<unit id=\"u1\" name=\"k\">" + strings.Repeat("<x>", 40), "line 1, unit u1: must nest at most 32 deep"},
		{2, open, "line 1: must not end before its elements do; get the whole file again"},
		{2, strings.Repeat("x", translate.MaxBytes+1), "must have at most 16777216 bytes"},
	} {
		_, err := formats[tt.format].read([]byte(tt.src))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%.80q:\n got %v\nwant %s", tt.src, err, tt.want)
		}
	}
	table := tableOf(parse(t, small), nil)
	for src, want := range map[string]string{
		`{"messages.custom.hi":{"a b":"x"}}`:         `the key messages.custom.hi: language "a b": must be a language tag such as de or pt-BR`,
		`{"messages.custom.hi":{"de":"x","DE":"y"}}`: `the key messages.custom.hi: language "de": must not have two texts`,
	} {
		file, err := translate.ReadJSON([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Plan(file); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
	if _, err := table.Plan(&translate.File{Source: "fr"}); err == nil {
		t.Error("a file that translates from another language is accepted")
	}
}

// A reader of RFC 4180 that is not ours reads the file, and no cell begins as a formula does.
func TestCSVIsSafe(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	say := func() string { return nastyText(r) }
	table := tableOf(translated(t, randomForm(3, say), 3, r, 0.8, say), nil)
	src, err := table.CSV()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(src, []byte("\ufeff")))).ReadAll()
	if err != nil || len(rows) != len(table.Rows)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	guarded := 0
	for _, row := range rows {
		for _, cell := range row {
			if strings.HasPrefix(cell, "'") {
				guarded++
			}
			if strings.IndexAny(strings.TrimLeft(cell, " "), "=+-@\t\r\n＝＋－＠") == 0 {
				t.Errorf("%q could be a formula", cell)
			}
		}
	}
	padded := tableOf(model.FromTree(object("messages", object("custom", object("k", " a ")))), nil)
	if src, err = padded.CSV(); err != nil || !strings.Contains(string(src), `," a "`) {
		t.Errorf("spaces at the ends are not quoted: %v, %q", err, src)
	}
	if guarded < 10 {
		t.Errorf("only %d cells begin with an apostrophe", guarded)
	}
}

// Spreadsheets save with other separators, without a byte order mark, and without empty cells at the end.
func TestCSVOfSpreadsheets(t *testing.T) {
	for _, src := range []string{
		"key;context;source;de\r\nk;c;s;\"a;b\"\r\n",
		"\"key\";\"context\";\"source\";\"de\"\nk;c;s;a;;\n;;;\n",
		"\ufeffkey\tcontext\tsource\tde\t\rk\tc\ts\ta",
		"key,context,source,de\nk,c,s,a\nl,c,s\n",
	} {
		file, err := translate.ReadCSV([]byte(src))
		if err != nil || file.Items[0].Key != "k" || len(file.Items[0].Translations) != 1 || file.Items[0].Text != "s" {
			t.Errorf("%q: %+v, %v", src, file, err)
		}
	}
}

func TestXLIFF(t *testing.T) {
	f := parse(t, small)
	table := tableOf(f, nil)
	src, err := table.XLIFF(0, "f")
	if err != nil {
		t.Fatal(err)
	}
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de">` +
		`<file id="f1" original="f" xml:space="preserve">
<unit id="u1" name="components.line.config.text"><notes><note category="context">a / Hello {{ fields.colour }} / text</note></notes>` +
		`<originalData><data id="d1">{{ fields.colour }}</data><data id="d2">{{fields.color}}</data></originalData>` +
		`<segment state="initial"><source>Hello <ph id="1" dataRef="d1" canCopy="no" canDelete="no"></ph></source>` +
		`<target>Hallo <ph id="2" dataRef="d2" canCopy="no" canDelete="no"></ph></target></segment></unit>`
	if !strings.HasPrefix(string(src), want) {
		t.Errorf("got  %.900s\nwant %s", src, want)
	}
	// Programs split units into segments, mark terms, and leave segments without a target.
	file, err := translate.ReadXLIFF([]byte(`<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:x="urn:x" version="2.0" ` +
		`srcLang="en" trgLang="de">
		<!-- c --><file id="f"><x:y><unit id="no"/></x:y><group id="g">
		<unit id="u1" name="k"><originalData><data id="d1">{{a}}</data></originalData>
		<segment><source>One <mrk id="m" type="term">two</mrk>.</source>
			<target>Eins <mrk id="m">zwei</mrk><sm id="s"/>.</target></segment>
		<ignorable><source> </source></ignorable>
		<segment><source><ph id="1" dataRef="d1"/>!</source><target>!<ph id="1" dataRef="d1"/></target></segment></unit>
		<unit id="u2" name="l"><segment><source>A</source><target>B</target></segment>
		<segment><source>C</source></segment></unit>
		</group></file></xliff>`))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, item := range file.Items {
		fmt.Fprintf(&got, "%s %s %q %q; ", item.Where, item.Key, item.Text, item.Translations)
	}
	if want := `unit u1 k "One two. {{a}}!" [{"de" "Eins zwei. !{{a}}"}]; unit u2 l "AC" []; `; got.String() != want {
		t.Errorf("read %s, want %s", got.String(), want)
	}
}

func fuzz(f *testing.F, of format) {
	f.Helper()
	r := rand.New(rand.NewPCG(1, 4))
	say := func() string { return nastyText(r) }
	form := model.FromTree(object("nodes", []any{object("id", "s", "type", "STEP", "config", object("components", []any{
		object("id", "a", "category", "FIELD", "type", "TEXT", "label", "A {{x}}", "config", object("placeholder", "=B")),
	}))}, "translations", object("de", object())))
	for range 5 {
		table := tableOf(translated(f, form, 2, r, 0.8, say), nil)
		files, err := of.write(table)
		if err != nil {
			f.Fatal(err)
		}
		for _, src := range files {
			f.Add(src)
		}
	}
	table := tableOf(form, nil)
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := of.read(src)
		if err != nil {
			return
		}
		plan, err := table.Plan(file)
		if err != nil {
			return
		}
		next, err := plan.Write().Do(editor.State{Form: form})
		if err != nil {
			return
		}
		// What was read is written and read again without a change.
		now := tableOf(next.Form, nil)
		files, err := of.write(now)
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range files {
			again, err := of.read(src)
			if err != nil {
				t.Fatalf("%v in %q", err, src)
			}
			p, err := now.Plan(again)
			if err != nil || len(p.Added)+len(p.Changed)+len(p.Unknown)+len(p.Outdated) > 0 {
				t.Fatalf("read again, %q changes the form: %+v, %v", src, p, err)
			}
		}
	})
}

func FuzzCSV(f *testing.F)   { fuzz(f, formats[0]) }
func FuzzJSON(f *testing.F)  { fuzz(f, formats[1]) }
func FuzzXLIFF(f *testing.F) { fuzz(f, formats[2]) }
