package languages_test

import (
	"cmp"
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/desktest"
	"github.com/formgraph/formgraph/app/desk/languages"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/charset/charsettest"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"name":"My Form","languages":{"primary":"en"},"start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","config":{"next_node":"$ending","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail","hint":"Sent to {{fields.mail}}"},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}],
	"translations":{"de":{"components":{"mail":{"label":"E-Mail"}}},"fr":{}}}`

func open(tb testing.TB, form string) *desktest.Desk {
	tb.Helper()
	names := func(tag string) string { return "<" + tag + ">" }
	return desktest.Open(tb, map[string]desk.Page{message.Languages: languages.New(names)}, message.Languages, form)
}

// translation returns the text at a path of a form.
func translation(d *desktest.Desk, path string) string {
	p, err := schema.ParsePath(path)
	if err != nil {
		panic(err)
	}
	v, _ := schema.Lookup(d.Form(), p)
	s, _ := v.(string)
	return s
}

func has(t *testing.T, d *desktest.Desk, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if !strings.Contains(d.HTML(), s) {
			t.Errorf("%s is missing in\n%s", s, d.HTML())
		}
	}
}

func typing(cell, text string) message.Event {
	return message.Event{On: "input", Do: "cell", Arg: cell, Text: text}
}

func key(text string) message.Event { return message.Event{On: "key", Do: "cell", Text: text} }

func TestCellsAreEdited(t *testing.T) {
	d := open(t, form)
	has(t, d, "&lt;de&gt;", `data-path="translations.de.components.mail.label"`, "1 of ", "Missing")
	d.Event(message.Event{On: "focus", Arg: "1:components.mail.hint"})
	d.Event(typing("1:components.mail.hint", "Envoyé"))
	if got := translation(d, "translations.fr.components.mail.hint"); got != "Envoyé" {
		t.Errorf("typed %q", got)
	}
	has(t, d, "The variables differ from those of the source")
	d.Event(key("Revert"))
	if got := translation(d, "translations.fr.components.mail.hint"); got != "" {
		t.Errorf("reverted to %q", got)
	}
	// The source is edited too, and a translation of it stays.
	d.Event(typing("-1:components.mail.label", "Mail"))
	if c, _, _ := model.FromTree(d.Form()).Component("mail"); c.Label != "Mail" || translation(d, "translations.de.components.mail.label") != "E-Mail" {
		t.Errorf("the source is %q", c.Label)
	}
	if got := d.Editor().UndoLabel(); got != "Edit label" {
		t.Errorf("the last step is %q", got)
	}
}

// Beside the table of a form with one language is what adds another one, unless there is no room. A person who may not change the form sees none.
func TestInvitesToAddALanguage(t *testing.T) {
	alone, _, _ := strings.Cut(form, `,
	"translations"`)
	d := open(t, alone+"}")
	const invited = "<h2>Add a language</h2>"
	view := func(width int, want bool) {
		t.Helper()
		d.Event(message.Event{On: "scroll", Width: width, Height: 700})
		if got := strings.Contains(d.HTML(), invited); got != want {
			t.Errorf("%d px: invites %t, want %t", width, got, want)
		}
	}
	view(1400, true)
	has(t, d, `style="left:628px"`, `data-do="add" data-arg="fr"`, `title="The share of the paths through the form that show this text"`, "All others see &lt;en&gt;.")
	view(768, true)
	view(690, false)
	view(390, false)
	has(t, d, "<span>Add a language</span>")
	view(1400, true)
	d.Press("add", "fr")
	view(1400, false)
}

// Each line says whose text it is, and a name that does not fit can be read.
func TestLinesAreNamed(t *testing.T) {
	d := open(t, `{"name":"f","start":{"next_node":"ask"},"nodes":[{"id":"ask","type":"STEP","config":{"next_node":"$ending","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail","hint":"Yours"},
		{"id":"land","category":"FIELD","type":"DROPDOWN","label":"Country","config":{"placeholder":"Choose","options":[{"label":"Germany","value":"DE"}]}},
		{"id":"a","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<h1>About <i>you</i></h1>"}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}],"translations":{"de":{}}}`)
	for _, name := range []string{"E-mail|: label", "E-mail|: hint", "Country|: label", "Country| › Germany", "Country|: placeholder", "About you|", "Continue|", "Not an e-mail address|"} {
		of, part, _ := strings.Cut(name, "|")
		want := `<span class="dk-of" title="` + of + part + `"><span>` + of + `</span>`
		if part != "" {
			want += `<span class="dk-part">` + part + `</span>`
		}
		has(t, d, want+`</span>`)
	}
	has(t, d, `aria-label="&lt;de&gt;, Label of E-mail"`, `aria-label="&lt;de&gt;, Text of Continue"`)
}

// A cell shows a rich text as people see it, and its control has the source. The name of the line has the first block.
func TestRichTextIsShown(t *testing.T) {
	d := open(t, `{"name":"f","start":{"next_node":"ask"},"nodes":[{"id":"ask","type":"STEP","config":{"next_node":"$ending","components":[
		{"id":"a","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<h2>Your account</h2><p>Read <a href=\"https://example.com\">the terms</a>, {{fields.name}}.</p>"}},
		{"id":"b","category":"BLOCK","type":"HTML","config":{"content":"<hr>"}},
		{"id":"c","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p></p>"}}]}}],
		"translations":{"de":{"components":{"a":{"config":{"content":"<h2>Ihr Konto</h2>"}}}}}}`)
	d.Event(message.Event{On: "press", Do: "pseudo"})
	has(t, d, `<span>Your account</span><span class="dk-part">: text</span>`,
		`lang="en"><b>Your account</b><i class="dk-next"> </i>Read <u>the terms</u>, {{fields.name}}.</span>`, `lang="de"><b>Ihr Konto</b></span>`,
		`data-value="&lt;h2&gt;Your account&lt;/h2&gt;`, `lang="en">&lt;hr&gt;</span>`, `lang="en">&lt;p&gt;&lt;/p&gt;</span>`)
	if strings.Contains(d.HTML(), ">&lt;h2&gt;") {
		t.Error("a cell shows tags")
	}
}

