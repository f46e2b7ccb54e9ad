package flow

import "strings"

// span is the position of an id in a text: s[from:to].
type span struct{ from, to int }

// fieldSpans returns the ids of the fields that the templates of a text read, in
// order, in time linear in the text. The public documentation shows
// templates only by example. Our rules are:
//
//   - A template extends from {{ to the next }} outside a string literal. If
//     another {{ comes first, the template begins there.
//   - A literal extends from a quote to the next of the same kind without a backslash
//     before it. A quote that is not closed before the next {{ is not a literal, so that one
//     stray quote does not hide the templates after it.
//   - fields.id and fields["id"] read a field, whatever follows, if fields is
//     a whole name and not a property of another.
//   - A dash is part of a name: a-fields.b is the property b of a-fields.
func fieldSpans(s string) []span {
	var found []span
	for at := 0; ; {
		open := strings.Index(s[at:], "{{")
		if open < 0 {
			return found
		}
		at += open + 2
		end := len(s)
		if next := strings.Index(s[at:], "{{"); next >= 0 {
			end = at + next
		}
		spans, closed := expression(s[:end], at)
		if closed {
			found = append(found, spans...)
		}
		at = end
	}
}

// expression parses a template from an offset, and reports whether the template is closed.
func expression(s string, at int) (spans []span, closed bool) {
	last := byte(0)     // the last character that is not a space
	var stray [256]bool // quotes that are not closed
	for at < len(s) {
		c := s[at]
		if strings.HasPrefix(s[at:], "}}") {
			return spans, true
		}
		next := at + 1
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			c = last
		case (c == '\'' || c == '"') && !stray[c]:
			if end := literal(s, at); end > 0 {
				next = end
			} else {
				stray[c] = true
			}
		case isName(c) && c != '-':
			for next < len(s) && isName(s[next]) {
				next++
			}
			if s[at:next] == "fields" && last != '.' {
				if id, end, ok := accessed(s, next); ok {
					spans, next = append(spans, id), end
				}
			}
		}
		at, last = next, c
	}
	return nil, false
}

// literal returns the end of the string literal that begins at a quote, 0 if it is not closed.
func literal(s string, at int) int {
	for i := at + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[at]:
			return i + 1
		}
	}
	return 0
}

// accessed parses the property that follows a name: .id or ["id"].
func accessed(s string, at int) (id span, end int, ok bool) {
	switch {
	case at < len(s) && s[at] == '.':
		id = idSpan(s, at+1)
		// Followed by a character that ids cannot have, the name is not an id.
		return id, id.to, id.to > id.from && (id.to == len(s) || !isName(s[id.to]))
	case at < len(s) && s[at] == '[':
		at = space(s, at+1)
		if at == len(s) || s[at] != '\'' && s[at] != '"' {
			return span{}, 0, false
		}
		id = idSpan(s, at+1)
		if id.to == id.from || id.to == len(s) || s[id.to] != s[at] {
			return span{}, 0, false
		}
		end = space(s, id.to+1)
		return id, end + 1, end < len(s) && s[end] == ']'
	}
	return span{}, 0, false
}

func idSpan(s string, from int) span {
	to := from
	for to < len(s) && isID(s[to]) {
		to++
	}
	return span{from, to}
}

// space returns the index of the first character from at on that is not a space.
func space(s string, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\t' || s[at] == '\n' || s[at] == '\r') {
		at++
	}
	return at
}

// isID reports whether c may be in an identifier; see model.ValidIdentifier.
func isID(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isName reports whether c may be in a name: a character of an identifier, or one
// that other languages allow, such as a letter that is not ASCII.
func isName(c byte) bool { return isID(c) || c == '$' || c >= 0x80 }
