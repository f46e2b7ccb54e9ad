//go:build e2e && !js

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// openPreview opens the sandbox as a page of its own, where it is its own parent. window.told collects its messages.
func openPreview(t *testing.T) *page {
	t.Helper()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	p.before(`window.told = []; addEventListener("message", e => { if (JSON.parse(e.data).type !== "show") told.push(e.data); })`)
	p.open(s.Ready.Editor + "/preview")
	p.wait(`told.some(m => m.includes("ready"))`)
	return p
}

// show sends the frame a screen and waits until it is shown.
func (p *page) show(s preview.Show) {
	p.t.Helper()
	eval[any](p, `postMessage(`+js(s.Message())+`, "*")`)
	p.fence()
}

// fence waits until the page has handled the messages and drawn twice.
func (p *page) fence() {
	p.t.Helper()
	evalAsync[bool](p, `new Promise(done => { const c = new MessageChannel(); c.port1.onmessage = () => requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
		setTimeout(() => c.port2.postMessage(0)); })`)
}

// last returns the last message of the frame of a type.
func (p *page) last(typ preview.EventType) preview.Event {
	p.t.Helper()
	p.wait(fmt.Sprintf(`told.some(m => JSON.parse(m).type === %q)`, typ))
	e, err := preview.ParseEvent(eval[string](p, fmt.Sprintf(`told.findLast(m => JSON.parse(m).type === %q)`, typ)))
	if err != nil {
		p.t.Fatal(err)
	}
	return e
}

var next = preview.Item{Component: previewtest.Component(`{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}`)}

// step returns a message that shows items and a button afresh.
func step(items ...preview.Item) preview.Show {
	return preview.Show{HTML: preview.Screen{Node: "step", Language: "en", Title: "A step", Items: append(items, next)}.Render(), Fresh: true}
}

// judged returns the answer that a run keeps of what was given.
func judged(t *testing.T, c *model.Component, given any) any {
	t.Helper()
	v, refusal := answer.Judge(c, given, nil)
	if refusal != nil {
		t.Fatalf("%s: %s refuses %s", c.ID, refusal.Key, schema.Encode(given))
	}
	return v
}

// The frame gives back every answer that it is shown.
func TestPreviewKeepsAnswers(t *testing.T) {
	t.Parallel()
	p := openPreview(t)
	var items []preview.Item
	want := map[string]any{}
	for _, s := range previewtest.Samples() {
		if s.Given != nil {
			s.Item.Answer = judged(t, s.Item.Component, s.Given)
			want[s.Item.Component.ID] = s.Item.Answer
			items = append(items, s.Item)
		}
	}
	p.show(step(items...))
	p.clickOn(sel(`[data-button=go]`))
	e := p.last(preview.Press)
	if e.ID != "go" || len(e.Answers) != len(want) {
		t.Errorf("%d answers of %s, want %d", len(e.Answers), e.ID, len(want))
	}
	for _, it := range items {
		id := it.Component.ID
		if got := judged(t, it.Component, e.Answers[id]); !schema.Equal(got, want[id]) {
			t.Errorf("%s: got %s, want %s", id, schema.Encode(got), schema.Encode(want[id]))
		}
	}
	// Without answers there are none.
	for i := range items {
		items[i].Answer = nil
	}
	p.show(step(items...))
	eval[any](p, `told.length = 0`)
	p.clickOn(sel(`[data-button=go]`))
	for id, v := range p.last(preview.Press).Answers {
		if v != nil && v != false { // a checkbox that is not ticked
			t.Errorf("%s: got %s", id, schema.Encode(v))
		}
	}
}