func TestCursorMoves(t *testing.T) {
	d := open(t, form)
	focus := func() string { return d.Screen.Text("focus") }
	d.Event(message.Event{On: "focus", Arg: "0:components.mail.label"})
	for _, x := range []struct{ key, focus string }{
		{"ArrowDown", "#dk-1-1"},
		{"ArrowRight", "#dk-1-2"},
		{"ArrowRight", "#dk-1-2"},
		{"Tab", "#dk-2-0"},
		{"Shift+Tab", "#dk-1-2"},
		{"Home", "#dk-1-0"},
		{"Enter", "#dk-2-0"},
		{"Shift+Enter", "#dk-1-0"},
		{"Ctrl+Home", "#dk-0-0"},
		{"Ctrl+ArrowRight", "#dk-0-2"},
	} {
		d.Event(key(x.key))
		if focus() != x.focus {
			t.Errorf("%s leads to %s, want %s", x.key, focus(), x.focus)
		}
	}
	// A block is copied, and cleared as one step.
	d.Event(message.Event{On: "focus", Arg: "0:components.mail.label"})
	d.Event(key("Shift+ArrowRight"))
	d.Event(key("Shift+ArrowDown"))
	if got := d.Screen.Text("clip"); got != "E-Mail\t\n\t\n" {
		t.Errorf("copied %q", got)
	}
	d.Event(key("Delete"))
	if got := translation(d, "translations.de.components.mail.label"); got != "" || d.Editor().UndoLabel() != "Clear translations" {
		t.Errorf("cleared: %q, %q", got, d.Editor().UndoLabel())
	}
}

