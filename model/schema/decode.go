package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The limits of a document.
const (
	MaxBytes  = 4 << 20 // size of the text
	MaxDepth  = 64      // of nested containers; the root counts
	MaxValues = 200_000 // values, including containers but not keys
)

const notUTF8 = "must be UTF-8: save the file as UTF-8"

// Decode decodes the single JSON value in src. It is strict: src must be UTF-8 without a byte order mark or lone surrogates, have nothing
// after the value, and be within the limits. A problem with code syntax or limit is the only one, and there is no tree; with duplicate_key
// there is a tree that holds the last of the values.
//
// The tree keeps the text of src alive, not src itself.
func Decode(src []byte) (any, Problems) { return decode(src, nil, 1) }

// DecodeGrown is Decode with twice the limits of size and values. It is for data that a server stores or returns: a document that was
// within the limits when its author sent it then also has an id, dates and defaults, and a list contains several documents.
func DecodeGrown(src []byte) (any, Problems) { return decode(src, nil, 2) }

func decode(src []byte, want *places, room int) (any, Problems) {
	if len(src) > room*MaxBytes {
		// The message does not state the size, since a caller that reads a file may stop at the limit.
		return nil, Problems{{Code: CodeLimit, Detail: fmt.Sprintf("must be at most %d bytes", room*MaxBytes), Offset: 0}}
	}
	d := decoder{s: string(src), maxValues: room * MaxValues}
	if strings.HasPrefix(d.s, "\ufeff") {
		return nil, Problems{{Code: CodeSyntax, Detail: "must not begin with a byte order mark: save the file as UTF-8 without one"}}
	}
	d.space()
	v, ok := d.value(1, want)
	if ok {
		d.space()
		if d.i < len(d.s) {
			d.fail(CodeSyntax, d.i, "must end after the first JSON value")
		}
	}
	if d.fatal != nil {
		return nil, Problems{*d.fatal}
	}
	return v, d.dups
}

// decoder reads the text once. Strings without escapes are slices of it.
type decoder struct {
	s                 string
	i                 int
	values, maxValues int
	at                Path // the current position, for duplicate_key
	dups              Problems
	fatal             *Problem
	// The members and elements of the open objects and arrays. Each gets a list of the right size when it ends, since growing lists one by
	// one would take twice the memory.
	members []Member
	items   []any
}

func (d *decoder) fail(c Code, at int, detail string) {
	if d.fatal == nil {
		d.fatal = &Problem{Code: c, Detail: detail, Offset: at}
	}
}

func (d *decoder) space() {
	for d.i < len(d.s) {
		switch d.s[d.i] {
		case ' ', '\t', '\n', '\r':
			d.i++
		default:
			return
		}
	}
}

// next skips space and returns the next byte, 0 at the end.
func (d *decoder) next() byte {
	d.space()
	if d.i < len(d.s) {
		return d.s[d.i]
	}
	return 0
}

func (d *decoder) unexpected(want string) bool {
	if d.i >= len(d.s) {
		d.fail(CodeSyntax, d.i, "must not end here: "+want+" is missing")
		return false
	}
	r, n := utf8.DecodeRuneInString(d.s[d.i:])
	if r == utf8.RuneError && n == 1 || r == 0 { // other encodings have zeros
		d.fail(CodeSyntax, d.i, notUTF8)
		return false
	}
	d.fail(CodeSyntax, d.i, fmt.Sprintf("must have %s here, has %q", want, r))
	return false
}

func (d *decoder) value(depth int, want *places) (any, bool) {
	if d.values++; d.values > d.maxValues {
		d.fail(CodeLimit, d.i, fmt.Sprintf("must hold at most %d values", d.maxValues))
		return nil, false
	}
	want.value(d.i)
	if d.i >= len(d.s) {
		return nil, d.unexpected("a value")
	}
	switch c := d.s[d.i]; c {
	case '{', '[':
		if depth > MaxDepth {
			d.fail(CodeLimit, d.i, fmt.Sprintf("must nest at most %d deep", MaxDepth))
			return nil, false
		}
		if c == '{' {
			return d.object(depth, want)
		}
		return d.array(depth, want)
	case '"':
		return d.str()
	case 't':
		return true, d.word("true")
	case 'f':
		return false, d.word("false")
	case 'n':
		return nil, d.word("null")
	default:
		if c == '-' || '0' <= c && c <= '9' {
			return d.number()
		}
		return nil, d.unexpected("a value")
	}
}

func (d *decoder) word(w string) bool {
	if !strings.HasPrefix(d.s[d.i:], w) {
		return d.unexpected("a value")
	}
	d.i += len(w)
	return true
}

func (d *decoder) object(depth int, want *places) (any, bool) {
	d.i++
	base := len(d.members)
	if d.next() == '}' {
		d.i++
		return &Object{}, true
	}
	dup := false
	var seen map[string]int
	for {
		if d.next() != '"' {
			return nil, d.unexpected("a property name")
		}
		keyAt := d.i
		key, ok := d.str()
		if !ok {
			return nil, false
		}
		if d.next() != ':' {
			return nil, d.unexpected("a colon")
		}
		d.i++
		d.space()
		d.at = append(d.at, Key(key))
		if find(d.members[base:], seen, key) >= 0 {
			dup = true
			at := append(Path(nil), d.at...)
			d.dups = append(d.dups, Problem{Path: at, Code: CodeDuplicateKey, Detail: "is written more than once", Offset: keyAt})
		}
		v, ok := d.value(depth+1, want.key(key, keyAt))
		if !ok {
			return nil, false
		}
		d.at = d.at[:len(d.at)-1]
		seen = indexed(seen, d.members[base:], key)
		d.members = append(d.members, Member{key, v})
		switch d.next() {
		case ',':
			d.i++
		case '}':
			d.i++
			members := slices.Clone(d.members[base:])
			d.members = d.members[:base]
			if dup {
				return NewObject(members...), true
			}
			return &Object{members: members, index: seen}, true
		default:
			return nil, d.unexpected("a comma or a closing brace")
		}
	}
}