// keyboard has, for each sample, what a person types to give its answer when its first control has the focus.
var keyboard = map[string]string{
	"verifiable credentials": " ", "address": "Lindenallee 12, Berlin", "reCAPTCHA": " ", "boolean": kb.ArrowRight, "switch": " ",
	"cards": kb.ArrowRight, "cards without labels": " \t ", "choice": kb.ArrowDown, "several choices": "\t \t\tin a book",
	"custom field": `{"red": 12}`, "date": "05172001", "time": "1115P", "dropdown": kb.ArrowDown + kb.ArrowDown, "long dropdown": "\rcafe\r",
	"several of a dropdown": "\r " + kb.ArrowDown + kb.ArrowDown + " " + kb.Escape, "email": "ana@example.com", "legal": " ", "number": "34,5",
	"password": "Correct-horse-9", "payment": "4242 4242 4242 4242\t12/34\t123", "social": " ", "telephone": "030 123456",
	"telephone with a country": "\rgerm\r\t151 234567", "text": "Ana", "several lines": "First line\rsecond line", "url": "https://example.com/a",
	"unknown kind": `{"x": 1}`,
}

// Every control is reached with Tab and operated with the keyboard, and gives an answer of the right type.
func TestPreviewByKeyboard(t *testing.T) {
	t.Parallel()
	p := openPreview(t)
	for _, s := range previewtest.Samples() {
		if s.Given == nil {
			continue
		}
		id := s.Item.Component.ID
		p.show(step(s.Item))
		eval[any](p, `told.length = 0; document.activeElement.blur(); 0`)
		p.tabTo(`[data-field] *:not(a)`)
		if keys, ok := keyboard[s.Name]; ok {
			p.key(keys)
		} else { // a file is chosen in a window of the system
			file := filepath.Join(t.TempDir(), "bill.pdf")
			if err := os.WriteFile(file, make([]byte, 12345), 0o600); err != nil {
				t.Fatal(err)
			}
			p.chooseFile(file)
		}
		p.tabTo(`[data-button=go]`)
		p.key("\r")
		want := judged(t, s.Item.Component, s.Given)
		for _, typ := range []preview.EventType{preview.Press, preview.Answer} {
			if got := judged(t, s.Item.Component, p.last(typ).Answers[id]); !schema.Equal(got, want) {
				t.Errorf("%s, %s: got %s, want %s", s.Name, typ, schema.Encode(got), schema.Encode(want))
			}
		}
	}
}

// tabTo presses Tab until the element with the focus matches a selector.
func (p *page) tabTo(selector string) {
	p.t.Helper()
	for range 12 {
		p.key("\t")
		if eval[bool](p, `document.activeElement.matches(`+js(selector)+`)`) {
			return
		}
	}
	p.t.Fatalf("Tab does not reach %s: %s", selector, eval[string](p, `document.activeElement.outerHTML.slice(0, 200)`))
}

// chooseFile sets the file of the input that has the focus.
func (p *page) chooseFile(name string) {
	p.t.Helper()
	input, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (runtime.RemoteObjectID, error) {
		res, err := cdp.Call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: `document.activeElement`})
		if err != nil {
			return "", err
		}
		return res.Result.ObjectID, nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.do(call(dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{name}, ObjectID: input}))
}

