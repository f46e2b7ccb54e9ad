package atlas

import (
	"strings"
	"unicode/utf8"
)

// kind is the kind of a token of CSS.
type kind uint8

const (
	otherToken    kind = iota // one character, or what stands for several
	spaceToken                // white space and comments
	identToken                // a name
	functionToken             // a name with its opening parenthesis
	atToken                   // a name with its @
	stringToken               // with its quotation marks
	urlToken                  // url(...), with or without quotation marks
	numberToken               // with its unit
	hashToken                 // a name with its #
)

// token is a token of CSS Syntax, https://www.w3.org/TR/css-syntax-3/, with the text that is written for it. Names are written without
// escapes where they have none that they need, so that they can be compared.
type token struct {
	kind kind
	text string
}

// opens reports whether a token opens parentheses or brackets.
func (t token) opens() bool { return t.text == "(" || t.text == "[" || t.kind == functionToken }

// tokens returns the tokens of a text. Comments are spaces, and what is not closed at the end is closed.
func tokens(css string) []token {
	css = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n", "\x00", "\ufffd").Replace(strings.ToValidUTF8(css, "\ufffd"))
	var list []token
	for s := (scanner{css}); s.rest != ""; {
		t := s.next()
		if t.text == "/" && len(list) > 0 && list[len(list)-1].text == "<" {
			list = append(list, token{spaceToken, " "}) // they must not end the element
		}
		list = join(list, t)
	}
	return list
}

// scanner reads tokens from the beginning of the rest.
type scanner struct{ rest string }

