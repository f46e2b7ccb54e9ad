package model_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
)

// A date and time is exactly that of RFC 3339, section 5.6, without what Go also accepts.
func TestDateTimeIsRFC3339(t *testing.T) {
	good := []string{
		"2024-09-10T12:34:56Z", "2024-09-10t12:34:56z", "2024-09-10T12:34:56.7+23:59", "2024-02-29T00:00:00.123456789012Z",
		"0000-01-01T00:00:00-00:00",
		"1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1990-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00",
		"2016-07-01T00:59:60.5+01:00", "1937-01-01T12:00:27.87+00:20",
	}
	bad := []string{
		"", "2024-09-10", "2024-09-10T12:34Z", "2024-09-10T1:34:56Z", "2024-09-10T12:34:56", "2024-09-10T12:34:56+24:00",
		"2024-09-10T12:34:56+00:60", "2024-09-10T24:00:00Z",
		"2024-09-10T12:60:00Z", "2024-09-10T12:34:61Z", "2024-09-10T12:34:60Z", "2024-09-10T23:59:60Z", "1990-12-31T23:59:60-08:00",
		"2024-09-10T12:34:56,7Z", "2024-09-10T12:34:56.Z",
		"2024-09-10 12:34:56Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-9-10T12:34:56Z",
		"24-09-10T12:34:56Z", "12024-09-10T12:34:56Z",
		"2024-09-10T12:34:56+1:00", "2024-09-10T12-34:56Z", "2024-09-10T12:34-56Z", "2024-09-10T12:34:56+01-00", "2024-09-10T12:34:56+0100",
		"2024-09-10T12:34:56 Z", "2024-09-10T12:34:56Zx", "２024-09-10T12:34:56Z", "2024-09-10T+2:34:56Z", "2024-09-10T12:34:56.7",
	}
	check := func(s, want string) {
		doc := parse(t, `{"id":"ap_a","name":"x","updated_at":"2024-01-01T00:00:00Z"}`).With("created_at", s)
		if got := lines(model.CheckResponse(doc)); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
	for _, s := range good {
		check(s, "")
	}
	for _, s := range bad {
		check(s, "created_at format")
	}
}

// The host of an image URL has only characters that a host can have:
// those of RFC 3986, section 3.2.2, and beyond ASCII printable ones.
func TestImageURLHosts(t *testing.T) {
	good := []string{
		"https://example.com/i.png", "HTTPS://Example.COM:8443/?q=<b>", "https://127.0.0.1/i", "https://[::1]:1/", "https://[2001:db8::7]/",
		"https://bücher.example/", "https://例え.テスト/",
		"https://xn--bcher-kva.example/", "https://a_b.example/", "https://نامه\u200cای.com/", "https://b%C3%BCcher.example/",
		"https://user:pa%20ss@host/", "https://i❤.ws/", "https://a:65535/", "https://a:/",
	}
	bad := []string{
		"https://<script>/", `https://a"b/`, "https://a]b/", "https://127>0.0.1/i", "https://a{b}/", "https://a|b/", "https://a^b/",
		"https://a`b/", `https://a\b/`, "https://a b/", "https://%25/", "https://%00/",
		"https://%FF/", "https://a\u00a0b/", "https://a\u202eb/", "https://[::1]x/", "https://[1.2.3.4]/", "https://a:65536/", "https://:443/",
	}
	check := func(s, want string) {
		doc := parse(
			t,
			`{"nodes":[{"id":"a","type":"STEP","config":{"components":[{"id":"c","category":"FIELD","type":"CARDS","config":{"options":[
{"value":"v","label":"l"}]}}]}}]}`,
		)
		f, err := model.FromTree(doc).Set(path(t, "nodes.0.config.components.0.config.options.0.image_url"), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(model.CheckPatch(f.Tree())); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
	for _, s := range good {
		check(s, "")
	}
	for _, s := range bad {
		check(s, "nodes[0].config.components[0].config.options[0].image_url format")
	}
}
