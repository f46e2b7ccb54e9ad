package dpop_test

import (
	"testing"

	"github.com/formgraph/formgraph/server/dpop"
)

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"http://a":                       "http://a/",
		"HTTPS://A.Example:443/":         "https://a.example/",
		"http://a:80/x":                  "http://a/x",
		"http://a:/x":                    "http://a/x",
		"https://a:80/x":                 "https://a:80/x",
		"http://[::1]:80/x":              "http://[::1]/x",
		"http://[::1]:81/x":              "http://[::1]:81/x",
		"http://a/x?y#z":                 "http://a/x",
		"http://a/%7ex/%2f%2F/%3f%c3%a9": "http://a/~x/%2F%2F/%3F%C3%A9",
		"http://a/a%20b":                 "http://a/a%20b",
		"http://a/a/../b":                "http://a/b",
		"http://a/a/..":                  "http://a/",
		"http://a/a/.":                   "http://a/a/",
		"http://a/../../b":               "http://a/b",
		"http://a/%2e%2e/b":              "http://a/b",
		"http://a//b":                    "http://a//b",
		"http://a/b/":                    "http://a/b/",
		"http://u@a/":                    "",
		"ftp://a/":                       "",
		"http:a":                         "",
		"http:///x":                      "",
		"/x":                             "",
		"":                               "",
		"http://a/%zz":                   "",
		"http://[::1%25:]/":              "",
		"http://[fe80::1%25eth0]/":       "",
		"http://a%20b/":                  "",
	} {
		got := dpop.Address(in)
		if got != want {
			t.Errorf("normal form of %q = %q, want %q", in, got, want)
		}
		if got != "" && dpop.Address(got) != got {
			t.Errorf("normal form of %q is not normal", got)
		}
	}
}
