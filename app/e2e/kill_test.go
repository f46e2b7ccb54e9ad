//go:build e2e && !js && linux

package e2e

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/model/waittest"
)

var kills = flag.Int("kills", 20, "how often TestBrowserKilled kills the browser")

// captureExport stores the text of the last download where the test can read it.
const captureExport = `(() => {
	const make = URL.createObjectURL;
	URL.createObjectURL = blob => { window.exported = blob.text(); return make.call(URL, blob); };
})()`

// formHash returns the hash of the form as the page would export it.
func (p *page) formHash() string {
	p.t.Helper()
	eval[bool](p, `(delete window.exported)`)
	p.press("button", "Export")
	p.wait(`window.exported`)
	text := evalAsync[string](p, `window.exported`)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// killProfile kills every process of the browser with the profile at once.
func killProfile(t *testing.T, profile string) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, file := range dirs {
		line, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(line, []byte(profile)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	if killed == 0 {
		t.Fatal("there is no browser to kill")
	}
	_ = os.Remove(filepath.Join(profile, "SingletonLock"))
}

// TestBrowserKilled kills the browser at random while the form is edited. The
// stored work is restored, with an equal hash and its undo steps; at most the
// gesture in progress is lost.
func TestBrowserKilled(t *testing.T) {
	nightly(t) // app/draft tests what each write holds; only here: IndexedDB after a kill; a change in app/ui/vault or app/ui/drafts needs it
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(threeNodes)
	profile := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	var before, last string // hashes of the form before the last gesture, and after it
	lost := 0
	for round := range *kills + 1 {
		p := browseIn(t, profile)
		p.before(captureExport)
		p.editor(s, id)
		if round > 0 {
			p.draft("restored")
			p.click("[data-act=keep-draft]")
			got := p.formHash()
			if got == last {
				lost++
			} else {
				p.press("button", "Undo") // the gesture in progress was stored
				p.wantHash("after a kill", last)
				p.press("button", "Redo")
				p.wantHash("after a kill", got)
				p.press("button", "Undo")
				p.wantHash("after a kill", last)
			}
			p.press("button", "Undo")
			p.wantHash("after a kill", before)
			p.press("button", "Redo")
			p.wantHash("after a kill", last)
		}
		p.draftSettled()
		last = p.formHash()
		for i := range 1 + rng.IntN(3) {
			before = last
			p.gesture(rng.IntN(4), fmt.Sprint(round, "-", i))
			p.draft("kept")
			if last = p.formHash(); last == before {
				t.Fatalf("round %d: a gesture changed nothing", round)
			}
		}
		// The gesture in progress is interrupted at a random moment.
		moment := time.NewTimer(time.Duration(rng.IntN(250)) * time.Millisecond)
		p.attempt()
		<-moment.C
		killProfile(t, profile)
	}
	t.Logf("killed %d times; the gesture in progress was lost %d times", *kills, lost)
}

// wantHash waits until the form has a hash.
func (p *page) wantHash(when, want string) {
	p.t.Helper()
	until(20*time.Second, func() bool { return p.formHash() == want }, func() {
		p.t.Fatalf("%s: the form does not have the hash %s", when, want)
	})
}

// draftSettled waits until the draft is written, or there is nothing to write.
func (p *page) draftSettled() {
	p.t.Helper()
	p.wait(`document.querySelector("[data-save-state]").dataset.saveState === "saved" || document.querySelector("[data-save-state]").dataset.draft === "kept"`)
}

// gesture changes the form in one step.
func (p *page) gesture(kind int, unique string) {
	p.t.Helper()
	p.fitView() // the form opens where it was left, and nodes wander
	switch kind {
	case 0:
		x, y := p.grip("step_b")
		p.drag(x, y, x, y-40)
	case 1:
		p.choose("step_b")
		p.press("button", "Divider")
	case 2:
		p.choose("step_a")
		p.fill("nodes[0].alias", "A"+unique)
		p.wait(sel(node("step_a")) + `.textContent.includes(` + js("A"+unique) + `)`)
	default:
		p.choose("step_a")
		p.press("button", "Rich text")
	}
}

// attempt starts a gesture that the browser may not survive.
func (p *page) attempt() {
	ctx, cancel := context.WithTimeout(p.ctx, waittest.Limit(2*time.Second))
	defer cancel()
	click := `[...document.querySelectorAll("button")].find(b => b.textContent.trim() === "Divider")?.click()`
	_, _ = chromedp.Run(ctx, chromedp.Evaluate[any](`document.querySelector('[data-node="step_b"]') && setTimeout(() => { `+click+` }, 60)`))
}
