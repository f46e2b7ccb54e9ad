package dpop

import (
	"net/url"
	"strings"
)

// Address normalizes an address, so that two addresses with the same meaning are equal: scheme and host in lower case, no default port, no
// dot segments, escapes in upper case and none for unreserved characters. Query and fragment are dropped. An escaped slash stays escaped,
// since it is not a slash. RFC 9449, section 4.3; RFC 3986, section 6.2.2. Address returns "" for text that is not an http address,
// contains a user, or has an escape in its host, as zones of one machine do.
func Address(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.User != nil || u.Opaque != "" || u.Host == "" {
		return ""
	}
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	switch {
	case scheme != "http" && scheme != "https", host == "", strings.Contains(host, "%"):
		return ""
	case scheme == "http" && port == "80", scheme == "https" && port == "443":
		port = ""
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" {
		host += ":" + port
	}
	return scheme + "://" + host + withoutDots(normalEscapes(u.EscapedPath()))
}

// normalEscapes decodes the escapes of characters that need none, and writes the others in upper case. The path has been parsed, so every
// escape is complete.
func normalEscapes(path string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] != '%' {
			b.WriteByte(path[i])
			continue
		}
		c := unhex(path[i+1])<<4 | unhex(path[i+2])
		if i += 2; unreserved(c) {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}

func unreserved(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == '-' || c == '.' || c == '_' || c == '~'
}

// withoutDots removes the segments "." and "..". RFC 3986, section 5.2.4. Unlike path.Clean it keeps empty segments, which are significant.
func withoutDots(path string) string {
	if path == "" {
		return "/"
	}
	var out []string
	segments := strings.Split(path, "/")[1:]
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".", "..":
			if s == ".." && len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	return "/" + strings.Join(out, "/")
}