func TestFilters(t *testing.T) {
	d := open(t, form)
	rows := func() int { return strings.Count(d.HTML(), `data-key="r:`) }
	all := rows()
	d.Event(message.Event{On: "input", Do: "search", Text: "e-MAIL"})
	if n := rows(); n == 0 || n == all {
		t.Errorf("%d of %d rows contain the text", n, all)
	}
	d.Event(message.Event{On: "input", Do: "search"})
	d.Press("filter", "missing")
	before := rows()
	d.Event(typing("0:components.go.config.text", "Weiter"))
	d.Event(typing("1:components.go.config.text", "Continuer"))
	if rows() != before {
		t.Error("a row went away while it was edited")
	}
	d.Press("filter", "missing")
	if rows() != before-1 {
		t.Error("a complete row is listed as missing")
	}
	d.Press("filter", "")
	d.Press("fold", "ask")
	if n := rows(); n >= all {
		t.Errorf("%d rows while a step is folded", n)
	}
}

// The dialog offers languages by their names, and takes a name, the beginning of one, or a tag.
func TestLanguageIsChosenByName(t *testing.T) {
	names := map[string]string{"en": "English", "de": "German", "fr": "French", "fr-CA": "Canadian French", "es": "Spanish", "es-MX": "Mexican Spanish", "pt": "Portuguese"}
	name := func(tag string) string { return cmp.Or(names[tag], "<"+tag+">") }
	for typed, want := range map[string]string{"spanish": "es", "Span": "es", "mex": "mex", "Mexi": "es-MX", "es-MX": "es-MX", "gsw": "gsw", "Portu": "pt"} {
		d := desktest.Open(t, map[string]desk.Page{message.Languages: languages.New(name)}, message.Languages, form)
		d.Press("open", "add")
		if n := strings.Count(d.HTML(), `data-do="add" data-arg="`); n != 8 || strings.Contains(d.HTML(), `data-arg="de"><span>`) {
			t.Errorf("%d offers in\n%s", n, d.HTML())
		}
		d.Event(message.Event{On: "input", Do: "language", Text: "french"})
		has(t, d, `data-arg="fr-CA"><span>Canadian French</span><code>fr-CA</code>`)
		if strings.Contains(d.HTML(), "Spanish") || strings.Contains(d.HTML(), "<span>French") {
			t.Errorf("it offers what was not typed, or what the form has:\n%s", d.HTML())
		}
		d.Event(message.Event{On: "input", Do: "language", Text: typed})
		if on := strings.Contains(d.HTML(), `<button class="on" type="button" data-do="add" data-arg="`+want+`"`); on != (want == "es" || want == "es-MX" || want == "pt") {
			t.Errorf("%s: what Enter adds is not marked:\n%s", typed, d.HTML())
		}
		d.Event(message.Event{On: "press", Do: "add", Text: typed})
		if !d.Form().Object("translations").Has(want) {
			t.Errorf("%s: the form has not %s", typed, want)
		}
	}
	d := desktest.Open(t, map[string]desk.Page{message.Languages: languages.New(name)}, message.Languages, form)
	d.Press("open", "add")
	d.Press("add", "es")
	if !d.Form().Object("translations").Has("es") || strings.Contains(d.HTML(), "dk-offers") {
		t.Error("a press did not add the language")
	}
	d.Press("open", "file")
	has(t, d, `<p class="dim">Cells of a spreadsheet`)
}