func (s *scanner) next() token {
	c := s.rest[0]
	switch {
	case strings.HasPrefix(s.rest, "/*"):
		_, s.rest, _ = strings.Cut(s.rest[2:], "*/")
		return token{spaceToken, " "}
	case strings.HasPrefix(s.rest, "<!--"):
		s.rest = s.rest[len("<!--"):]
		return token{spaceToken, " "}
	case strings.HasPrefix(s.rest, "-->"):
		s.rest = s.rest[len("-->"):]
		return token{spaceToken, " "}
	case space(c):
		s.rest = strings.TrimLeft(s.rest, " \t\n")
		return token{spaceToken, " "}
	case c == '"' || c == '\'':
		return s.quoted(c)
	case number(s.rest):
		return s.number()
	case name(s.rest):
		return s.named()
	case (c == '@' || c == '#') && name(s.rest[1:]):
		s.rest = s.rest[1:]
		k := atToken
		if c == '#' {
			k = hashToken
		}
		return token{k, string(c) + s.name()}
	case c == '\\':
		s.rest = s.rest[1:]
		return token{spaceToken, " "}
	}
	_, size := utf8.DecodeRuneInString(s.rest)
	t := token{otherToken, s.rest[:size]}
	s.rest = s.rest[size:]
	return t
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func number(s string) bool {
	if s[0] == '+' || s[0] == '-' {
		s = s[1:]
	}
	return s != "" && (digit(s[0]) || len(s) > 1 && s[0] == '.' && digit(s[1]))
}

// name reports whether a text begins with a name.
func name(s string) bool {
	if strings.HasPrefix(s, "--") {
		return true
	}
	s = strings.TrimPrefix(s, "-")
	return s != "" && (starts(s[0]) || escape(s))
}

func starts(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func escape(s string) bool { return len(s) > 1 && s[0] == '\\' && s[1] != '\n' }

// name reads a name. It decodes escapes of letters, digits, hyphens and underscores, and keeps the others.
func (s *scanner) name() string {
	var b strings.Builder
	for s.rest != "" {
		c := s.rest[0]
		switch {
		case starts(c) || digit(c) || c == '-':
			b.WriteByte(c)
			s.rest = s.rest[1:]
		case escape(s.rest):
			r := s.escaped()
			if c := string(r)[0]; starts(c) || b.Len() > 0 && digit(c) || r == '-' {
				b.WriteRune(r)
			} else {
				b.WriteString(`\` + hex(r) + " ")
			}
		default:
			return b.String()
		}
	}
	return b.String()
}

func hex(r rune) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[r>>4&0xf], digits[r&0xf]})
}

// escaped reads an escape.
func (s *scanner) escaped() rune {
	s.rest = s.rest[1:]
	r, n := rune(0), 0
	for n < 6 && n < len(s.rest) {
		d := strings.IndexByte("0123456789abcdef", s.rest[n]|0x20)
		if d < 0 || s.rest[n] < '0' {
			break
		}
		r = r<<4 | rune(d) //nolint:gosec // below 16
		n++
	}
	if n == 0 {
		r, n = utf8.DecodeRuneInString(s.rest)
		s.rest = s.rest[n:]
		return r
	}
	s.rest = s.rest[n:]
	if s.rest != "" && space(s.rest[0]) {
		s.rest = s.rest[1:]
	}
	if r == 0 || !utf8.ValidRune(r) {
		return utf8.RuneError
	}
	return r
}

// named reads a name, a function or an address.
func (s *scanner) named() token {
	n := s.name()
	if !strings.HasPrefix(s.rest, "(") {
		return token{identToken, n}
	}
	s.rest = s.rest[1:]
	if !strings.EqualFold(n, "url") && !strings.EqualFold(n, "src") {
		return token{functionToken, n + "("}
	}
	s.rest = strings.TrimLeft(s.rest, " \t\n")
	var inside string
	if s.rest != "" && (s.rest[0] == '"' || s.rest[0] == '\'') {
		inside = s.quoted(s.rest[0]).text
		_, s.rest, _ = strings.Cut(s.rest, ")")
	} else {
		inside, s.rest, _ = strings.Cut(s.rest, ")")
		if strings.ContainsAny(inside, "\"'(\\\n<") {
			inside = "" // not valid, or not worth reading
		}
		inside = `"` + strings.TrimSpace(inside) + `"`
	}
	return token{urlToken, "url(" + inside + ")"}
}

// quoted reads a string. A line break ends it, as in a browser.
func (s *scanner) quoted(mark byte) token {
	var b strings.Builder
	b.WriteByte(mark)
	s.rest = s.rest[1:]
	for s.rest != "" {
		c := s.rest[0]
		switch {
		case c == mark:
			s.rest = s.rest[1:]
			b.WriteByte(mark)
			return token{stringToken, b.String()}
		case c == '\n':
			b.WriteByte(mark)
			return token{stringToken, b.String()}
		case c == '\\' && len(s.rest) > 1:
			_, size := utf8.DecodeRuneInString(s.rest[1:])
			b.WriteString(s.rest[:1+size])
			s.rest = s.rest[1+size:]
			continue
		case c == '\\':
			s.rest = ""
			continue
		}
		if c == '/' && strings.HasSuffix(b.String(), "<") {
			b.WriteByte('\\') // it must not end the element
		}
		b.WriteByte(c)
		s.rest = s.rest[1:]
	}
	b.WriteByte(mark)
	return token{stringToken, b.String()}
}

// number reads a number with its unit.
func (s *scanner) number() token {
	n := 1
	for n < len(s.rest) && (digit(s.rest[n]) || s.rest[n] == '.' && n+1 < len(s.rest) && digit(s.rest[n+1])) {
		n++
	}
	if e := s.rest[n:]; len(e) > 1 && e[0]|0x20 == 'e' && (digit(e[1]) || len(e) > 2 && (e[1] == '-' || e[1] == '+') && digit(e[2])) {
		for n += 2; n < len(s.rest) && digit(s.rest[n]); n++ {
		}
	}
	digits := s.rest[:n]
	s.rest = s.rest[n:]
	switch {
	case strings.HasPrefix(s.rest, "%"):
		s.rest = s.rest[1:]
		return token{numberToken, digits + "%"}
	case s.rest != "" && name(s.rest):
		return token{numberToken, digits + s.name()}
	}
	return token{numberToken, digits}
}
