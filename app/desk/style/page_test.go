package style_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/desktest"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/desk/style"
)

const form = `{"name":"f","nodes":[{"id":"ask","type":"STEP","config":{"components":[{"id":"a","category":"FIELD","type":"TEXT","label":"Name"}]}}],
	"style":{"css":":root {\n  --primary-color: #ffe000;\n}\n.x { color: #fff }\n"}}`

func open(t *testing.T) *desktest.Desk {
	t.Helper()
	return desktest.Open(t, map[string]desk.Page{message.Style: style.New()}, message.Style, form)
}

func TestCSSIsColored(t *testing.T) {
	d := open(t)
	for _, want := range []string{
		`<span class="se">:root </span>`, `<span class="pr">`, `<span class="hx">#ffe000</span>`, "Text on the accent: 1.3:1 in the light theme. People",
	} {
		if !strings.Contains(d.HTML(), want) {
			t.Errorf("%s is missing in\n%s", want, d.HTML())
		}
	}
}

func TestVariables(t *testing.T) {
	d := open(t)
	d.Press("tab", "variables")
	d.Event(message.Event{On: "input", Do: "variable", Arg: "--primary-color", Text: "#123456"})
	if css := d.Form().Object("style").Text("css"); !strings.Contains(css, "--primary-color: #123456;") || strings.Contains(css, "ffe000") {
		t.Errorf("changed: %s", css)
	}
	d.Event(message.Event{On: "input", Do: "variable", Arg: "--font-size", Text: "18px; } * { color: red"})
	if css := d.Form().Object("style").Text("css"); !strings.Contains(css, "--font-size: 18px") || strings.Contains(css, "* {") {
		t.Errorf("added: %s", css)
	}
	d.Press("reset", "--primary-color")
	if css := d.Form().Object("style").Text("css"); strings.Contains(css, "--primary-color") || !strings.Contains(css, ".x { color: #fff }") {
		t.Errorf("reset: %s", css)
	}
}

// Colors are judged in both themes, and the values are those of the theme that the frame shows.
func TestThemes(t *testing.T) {
	d := open(t)
	d.Press("tab", "variables")
	d.Event(message.Event{On: "input", Do: "variable", Arg: "--primary-color", Text: "#123456"})
	has := func(want bool, texts ...string) {
		t.Helper()
		for _, s := range texts {
			if strings.Contains(d.HTML(), s) != want {
				t.Errorf("%s: want it %t in\n%s", s, want, d.HTML())
			}
		}
	}
	has(true, ">1.3:1 in the dark theme. People need 4.5:1 to read links and 3:1 to see buttons.", "A value such as light-dark(")
	const light, dark = `data-value="#1b1b19"`, `data-value="#f0f0ec"`
	has(true, ">1.4:1 in the dark theme. People need 4.5:1 to read it.", light, "These are the light theme&#39;s values")
	has(false, dark)
	d.Event(message.Event{On: "frame", Do: "style", Arg: "dark", Text: `{"type":"ready"}`})
	has(true, dark, "These are the dark theme&#39;s values", `data-value="#123456"`)
	has(false, light)
	d.Event(message.Event{On: "change", Do: "theme", Text: "light"})
	has(true, light)
	d.Event(message.Event{On: "change", Do: "theme", Text: "dark"})
	d.Event(message.Event{On: "frame", Do: "style", Arg: "light"})
	has(true, dark)
	d.Event(message.Event{On: "input", Do: "variable", Arg: "--primary-font-color", Text: "#123456"})
	has(true, ">1.0:1 in the light theme and 1.0:1 in the dark theme.")
}

// An empty sheet shows an example and leads to the presets. Their pictures have what their rules declare, and the one in use says so.
func TestPresets(t *testing.T) {
	d := open(t)
	has := func(want bool, texts ...string) {
		t.Helper()
		for _, s := range texts {
			if strings.Contains(d.HTML(), s) != want {
				t.Errorf("%s: want it %t in\n%s", s, want, d.HTML())
			}
		}
	}
	has(false, `aria-label="Presets"><span class="dim">Start with`)
	d.Press("preset", "Plain")
	has(true, `aria-label="Presets"><span class="dim">Start with`, "/* For example: */\n.af-button {", "More classes are listed below")
	d.Press("preset", "Fresh")
	has(false, `aria-label="Presets"><span class="dim">Start with`)
	has(true, `class="st-start"`) // hidden: the text area keeps its place
	d.Press("tab", "presets")
	has(true, "--input-border-color:#6f827a;", "--border-width:0 0 1px;", `<b>Fresh</b><small class="dim">Green accent, underlined fields</small></span><span class="st-now">`)
	has(false, "background:#1d1d1b;")
	d.Event(message.Event{On: "change", Do: "theme", Text: "dark"})
	has(true, "background:#1d1d1b;", "--font-color:#f0f0ec;")
	if n := strings.Count(d.HTML(), "Current"); n != 1 {
		t.Errorf("%d presets are the current one", n)
	}
}

