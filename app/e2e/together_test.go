//go:build e2e && !js

package e2e

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// offline tells the page that it has no network, or that it has one again.
func (p *page) offline(off bool) {
	p.t.Helper()
	p.do(call(network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}))
	p.wait(`navigator.onLine === ` + map[bool]string{true: "false", false: "true"}[off])
}

// both opens a form on two pages, which know of each other.
func both(t *testing.T, s *server, id string) (here, there *page) {
	t.Helper()
	here, there = s.tab(), s.tab()
	here.editor(s, id)
	there.editor(s, id)
	for _, p := range []*page{here, there} {
		p.wait(`!document.querySelector("[data-testid=presence]").hidden`)
	}
	return here, there
}

// card waits until the card of a node shows a text.
func (p *page) card(id, text string) {
	p.t.Helper()
	p.wait(sel(node(id)) + `.textContent.includes(` + js(text) + `)`)
}

// Two pages see each other and each other's edits before anybody saves. Undo reverts only what was done on its page, and a save saves what both
// have on their screens.
func TestTwoPagesEditTogether(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	here, there := both(t, s, id)

	here.choose("step_b")
	there.wait(sel(node("step_b")) + `.dataset.people !== undefined`)
	here.click(node("step_a") + ` [data-component="mail"]`)
	there.wait(sel(node("step_a")+` [data-component="mail"][data-people]`) + ` && ` + sel(node("step_b")) + `.dataset.people === undefined`)
	here.choose("step_b")
	here.alias("From here")
	there.card("step_b", "From here")
	there.saveState("dirty")
	there.shoot("together-there")
	there.fill("name", "From there")
	here.wait(sel("[data-path=name]") + `.value === "From there"`)
	here.shots("together-here")

	// Each undoes its own step.
	here.key("z", chromedp.ModifierCtrl)
	there.wait("!" + sel(node("step_b")) + `.textContent.includes("From here")`)
	there.wait(sel("[data-path=name]") + `.value === "From there"`)
	here.key("y", chromedp.ModifierCtrl)
	there.card("step_b", "From here")

	// What nobody has saved stays on the page of who wrote it, and the other is offered.
	there.choose("step_b")
	there.alias("Over it")
	here.wait(`document.querySelector("aside.right .fork")?.textContent.includes("Over it")`)
	here.wait(`document.querySelector(".together")?.textContent.includes("1 conflict")`)
	here.card("step_b", "From here")
	here.shots("together-kept")
	for _, width := range []int64{1024, 900, 768, 600, 480, 390, 360, 320, 1440} {
		here.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 800, DeviceScaleFactor: 1}))
		here.wait(fmt.Sprintf("innerWidth === %d", width))
		here.shoot(fmt.Sprintf("together-bar-%d", width))
		here.barsFit()
		room := eval[[]float64](here, `[".save > span:last-child", ".form-name"].flatMap(s => { const e = document.querySelector(s); return [e.clientWidth, e.scrollWidth] })`)
		if state, needs, name := room[0], room[1], room[2]; state < 20 || needs > state || name < 72 {
			t.Errorf("%d px: the state has %g of %g px, the name %g of %g", width, state, needs, name, room[3])
		}
	}
	here.press("button", "Keep mine")
	here.wait(`!document.querySelector("aside.right .fork")`)
	there.press("button", "Take the other")
	there.card("step_b", "From here")
	there.wait(`!document.querySelector("aside.right .fork")`)

	there.press("button", "Save")
	there.saveState("saved")
	here.saveState("saved")
	f := s.form(id)
	if f["name"] != "From there" || at(f, "nodes", 2, "alias") != "From here" {
		t.Errorf("saved: %v %v", f["name"], at(f, "nodes", 2, "alias"))
	}

	// The people are in a menu.
	here.click("[data-testid=presence] button")
	here.wait(`document.querySelector("[role=menu]")?.textContent.includes("You, in another window")`)
	here.shots("together-people")
	here.key("\x1b")
}

