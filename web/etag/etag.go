// Package etag compares entity tags, also those that a proxy has changed on their way.
//
// All comparisons are weak (RFC 9110, section 8.8.3.2), also that of If-Match: a proxy that compresses an answer makes its tag weak, and
// could otherwise never change what it has read. Therefore a server must give different states different tags, and not only different
// texts of one state. Proxies that compress also write the name of the coding behind the tag, as in "x-gzip", "x;br" or "x"-gzip. A
// condition holds for what is left without such endings, too.
package etag

import (
	"iter"
	"slices"
	"strings"
)

// Condition is the value of If-Match or If-None-Match. The zero Condition is that of a request without the header.
type Condition struct {
	given, any, exact bool

	tags []string // the opaque parts, without quotes
}

// Read reads the lines of the header, none of which means that the request has none. What is not a tag matches nothing.
func Read(lines ...string) Condition {
	field := strings.Join(lines, ",")
	if strings.Trim(field, " \t,") == "*" {
		return Condition{given: true, any: true}
	}
	c := Condition{given: len(lines) > 0, exact: true}
	for rest := field; rest != ""; {
		var tag string
		var exact, ok bool
		if tag, rest, exact, ok = next(rest); ok {
			c.tags = append(c.tags, tag)
			c.exact = c.exact && exact
		}
	}
	return c
}

// next reads a tag and the comma behind it. exact reports that it is a strong one which no proxy can have changed, as far as one can see.
func next(list string) (tag, rest string, exact, ok bool) {
	s := strings.TrimLeft(list, " \t")
	strong := !strings.HasPrefix(s, "W/") && !strings.HasPrefix(s, "w/")
	if !strong {
		s = s[len("W/"):]
	}
	inner, quoted := strings.CutPrefix(s, `"`)
	if !quoted { // some proxies take the quotes away
		tag, rest, _ = strings.Cut(s, ",")
		tag = strings.TrimRight(tag, " \t")
		return tag, rest, false, tag != "" && tag != "*" && !strings.Contains(tag, `"`)
	}
	tag, rest, closed := strings.Cut(inner, `"`)
	behind, rest, _ := strings.Cut(rest, ",")
	behind = strings.Trim(behind, " \t")
	whole := withoutCoding(tag) == tag && behind == ""
	return tag, rest, strong && whole, closed && (behind == "" || slices.Contains(slices.Collect(readings(behind)), ""))
}

// Given reports whether the request has the header.
func (c Condition) Given() bool { return c.given }

// Any reports whether the header is *, which holds for anything that exists.
func (c Condition) Any() bool { return c.any }

// Exact reports whether all tags are strong and as a server has written them, as far as one can see. One that compares strongly can decide
// about them.
func (c Condition) Exact() bool { return c.exact && len(c.tags) > 0 }

// Begins reports whether a tag begins with a text.
func (c Condition) Begins(text string) bool {
	return slices.ContainsFunc(c.tags, func(t string) bool { return strings.HasPrefix(t, text) })
}

// Holds reports whether the header names one of the tags of what there is now, as a server writes them. An empty tag is none. Of a request
// without the header it is false.
func (c Condition) Holds(current ...string) bool {
	for _, now := range current {
		if now == "" {
			continue
		}
		if c.any {
			return true
		}
		now = strings.TrimPrefix(now, "W/")
		if len(now) > 1 && now[0] == '"' && now[len(now)-1] == '"' { // some servers write none
			now = now[1 : len(now)-1]
		}
		for _, t := range c.tags {
			for is := range readings(t) {
				if is == now {
					return true
				}
			}
		}
	}
	return false
}

// readings returns a tag and what is left of it as endings of proxies are taken away one by one.
func readings(tag string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(tag) {
			next := withoutCoding(tag)
			if next == tag {
				return
			}
			tag = next
		}
	}
}

// codings are the names that proxies write behind a tag: those of content codings, and shorter ones.
var codings = [...]string{"gzip", "gz", "br", "zstd", "deflate", "compress", "gunzip"}

// withoutCoding returns a tag without the ending that a proxy has added, or the tag.
func withoutCoding(tag string) string {
	for _, name := range codings {
		if left, ok := strings.CutSuffix(tag, name); ok {
			if bare := strings.TrimRight(left, "-;:"); bare != left {
				return bare
			}
		}
	}
	return tag
}
