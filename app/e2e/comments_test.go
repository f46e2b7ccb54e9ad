//go:build e2e && !js

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// editorPassword is the password of the people whom addEditor adds.
const editorPassword = "a long enough password"

// addEditor adds a person who may edit forms.
func (s *server) addEditor(email, name string) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), os.Getenv("FORMGRAPH_BIN"), "user", "add", email, "--name", name, "--role", "rol_editor", "--password-stdin", "--data", s.data)
	cmd.Stdin = strings.NewReader(editorPassword + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("add %s: %v\n%s", email, err, out)
	}
}

// editorAs opens a form as a person whom addEditor added.
func (p *page) editorAs(s *server, id, email string) {
	p.t.Helper()
	p.arrive(s, "/forms/"+id, `document.querySelector("[data-testid=canvas][data-ready=true]")`, email, editorPassword)
	p.fitView()
}

const (
	talkPanel = `[data-testid=comments]`
	replyTo   = talkPanel + ` .cm-thread .cm-field textarea`
)

// talk is an expression for the texts of the comments, as they are listed.
const talk = `[...document.querySelectorAll("` + talkPanel + ` .cm-said > p")].map(e => e.textContent).join(" | ")`

// sends types a text into the field with the focus and sends it.
func (p *page) sends(text string) {
	p.t.Helper()
	p.insert(text)
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// Two people talk about a form: each sees within a moment what the other writes, edits, deletes and resolves, and what is for them.
func TestComments(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	s.addEditor("bo@example.com", "Bo Berg")
	id := s.create(threeNodes)
	ana, bo := browse(t), browse(t)
	ana.editor(s, id)
	bo.editorAs(s, id, "bo@example.com")

	// With a key, about a node; the canvas shows the mark to both.
	ana.choose("step_a")
	ana.key("M", chromedp.ModifierShift)
	ana.wait(`document.activeElement?.id === "cm-new"`)
	ana.insert("Do we need this")
	ana.shots("comment-new")
	ana.sends(" step?")
	ana.wait(talk + ` === "Do we need this step?"`)
	for _, p := range []*page{ana, bo} {
		p.wait(sel(node("step_a")+" .cv-head .cv-talk") + `?.textContent === "1" && ` + sel(node("step_a")+" > .cv-head") + `.ariaLabel.includes("1 comment")`)
	}

	// From the menu of a component.
	row := node("step_a") + ` [data-component="mail"]`
	bo.click(row)
	// Ana, who sees the form at another size, sees Bo's mouse at the same place of it.
	ana.press("button", "Zoom in")
	ana.wait(sel(row+"[data-people]") + ` && (() => {
		const mouse = document.querySelector(".cv-pointers i")?.getBoundingClientRect(), row = ` + sel(row) + `.getBoundingClientRect();
		return mouse?.x > row.x && mouse.x < row.right && mouse.y > row.y - 2 && mouse.y < row.bottom + 2;
	})()`)
	ana.shots("together-mouse")
	ana.fitView()
	bo.do(chromedp.KeyEvent(kb.F10, chromedp.KeyModifiers(chromedp.ModifierShift)))
	bo.press("menuitem", "Comment")
	bo.wait(`document.activeElement?.id === "cm-new"`)
	bo.sends("Is it the work e-mail?")
	ana.wait(sel(`[data-component="mail"] .cv-talk`) + `?.textContent === "1"`)
	ana.wait(talk + ` === "Is it the work e-mail? | Do we need this step?"`)
	// In the threads, people have the colors that they have in the bar.
	color := func(by string) string {
		return `[...document.querySelectorAll(".cm-remark")].find(e => e.ariaLabel === "Comment by ` + by + `").querySelector(".cm-face").dataset.hue`
	}
	for who, own := range map[string]string{"Administrator": ".account-button .avatar", "Bo Berg": ".bar .avatar[data-initials=BB]"} {
		ana.wait(color(who) + ` === ` + sel(own) + `.dataset.hue`)
	}

	// A reply that mentions somebody, who is told.
	bo.wait(`document.querySelectorAll("` + replyTo + `").length === 2 && !document.getElementById("cm-new")`)
	bo.clickOn(`[...document.querySelectorAll("` + replyTo + `")][1]`)
	bo.insert("Ask @Adm")
	bo.wait(`document.querySelectorAll("#cm-offers [role=option]").length === 1 && document.activeElement.getAttribute("aria-activedescendant") === "cm-offer-0"`)
	bo.shots("comment-mention")
	eval[any](bo, lateWorker) // what is typed before the worker has written the name comes after it
	bo.key("\rplea")
	bo.wait(`document.activeElement.value === "Ask @Administrator plea"`)
	eval[any](bo, `inTime()`)
	bo.sends("se")
	bo.wait(talk + `.includes("Ask @Administrator please")`)
	ana.wait(`document.querySelector(".bar [data-act=comments]")?.dataset.count === "1"`)
	list := s.listOf(ana)
	list.wait(`document.querySelector(".for-you")?.textContent === "1 comment for you"`)
	list.shots("comments-in-list")
	ana.wait(sel(`.cm-you`) + `?.textContent === "for you"`)
	ana.shots("comments")
	ana.judge(axeScript(t), "axe-comments")
	ana.clickOn(sel(`.cm-thread:has(.cm-you) .cm-go`))
	ana.wait(`!document.querySelector(".cm-you") && !document.querySelector(".bar [data-act=comments]").dataset.count`)
	ana.wait(sel(node("step_a")) + `.getAttribute("aria-selected") === "true"`)

	// Only the author edits. Whoever may change the form may delete what others wrote, too.
	if n := eval[int](ana, `document.querySelectorAll("`+talkPanel+` [data-do=edit]").length`); n != 1 {
		t.Errorf("%d comments can be edited, want 1", n)
	}
	ana.press("button", "Edit your comment")
	ana.wait(`document.activeElement.value === "Do we need this step?"`)
	ana.sends(" Really?")
	bo.wait(talk + `.includes("Do we need this step? Really?")`)
	const remove = `[...document.querySelectorAll(".cm-remark")].find(e => e.textContent.includes("please")).querySelector("[data-do=delete]")`
	bo.clickOn(`document.querySelector("` + talkPanel + ` [data-do=delete][aria-label='Delete the thread by Administrator']")`)
	bo.wait(`document.querySelector(".cm-sure").textContent.includes("with all replies")`)
	bo.shots("comment-moderate")
	bo.press("button", "Keep")
	bo.clickOn(remove)
	bo.shots("comment-delete")
	bo.press("button", "Delete")
	ana.wait(`!` + talk + `.includes("please")`)

	// Offline, the text stays with the reason.
	eval[any](ana, `window.online = fetch; window.fetch = (a, o) => o?.method === "POST" ? Promise.reject(new TypeError("offline")) : online(a, o); 0`)
	ana.clickOn(sel(replyTo))
	ana.sends("Not lost")
	ana.wait(sel(`.cm-error[role=alert]`) + ` && document.activeElement.value === "Not lost" && document.activeElement.getAttribute("aria-describedby") === document.querySelector(".cm-error").id`)
	ana.shots("comment-offline")
	eval[any](ana, `window.fetch = online; 0`)
	ana.press("button", "Close the comments")
	ana.wait(`!` + sel(talkPanel))
	ana.press("button", "Comments")
	ana.wait(sel(replyTo) + `?.value === "Not lost"`)
	ana.press("button", "Reply")
	bo.wait(talk + `.includes("Not lost")`)
	ana.wait(talk + `.includes("Not lost") && ` + sel(replyTo) + `.value === ""`)

	// What is not sent survives a reload.
	ana.clickInto(replyTo)
	ana.insert("Half a tho")
	ana.wait(sel(replyTo) + `.value === "Half a tho"`)
	ana.press("button", "Comment on the form")
	ana.wait(`document.activeElement?.id === "cm-new"`)
	ana.insert("Who signs")
	const dot = `document.querySelector(".bar [data-act=comments]")?.dataset.unsent`
	stored := func(want int) {
		t.Helper()
		until(10*time.Second, func() bool { return evalAsync[int](ana, storedParts) == want }, func() {
			t.Errorf("%d texts are in the browser, want %d", evalAsync[int](ana, storedParts), want)
		})
	}
	ana.wait(dot + ` === "2"`)
	stored(2)
	ana.do(chromedp.Reload())
	ana.wait(dot + ` === "2"`)
	ana.fitView()
	ana.shots("comment-unsent")
	ana.press("button", "Comments")
	ana.wait(sel(replyTo) + `?.value === "Half a tho" && document.getElementById("cm-new")?.value === "Who signs"`)
	ana.shots("comment-restored")
	ana.press("button", "Cancel")
	ana.wait(dot + ` === "1" && !document.getElementById("cm-new")`)
	ana.clickOn(sel(replyTo))
	ana.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(kb.Backspace))
	ana.wait(`!` + dot)
	stored(0)

	// Resolved threads leave the canvas, and come back.
	bo.clickOn(sel(`[data-do=resolve]`))
	ana.wait(`document.querySelectorAll("` + talkPanel + ` .cm-thread").length === 1`)
	ana.press("button", "Resolved1")
	ana.wait(`document.querySelector(".cm-resolved")?.textContent.includes("Resolved by Bo Berg")`)
	ana.shots("comments-resolved")
	ana.clickOn(sel(`[data-do=reopen]`))
	bo.wait(`document.querySelectorAll("` + talkPanel + ` .cm-thread").length === 2`)

	ana.wait(`!document.querySelector(".cm-resolved")`)

	// What is renamed keeps its comments.
	ana.press("button", "Close the comments")
	ana.wait(`!` + sel(talkPanel))
	ana.click(node("step_a") + ` [data-component="mail"]`)
	ana.fill("nodes[0].config.components[0].id", "post")
	ana.key("\r") // an id is renamed when it is left, and Save has nothing to save before
	ana.saveState("dirty")
	ana.press("button", "Save")
	ana.saveState("saved")
	bo.wait(`[...document.querySelectorAll("` + talkPanel + ` .cm-go")].some(e => e.textContent === "Details › Work e-mail") && !document.querySelector(".cm-gone")`)
	ana.press("button", "Comments")
	ana.wait(sel(`[data-component="post"] .cv-talk`) + `?.textContent === "1"`)
	for _, width := range sample(2, []int64{390, 768}) {
		ana.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 844, DeviceScaleFactor: 1, Mobile: width < 600}))
		ana.editor(s, id) // which shows all of it: the view that is kept may be that of another width
		ana.choose("step_a")
		ana.press("button", "More")
		ana.press("menuitem", "Comments")
		ana.wait(sel(replyTo))
		ana.wait(above("step_a", ".desk.beside"))
		ana.still()
		ana.shots("comments-narrow-" + map[int64]string{768: "768", 390: "390"}[width])
	}
}

// listOf opens the list of forms for the person of a page.
func (s *server) listOf(p *page) *page {
	s.t.Helper()
	return p.tab(s.Ready.Editor + "/forms")
}