// A screen of the same step changes only what differs. What was typed stays, and so does the focus unless a refusal takes it.
func TestPreviewKeepsWhatIsTyped(t *testing.T) {
	t.Parallel()
	p := openPreview(t)
	samples := map[string]preview.Item{}
	for _, s := range previewtest.Samples() {
		samples[s.Name] = s.Item
	}
	number, name, phone := samples["number"], samples["text"], samples["telephone with a country"]
	p.show(step(name, number, phone))
	p.tabTo(`[name=text]`)
	p.key("Bea" + kb.ArrowLeft)
	p.tabTo(`details summary`)
	p.key("\rgerm\r")
	eval[any](p, `window.first = `+sel("[name=text]")+`; first.focus(); first.setSelectionRange(2, 2)`)
	number.Problem = "Please enter a number."
	again := step(name, number, phone)
	again.Fresh = false
	p.show(again)
	const state = `[document.activeElement === first, first.isConnected, first.value, first.selectionStart, document.querySelector("[data-chosen]").textContent,
		document.querySelectorAll("[role=alert]").length].join()`
	if got := eval[string](p, state); got != "true,true,Bea,2,+49,1" {
		t.Errorf("after a refusal: got %s", got)
	}
	again.Focus = preview.FocusProblem
	p.show(again)
	if got := eval[string](p, `[document.activeElement.name, document.activeElement.ariaInvalid, document.getElementById(document.activeElement.getAttribute("aria-describedby")).textContent].join()`); got != "number,true,Please enter a number." {
		t.Errorf("the refused control: got %s", got)
	}
	number.Problem = ""
	again = step(name, number, phone)
	again.Fresh = false
	p.show(again)
	if got := eval[int](p, `document.querySelectorAll("[role=alert], [aria-invalid]").length`); got != 0 {
		t.Errorf("%d problems are left", got)
	}
	again.Fresh = true
	p.show(again)
	if got := eval[string](p, `[first.isConnected, document.querySelector("[name=text]").value, document.activeElement.dataset.step].join()`); got != "false,,step" {
		t.Errorf("a step that begins again: got %s", got)
	}
}

// Enter presses the next button, except where it makes a new line.
func TestPreviewEnterSubmits(t *testing.T) {
	t.Parallel()
	p := openPreview(t)
	for _, s := range previewtest.Samples() {
		if s.Name != "text" && s.Name != "several lines" && s.Name != "choice" {
			continue
		}
		p.show(step(s.Item))
		eval[any](p, `told.length = 0`)
		p.tabTo(`[data-field] *`)
		p.key("\r")
		p.fence()
		if pressed := eval[bool](p, `told.some(m => m.includes("press"))`); pressed != (s.Name != "several lines") {
			t.Errorf("%s: pressed is %t", s.Name, pressed)
		}
	}
}

// A resend button waits, says how long, and can then be pressed.
func TestPreviewResendWaits(t *testing.T) {
	nightly(t) // web/jscheck/preview.test.js tests it (a button waits for its seconds), app/preview what is drawn (TestResendWaits)
	t.Parallel()
	p := openPreview(t)
	for _, s := range previewtest.Samples() {
		if s.Name == "resend button" {
			s.Item.Wait = 2
			p.show(step(s.Item))
		}
	}
	if got := eval[string](p, `document.querySelector(".fg-waiting").textContent + document.querySelector("[data-button=resend]").disabled`); got != "Send again in 2 strue" {
		t.Errorf("got %s", got)
	}
	p.wait(`!document.querySelector("[data-button=resend]").disabled && !document.querySelector(".fg-waiting")`)
	p.clickOn(sel("[data-button=resend]"))
	if e := p.last(preview.Press); e.ID != "resend" {
		t.Errorf("got %+v", e)
	}
}

// The language sets the direction and the names of countries.
func TestPreviewSpeaksTheLanguage(t *testing.T) {
	t.Parallel()
	p := openPreview(t)
	for _, s := range previewtest.Samples() {
		if s.Name != "telephone with a country" {
			continue
		}
		for language, want := range map[string]string{"de": "de,ltr,Frankreich", "ar": "ar,rtl,فرنسا", "not a tag": "not a tag,ltr,FR"} {
			p.show(preview.Show{HTML: preview.Screen{Node: "s", Language: language, Title: "Titel", Items: []preview.Item{s.Item}}.Render()})
			if got := eval[string](p, `[document.documentElement.lang, document.documentElement.dir, document.querySelector("[data-region=FR]").textContent].join()`); got != want {
				t.Errorf("%s: got %s, want %s", language, got, want)
			}
			if got := eval[string](p, `document.title`); got != "Titel" {
				t.Errorf("the title is %q", got)
			}
		}
	}
}