// A value may have a color for each theme. The picker shows that of the theme in the frame, and sets only that.
func TestColorForEachTheme(t *testing.T) {
	d := open(t)
	d.Press("tab", "variables")
	picked := func(color, want string) {
		t.Helper()
		d.Event(message.Event{On: "input", Do: "color", Arg: "--primary-color", Text: color})
		if css := d.Form().Object("style").Text("css"); !strings.Contains(css, "--primary-color: "+want+";") {
			t.Errorf("%s: %s", color, css)
		}
		if !strings.Contains(d.HTML(), `data-value="`+color+`"`) {
			t.Errorf("%s is not shown in\n%s", color, d.HTML())
		}
	}
	picked("#123456", "#123456")
	d.Event(message.Event{On: "input", Do: "variable", Arg: "--primary-color", Text: "light-dark( rgb(1, 2, 3), #aaccff )"})
	picked("#102030", "light-dark(#102030, #aaccff)")
	d.Event(message.Event{On: "change", Do: "theme", Text: "dark"})
	picked("#bbddff", "light-dark(#102030, #bbddff)")
	if s := d.HTML(); strings.Contains(s, `aria-describedby="st-low--primary-color"`) {
		t.Errorf("the colors of both themes can be read, but not in\n%s", s)
	}
}

// A color that cannot be read is told of at its variable, and not again below the list.
func TestLowContrastIsToldAtTheVariable(t *testing.T) {
	d := open(t)
	d.Event(message.Event{On: "input", Do: "css", Text: ":root { --primary-color: #ffe000; }"})
	const text = "1.3:1 in the light theme. People need 4.5:1 to read it."
	if s := d.HTML(); strings.Count(s, "Text on the accent: "+text) != 1 {
		t.Errorf("beside the CSS: %s", s)
	}
	d.Press("tab", "variables")
	shown := regexp.MustCompile(`<p class="st-warn st-low" id="st-low(--[a-z-]+)">.*?<span>([^<]+)</span>`).FindAllStringSubmatch(d.HTML(), -1)
	if len(shown) != 2 || shown[1][1] != "--primary-font-color" || shown[1][2] != text || shown[0][1] != "--primary-color" {
		t.Errorf("at the variables: %q", shown)
	}
	if s := d.HTML(); strings.Contains(s, "Text on the accent: "+text) || strings.Count(s, `aria-describedby="st-low--`) != 2 {
		t.Errorf("beside the variables: %s", s)
	}
}

// Where only one half has room, a switch chooses it: the frame or what is edited.
func TestHalves(t *testing.T) {
	d := open(t)
	for _, half := range []string{"look", "edit"} {
		d.Press("half", half)
		if !strings.Contains(d.HTML(), `data-looks="`+map[string]string{"look": "true", "edit": "false"}[half]) {
			t.Errorf("%s: %.300s", half, d.HTML())
		}
		if !strings.Contains(d.HTML(), `data-arg="`+half+`" aria-pressed="true"`) {
			t.Errorf("%s is not pressed", half)
		}
	}
}

// A problem of the CSS leads to its text, whatever is shown.
func TestGoToTheCSS(t *testing.T) {
	d := open(t)
	d.Press("tab", "presets")
	d.Press("half", "look")
	d.Order(message.Order{Page: message.Style, Go: "style.css"})
	if s := d.HTML(); d.Screen.Text("focus") != "#st-css" || !strings.Contains(s, `data-path="style.css"`) || !strings.Contains(s, `data-looks="false"`) {
		t.Errorf("the focus goes to %q in %s", d.Screen.Text("focus"), s)
	}
}
