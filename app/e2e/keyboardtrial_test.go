//go:build e2e && !js

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// Real forms and examples are filled in to the end without a pointer.
func TestTrialByKeyboard(t *testing.T) {
	nightly(t) // TestPreviewByKeyboard operates each control; app/trial tests journeys and the way out, model/run/explore finds them
	t.Parallel()
	files := realforms.Files(t)
	examples, err := filepath.Glob("../../server/templates/files/[1-3]*[^s].json")
	if err != nil || len(examples) != 3 {
		t.Fatalf("examples: %q, %v", examples, err)
	}
	for _, name := range examples {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, realforms.File{Name: filepath.Base(name), Text: text})
	}
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	finished := 0
	for _, file := range files {
		d, _, _ := envelope.Read(file.Text)
		f := d.Form
		if len(f.Nodes) == 0 {
			continue
		}
		found, err := explore.Explore(t.Context(), run.NewProgram(f), explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var shortest *scenario.Scenario // of those that end
		for i := range found.Scenarios {
			of := &found.Scenarios[i]
			if of.Expect[len(of.Expect)-1] == model.EndingID && (shortest == nil || len(of.Steps) < len(shortest.Steps)) {
				shortest = of
			}
		}
		if shortest == nil {
			t.Errorf("%s: no way through the form ends", file.Name)
			continue
		}
		tree := f.Tree()
		for _, own := range []string{"id", "created_at", "updated_at", "embedded_at", "submitted_at"} {
			tree = tree.Without(own)
		}
		p.editor(s, s.create(string(schema.Encode(tree))))
		p.key("p")
		for _, step := range shortest.Steps {
			p.keyedStep(f, step)
		}
		p.at(model.EndingID, "ended")
		p.key(kb.Escape)
		p.wait(`document.activeElement?.id === "canvas"`)
		p.key("p")
		p.wait(`!document.querySelector("[data-testid=preview]")`)
		finished++
	}
	if finished < 3 {
		t.Errorf("only %d forms were filled in", finished)
	}
}

// keyedStep does with the keyboard what a step of a scenario says.
func (p *page) keyedStep(f *model.Form, step scenario.Step) {
	p.t.Helper()
	n, _ := f.Node(step.Node)
	of, _ := n.Config.(*model.Step)
	if of == nil {
		p.at(step.Node, "flow")
		p.wait(`document.activeElement?.dataset.act === "pv-success"`)
		if step.Result.Len() > 0 {
			for eval[string](p, `document.activeElement.dataset.act ?? ""`) != "pv-raw" {
				p.key(kb.Tab, chromedp.ModifierShift)
			}
			if !eval[bool](p, `!!document.querySelector("#pv-result")`) {
				p.key(kb.Enter)
				p.wait(`!!document.querySelector("#pv-result")`)
			}
			for eval[string](p, `document.activeElement.id`) != "pv-result" {
				p.key(kb.Tab)
			}
			p.key("a", chromedp.ModifierCtrl)
			p.insert(string(schema.Encode(step.Result)))
			for eval[string](p, `document.activeElement.dataset.act ?? ""`) != "pv-success" {
				p.key(kb.Tab)
			}
		}
		p.key(kb.Enter)
		return
	}
	p.at(step.Node, "asking")
	p.waitInPreview(`document.activeElement.closest("[data-step]") !== null`)
	for _, c := range of.Components {
		if given, ok := step.Answers.Get(c.ID); ok {
			p.tabInPreview(`[data-field="` + c.ID + `"] *:not(a)`)
			p.giveByKey(c, given)
		}
	}
	p.tabInPreview(`[data-button="` + step.Press + `"]`)
	p.key(kb.Enter)
}

// waitInPreview waits until an expression is true in the frame.
func (p *page) waitInPreview(expression string) {
	p.t.Helper()
	for range 1000 {
		if p.inPreview(`String(`+expression+`)`) == "true" {
			return
		}
		p.fence()
	}
	p.t.Fatalf("still not so in the frame: %s; the focus is in %s there and in %s here", expression,
		p.inPreview(`document.activeElement.outerHTML.slice(0, 200)`), eval[string](p, `document.activeElement.outerHTML.slice(0, 200)`))
}

// tabInPreview presses Tab until the focus in the frame matches a selector.
func (p *page) tabInPreview(selector string) {
	p.t.Helper()
	for range 40 {
		p.key(kb.Tab)
		if p.inPreview(`String(document.activeElement.matches(`+js(selector)+`))`) == "true" {
			return
		}
	}
	p.t.Fatalf("Tab does not reach %s: %s", selector, p.inPreview(`document.activeElement.outerHTML.slice(0, 200)`))
}

// giveByKey gives an answer to the control that has the focus.
func (p *page) giveByKey(c *model.Component, given any) {
	p.t.Helper()
	text, _ := given.(string)
	switch c.Type {
	case "LEGAL", "RECAPTCHA":
		p.key(" ")
	case "BOOLEAN":
		for range 2 {
			if p.inPreview(`document.activeElement.value`) == string(schema.Encode(given)) {
				break
			}
			p.key(kb.ArrowRight)
		}
		p.key(" ")
	case "DROPDOWN", "CHOICE":
		options := c.Config().List("options")
		at := slices.IndexFunc(options, func(v any) bool { o, _ := v.(*schema.Object); return o.Text("value") == text })
		if c.Type == "DROPDOWN" {
			at++ // the first row asks to choose
		} else {
			p.key(" ")
		}
		for range at {
			p.key(kb.ArrowDown)
		}
	case "DATE":
		year, rest, _ := strings.Cut(text, "-")
		p.key(strings.ReplaceAll(rest, "-", "") + year)
	case "FILE": // a file is chosen in a window of the system
		file := filepath.Join(p.t.(*testing.T).TempDir(), text)
		if err := os.WriteFile(file, make([]byte, 100), 0o600); err != nil {
			p.t.Fatal(err)
		}
		input, err := p.evaluateInFrame(p.previewAddress(), `document.activeElement`, false)
		if err != nil {
			p.t.Fatal(err)
		}
		p.do(call(dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{file}, ObjectID: input.ObjectID}))
	default:
		if text == "" {
			text = string(schema.Encode(given))
		}
		p.insert(text)
	}
}
