// Package scan finds templates in texts, and what their expressions consist of. It is apart from package template because renaming and
// searching need no more, and the editor's program must stay small.
package scan

import "strings"

// Span is the position of a part of a text: s[From:To].
type Span struct{ From, To int }

// Frames calls do with the bounds of the inside of every {{ }} in s, in order, in time linear in the text. An end of -1 means that
// the template is not closed. The public documentation shows templates only by example. Our rules are:
//
//   - A template extends from {{ to the next }} outside a string literal. If
//     another {{ comes first, the template begins there.
//   - A literal extends from a quote to the next of the same kind without a backslash
//     before it. A quote that is not closed before the next {{ is not a literal, so that one
//     stray quote does not hide the templates after it.
func Frames(s string, do func(from, to int)) {
	for at := 0; ; {
		open := strings.Index(s[at:], "{{")
		if open < 0 {
			return
		}
		for at += open + 2; at < len(s) && s[at] == '{'; at++ { // of three braces, the last two begin a template
		}
		end := len(s)
		if next := strings.Index(s[at:], "{{"); next >= 0 {
			end = at + next
		}
		do(at, closing(s[:end], at))
		at = end
	}
}

// closing returns the index of the first }} from an offset on, outside string literals, or -1.
func closing(s string, at int) int {
	end := -1
	tokens(s, at, func(from, _ int) bool {
		if strings.HasPrefix(s[from:], "}}") {
			end = from
		}
		return end < 0
	})
	return end
}

// tokens calls do with the bounds of every literal and name, and of every other character that is not a space, until do returns false.
func tokens(s string, at int, do func(from, to int) bool) {
	var stray [256]bool // quotes that are not closed
	for at = Space(s, at); at < len(s); {
		c, to := s[at], at+1
		switch {
		case (c == '\'' || c == '"') && !stray[c]:
			if end := Literal(s, at); end > 0 {
				to = end
			} else {
				stray[c] = true
			}
		case IsName(c) && c != '-':
			to = NameEnd(s, at)
		}
		if !do(at, to) {
			return
		}
		at = Space(s, to)
	}
}

// Fields returns the ids of the fields that the templates of a text read, in order, in time linear in the text. It also finds
// those in expressions with a mistake. Its rules, beside those of templates, are:
//
//   - fields.id and fields["id"] read a field, whatever follows, if fields is
//     a whole name and not a property of another.
//   - A dash is part of a name: a-fields.b is the property b of a-fields.
func Fields(s string) []Span {
	var found []Span
	Frames(s, func(at, end int) {
		if end < 0 {
			return
		}
		last, done := byte(0), at // the first character of the token before, and the end of the last field
		tokens(s[:end], at, func(from, to int) bool {
			if from >= done && s[from:to] == "fields" && last != '.' {
				if id, after, ok := accessed(s[:end], to); ok {
					found, done = append(found, id), after
				}
			}
			last = s[from]
			return true
		})
	})
	return found
}

// Literal returns the end of the string literal that begins at a quote, 0 if it is not closed.
func Literal(s string, at int) int {
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
func accessed(s string, at int) (id Span, end int, ok bool) {
	switch {
	case at < len(s) && s[at] == '.':
		id = idSpan(s, at+1)
		// Followed by a character that ids cannot have, the name is not an id.
		return id, id.To, id.To > id.From && (id.To == len(s) || !IsName(s[id.To]))
	case at < len(s) && s[at] == '[':
		at = Space(s, at+1)
		if at == len(s) || s[at] != '\'' && s[at] != '"' {
			return Span{}, 0, false
		}
		id = idSpan(s, at+1)
		if id.To == id.From || id.To == len(s) || s[id.To] != s[at] {
			return Span{}, 0, false
		}
		end = Space(s, id.To+1)
		return id, end + 1, end < len(s) && s[end] == ']'
	}
	return Span{}, 0, false
}

func idSpan(s string, from int) Span {
	to := from
	for to < len(s) && isID(s[to]) {
		to++
	}
	return Span{from, to}
}

// NameEnd returns the index of the first character from at on that is not part of a name.
func NameEnd(s string, at int) int {
	for at < len(s) && IsName(s[at]) {
		at++
	}
	return at
}

// Space returns the index of the first character from at on that is not a space.
func Space(s string, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\t' || s[at] == '\n' || s[at] == '\r') {
		at++
	}
	return at
}

// isID reports whether c may be in an identifier; see model.ValidIdentifier.
func isID(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// IsName reports whether c may be in a name: a character of an identifier, or one
// that other languages allow, such as a letter that is not ASCII.
func IsName(c byte) bool { return isID(c) || c == '$' || c >= 0x80 }