// indexed returns the index of an object's members with the key of the next one, nil while there are few members.
func indexed(seen map[string]int, members []Member, next string) map[string]int {
	if seen == nil && len(members) == indexFrom {
		seen = make(map[string]int, 2*indexFrom)
		for i, m := range members {
			seen[m.Key] = i
		}
	}
	if seen != nil {
		seen[next] = len(members)
	}
	return seen
}

func find(members []Member, seen map[string]int, key string) int {
	if seen != nil {
		if i, ok := seen[key]; ok {
			return i
		}
		return -1
	}
	for i := range members {
		if members[i].Key == key {
			return i
		}
	}
	return -1
}

func (d *decoder) array(depth int, want *places) (any, bool) {
	d.i++
	if d.next() == ']' {
		d.i++
		return []any{}, true
	}
	base := len(d.items)
	for {
		d.space()
		n := len(d.items) - base
		d.at = append(d.at, Index(n))
		v, ok := d.value(depth+1, want.index(n))
		if !ok {
			return nil, false
		}
		d.at = d.at[:len(d.at)-1]
		d.items = append(d.items, v)
		switch d.next() {
		case ',':
			d.i++
		case ']':
			d.i++
			list := slices.Clone(d.items[base:])
			d.items = d.items[:base]
			return list, true
		default:
			return nil, d.unexpected("a comma or a closing bracket")
		}
	}
}

// number reads a number by the grammar of RFC 8259, section 6.
func (d *decoder) number() (any, bool) {
	start := d.i
	if d.s[d.i] == '-' {
		d.i++
	}
	if d.i < len(d.s) && d.s[d.i] == '0' {
		d.i++
	} else if !d.digits() {
		return nil, d.unexpected("a digit")
	}
	if d.i < len(d.s) && d.s[d.i] == '.' {
		if d.i++; !d.digits() {
			return nil, d.unexpected("a digit")
		}
	}
	if d.i < len(d.s) && (d.s[d.i] == 'e' || d.s[d.i] == 'E') {
		if d.i++; d.i < len(d.s) && (d.s[d.i] == '+' || d.s[d.i] == '-') {
			d.i++
		}
		if !d.digits() {
			return nil, d.unexpected("a digit")
		}
	}
	return Number(d.s[start:d.i]), true
}

func (d *decoder) digits() bool {
	start := d.i
	for d.i < len(d.s) && '0' <= d.s[d.i] && d.s[d.i] <= '9' {
		d.i++
	}
	return d.i > start
}

// str reads a string; the cursor is at its opening quote.
func (d *decoder) str() (string, bool) {
	d.i++
	start := d.i
	var b []byte // nil until the first escape
	for d.i < len(d.s) {
		switch c := d.s[d.i]; {
		case c == '"':
			out := d.s[start:d.i]
			d.i++
			if b != nil {
				return string(append(b, out...)), true
			}
			return out, true
		case c == '\\':
			b = append(b, d.s[start:d.i]...)
			var ok bool
			if b, ok = d.escape(b); !ok {
				return "", false
			}
			start = d.i
		case c < ' ':
			d.fail(CodeSyntax, d.i, fmt.Sprintf("must escape the control character %U", rune(c)))
			return "", false
		case c < utf8.RuneSelf:
			d.i++
		default:
			r, n := utf8.DecodeRuneInString(d.s[d.i:])
			if r == utf8.RuneError && n == 1 {
				d.fail(CodeSyntax, d.i, notUTF8)
				return "", false
			}
			d.i += n
		}
	}
	return "", d.unexpected("a closing quote")
}

func (d *decoder) escape(b []byte) ([]byte, bool) {
	at := d.i
	if d.i++; d.i >= len(d.s) {
		return nil, d.unexpected("an escape")
	}
	c := d.s[d.i]
	d.i++
	switch c {
	case '"', '\\', '/':
		return append(b, c), true
	case 'b':
		return append(b, '\b'), true
	case 'f':
		return append(b, '\f'), true
	case 'n':
		return append(b, '\n'), true
	case 'r':
		return append(b, '\r'), true
	case 't':
		return append(b, '\t'), true
	case 'u':
		r, ok := d.hex()
		if ok && utf16.IsSurrogate(r) {
			if !strings.HasPrefix(d.s[d.i:], `\u`) {
				d.fail(CodeSyntax, at, "must not have a lone surrogate")
				return nil, false
			}
			d.i += 2
			var low rune
			if low, ok = d.hex(); ok {
				if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
					d.fail(CodeSyntax, at, "must not have a lone surrogate")
					return nil, false
				}
			}
		}
		if !ok {
			d.fail(CodeSyntax, at, "must have four hexadecimal digits after \\u")
			return nil, false
		}
		return utf8.AppendRune(b, r), true
	}
	d.fail(CodeSyntax, at, "must use a valid JSON escape")
	return nil, false
}

func (d *decoder) hex() (rune, bool) {
	if d.i+4 > len(d.s) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(d.s[d.i : d.i+4]) {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	d.i += 4
	return r, true
}
