//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// chromium is a page of the other tests.
type chromium struct{ *page }

// newChromium starts a browser that accepts every certificate.
func newChromium(tb testing.TB) engine {
	tb.Helper()
	ctx, cancel := launch(chromedp.Flag("ignore-certificate-errors", true))
	tb.Cleanup(cancel)
	return chromium{newPage(ctx, tb)}
}

func (chromium) name() string { return "Chromium" }

func (c chromium) open(address string) error { return chromedp.Do(c.ctx, chromedp.Navigate(address)) }

func (c chromium) eval(expression string, inPreview bool) (json.RawMessage, error) {
	expression = "Promise.resolve().then(() => (" + expression + ")).then(v => JSON.stringify(v) ?? \"null\")"
	if !inPreview {
		text, err := chromedp.Run(c.ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
		return json.RawMessage(text), err
	}
	address, err := chromedp.Run(c.ctx, chromedp.Evaluate[string](`document.querySelector("#preview-frame")?.src ?? ""`))
	if err != nil {
		return nil, err
	}
	text, err := c.frame(address, expression)
	return json.RawMessage(text), err
}

func (c chromium) act(sources []source) error {
	for _, s := range sources {
		var x, y float64
		var mods, pressed []chromedp.Modifier
		button := chromedp.ButtonNone
		for _, a := range s.Actions {
			switch a.Type {
			case "keyDown":
				if a.Value == controlKey {
					mods = []chromedp.Modifier{chromedp.ModifierCtrl}
					continue
				}
				key := a.Value
				if code, ok := map[string]string{enterKey: kb.Enter, escapeKey: kb.Escape}[key]; ok {
					key = code
				}
				c.key(key, mods...)
			case "keyUp":
				if a.Value == controlKey {
					mods = pressed
				}
			case "pointerMove":
				x, y = float64(*a.X), float64(*a.Y)
				c.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y, button))
			case "pointerDown":
				button = chromedp.ButtonLeft
				c.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, button, chromedp.ClickCount(1)))
			case "pointerUp":
				c.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x, y, button, chromedp.ClickCount(1)))
				button = chromedp.ButtonNone
			}
		}
	}
	return nil
}

func (c chromium) picture() ([]byte, error) { return chromedp.Run(c.ctx, chromedp.CaptureScreenshot()) }
