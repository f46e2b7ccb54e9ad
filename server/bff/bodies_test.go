package bff_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Bodies that are malformed, too large or of another media type are refused before the tenant is called.
func TestBadBodies(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	patch := func(body, contentType string, more ...string) got {
		return b.do("PATCH", "/bff/api/forms/ap_1", body,
			append([]string{"X-CSRF", "1", "Origin", w.editor, "Content-Type", contentType}, more...)...)
	}
	for name, x := range map[string]struct{ body, path, problem string }{
		"depth 65":            {strings.Repeat("[", 65) + strings.Repeat("]", 65), "", "limit"},
		"10^6 objects":        {"[" + strings.Repeat("{},", 1e6) + "{}]", "", "limit"},
		"twice at the top":    {`{"name":"a","name":"b"}`, "name", "duplicate_key"},
		"twice below":         {`{"nodes":[{"id":"a","id":"b"}]}`, "nodes[0].id", "duplicate_key"},
		"twice, escaped":      {`{"name":"a","na\u006de":"b"}`, "name", "duplicate_key"},
		"bad UTF-8":           {"{\"name\":\"\xff\"}", "", "syntax"},
		"lone surrogate":      {`{"name":"\ud800"}`, "", "syntax"},
		"byte order mark":     {"\ufeff{}", "", "syntax"},
		"two values":          {"{}{}", "", "syntax"},
		"NaN":                 {`{"name":NaN}`, "", "syntax"},
		"nothing":             {" ", "", "syntax"},
		"cut off":             {`{"name":`, "", "syntax"},
		"comment":             {`{}//`, "", "syntax"},
		"single quotes":       {`{'a':1}`, "", "syntax"},
		"trailing comma":      {`{"a":1,}`, "", "syntax"},
		"leading zero":        {`{"a":01}`, "", "syntax"},
		"control character":   {"{\"a\":\"\x01\"}", "", "syntax"},
		"too large a number":  {`{"start":{"coordinates":{"x":1e999}}}`, "start.coordinates.x", "range"},
		"negative, too large": {`{"nodes":[{"coordinates":{"x":0,"y":-1e999}}]}`, "nodes[0].coordinates.y", "range"},
		"1 MiB number":        {`{"start":{"coordinates":{"x":` + strings.Repeat("1", 1<<20) + `}}}`, "start.coordinates.x", "range"},
		"long fraction":       {`{"a":0.` + strings.Repeat("3", 100) + `}`, "a", "range"},
		"upper case":          {`{"NAME":"x"}`, "NAME", "unknown"},
		"upper case, escaped": {`{"na\u004de":"x"}`, "naMe", "unknown"},
		"upper case below":    {`{"nodes":[{"Id":"a","type":"STEP"}]}`, "nodes[0].Id", "unknown"},
	} {
		g := patch(x.body, "application/json")
		var p struct {
			Problems []struct{ Path, Code string }
		}
		if err := json.Unmarshal([]byte(g.body), &p); err != nil {
			t.Fatal(err)
		}
		if g.status != 400 || g.code() != "invalid_body" || len(p.Problems) == 0 || p.Problems[0].Code != x.problem || x.path != "" &&
			p.Problems[0].Path != x.path {
			t.Errorf("68: %s: got %d %.300s", name, g.status, g.body)
		}
	}
	for _, contentType := range []string{
		"text/plain", "multipart/form-data; boundary=x", "application/json; charset=utf-16",
		"application/x-www-form-urlencoded", "application/merge-patch+json", "json", "application/json, text/plain",
	} {
		if g := patch(`{}`, contentType); g.status != 415 || g.code() != "media_type" {
			t.Errorf("70: %s: got %d %s", contentType, g.status, g.body)
		}
	}
	if g := patch(`{}`, "application/json", "Content-Type", "text/plain"); g.status != 415 {
		t.Errorf("70: two types: got %d", g.status)
	}
	if g := patch(`{}`, "application/json", "Content-Encoding", "gzip"); g.status != 415 {
		t.Errorf("70: compressed: got %d", g.status)
	}
	if n := w.called(); n != 0 {
		t.Errorf("%d calls", n)
	}
	if g := patch(`{"a":1.50,"b":123456789012345678901234567890,"c":2e10,"Mine":1,"translations":{"pt-BR":{}}}`,
		"application/json; charset=UTF-8"); g.status != 200 {
		t.Errorf("68: numbers are kept as written, and names that are not ours: got %d %s", g.status, g.body)
	}
	if got := w.bodies[0]; !strings.Contains(got, `"a":1.50,"b":123456789012345678901234567890`) {
		t.Errorf("68: sent on as %s", got)
	}
}

// A body over the limit is 413 and closes the connection.
func TestTooLarge(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	fits := `{"name":"` + strings.Repeat("a", 4<<20-11) + `"}`
	if g := b.app("PATCH", "/bff/api/forms/ap_1", fits); g.status != 200 || w.called() != 1 {
		t.Errorf("%d bytes: got %d %.200s", len(fits), g.status, g.body)
	}
	for _, chunked := range []bool{false, true} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, w.editor+"/bff/api/forms/ap_1", strings.NewReader(fits+" "))
		if err != nil {
			t.Fatal(err)
		}
		if chunked {
			r.ContentLength = -1
		}
		r.Header = http.Header{"X-Csrf": {"1"}, "Origin": {w.editor}, "Content-Type": {"application/json"}}
		res, err := b.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusRequestEntityTooLarge || !res.Close {
			t.Errorf("chunked %v: got %d, closed %v", chunked, res.StatusCode, res.Close)
		}
	}
	// A declared length over the limit is refused before the body arrives.
	body, writer := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, w.editor+"/bff/api/forms/ap_1", body)
	if err != nil {
		t.Fatal(err)
	}
	r.ContentLength = 100 << 20
	r.Header = http.Header{"X-Csrf": {"1"}, "Origin": {w.editor}, "Content-Type": {"application/json"}}
	res, err := b.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = res.Body.Close(), writer.Close() // nothing was sent
	if res.StatusCode != http.StatusRequestEntityTooLarge || !res.Close {
		t.Errorf("100 MiB announced: got %d, closed %v", res.StatusCode, res.Close)
	}
	if w.called() != 1 {
		t.Errorf("%d calls", w.called())
	}
}
