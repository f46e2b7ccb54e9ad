package atlas

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/schema"
)

// form returns the form of a JSON text.
func form(text string) *model.Form { return model.FromTree(previewtest.Tree(text).(*schema.Object)) }

// journey has a router, a flow, a way back, and a step that nobody reaches.
const journey = `{"name":"Trip <x>","languages":{"primary":"en"},"start":{"next_node":"a"},"ending":{"redirection":{"target":"https://x.example/done"}},
	"style":{"css":":root { --primary-color: red } </style><script>"},
	"translations":{"de":{"components":{"name":{"label":"Vorname"},"go":{"config":{"text":"Weiter"}}},
		"messages":{"errors":{"ERR_REQUIRED_PROPERTY":"Bitte ausfüllen."}}}},
	"nodes":[
	{"id":"lost","type":"STEP","alias":"Lost","config":{"components":[{"id":"lost_go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}]}},
	{"id":"c","type":"STEP","alias":"Third","config":{"next_node":"$ending","components":[
		{"id":"up","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"Back"}},
		{"id":"any","category":"FIELD","type":"TEXT","label":"Anything"},
		{"id":"end","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Finish"}}]}},
	{"id":"r","type":"ROUTER","alias":"Age","config":{"rules":[{"id":"old","alias":"Of age","condition":{"operator":"AND","operands":[
		{"operator":"GTE","operands":["{{fields.age}}",18]}]},"next_node":"c"}],"fallback":"f"}},
	{"id":"f","type":"FLOW","alias":"Tell","config":{"flow_id":"af_1","next_node":"b"}},
	{"id":"b","type":"STEP","alias":"Second","config":{"components":[
		{"id":"over","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Start again","next_node":"a"}}]}},
	{"id":"a","type":"STEP","alias":"First","config":{"next_node":"r","components":[
		{"id":"name","category":"FIELD","type":"TEXT","label":"First name","required":true,"config":{"min_length":3,"default_value":"Ana"}},
		{"id":"age","category":"FIELD","type":"NUMBER","label":"Age","required":true,"config":{"min_value":1}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}]}`

func style(t *testing.T) string {
	t.Helper()
	css, err := os.ReadFile("../../../web/static/preview.css")
	if err != nil {
		t.Fatal(err)
	}
	return string(css)
}