func TestLanguages(t *testing.T) {
	d := open(t, form)
	d.Press("open", "add")
	for input, want := range map[string]string{
		"de": "The form already has &lt;de&gt; (de).", "x y": "“x y” is not the tag of a language, such as de or pt-BR.", "": "Type the tag of a language",
	} {
		d.Event(message.Event{On: "press", Do: "add", Text: input})
		has(t, d, want)
	}
	d.Event(message.Event{On: "press", Do: "add", Text: " it "})
	if !d.Form().Object("translations").Has("it") || strings.Contains(d.HTML(), "role=\"dialog\"") {
		t.Error("the language was not added")
	}
	d.Press("open", "rename:de")
	d.Event(message.Event{On: "press", Do: "rename", Arg: "de", Text: "fr"})
	has(t, d, "The form already has &lt;fr&gt; (fr).")
	d.Event(message.Event{On: "press", Do: "rename", Arg: "en", Text: "de"})
	has(t, d, "The form already has &lt;de&gt; (de).")
	d.Event(message.Event{On: "press", Do: "rename", Arg: "de", Text: "de-AT"})
	if translation(d, `translations["de-AT"].components.mail.label`) != "E-Mail" {
		t.Error("the language was not renamed")
	}
	d.Press("open", "remove:de-AT")
	has(t, d, "Its only text goes with it. Undo brings it back.")
	d.Press("remove", "de-AT")
	if d.Form().Object("translations").Has("de-AT") {
		t.Error("the language was not removed")
	}
}

// A menu or dialog takes the focus. When it closes, the focus returns to the button that opened it or, if it was chosen from a menu, to the
// button of that menu.
func TestFocusFollowsAMenuAndBack(t *testing.T) {
	for opened, button := range map[string]string{
		"file": "file", "add": "add", "menu:de": "menu:de", "rename:de": "menu:de", "remove:de": "menu:de",
	} {
		d := open(t, form)
		d.Press("open", opened)
		if got := d.Screen.Text("focus"); !strings.HasPrefix(got, ".dk-dialog input, ") {
			t.Errorf("%s is open and the focus is on %q", opened, got)
		}
		d.Press("close", "")
		if got, want := d.Screen.Text("focus"), `[data-do=open][data-arg="`+button+`"]`; got != want {
			t.Errorf("%s is closed and the focus is on %q, want %q", opened, got, want)
		}
	}
}

// Each format is exported, and imported into the form without its translations.
func TestFilesRoundTrip(t *testing.T) {
	for _, format := range []string{"csv", "json", "xliff"} {
		d := open(t, form)
		d.Event(message.Event{On: "press", Do: format, Arg: "de"})
		file := d.Screen.Object("file")
		if !strings.HasPrefix(file.Text("name"), "my-form.translations") {
			t.Errorf("%s: the file is called %q", format, file.Text("name"))
		}
		other := open(t, strings.Replace(form, `"de":{"components":{"mail":{"label":"E-Mail"}}},`, `"de":{},`, 1))
		other.Event(message.Event{On: "file", Name: file.Text("name"), File: []byte(file.Text("text"))})
		has(t, other, "Import translations", "<b>1</b> new")
		other.Press("import", "")
		if got := translation(other, "translations.de.components.mail.label"); got != "E-Mail" {
			t.Errorf("%s: imported %q", format, got)
		}
	}
	for _, c := range charsettest.Of(charsettest.CSV, charsettest.XLIFF, charsettest.JSON) {
		d := open(t, form)
		d.Event(message.Event{On: "file", Name: "a" + c.Kind.Ending(), File: c.File})
		if c.Refused != "" {
			has(t, d, "This file cannot be imported", "a"+c.Kind.Ending()+": line ", html.EscapeString(c.Refused))
			continue
		}
		d.Press("import", "")
		if got := translation(d, "translations.es."+charsettest.Key); got != c.Text {
			t.Errorf("%s: imported %q, want %q", c.Name, got, c.Text)
		}
	}
	d := open(t, form)
	d.Event(message.Event{On: "file", Name: "a.csv"})
	has(t, d, "a.csv could not be read. Choose it again.")
	d.Press("close", "")
	for name, text := range map[string]string{"a.png": "x", "a.csv": "no,header\n1,2", "a.json": "{", "a.xlf": "<a>"} {
		d.Event(message.Event{On: "file", Name: name, File: []byte(text)})
		has(t, d, "This file cannot be imported", name)
		d.Press("close", "")
	}
}

