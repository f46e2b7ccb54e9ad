//go:build e2e && !js

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"
)

// webkit is the browser of WebKitGTK's tests under its driver, which speaks WebDriver (https://www.w3.org/TR/webdriver2/).
type webkit struct {
	session string // its address
	screen  string
}

// newWebkit starts a browser that accepts every certificate.
func newWebkit(tb testing.TB) engine {
	tb.Helper()
	found, _ := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
	if len(found) == 0 {
		tb.Fatal("there is no MiniBrowser: run make engine-tools")
	}
	display, file := screen(tb)
	l, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	w := &webkit{session: "http://127.0.0.1:" + strconv.Itoa(port), screen: file}
	home := tb.TempDir()
	cmd := program(tb, []string{
		"DISPLAY=" + display, "HOME=" + home, "XDG_RUNTIME_DIR=" + home, "GDK_BACKEND=x11", "WEBKIT_DISABLE_DMABUF_RENDERER=1", "LIBGL_ALWAYS_SOFTWARE=1",
		"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1",
	}, "WebKitWebDriver", "--port="+strconv.Itoa(port))
	started(tb, cmd, func() (string, bool) { return "", w.call(http.MethodGet, "/status", nil, nil) == nil })
	var got struct {
		SessionID string `json:"sessionId"`
	}
	options := map[string]any{"binary": found[0], "args": []string{"--automation", "--full-screen"}}
	always := map[string]any{"browserName": "MiniBrowser", "acceptInsecureCerts": true, "webkitgtk:browserOptions": options}
	if err := w.call(http.MethodPost, "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": always}}, &got); err != nil {
		tb.Fatal(err)
	}
	w.session += "/session/" + got.SessionID
	tb.Cleanup(func() { _ = w.call(http.MethodDelete, "", nil, nil) })
	// No window manager gives the window the whole screen.
	whole := map[string]any{"x": 0, "y": 0, "width": 1440, "height": 900}
	if err := w.call(http.MethodPost, "/window/rect", whole, nil); err != nil {
		tb.Fatal(err)
	}
	return w
}

func (w *webkit) name() string { return "WebKit" }

// call sends a command. into gets its value, if it is not nil.
func (w *webkit) call(method, path string, body, into any) error {
	ctx, cancel := soon()
	defer cancel()
	var send io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		send = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, w.session+path, send)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	var got struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, path, got.Value)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(got.Value, into)
}

func (w *webkit) open(address string) error {
	return w.call(http.MethodPost, "/url", map[string]any{"url": address}, nil)
}

func (w *webkit) eval(expression string, inPreview bool) (json.RawMessage, error) {
	if inPreview {
		var frame json.RawMessage
		if err := w.call(http.MethodPost, "/element", map[string]any{"using": "css selector", "value": "#preview-frame"}, &frame); err != nil {
			return nil, err
		}
		if err := w.call(http.MethodPost, "/frame", map[string]any{"id": frame}, nil); err != nil {
			return nil, err
		}
		defer func() { _ = w.call(http.MethodPost, "/frame", map[string]any{"id": nil}, nil) }()
	}
	script := "const done = arguments[0]; Promise.resolve().then(() => (" + expression + ")).then(v => done(JSON.stringify({v})), e => done(JSON.stringify({e: String(e)})))"
	var text string
	if err := w.call(http.MethodPost, "/execute/async", map[string]any{"script": script, "args": []any{}}, &text); err != nil {
		return nil, err
	}
	var got struct {
		V json.RawMessage `json:"v"`
		E string          `json:"e"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		return nil, err
	}
	if got.E != "" {
		return nil, fmt.Errorf("%s", got.E)
	}
	return got.V, nil
}

func (w *webkit) act(sources []source) error {
	return w.call(http.MethodPost, "/actions", map[string]any{"actions": sources}, nil)
}

// picture reads the screen: the driver's own picture waits for frames that a page without a change does not draw.
func (w *webkit) picture() ([]byte, error) { return screenPicture(w.screen) }