// The form's own CSS has the last word, whatever its selectors, and ends with the screen that it came with.
func TestPreviewAppliesTheFormsCSS(t *testing.T) {
	t.Parallel()
	p := openPreview(t)
	show := step()
	const look = `(e => [getComputedStyle(e).borderRadius, getComputedStyle(e).backgroundColor].join(" "))(document.querySelector("[data-button=go]"))`
	p.show(show)
	plain := eval[string](p, look)
	for css, want := range map[string]string{
		"":                        plain,
		"button{border-radius:0}": "0px rgb(42, 63, 184)",
		":root{--primary-color:#ff0000;--button-border-radius:3px}":           "3px rgb(255, 0, 0)",
		".af-form{--primary-color:rgb(1 2 3)}":                                "10px rgb(1, 2, 3)",
		".af-nextButton{background:#000;border-radius:9px} </style><b>{x:y}}": "9px rgb(0, 0, 0)",
	} {
		show.CSS, show.Theme = css, preview.LightTheme
		p.show(show)
		if got := eval[string](p, look); got != want {
			t.Errorf("%q: got %s, want %s", css, got, want)
		}
	}
}

// looks are screens that together show every kind, unanswered, answered and refused.
func looks(t *testing.T) map[string]preview.Show {
	t.Helper()
	shows := map[string]preview.Show{}
	for _, state := range []string{"empty", "answered", "refused"} {
		var items []preview.Item
		for _, s := range previewtest.Samples() {
			switch {
			case state == "answered" && s.Given != nil:
				s.Item.Answer = judged(t, s.Item.Component, s.Given)
			case state == "refused" && s.Item.Component.Category != model.Block:
				s.Item.Problem = "Please answer this question."
			}
			items = append(items, s.Item)
		}
		shows[state] = step(items...)
	}
	arabic := preview.Screen{Node: "arabic", Language: "ar", Title: "نموذج"}
	for _, s := range previewtest.Samples() {
		arabic.Items = append(arabic.Items, preview.Item{Component: s.Item.Component, Answer: s.Given})
	}
	shows["rtl"] = preview.Show{HTML: arabic.Render()}
	shows["ending"] = preview.Show{HTML: preview.Ending{Language: "en", Target: "https://example.com/welcome?from=form"}.Render()}
	shows["resumed"] = preview.Show{HTML: preview.Ending{Language: "en", Resume: true}.Render()}
	return shows
}

// Screens violate no axe-core rule in either theme, with panels open and closed, and fit every width down to 320 px, which is 400 % of 1280.
func TestPreviewIsAccessible(t *testing.T) {
	nightly(t) // only here: axe and narrow screens of every kind; a change in preview.css or app/preview needs it. TestAtlasPage judges a few kinds
	t.Parallel()
	script := axeScript(t)
	p := openPreview(t)
	for name, show := range looks(t) {
		for _, theme := range []preview.Theme{preview.LightTheme, preview.DarkTheme} {
			show.Theme = theme
			p.show(show)
			for _, panel := range []string{"", "long", "phone"} {
				if panel != "" && name != "answered" {
					continue
				}
				if panel != "" {
					eval[any](p, sel(`[data-field=`+panel+`] details`)+`.open = true`)
				}
				for _, v := range p.axe(script, accessible) {
					t.Errorf("%s, %s %s: %s", name, theme, panel, v)
				}
			}
			for _, width := range []int64{320, 375, 768, 1280} {
				p.shootWhole(strings.Join([]string{"preview", name, string(theme), fmt.Sprint(width)}, "-"), width)
				if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%s: at %d px it is %d px too wide", name, width, over)
				}
			}
		}
	}
}

// shootWhole saves a screenshot of a whole form at a width.
func (p *page) shootWhole(name string, width int64) {
	p.t.Helper()
	size := func(height int64) {
		p.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1}))
	}
	size(600)
	size(eval[int64](p, `document.documentElement.scrollHeight`))
	p.wait(`document.getAnimations().length === 0`)
	p.shoot(name)
}