// What both changed while one was offline stands at its control on the page that is late, with both texts, until somebody decides.
func TestBothChangeAValue(t *testing.T) {
	nightly(t) // app/ui/together tests it (TestForkIsDecided); TestOfflineTogether decides conflicts; only here: the bar with one, a small window
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	here, there := both(t, s, id)
	here.choose("step_b")
	there.choose("step_b")
	here.fill("name", "Room") // both are in the room from now on
	there.wait(sel("[data-path=name]") + `.value === "Room"`)
	there.offline(true)
	there.wait(`document.querySelector("[data-testid=presence]").hidden`) // it has noticed
	there.alias("Theirs, late")
	there.choose("step_a")
	there.fill("nodes[0].alias", "Only there")
	here.alias("Ours, first")
	there.offline(false)

	there.card("step_a", "Only there")
	here.card("step_a", "Only there")
	there.choose("step_b")
	// Both tell it at once, and one of them is late.
	late, first, mine, theirs := there, here, "Theirs, late", "Ours, first"
	const forked = `!!document.querySelector(".fork")`
	until(20*time.Second, func() bool { return eval[bool](here, forked) || eval[bool](there, forked) }, func() { t.Fatal("no page has a conflict") })
	if eval[bool](here, forked) {
		late, first, mine, theirs = here, there, "Ours, first", "Theirs, late"
	}
	late.wait(`document.querySelector(".fork").textContent.includes(` + js(theirs) + `)`)
	late.card("step_b", mine)
	late.shots("together-fork")
	first.card("step_b", theirs)
	first.wait(`document.querySelector("aside.right").textContent.includes(` + js(mine) + `)`)
	first.shoot("together-fork-other")
	const found = `document.querySelector(".find").getBoundingClientRect().x`
	for _, width := range []int64{1440, 1280, 1120, 1000} {
		late.do(chromedp.EmulateViewport(width, 800))
		count := sel(".fork-count")
		with := eval[float64](late, found)
		if without := eval[float64](late, `(() => { `+count+`.style.display = "none"; const x = `+found+`; `+count+`.style.display = ""; return x })()`); with != without {
			t.Errorf("in a window %d wide, the search is at %.1f with a conflict in the bar and at %.1f without", width, with, without)
		}
	}
	// In a small window, the buttons are in sight too.
	late.do(chromedp.EmulateViewport(390, 700))
	late.clickOn(sel(".fork-count"))
	late.wait(`(() => {
		const r = document.querySelector(".fork [data-act=keep-fork]")?.getBoundingClientRect();
		return r && !!document.elementFromPoint(r.x + r.width / 2, r.bottom - 1)?.closest("[data-act=keep-fork]");
	})()`)
	late.shots("together-fork-narrow")
	late.press("button", "Keep mine")
	late.wait(`!document.querySelector(".fork")`)
	first.wait(sel(".fork")) // nobody has saved what the other wrote, either
	first.press("button", "Take the other")
	first.card("step_b", mine)
}

// The tabs of one browser follow each other while the server is away, and nothing is lost when it is back.
func TestTabsWithoutServer(t *testing.T) {
	nightly(t) // app/together tests it (TestLocal); only here: tabs that talk by BroadcastChannel; a change in app/ui/together/tabs.go needs it
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(threeNodes)
	here := browse(t)
	here.editor(s, id)
	there := here.tab(s.Ready.Editor + "/forms/" + id)
	there.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	for _, p := range []*page{here, there} {
		p.wait(`!document.querySelector("[data-testid=presence]").hidden`)
	}
	s.kill()
	here.choose("step_b")
	here.alias("While it is away")
	there.card("step_b", "While it is away")
	there.fill("name", "Away")
	here.wait(sel("[data-path=name]") + `.value === "Away"`)
	again(t, s)
	here.press("button", "Save")
	here.saveState("saved")
	there.saveState("saved")
	there.card("step_b", "While it is away")
}
