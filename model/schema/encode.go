package schema

import (
	"bytes"
	"fmt"
	"strings"
)

// Encode returns the compact JSON text of a tree: members in order,
// numbers as written, no more escapes than JSON requires. It panics for a value that is not
// a tree.
func Encode(v any) []byte { return appendValue(nil, v, "", "") }

// EncodeIndent is Encode for people and for git: two spaces per level, one member
// or element per line, and a line break at the end.
func EncodeIndent(v any) []byte { return append(appendValue(nil, v, "\n", "  "), '\n') }

// appendValue writes v. nl is the line break with the indentation of v's own
// line, "" for compact text.
func appendValue(b []byte, v any, nl, step string) []byte {
	inner := nl
	if nl != "" {
		inner = nl + step
	}
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		if v {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	case string:
		return appendString(b, v)
	case Number:
		return append(b, v...)
	case []any:
		if len(v) == 0 {
			return append(b, "[]"...)
		}
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, inner...)
			b = appendValue(b, e, inner, step)
		}
		b = append(b, nl...)
		return append(b, ']')
	case *Object:
		if v.Len() == 0 {
			return append(b, "{}"...)
		}
		b = append(b, '{')
		for i, m := range v.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, inner...)
			b = append(appendString(b, m.Key), ':')
			if nl != "" {
				b = append(b, ' ')
			}
			b = appendValue(b, m.Value, inner, step)
		}
		b = append(b, nl...)
		return append(b, '}')
	}
	panic(fmt.Sprintf("schema: %T is not a tree", v))
}

const hexDigits = "0123456789abcdef"

// appendString writes s as a JSON string. It escapes only what RFC 8259, section 7,
// requires.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// WellFormed returns s with invalid UTF-8 replaced, so that a tree can contain it.
func WellFormed(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// MarshalJSON writes the object as Encode does.
func (o *Object) MarshalJSON() ([]byte, error) { return bytes.Clone(Encode(o)), nil }
