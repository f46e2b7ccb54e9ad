package clientip_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/clientip"
)

func TestClientBehindProxies(t *testing.T) {
	proxies, err := clientip.ParseProxies("10.0.0.0/8, 2001:db8:ffff::/48,192.0.2.7")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, peer, headers, want string
	}{
		{"no proxy", "198.51.100.1:4711", "X-Forwarded-For: 203.0.113.9\nForwarded: for=203.0.113.9", "198.51.100.1"},
		{"proxy without a header", "10.1.2.3:1", "", "10.1.2.3"},
		{"one proxy", "10.1.2.3:1", "X-Forwarded-For: 203.0.113.9", "203.0.113.9"},
		{"a single address as proxy", "192.0.2.7:1", "X-Forwarded-For: 203.0.113.9", "203.0.113.9"},
		{"the client's own word", "10.1.2.3:1", "X-Forwarded-For: 1.1.1.1, 203.0.113.9", "203.0.113.9"},
		{"the client names a proxy", "10.1.2.3:1", "X-Forwarded-For: 1.1.1.1, 10.9.9.9, 203.0.113.9", "203.0.113.9"},
		{"two proxies", "10.1.2.3:1", "X-Forwarded-For: 203.0.113.9, 10.4.4.4", "203.0.113.9"},
		{"two lines", "10.1.2.3:1", "X-Forwarded-For: 1.1.1.1\nX-Forwarded-For: 203.0.113.9", "203.0.113.9"},
		{"all are proxies", "10.1.2.3:1", "X-Forwarded-For: 10.7.7.7, 10.8.8.8", "10.7.7.7"},
		{"with a port", "10.1.2.3:1", "X-Forwarded-For: 203.0.113.9:5555", "203.0.113.9"},
		{"IPv6", "10.1.2.3:1", "X-Forwarded-For: 2001:DB8::1", "2001:db8::1"},
		{"IPv6 with a port", "10.1.2.3:1", "X-Forwarded-For: [2001:db8::1]:80", "2001:db8::1"},
		{"IPv6 proxy", "[2001:db8:ffff::1]:80", "X-Forwarded-For: 203.0.113.9", "203.0.113.9"},
		{"IPv4 in IPv6", "[::ffff:10.1.2.3]:80", "X-Forwarded-For: ::ffff:203.0.113.9", "203.0.113.9"},
		{"malformed", "10.1.2.3:1", "X-Forwarded-For: 203.0.113.9, evil", "10.1.2.3"},
		{"malformed behind a proxy", "10.1.2.3:1", "X-Forwarded-For: 203.0.113.9, 1.2.3, 10.4.4.4", "10.4.4.4"},
		{"empty", "10.1.2.3:1", "X-Forwarded-For: ", "10.1.2.3"},
		{"empty element", "10.1.2.3:1", "X-Forwarded-For: 203.0.113.9,", "10.1.2.3"},
		{"bracket left open", "10.1.2.3:1", "X-Forwarded-For: [2001:db8::1", "10.1.2.3"},
		{"Forwarded", "10.1.2.3:1", "Forwarded: for=203.0.113.9;proto=https;by=10.1.2.3", "203.0.113.9"},
		{"Forwarded, upper case", "10.1.2.3:1", "Forwarded: Proto=https; For=203.0.113.9", "203.0.113.9"},
		{"Forwarded, quoted", "10.1.2.3:1", `Forwarded: for=1.1.1.1, for="[2001:db8::17]:4711";host="a,b;c"`, "2001:db8::17"},
		{"Forwarded, a quoted comma", "10.1.2.3:1", `Forwarded: for="203.0.113.9, 10.4.4.4"`, "10.1.2.3"},
		{"Forwarded, an escaped quote", "10.1.2.3:1", `Forwarded: for=203.0.113.9;host="\","`, "203.0.113.9"},
		{"Forwarded, unknown", "10.1.2.3:1", "Forwarded: for=unknown", "10.1.2.3"},
		{"Forwarded, obfuscated", "10.1.2.3:1", "Forwarded: for=203.0.113.9, for=_hidden", "10.1.2.3"},
		{"Forwarded, twice", "10.1.2.3:1", "Forwarded: for=203.0.113.9;for=203.0.113.8", "10.1.2.3"},
		{"Forwarded without for", "10.1.2.3:1", "Forwarded: for=203.0.113.9, proto=https", "10.1.2.3"},
		{"both agree", "10.1.2.3:1", "Forwarded: for=203.0.113.9\nX-Forwarded-For: 203.0.113.9", "203.0.113.9"},
		{"both disagree", "10.1.2.3:1", "Forwarded: for=1.1.1.1\nX-Forwarded-For: 203.0.113.9", "10.1.2.3"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tt.peer
		for line := range strings.SplitSeq(tt.headers, "\n") {
			if name, value, ok := strings.Cut(line, ": "); ok {
				r.Header.Add(name, value)
			}
		}
		var got, from string
		clientip.Locate(proxies, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got, from = clientip.Of(r), clientip.From(r.Context())
		})).ServeHTTP(httptest.NewRecorder(), r)
		if got != tt.want || from != tt.want {
			t.Errorf("%s: %s, and %s in the context, want %s", tt.name, got, from, tt.want)
		}
	}
}

func TestWithoutProxiesHeadersAreIgnored(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = "127.0.0.1:80"
	r.Header.Set("X-Forwarded-For", "203.0.113.9")
	clientip.Locate(nil, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if got := clientip.Of(r); got != "127.0.0.1" {
			t.Errorf("the client is %s", got)
		}
	})).ServeHTTP(httptest.NewRecorder(), r)
}

func TestNetworkThatLimitsCount(t *testing.T) {
	for peer, want := range map[string]string{
		"198.51.100.1:1":                "198.51.100.1",
		"[::ffff:198.51.100.1]:1":       "198.51.100.1",
		"[2001:db8:1:2:3:4:5:6]:1":      "2001:db8:1:2::/64",
		"[2001:db8:1:2:ffff::1%eth0]:1": "2001:db8:1:2::/64",
		"@":                             "@",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = peer
		if got := clientip.Network(r); got != want {
			t.Errorf("%s is counted by %s, want %s", peer, got, want)
		}
	}
}

func TestParseProxiesRefuses(t *testing.T) {
	for _, list := range []string{"10.0.0.0/33", "example.com", "10.0.0.1,nobody", "10/8", "fe80::1%eth0"} {
		if p, err := clientip.ParseProxies(list); err == nil {
			t.Errorf("%s is read as %v", list, p)
		}
	}
	if p, err := clientip.ParseProxies(" ,"); err != nil || len(p) != 0 {
		t.Errorf("an empty list is %v, %v", p, err)
	}
	if p, err := clientip.ParseProxies("::ffff:10.0.0.0/104"); err != nil || p[0].String() != "10.0.0.0/8" {
		t.Errorf("a mapped network is %v, %v", p, err)
	}
}

func FuzzForwarded(f *testing.F) {
	f.Add(`for="[2001:db8::17]:4711";host="a,b;c", for=1.1.1.1`, "1.1.1.1, 10.0.0.1")
	proxies, err := clientip.ParseProxies("10.0.0.0/8")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, standard, named string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "10.0.0.1:1"
		r.Header["Forwarded"], r.Header["X-Forwarded-For"] = []string{standard}, []string{named}
		clientip.Locate(proxies, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if clientip.From(r.Context()) != clientip.Of(r) || clientip.Of(r) == "" {
				t.Errorf("%q in the context, %q at the request", clientip.From(r.Context()), clientip.Of(r))
			}
		})).ServeHTTP(httptest.NewRecorder(), r)
	})
}