func write(t *testing.T, text string, o Options) string {
	t.Helper()
	o.Style = style(t)
	out, err := Write(t.Context(), form(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// parsed returns the document and its elements, those of templates included.
func parsed(t *testing.T, page string) []*html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var list []*html.Node
	each(doc, func(n *html.Node) { list = append(list, n) })
	return list
}

func texts(list []*html.Node, holds func(*html.Node) bool) []string {
	var out []string
	for _, n := range list {
		if holds(n) {
			out = append(out, strings.Join(strings.Fields(text(n)), " "))
		}
	}
	return out
}

func class(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(strings.Fields(attr(n, "class")), name) }
}

func TestStepsAreInTheOrderOfJourneys(t *testing.T) {
	var got []string
	for _, s := range order(form(journey)) {
		name := s.node.ID
		if !s.reachable {
			name += " unreachable"
		}
		got = append(got, name)
	}
	if want := []string{"a", "c", "b", "lost unreachable"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	list := parsed(t, write(t, journey, Options{}))
	if got, want := texts(list, func(n *html.Node) bool { return n.Data == "h2" }), []string{
		"Contents", "First", "Third", "Second", "Lost unreachable", "The ending",
	}; !slices.Equal(got, want) {
		t.Errorf("got the headings %q, want %q", got, want)
	}
	ids := map[string]bool{}
	for _, n := range list {
		ids[attr(n, "id")] = true
	}
	for _, n := range list {
		if href := attr(n, "href"); n.Namespace == "" && has(n, "href") && (!strings.HasPrefix(href, "#") || !ids[href[1:]]) {
			t.Errorf("a link leads to %q", href)
		}
	}
}

// The next node of a step without a button is not on a journey.
func TestStepsBehindNoButtonAreUnreachable(t *testing.T) {
	steps := order(form(`{"name":"x","start":{"next_node":"a"},"nodes":[
		{"id":"b","type":"STEP","config":{"components":[]}},{"id":"a","type":"STEP","config":{"components":[],"next_node":"b"}}]}`))
	if len(steps) != 2 || steps[0].node.ID != "a" || !steps[0].reachable || steps[1].reachable {
		t.Errorf("got %v", steps)
	}
}

func TestButtonsSayWhereTheyLead(t *testing.T) {
	list := parsed(t, write(t, journey, Options{}))
	got := texts(list, func(n *html.Node) bool {
		return n.Data == "ul" && attr(n, "class") == "ways" && n.Parent.Data == "header"
	})
	want := []string{
		"Continue → leads to Router Age if Of age → leads to Step Third otherwise → leads to Flow Tell →, then Step Second",
		"Back → leads to the step before Finish → leads to the ending",
		"Start again → leads to Step First",
		"Go → leads to nowhere yet",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !slices.Contains(texts(list, class("note")), "The form ends, and the browser goes to https://x.example/done.") {
		t.Error("the ending does not say where it leads")
	}
}

// A router that leads to itself is described once.
// What earlier steps supply is named where it is shown, unless the form has a text for its absence.
func TestMissingValuesAreNamed(t *testing.T) {
	page := write(t, `{"name":"N","languages":{"primary":"en"},"nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"hi","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p>Hello {{ fields.name }}, {{vars.age ?? 'any'}} years</p>"}},
		{"id":"mail","category":"FIELD","type":"TEXT","label":"To {{context.to}}","config":{"default_value":"{{vars.mail}}"}}]}}]}`, Options{})
	for _, want := range []string{"Hello [fields.name], any years", "To [context.to]"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(page, "[vars.mail]") {
		t.Error("an undefined default is in the control")
	}
}

// Whatever a respondent types, a screen has the elements and attributes that the author wrote, and shows what was typed.
func TestAnswersAreText(t *testing.T) {
	authored := []string{
		"<p>Hello {{vars.v}}</p>", "{{vars.v}}", "<p title=\"{{vars.v}}\">x</p>", "<p title='{{vars.v}}'>x</p>", "<p title={{vars.v}}>x</p>",
		"<table><tr><td>{{vars.v}}", "<style>p{content:{{vars.v}}}</style><i>x</i>", "<textarea>{{vars.v}}</textarea>", "<a href=\"{{vars.v}}\">x</a>",
	}
	typed := []string{
		"Ada <ada@example.test>", "a<b", "&amp;", "&lt;b&gt;", "<img src=x onerror=alert(1)>", `"><b>`, `' onclick='a`, "a title=b onclick=c", "</p><h2>",
		"</style><b>", "</textarea><b>", "a/>", "}*{x:y}", "javascript:alert(1)", "<!--", "]]>", "<p>", "{{vars.v}}", "[1,2]",
	}
	draw := func(component, v string) (elements []string, words string) {
		f := form(`{"name":"f","start":{"next_node":"a"},"nodes":[{"id":"a","type":"STEP","config":{"components":[` + component + `]}}]}`)
		in := run.Input{Vars: schema.NewObject(schema.Member{Key: "v", Value: v})}
		a := &atlas{program: run.NewProgram(f)}
		page := finish(a.draw(a.program.Begin(in), f.Nodes[0], "en"), "s-", true)
		for _, n := range parsed(t, page) {
			e := n.Data
			for _, a := range n.Attr {
				e += " " + a.Key
				words += a.Val + "\n"
			}
			elements = append(elements, e)
			if n.Data == "body" {
				words += text(n)
			}
		}
		return elements, words
	}
	for _, html := range authored {
		encoded := string(schema.Encode(html))
		for _, component := range []string{
			`{"id":"x","category":"BLOCK","type":"HTML","config":{"content":` + encoded + `}}`,
			`{"id":"x","category":"BLOCK","type":"RICH_TEXT","config":{"content":` + encoded + `}}`,
			`{"id":"x","category":"FIELD","type":"LEGAL","config":{"text":` + encoded + `}}`,
			`{"id":"x","category":"FIELD","type":"TEXT","label":"a","hint":` + encoded + `}`,
		} {
			harmless, _ := draw(component, "harmless")
			tag, _ := draw(component, "<") // a hint is a paragraph for the script of the frame then
			for _, v := range typed {
				got, words := draw(component, v)
				want := harmless
				if strings.HasPrefix(v, "<") {
					want = tag
				}
				if shown := strings.Contains(html, "style") || strings.Contains(html, "href"); !slices.Equal(got, want) || !shown && !strings.Contains(words, v) {
					t.Errorf("%s with %s: got %v, want %v: %s", component, v, got, want, words)
				}
			}
		}
	}
}

func TestWaysOfACycleEnd(t *testing.T) {
	const cycle = `{"name":"x","start":{"next_node":"a"},"nodes":[{"id":"a","type":"STEP","config":{"next_node":"r","components":[
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","alias":"x","next_node":"r"}],"fallback":"missing"}}]}`
	got := texts(parsed(t, write(t, cycle, Options{})), class("ways"))
	want := "Go → leads to Router r if x → leads to Router r, as above otherwise → leads to a node that does not exist: missing"
	if len(got) == 0 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Each state of a step is shown in each language: with the default values, with the refusals of nothing, and with those of wrong answers.
func TestStatesOfAStep(t *testing.T) {
	list := parsed(t, write(t, journey, Options{}))
	if got, want := texts(list, func(n *html.Node) bool { return n.Data == "h3" && has(n, "slot") }), []string{
		"As first asked", "Nothing answered", "Wrong answers", "As first asked", "As first asked", "As first asked",
	}; !slices.Equal(got, want) {
		t.Errorf("got the rows %q, want %q", got, want)
	}
	cells := slices.DeleteFunc(slices.Clone(list), func(n *html.Node) bool { return !class("fg-cell")(n) })
	if len(cells) != 12 {
		t.Fatalf("got %d screens, want 12", len(cells))
	}
	for i, want := range []struct{ words, value string }{
		{"First name Age Continue", "Ana"},
		{"Vorname Age Weiter", "Ana"},
		{"First name Please answer this question. Age Please answer this question. Continue", ""},
		{"Vorname Bitte ausfüllen. Age Bitte ausfüllen. Weiter", ""},
		{"First name Please enter 3 or more characters. Age Please enter a number that is at least 1. Continue", "aa"},
		{"Vorname Please enter 3 or more characters. Age Please enter a number that is at least 1. Weiter", "aa"},
	} {
		value := ""
		each(cells[i], func(n *html.Node) {
			if n.Data == "input" && strings.HasSuffix(attr(n, "name"), "-name") {
				value = attr(n, "value")
			}
		})
		var words []string
		each(cells[i], func(n *html.Node) {
			if n.FirstChild != nil && n.FirstChild.Type == html.TextNode {
				words = append(words, text(n))
			}
		})
		if got := strings.Join(words, " "); got != want.words || value != want.value {
			t.Errorf("screen %d: got %q with %q, want %q with %q", i, got, value, want.words, want.value)
		}
	}
	if got := texts(list, class("note")); !slices.Contains(got, "This step can be left with nothing answered.") ||
		!slices.Contains(got, "No button of this step checks answers.") {
		t.Errorf("got the notes %q", got)
	}
}

// The screens of a step are in one tree, so what connects their elements must be different in each.
func TestScreensShareNoIDs(t *testing.T) {
	for _, n := range parsed(t, write(t, journey, Options{})) {
		if n.Data != "template" {
			continue
		}
		seen := map[string]bool{}
		each(n, func(e *html.Node) {
			for _, key := range []string{"id", "name"} {
				if v := attr(e, key); v != "" && e.Data != "slot" {
					if seen[key+v] {
						t.Errorf("two elements have the %s %s", key, v)
					}
					seen[key+v] = true
				}
			}
		})
		each(n, func(e *html.Node) {
			for _, key := range []string{"for", "aria-describedby", "aria-labelledby"} {
				for id := range strings.FieldsSeq(attr(e, key)) {
					if !seen["id"+id] {
						t.Errorf("%s names %s, which is not there", key, id)
					}
				}
			}
		})
	}
}

// Languages are shown by name, with the rest of their tags.
func TestLanguageName(t *testing.T) {
	for tag, want := range map[string]string{"de": "German", "PT-br": "Portuguese (br)", "zh_Hant": "Chinese (Hant)", "tlh": "tlh", "": ""} {
		if got := languageName(tag); got != want {
			t.Errorf("%s is named %s, want %s", tag, got, want)
		}
	}
	if got := write(t, journey, Options{}); !strings.Contains(got, "<dd><bdi>English</bdi>, <bdi>German</bdi></dd>") {
		t.Error("the page does not name its languages")
	}
}

func TestLanguagesAndDate(t *testing.T) {
	if got := write(t, journey, Options{Languages: []string{"DE"}}); strings.Contains(got, "First name") || !strings.Contains(got, "Vorname") {
		t.Error("not in the language alone")
	}
	if a, b := write(t, journey, Options{}), write(t, journey, Options{}); a != b || strings.Contains(a, "<dt>Date") {
		t.Error("the same form gives different files")
	}
	if got := write(t, journey, Options{Date: "2026-01-31"}); !strings.Contains(got, "<dd>2026-01-31</dd>") {
		t.Error("the date is missing")
	}
	_, err := Write(t.Context(), form(journey), Options{Languages: []string{"fr"}})
	if !errors.Is(err, ErrLanguage) || !strings.Contains(err.Error(), "fr; it has en, de") {
		t.Errorf("got %v", err)
	}
	for _, broken := range []string{`{}`, `{"nodes":[1,{"type":"STEP"},{"id":"x","type":"STEP","config":3}]}`} {
		if got := write(t, broken, Options{}); !strings.Contains(got, "A form without a name") {
			t.Errorf("%s: got %s", broken, got)
		}
	}
}

// The file has a policy before anything else, and no element or attribute that could run, request or navigate, whatever the kind.
func TestFileIsInert(t *testing.T) {
	var components [][]byte
	for _, s := range previewtest.Samples() {
		components = append(components, schema.Encode(s.Item.Component.Tree()))
	}
	text := strings.Replace(journey, `"components":[`, `"components":[`+string(bytes.Join(components, []byte(",")))+`,`, 1)
	page := write(t, text, Options{})
	list := parsed(t, page)
	if !strings.HasPrefix(page, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ") {
		t.Errorf("the policy is not first: %.200s", page)
	}
	metas := 0
	for _, n := range list {
		if n.Data == "meta" {
			metas++
		}
		if slices.Contains(strings.Fields("script link base iframe frame object embed form"), n.Data) {
			t.Errorf("there is an element %s", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "action" || a.Key == "ping" || a.Key == "target" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") ||
				a.Key == "src" && !strings.HasPrefix(a.Val, "data:") || scripted[a.Key] {
				t.Errorf("there is an attribute %s=%q of %s", a.Key, a.Val, n.Data)
			}
		}
	}
	if metas != 5 || strings.Contains(page, "SECRET") || !strings.Contains(page, "<title>Trip &lt;x&gt;: every screen</title>") {
		t.Errorf("%d meta elements, or a secret, or another title", metas)
	}
}

// Paper shows no closed list: the options stand below it, in the first state.
func TestDropdownsListTheirOptions(t *testing.T) {
	var components []string
	for _, s := range previewtest.Samples() {
		if slices.Contains([]string{"dropdown", "long dropdown", "telephone with a country"}, s.Name) {
			components = append(components, string(schema.Encode(s.Item.Component.Tree())))
		}
	}
	page := write(t, strings.Replace(journey, `"components":[{"id":"lost_go"`, `"components":[`+strings.Join(components, ",")+`,{"id":"lost_go"`, 1), Options{Languages: []string{"en"}})
	list := parsed(t, page)
	got := texts(list, class("fg-options"))
	if len(got) != 2 || got[0] != "SmallMediumLarge" || !strings.HasPrefix(got[1], "AccountingCaf") {
		t.Errorf("got %q", got)
	}
	if strings.Contains(page, "+1684") {
		t.Error("the countries are listed")
	}
	if chosen := texts(list, class("af-dropdown-text")); !slices.Equal(chosen, []string{"Choose", "+", "Choose", "+", "Accounting", "+"}) {
		t.Errorf("the lists show %q", chosen)
	}
}

// A file that would be too large is not written, nor one that nobody waits for; what is drawn ends soon after the bound.
func TestBounds(t *testing.T) {
	o := Options{Style: style(t)}
	whole, err := Write(t.Context(), form(journey), o)
	if err != nil {
		t.Fatal(err)
	}
	o.MaxBytes = len(whole)
	if got, err := Write(t.Context(), form(journey), o); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("a file of exactly the bound is refused: %v", err)
	}
	for _, n := range []int{1, len(whole) / 2, len(whole) - 1} {
		o.MaxBytes = n
		if got, err := Write(t.Context(), form(journey), o); got != nil || !errors.Is(err, ErrTooLarge) {
			t.Errorf("%d of %d bytes: got %d bytes, %v", n, len(whole), len(got), err)
		}
	}
	f := form(`{"name":"x","start":{"next_node":"a"},"nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"h","category":"BLOCK","type":"HTML","config":{"content":"<p>` + strings.Repeat("a", 1000) + `</p>"}}]}}]}`)
	languages := slices.Repeat([]string{"en"}, 100)
	a := &atlas{form: f, program: run.NewProgram(f), languages: languages, limit: 10_000}
	if _, err := a.step(t.Context(), 1, found{f.Nodes[0], true}); !errors.Is(err, ErrTooLarge) || a.size > 12_000 {
		t.Errorf("%d bytes were drawn, %v", a.size, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := Write(ctx, form(journey), Options{}); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got %d bytes, %v", len(got), err)
	}
}

// A word of the name with a hyphen is whole, so that it does not break at the hyphen while a line has room for it.
func TestNameBreaksBetweenWords(t *testing.T) {
	page := write(t, `{"name":"Sign-up  with <b> e-mail","nodes":[]}`, Options{})
	if want := `<h1><span>Sign-up</span> with &lt;b&gt; <span>e-mail</span></h1>`; !strings.Contains(page, want) {
		t.Errorf("the page lacks %s", want)
	}
}
