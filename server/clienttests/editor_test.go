package clienttests

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// middle returns the middle of an element once it no longer moves, in window coordinates.
func (b *tab) middle(element string) (x, y float64) {
	b.t.Helper()
	b.wait(element)
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]float64](`(async () => {
		for (let was = null;;) {
			const r = `+element+`.getBoundingClientRect(), now = [r.x + r.width / 2, r.y + r.height / 2];
			if (was && was[0] === now[0] && was[1] === now[1]) return now;
			was = now;
			await new Promise((done) => setTimeout(done, 50));
		}
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return at[0], at[1]
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// click clicks an element with the mouse.
func (b *tab) click(element string) {
	b.t.Helper()
	b.do(chromedp.MouseClickXY(b.middle(element)))
}

// pressButton clicks the visible button with a name.
func (b *tab) pressButton(name string) {
	b.t.Helper()
	b.click(fmt.Sprintf(`[...document.querySelectorAll("button")].find((e) =>
		e.offsetParent !== null && (e.getAttribute("aria-label") || e.textContent).trim() === %q)`, name))
}

// grip returns a position in a node's header, at which it can be dragged.
func (b *tab) grip(id string) (x, y float64) {
	b.t.Helper()
	node := fmt.Sprintf(`document.querySelector('[data-node="%s"]')`, id)
	x, _ = b.middle(node)
	top, err := chromedp.Run(b.ctx, chromedp.Evaluate[float64](
		node+`.getBoundingClientRect().y + 14 * Number(document.querySelector("[data-testid=canvas]").dataset.zoom)`))
	if err != nil {
		b.t.Fatal(err)
	}
	return x, top
}

// drag moves the pointer from one position to another with the left button pressed.
func (b *tab) drag(x, y, toX, toY float64) {
	b.t.Helper()
	left := chromedp.ButtonLeft
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, left, chromedp.ClickCount(1)))
	const steps = 8
	for i := 1; i <= steps; i++ {
		part := float64(i) / steps
		b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x+(toX-x)*part, y+(toY-y)*part, left))
	}
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, toX, toY, left, chromedp.ClickCount(1)))
}

// fill replaces the text of an inspector input by typing.
func (b *tab) fill(path, text string) {
	b.t.Helper()
	b.click(fmt.Sprintf(`document.querySelector('[data-path="%s"]')`, path))
	b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(text))
}

// reply is the editor's answer to a call from its page.
type reply struct {
	Status int
	ETag   string
	Text   string
}

// call sends a request of the page to the server of the editor.
func (b *tab) call(method, path, etag string, body any) reply {
	b.t.Helper()
	headers := map[string]string{"X-CSRF": "1"}
	init := map[string]any{"method": method, "headers": headers}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			b.t.Fatal(err)
		}
		init["body"] = string(text)
		headers["Content-Type"] = "application/json"
	}
	if etag != "" {
		headers["If-Match"] = etag
	}
	with, err := json.Marshal(init)
	if err != nil {
		b.t.Fatal(err)
	}
	text := b.run(fmt.Sprintf(
		`fetch(%q, %s).then(async (r) => JSON.stringify({Status: r.status, ETag: r.headers.get("ETag"), Text: await r.text()}))`, path, with))
	var r reply
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		b.t.Fatalf("%s %s: %s", method, path, text)
	}
	return r
}

// form reads the form of an answer that must have a status.
func (r reply) form(t testing.TB, want int) map[string]any {
	t.Helper()
	if r.Status != want {
		t.Fatalf("%d %s, want %d", r.Status, r.Text, want)
	}
	var form map[string]any
	if err := json.Unmarshal([]byte(r.Text), &form); err != nil {
		t.Fatalf("%v in %s", err, r.Text)
	}
	return form
}
