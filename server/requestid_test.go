package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// Every response carries the ID of its request, and so does every log line of the request, whichever part of the server writes it.
func TestAnswersAndLogNameRequest(t *testing.T) {
	s := start(t, newData(t), "--trusted-proxy", "127.0.0.0/8")
	f, p := s.first(), s.person()
	p.signIn(f.Admin.Email, f.Admin.Password)
	for i, url := range []string{
		s.at.Editor + "/healthz", s.at.Editor + "/readyz", s.at.Editor + "/nothing", s.at.Editor + "/bff/api/forms",
		s.at.Tenant + "/healthz", s.at.Tenant + "/readyz", s.at.Tenant + "/nothing", s.at.Tenant + "/api/v2/forms",
		s.at.Sample + "/healthz", s.at.Sample + "/api/private",
	} {
		_, h, _ := p.send(http.MethodGet, url, "")
		if id := h.Get("X-Request-Id"); len(id) != 16 {
			t.Errorf("%s: X-Request-Id is %q", url, id)
		}
		given := "given-by-proxy-" + string(rune('a'+i))
		if _, h, _ = p.send(http.MethodGet, url, "", "X-Request-Id", given); h.Get("X-Request-Id") != given {
			t.Errorf("%s: the proxy's ID became %q", url, h.Get("X-Request-Id"))
		}
	}
	status, h, body := p.send(http.MethodPost, s.at.Editor+"/bff/api/forms", `{"name":1}`, "X-CSRF", "1", "Origin", s.at.Editor,
		"Content-Type", "application/json", "X-Request-Id", "the-refused-one")
	var problem struct {
		RequestID string `json:"request_id"`
	}
	if err := json.Unmarshal([]byte(body), &problem); err != nil || status != http.StatusBadRequest ||
		problem.RequestID != "the-refused-one" || h.Get("X-Request-Id") != problem.RequestID {
		t.Errorf("got %d %v %s (%v)", status, h, body, err)
	}
	var audit, access bool
	for line := range strings.Lines(s.log.String()) {
		var got struct {
			Msg       string `json:"msg"`
			RequestID string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch got.Msg {
		case "request", "audit", "token issued", "signed in":
			if got.RequestID == "" {
				t.Errorf("no request_id: %s", line)
			}
		}
		audit = audit || got.Msg == "audit" && got.RequestID == "the-refused-one"
		access = access || got.Msg == "request" && got.RequestID == "the-refused-one"
	}
	if !audit || !access {
		t.Errorf("the refused change: audit line %v, access line %v\n%s", audit, access, s.log)
	}
}

// Only a trusted proxy can choose the ID of a request.
func TestUntrustedClientsCannotChooseRequestID(t *testing.T) {
	s := start(t, newData(t))
	_, h, _ := s.person().send(http.MethodGet, s.at.Editor+"/bff/user", "", "X-Request-Id", "somebody-else")
	if id := h.Get("X-Request-Id"); len(id) != 16 || id == "somebody-else" {
		t.Errorf("X-Request-Id is %q", id)
	}
	if log := s.log.String(); strings.Contains(log, "somebody-else") {
		t.Errorf("the log contains the ID that the client sent:\n%s", log)
	}
}
