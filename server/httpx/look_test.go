package httpx_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/httpx"
)

// What a link shows is not stored or indexed, and no other site embeds it or learns its address.
func TestLookHeaders(t *testing.T) {
	for _, framed := range []bool{false, true} {
		h := serve(httpx.SecurityHeaders("https://forms.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			httpx.SetLookHeaders(w.Header(), framed)
		})), "GET", "/look/x").Header()
		policy := h.Values("Content-Security-Policy")
		frame, ancestors, begin := "DENY", "frame-ancestors 'none'", "default-src 'none'; script-src 'self'; style-src 'self'; "
		if framed {
			frame, ancestors, begin = "SAMEORIGIN", "frame-ancestors 'self'", "sandbox; default-src 'none'; "
		}
		if len(policy) != 1 || !strings.HasPrefix(policy[0], begin) || !strings.Contains(policy[0], ancestors) || !strings.Contains(policy[0], "form-action 'none'") ||
			strings.Contains(policy[0], "allow-") || !framed && strings.Contains(policy[0], "unsafe") || h.Get("X-Frame-Options") != frame {
			t.Errorf("framed %v: %s, %s", framed, policy, h.Get("X-Frame-Options"))
		}
		if h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Robots-Tag") != "noindex, nofollow, noarchive" || h.Get("Cache-Control") != "no-store" {
			t.Errorf("framed %v: %v", framed, h)
		}
	}
}

// The log names a link, but has not its code.
func TestAccessLogHidesCodes(t *testing.T) {
	const id, code = "abcdefghijklmnopqrst", "0123456789ABCDEF0123456789abcdef"
	for path, want := range map[string]string{
		"/look/" + id + code: "/look/" + id + "…", "/look/" + id + code + "/screens": "/look/" + id + "…", "/look/short": "/look/short", "/look/" + id: "/look/" + id,
		"/looks/" + id + code: "/looks/" + id + code, "/forms/a": "/forms/a",
	} {
		log, out := logger()
		serve(httpx.AccessLog(log, time.Now, http.NotFoundHandler()), "GET", path)
		if !strings.Contains(out.String(), `"path":"`+want+`"`) {
			t.Errorf("%s is logged as %s", path, out)
		}
	}
}