// A translation becomes stale when its source changes, until somebody confirms it or translates it again.
func TestStale(t *testing.T) {
	before, _ := schema.Decode([]byte(form))
	changed := strings.Replace(form, `"label":"E-mail"`, `"label":"Your e-mail"`, 1)
	after, _ := schema.Decode([]byte(changed))
	text, err := languages.Records(model.FromTree(before.(*schema.Object)), model.FromTree(after.(*schema.Object)), "")
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, changed)
	d.Order(message.Order{Sources: text})
	d.Event(message.Event{On: "focus", Arg: "0:components.mail.label"})
	has(t, d, "1 stale", "has changed since this was translated", "<del>E-mail</del>", "<ins>Your e-mail</ins>", "Still right")
	d.Press("still", "")
	if strings.Contains(d.HTML(), "1 stale") {
		t.Error("a confirmed translation is stale")
	}
	last, err := message.ParseReport(d.Reports[len(d.Reports)-1])
	if err != nil || last.Sources == "" || last.Sources == text {
		t.Errorf("the records were not stored: %v", err)
	}
	// A save of a new translation makes it fresh as well.
	translated := strings.Replace(changed, `"label":"E-Mail"`, `"label":"Ihre E-Mail"`, 1)
	now, _ := schema.Decode([]byte(translated))
	if text, err = languages.Records(model.FromTree(after.(*schema.Object)), model.FromTree(now.(*schema.Object)), text); err != nil {
		t.Fatal(err)
	}
	d = open(t, translated)
	d.Order(message.Order{Sources: text})
	if strings.Contains(d.HTML(), "1 stale") || strings.Contains(text, "texts") {
		t.Errorf("a new translation is stale: %s", text)
	}
	d.Order(message.Order{Sources: "{"})
	if !strings.Contains(d.Said, "damaged") {
		t.Errorf("damaged records: %q", d.Said)
	}
}

// large returns a form with many texts and languages.
func large(texts, tongues int) string {
	var b strings.Builder
	b.WriteString(`{"name":"Large","start":{"next_node":"s0"},"nodes":[`)
	const each = 20
	for i := range texts / each {
		fmt.Fprintf(&b, `%s{"id":"s%d","type":"STEP","config":{"next_node":"s%d","components":[`, map[bool]string{true: ",", false: ""}[i > 0], i, i+1)
		for j := range each {
			fmt.Fprintf(&b, `%s{"id":"c%d_%d","category":"FIELD","type":"TEXT","label":"Question %d of step %d"}`, map[bool]string{true: ",", false: ""}[j > 0], i, j, j, i)
		}
		b.WriteString(`]}}`)
	}
	b.WriteString(`],"translations":{`)
	for l := range tongues {
		fmt.Fprintf(&b, `%s"x%c%c":{"components":{`, map[bool]string{true: ",", false: ""}[l > 0], 'a'+l/26, 'a'+l%26)
		for k := range texts {
			fmt.Fprintf(&b, `%s"c%d_%d":{"label":"Text %d in %d"}`, map[bool]string{true: ",", false: ""}[k > 0], k/each, k%each, k, l)
		}
		b.WriteString(`}}`)
	}
	b.WriteString(`}}`)
	return b.String()
}

// Only what is in view is drawn, whatever the size of the table, and the line with the focus.
func TestOnlyWhatIsInViewIsDrawn(t *testing.T) {
	d := open(t, large(2000, 40))
	d.Event(message.Event{On: "focus", Arg: "0:components.c0_0.label"})
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		d.Event(message.Event{On: "scroll", Left: r.IntN(12000), Top: r.IntN(75000), Width: 1440, Height: 800})
		if n := len(d.HTML()); n > 1<<20 {
			t.Fatalf("the screen has %d bytes", n)
		}
		if !strings.Contains(d.HTML(), `data-key="r:components.c0_0.label"`) {
			t.Fatal("the line with the focus went away")
		}
	}
}

