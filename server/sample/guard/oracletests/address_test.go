package oracletests

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

// sameAddress compares htu with the address of the request, without query and fragment. With the exceptions it compares with a query or
// fragment, with the path decoded, or letter by letter.
func sameAddress(p *signed, q *request, x set) bool {
	if !x.has(queryCompared) && !x.has(pathDecoded) && !x.has(notNormalized) && !x.has(hostBelieved) {
		return p.address != "" && p.address == address("http://"+host+q.target.EscapedPath())
	}
	at := host
	if named := strings.TrimSuffix(q.host, ":80"); x.has(hostBelieved) || x.has(notNormalized) && strings.EqualFold(named, host) {
		at = named
	}
	path := q.target.EscapedPath()
	if x.has(pathDecoded) {
		path = q.target.Path
	}
	claimed, want := p.text("htu"), "http://"+at+path
	if x.has(queryCompared) {
		if q.target.RawQuery != "" {
			want += "?" + q.target.RawQuery
		}
	} else {
		claimed, _, _ = strings.Cut(claimed, "#")
		claimed, _, _ = strings.Cut(claimed, "?")
	}
	if x.has(notNormalized) {
		return claimed == want
	}
	if x.has(queryCompared) || x.has(pathDecoded) {
		// Only scheme and host are normalized.
		spell := func(s string) string {
			m := uri.FindStringSubmatch(s)
			return strings.ToLower(m[2]) + "://" + strings.TrimSuffix(strings.ToLower(m[4]), ":80") + strings.TrimPrefix(s, m[1]+m[3])
		}
		return spell(claimed) == spell(want)
	}
	return address(claimed) != "" && address(claimed) == address(want)
}

// uri is the expression of RFC 3986, appendix B.
var (
	uri     = regexp.MustCompile(`^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$`)
	escape  = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	broken  = regexp.MustCompile(`%($|.$|[^0-9A-Fa-f]|.[^0-9A-Fa-f])`)
	foreign = regexp.MustCompile("[ \"<>\\\\^`{|}]|[^\x00-\x7f]+")
)

// address normalizes an http address without query and fragment: RFC 3986, sections 6.2.2 and 6.2.3. Characters that addresses cannot have
// are escaped first, as RFC 3987, section 3.1 allows.
func address(s string) string {
	m := uri.FindStringSubmatch(s)
	if m == nil || broken.MatchString(m[5]) {
		return ""
	}
	scheme, at := strings.ToLower(m[2]), strings.ToLower(m[4])
	ports := map[string]string{"http": ":80", "https": ":443"}
	if ports[scheme] == "" || at == "" || strings.HasPrefix(at, ":") || strings.Contains(at, "@") {
		return ""
	}
	at = strings.TrimSuffix(strings.TrimSuffix(at, ports[scheme]), ":")
	path := foreign.ReplaceAllStringFunc(m[5], func(s string) string {
		var out strings.Builder
		for _, b := range []byte(s) {
			fmt.Fprintf(&out, "%%%02X", b)
		}
		return out.String()
	})
	path = escape.ReplaceAllStringFunc(path, func(s string) string {
		b := must(hex.DecodeString(s[1:]))
		if regexp.MustCompile(`[-A-Za-z0-9._~]`).Match(b) {
			return string(b)
		}
		return strings.ToUpper(s)
	})
	if path = removeDots(path); path == "" {
		path = "/"
	}
	return scheme + "://" + at + path
}

// removeDots is the procedure of RFC 3986, section 5.2.4, step by step.
func removeDots(in string) string {
	out := ""
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"):
			in = in[3:]
		case strings.HasPrefix(in, "./"):
			in = in[2:]
		case strings.HasPrefix(in, "/./"):
			in = in[2:]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"), in == "/..":
			in = "/" + strings.TrimPrefix(strings.TrimPrefix(in, "/.."), "/")
			out = out[:max(0, strings.LastIndex(out, "/"))]
		case in == ".", in == "..":
			in = ""
		default:
			end := strings.Index(in[1:], "/") + 1
			if end == 0 {
				end = len(in)
			}
			out, in = out+in[:end], in[end:]
		}
	}
	return out
}
