package etag_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/web/etag"
)

// What browsers send after a proxy has changed the tag "a1-b", and what no browser sends.
func TestHolds(t *testing.T) {
	const now = `"a1-b"`
	for _, tt := range []struct {
		lines string // of the header, apart by line breaks
		holds bool
	}{
		{now, true},
		{"*", true},
		{" * ", true},
		{"W/" + now, true},
		{"w/" + now, true},
		{`"x", ` + now, true},
		{`"x",,  W/` + now + ` ,`, true},
		{"\"x\"\n" + now, true},
		{`"x,y", ` + now, true},
		{`"a1-b-gzip"`, true},
		{`W/"a1-b-gzip"`, true},
		{`"a1-b;gzip"`, true},
		{`"a1-b;gz"`, true},
		{`"a1-b--gzip"`, true},
		{`"a1-b:br"`, true},
		{`"a1-b-br"`, true},
		{`"a1-b-zstd"`, true},
		{`"a1-b-deflate"`, true},
		{`"a1-b-gunzip"`, true},
		{`"a1-b-br-gzip"`, true},
		{now + "-gzip", true},
		{now + ";gzip", true},
		{"W/" + now + ";br", true},
		{"a1-b", true},
		{"a1-b-gzip", true},

		{"", false},
		{",", false},
		{`""`, false},
		{`"x"`, false},
		{`"A1-B"`, false},
		{`"a1"`, false},
		{`"a1-b-"`, false},
		{`"a1-bgzip"`, false},
		{`"a1-b-x"`, false},
		{`"-gzip"`, false},
		{`"gzip"`, false},
		{`"a1-b`, false},
		{`a1-b"`, false},
		{now + "x", false},
		{now + ` "y"`, false},
		{`W/W/` + now, false},
		{`*, "x"`, false},
		{`"*"`, false},
	} {
		if got := etag.Read(strings.Split(tt.lines, "\n")...).Holds(now); got != tt.holds {
			t.Errorf("%q holds for %s: %v", tt.lines, now, got)
		}
	}
}

// A tag of the server that looks as if a proxy had changed it is compared as it is: the states "a" and "a-gzip" are different.
func TestTagsLikeThoseOfProxies(t *testing.T) {
	for _, tt := range []struct {
		line, now string
		holds     bool
	}{
		{`"a-gzip"`, `"a-gzip"`, true},
		{`"a-gzip-br"`, `"a-gzip"`, true},
		{`W/"a-gzip"`, `W/"a-gzip"`, true},
		{`"a"`, `W/"a"`, true},
		{`"a"`, `"a-gzip"`, false},
		{`"a-br"`, `"a-gzip"`, false},
		{`*`, "", false},
		{`""`, "", false},
		{`""`, `""`, true},
		{`1`, `1`, true},
		{`"1-gzip"`, `1`, true},
		{`"1"`, `2`, false},
	} {
		if got := etag.Read(tt.line).Holds(tt.now); got != tt.holds {
			t.Errorf("%s holds for %s: %v", tt.line, tt.now, got)
		}
	}
	if !etag.Read(`"b"`).Holds("", `"a"`, `"b"`) {
		t.Error("one of several tags is enough")
	}
}

func TestConditions(t *testing.T) {
	for _, tt := range []struct {
		lines             []string
		given, any, exact bool
	}{
		{nil, false, false, false},
		{[]string{""}, true, false, false},
		{[]string{"*"}, true, true, false},
		{[]string{`"a"`}, true, false, true},
		{[]string{`"a", "b"`}, true, false, true},
		{[]string{`W/"a"`}, true, false, false},
		{[]string{`"a", W/"b"`}, true, false, false},
		{[]string{`"a-gzip"`}, true, false, false},
		{[]string{`"a";gzip`}, true, false, false},
		{[]string{"a"}, true, false, false},
	} {
		if c := etag.Read(tt.lines...); c.Given() != tt.given || c.Any() != tt.any || c.Exact() != tt.exact {
			t.Errorf("%q: given %v, any %v, exact %v", tt.lines, c.Given(), c.Any(), c.Exact())
		}
	}
	if c := etag.Read(`"x", W/"fg-y"`); !c.Begins("fg-") || c.Begins("fg-z") {
		t.Error("Begins is wrong")
	}
}

// Whatever a proxy does to the tag of one state, it never becomes that of another, and reading ends.
func FuzzHolds(f *testing.F) {
	for _, line := range []string{`"a"`, `W/"b-gzip", *`, `"a";br,,"`, "a, b", `W/"`, `"-gzip--gzip"`} {
		f.Add(line, "QmFzZTY0LXVybA", "b3RoZXI")
	}
	f.Fuzz(func(t *testing.T, line, a, b string) {
		etag.Read(line).Holds(`"` + a + `"`)
		if a == b || strings.ContainsAny(a+b, "\", \t\x00*;:-/") {
			return
		}
		for _, changed := range []string{`"A"`, `W/"A"`, `"A-gzip"`, `"A;gzip"`, `"A--gzip"`, `"A"-gzip`, `"x", W/"A;br"`, `"A-br-gzip"`} {
			c := etag.Read(strings.ReplaceAll(changed, "A", a))
			if !c.Holds(`"` + a + `"`) {
				t.Errorf("%s does not hold for %q", changed, a)
			}
			if b != "x" && c.Holds(`"`+b+`"`) {
				t.Errorf("%s of %q holds for %q", changed, a, b)
			}
		}
	})
}
