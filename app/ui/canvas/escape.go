package canvas

import "unicode/utf8"

// appendEscaped appends user text in escaped form, valid as HTML text in an
// element and in a double-quoted attribute. All user text in the HTML written
// by the island must pass through it: the trusted-types policy does not check
// its input.
//
// Characters that XML and HTML do not allow are replaced, because the parser
// would drop or change them: NUL, other control characters, and invalid UTF-8.
func appendEscaped(b []byte, s string) []byte {
	for _, r := range s { // an invalid UTF-8 byte yields U+FFFD
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
