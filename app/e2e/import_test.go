//go:build e2e && !js

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// dropped drops a file on the page, after it was dragged over it.
func (p *page) dropped(name, text string) {
	p.t.Helper()
	eval[bool](p, `(() => { window.dropped = new DataTransfer(); window.dropped.items.add(new File([`+js(text)+`], `+js(name)+`));
		document.body.dispatchEvent(new DragEvent("dragover", {dataTransfer: window.dropped, bubbles: true, cancelable: true})); return true; })()`)
	p.wait(sel(".drop-layer") + `?.textContent.includes(".json")`)
	eval[bool](p, `(document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: window.dropped, bubbles: true, cancelable: true})), true)`)
	p.wait(`!` + sel(".drop-layer"))
}

// A file that is dropped on the editor is shown first; then it replaces the form, is compared with it, or becomes a new form.
func TestDroppedFileIsShownFirst(t *testing.T) {
	nightly(t) // app/ui/transfer tests it (TestFileIsShownOrImported), web/jscheck drop.js; only here: that its mark is read (kit.Dropped)
	t.Parallel()
	s := shared(t)
	id := s.create(compared)
	p := s.tab()
	p.editor(s, id)
	p.dropped("cat.png", "meow")
	p.wait(sel(".toast") + `?.textContent.includes("cat.png is not a .json file")`)
	p.dropped("other.json", otherForm)
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("3 steps")`)
	p.shots("import-look")
	p.judge(axeScript(t), "axe-import-look")
	p.saveState("saved")
	p.press("button", "Cancel")
	p.wait(`!document.querySelector("dialog")`)
	p.dropped("other.json", otherForm)
	p.press("button", "Compare and take node by node")
	p.wait(differs("profile", "added"))
	p.press("button", "Take all")
	p.wait(`!` + sel(".cv-ghosts [data-node]") + `&&` + sel(`#canvas .cv-cards [data-node="profile"]`))
	p.press("button", "Undo")
	p.saveState("saved")
	p.dropped("other.json", strings.Replace(otherForm, `"Compared"`, `"Dropped"`, 1))
	p.press("button", "New form")
	p.wait(`location.pathname !== ` + js("/forms/"+id) + ` && document.title.startsWith("Dropped")`)
}

// A file that is dropped on the list becomes a new form once the person has seen it.
func TestFileIsDroppedOnTheList(t *testing.T) {
	nightly(t) // app/ui/forms tests it (TestFileBecomesAForm), web/jscheck drop.js; only here: that its mark is read (kit.Dropped)
	t.Parallel()
	s := shared(t)
	p := s.tab()
	p.open(s.Ready.Editor + "/forms")
	p.wait(`document.querySelector("tr[data-form]")`)
	p.dropped("bad.json", `{"name":""}`)
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("Line 1, column 9")`)
	p.press("button", "Close")
	p.wait(`!document.querySelector("dialog")`)
	p.dropped("other.json", otherForm)
	p.press("button", "Create form")
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	p.wait(sel(node("profile")))
}

// downloads makes the tab with a form keep its downloads in a folder, which it returns.
func (p *page) downloads(form string) (folder string) {
	p.t.Helper()
	folder = p.t.TempDir()
	list, err := chromedp.Targets(p.ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	own := slices.IndexFunc(list, func(i *target.Info) bool { return strings.HasSuffix(i.URL, "/forms/"+form) })
	p.do(call(browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: list[own].BrowserContextID, DownloadPath: folder,
	}))
	return folder
}

// The graph is exported as a picture and as an outline.
func TestExportsOfTheGraph(t *testing.T) {
	nightly(t) // app/picture and app/desk test the files (TestPicture, TestFiles); only here: the PNG, which a browser draws, and the downloads
	t.Parallel()
	s := shared(t)
	id := s.create(compared)
	p := s.tab()
	p.editor(s, id)
	folder := p.downloads(id)
	for _, of := range []struct{ item, file, starts string }{
		{"Export as SVG", "compared.svg", "<svg "},
		{"Export as PNG", "compared.png", "\x89PNG"},
		{"Export as Markdown", "compared.md", "# Compared"},
		{"Export", "compared.form.json", "{"},
	} {
		p.press("button", "More")
		p.press("menuitem", "Export as…")
		p.press("menuitem", of.item)
		var got []byte
		until(30*time.Second, func() bool {
			got, _ = os.ReadFile(filepath.Join(folder, of.file))
			return len(got) > 0
		}, func() { t.Errorf("%s was not downloaded", of.file) })
		if !strings.HasPrefix(string(got), of.starts) {
			t.Errorf("%s begins with %.20q", of.file, got)
		}
	}
	for _, line := range p.console {
		t.Errorf("console: %s", line)
	}
}