func BenchmarkScroll(b *testing.B) {
	d := open(b, large(2000, 40))
	top := 0
	for b.Loop() {
		top = (top + 400) % 70000
		d.Event(message.Event{On: "scroll", Top: top, Width: 1440, Height: 800})
	}
}

func BenchmarkTyping(b *testing.B) {
	d := open(b, large(2000, 40))
	n := 0
	for b.Loop() {
		n++
		d.Event(typing("3:components.c5_5.label", fmt.Sprint(n)))
	}
}

// The language of the form has a menu, too: its tag and the language of all others can be changed.
func TestLanguageOfTheForm(t *testing.T) {
	d := open(t, form)
	languages := func() string { return string(schema.Encode(d.Form().Object("languages"))) }
	d.Press("open", "menu:en")
	has(t, d, "Change its tag", "Show it where no language fits")
	if s := d.HTML(); strings.Contains(s, "Remove the language") || strings.Contains(s, "Fill what is missing") {
		t.Errorf("the menu is %s", s)
	}
	d.Event(message.Event{On: "press", Do: "rename", Arg: "en", Text: "en-GB"})
	d.Press("default", "de")
	if got := languages(); got != `{"primary":"en-GB","default":"de"}` {
		t.Errorf("the languages are %s", got)
	}
	d.Press("open", "menu:de")
	has(t, d, `aria-checked="true" data-do="default" data-arg="de"`)
	d.Press("default", "en-GB")
	if got := languages(); got != `{"primary":"en-GB"}` {
		t.Errorf("the languages are %s", got)
	}
}

// A translation is found, whatever is filtered and folded.
func TestGoToATranslation(t *testing.T) {
	d := open(t, form)
	d.Press("fold", "ask")
	d.Event(message.Event{On: "input", Do: "search", Text: "nothing"})
	d.Order(message.Order{Page: message.Languages, Go: "translations.de.components.mail.label"})
	if s := d.Screen.Text("focus"); s != "#dk-0-1" {
		t.Errorf("the focus is on %q", s)
	}
	has(t, d, `data-path="translations.de.components.mail.label"`)
	d.Order(message.Order{Page: message.Languages, Go: "languages.primary"})
	if s := d.Screen.Text("focus"); s != `[data-do=open][data-arg="menu:en"]` {
		t.Errorf("the focus is on %q", s)
	}
}

// A block goes to the cells below and beside the cursor, as one step, and not into the source. What is cut is cleared.
func TestBlockIsPastedAndCut(t *testing.T) {
	d := open(t, form)
	paste := func(cell, text string) {
		d.Event(message.Event{On: "focus", Arg: cell})
		d.Event(message.Event{On: "paste", Text: text})
	}
	const label, hint = "components.mail.label", "components.mail.hint"
	steps := len(d.Editor().Steps())
	paste("-1:"+label, "Mine")
	if n := len(d.Editor().Steps()); n != steps {
		t.Errorf("a paste into the source is %d steps", n-steps)
	}
	paste("0:"+label, "Post\tPoste\nHinweis\tConseil\n")
	for path, want := range map[string]string{"de." + label: "Post", "fr." + label: "Poste", "de." + hint: "Hinweis", "fr." + hint: "Conseil"} {
		if got := translation(d, "translations."+path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if n := len(d.Editor().Steps()); n != steps+1 {
		t.Errorf("a paste is %d steps", n-steps)
	}
	d.Event(message.Event{On: "focus", Arg: "1:" + hint})
	d.Event(message.Event{On: "cut"})
	if got := translation(d, "translations.fr."+hint); got != "" || translation(d, "translations.de."+hint) != "Hinweis" {
		t.Errorf("after a cut the text is %q", got)
	}
}
