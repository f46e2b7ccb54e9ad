package canvas

import "unicode/utf8"

// appendEscaped appends user text so that it is text in HTML, in an element and
// in a double-quoted attribute. It is the one way for user text into the HTML
// that the island writes: the trusted-types policy passes what it is given.
//
// Characters that XML and HTML do not allow are replaced, for the parser would
// drop or change them: NUL, other controls, and bytes that are no UTF-8.
func appendEscaped(b []byte, s string) []byte {
	for _, r := range s { // a byte that is no UTF-8 comes as U+FFFD
		switch {
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '"':
			b = append(b, "&#34;"...)
		case r == '\'':
			b = append(b, "&#39;"...)
		case r == '`':
			b = append(b, "&#96;"...)
		case r < ' ' && r != '\t' && r != '\n' || r == 0x7f:
			b = append(b, "\ufffd"...)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}
