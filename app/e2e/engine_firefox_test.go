//go:build e2e && !js

package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/websocket"
)

// firefox is Firefox, driven by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/).
type firefox struct {
	conn *websocket.Conn
	sent int
	page string // its browsing context
}

// quietPrefs keep Firefox from asking anybody but the tests' servers: a proxy that does not exist takes what is not for this machine.
const quietPrefs = `user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("termsofuse.bypassNotification", true);
`

// newFirefox starts a browser that accepts every certificate.
func newFirefox(tb testing.TB) engine {
	tb.Helper()
	home := tb.TempDir()
	profile := filepath.Join(home, "profile")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(quietPrefs), 0o600); err != nil {
		tb.Fatal(err)
	}
	const origin = "http://127.0.0.1"
	log := &logBuffer{}
	cmd := program(tb, []string{"HOME=" + home, "MOZ_CRASHREPORTER_DISABLE=1"}, "firefox-esr", "--headless", "--no-remote", "--profile", profile,
		"--remote-debugging-port", "0", "--remote-allow-origins", origin, "--width", "1440", "--height", "900")
	cmd.Stderr, cmd.Stdout = log, log
	address := started(tb, cmd, func() (string, bool) {
		_, after, found := strings.Cut(log.String(), "WebDriver BiDi listening on ")
		line, _, whole := strings.Cut(after, "\n")
		return strings.TrimSpace(line), found && whole
	})
	conn, err := websocket.Dial(address+"/session", "", origin)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	f := &firefox{conn: conn}
	capabilities := map[string]any{"alwaysMatch": map[string]any{"acceptInsecureCerts": true}}
	var tree struct {
		Contexts []struct {
			Context string `json:"context"`
		} `json:"contexts"`
	}
	err = f.call("session.new", map[string]any{"capabilities": capabilities}, nil)
	if err == nil {
		err = f.call("browsingContext.getTree", map[string]any{}, &tree)
	}
	if err != nil || len(tree.Contexts) == 0 {
		tb.Fatalf("no page: %v", err)
	}
	f.page = tree.Contexts[0].Context
	size := map[string]any{"width": 1440, "height": 900}
	if err := f.call("browsingContext.setViewport", map[string]any{"context": f.page, "viewport": size}, nil); err != nil {
		tb.Fatal(err)
	}
	return f
}

func (f *firefox) name() string { return "Firefox" }

// call sends a command and waits for its answer. into gets its result, if it is not nil.
func (f *firefox) call(method string, params, into any) error {
	f.sent++
	if err := websocket.JSON.Send(f.conn, map[string]any{"id": f.sent, "method": method, "params": params}); err != nil {
		return err
	}
	ctx, cancel := soon()
	defer cancel()
	end, _ := ctx.Deadline()
	if err := f.conn.SetReadDeadline(end); err != nil {
		return err
	}
	for {
		var got struct {
			ID      int             `json:"id"`
			Type    string          `json:"type"`
			Error   string          `json:"error"`
			Message string          `json:"message"`
			Result  json.RawMessage `json:"result"`
		}
		if err := websocket.JSON.Receive(f.conn, &got); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case got.ID != f.sent: // an event
		case got.Type != "success":
			return fmt.Errorf("%s: %s: %s", method, got.Error, got.Message)
		case into == nil:
			return nil
		default:
			return json.Unmarshal(got.Result, into)
		}
	}
}

func (f *firefox) open(address string) error {
	return f.call("browsingContext.navigate", map[string]any{"context": f.page, "url": address, "wait": "complete"}, nil)
}

func (f *firefox) eval(expression string, inPreview bool) (json.RawMessage, error) {
	at := f.page
	if inPreview {
		var tree struct {
			Contexts []struct {
				Children []struct{ Context, URL string } `json:"children"`
			} `json:"contexts"`
		}
		if err := f.call("browsingContext.getTree", map[string]any{"root": f.page}, &tree); err != nil {
			return nil, err
		}
		for _, c := range tree.Contexts[0].Children {
			if strings.Contains(c.URL, "/preview") {
				at = c.Context
			}
		}
		if at == f.page {
			return nil, fmt.Errorf("no preview among %v", tree)
		}
	}
	var got struct {
		Type   string `json:"type"`
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
		Details struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	params := map[string]any{
		"expression": "Promise.resolve().then(() => (" + expression + ")).then(v => JSON.stringify({v}))",
		"target":     map[string]any{"context": at}, "awaitPromise": true,
	}
	if err := f.call("script.evaluate", params, &got); err != nil {
		return nil, err
	}
	if got.Type != "success" {
		return nil, fmt.Errorf("%s", got.Details.Text)
	}
	var value struct {
		V json.RawMessage `json:"v"`
	}
	err := json.Unmarshal([]byte(got.Result.Value), &value)
	return value.V, err
}

func (f *firefox) act(sources []source) error {
	return f.call("input.performActions", map[string]any{"context": f.page, "actions": sources}, nil)
}

func (f *firefox) picture() ([]byte, error) {
	var got struct {
		Data string `json:"data"`
	}
	if err := f.call("browsingContext.captureScreenshot", map[string]any{"context": f.page}, &got); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(got.Data)
}
