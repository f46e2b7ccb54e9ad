package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// answering serves every path: /healthz with 200, and others as their names say.
func answering() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/healthz", http.StatusFound) })
	mux.HandleFunc("/bad", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) })
	return mux
}

func TestHealthOfURL(t *testing.T) {
	plain, secure := httptest.NewServer(answering()), httptest.NewTLSServer(answering())
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	gone := httptest.NewServer(answering())
	gone.Close()
	// A proxy of the environment would answer for the server.
	t.Setenv("HTTP_PROXY", plain.URL)
	t.Setenv("HTTPS_PROXY", plain.URL)
	for _, x := range []struct {
		address string
		code    int
		errs    string
	}{
		{plain.URL, exitOK, ""},
		{plain.URL + "/healthz", exitOK, ""},
		{secure.URL, exitOK, ""},
		{plain.URL + "/readyz", exitFailed, "503"},
		{secure.URL + "/readyz", exitFailed, "503"},
		{plain.URL + "/elsewhere", exitFailed, "302"},
		{plain.URL + "/bad", exitFailed, "400"},
		{plain.URL + "/", exitFailed, "404"},
		{gone.URL, exitFailed, "no answer"},
		{"ftp://localhost/", exitUnusable, "http or https"},
		{"localhost:8080", exitUnusable, "http or https"},
		{"http://somebody:hunter22@localhost", exitUnusable, "without a user name"},
	} {
		code, out, errs := inTool(t, "", "health", x.address)
		if code != x.code || out != "" || !strings.Contains(errs, x.errs) || x.errs == "" && errs != "" || strings.Contains(errs, "hunter22") {
			t.Errorf("%s: got %d %s%s", x.address, code, out, errs)
		}
	}
	if code, _, errs := inTool(t, "", "health", plain.URL, plain.URL); code != exitUnusable || !strings.Contains(errs, "one URL") {
		t.Errorf("two URLs: got %d %s", code, errs)
	}
}

// The command finds the listener by the option or the variable that the server has.
func TestHealthOfOwnListener(t *testing.T) {
	for name, serve := range map[string]func(http.Handler) *httptest.Server{"http": httptest.NewServer, "https": httptest.NewTLSServer} {
		srv := serve(answering())
		t.Cleanup(srv.Close)
		listen := srv.Listener.Addr().String()
		_, port, err := net.SplitHostPort(listen)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []string{listen, "0.0.0.0:" + port, ":" + port} {
			if code, _, errs := inTool(t, "", "health", "--listen", at); code != exitOK {
				t.Errorf("%s --listen %s: got %d %s", name, at, code, errs)
			}
			var errs bytes.Buffer
			env := func(name string) (string, bool) { return at, name == "FORMGRAPH_LISTEN" }
			if code := run(t.Context(), process{stderr: &errs, lookup: env}, []string{"health"}); code != exitOK {
				t.Errorf("%s FORMGRAPH_LISTEN=%s: got %d %s", name, at, code, errs.String())
			}
		}
	}
	if code, _, errs := inTool(t, "", "health", "--listen", ":0"); code != exitUnusable || !strings.Contains(errs, "give the URL") {
		t.Errorf("port 0: got %d %s", code, errs)
	}
	pages, err := ownPages("[::]:8080")
	if err != nil || fmt.Sprint(pages) != "[http://[::1]:8080/healthz https://[::1]:8080/healthz]" {
		t.Errorf("[::]: got %v, %v", pages, err)
	}
}

// A server that accepts and never answers must not keep the health check waiting.
func TestHealthEndsInTime(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	if code, _, errs := inTool(t, "", "health", "http://"+silent.Addr().String()); code != exitFailed || !strings.Contains(errs, "deadline") {
		t.Errorf("got %d %s", code, errs)
	}
}

// Only a certificate on loopback is accepted unseen, whatever a name resolves to.
func TestHealthVerifiesElsewhere(t *testing.T) {
	for host, skips := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "::1": true, "forms.example": false, "192.0.2.1": false, "localhost.example": false,
	} {
		c := healthTransport(host).TLSClientConfig
		if got := c != nil && c.InsecureSkipVerify; got != skips {
			t.Errorf("%s: certificate is not verified: %v", host, got)
		}
	}
	for address, ok := range map[string]bool{
		"127.0.0.1:1": true, "[::1]:1": true, "[::ffff:127.0.0.1]:1": true, "192.0.2.1:1": false, "[2001:db8::1]:1": false,
	} {
		if err := loopbackOnly("tcp", address, nil); (err == nil) != ok {
			t.Errorf("connection to %s: %v", address, err)
		}
	}
}

// The command understands a real server, with TLS and without.
func TestHealthOfServer(t *testing.T) {
	for _, args := range [][]string{nil, {"--tls-local"}} {
		r := start(t, newData(t), args...)
		u, err := url.Parse(r.at.Editor)
		if err != nil {
			t.Fatal(err)
		}
		if code, _, errs := inTool(t, "", "health", "--listen", "127.0.0.1:"+u.Port()); code != exitOK {
			t.Errorf("%v: got %d %s", args, code, errs)
		}
		r.stop()
		if code, _, _ := inTool(t, "", "health", "--listen", "127.0.0.1:"+u.Port()); code != exitFailed {
			t.Errorf("%v: got %d after the end", args, code)
		}
	}
}
