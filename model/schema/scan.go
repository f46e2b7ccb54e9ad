package schema

import (
	"bytes"
	"unicode/utf8"
)

// linearKeys is up to how many names an object's next name is compared with one
// by one. Objects of forms have fewer; a body of one object with many thousand
// names must not take the square of that.
const linearKeys = 16

// Scan reports whether src surely is what Decode takes without a problem. It may
// be in doubt and say no: about names with escapes, which must be decoded to be
// compared, and about surrogates; then Decode decides. It makes no tree, so a
// text that only passes through costs a fraction of it.
func Scan(src []byte) bool {
	if len(src) > MaxBytes || !utf8.Valid(src) {
		return false
	}
	s := scanner{src: src}
	s.space()
	if !s.value(1) {
		return false
	}
	s.space()
	return s.i == len(src)
}

// scanner walks a text once.
type scanner struct {
	src    []byte
	i      int
	values int
	// keys are the names of the open objects, the innermost last.
	keys [][]byte
}

func (s *scanner) space() {
	for s.i < len(s.src) {
		switch s.src[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

// next skips space and reports whether c follows; then it is skipped too.
func (s *scanner) next(c byte) bool {
	s.space()
	if s.i < len(s.src) && s.src[s.i] == c {
		s.i++
		return true
	}
	return false
}

// value scans one value that begins at the cursor.
func (s *scanner) value(depth int) bool {
	if s.values++; s.values > MaxValues || s.i >= len(s.src) {
		return false
	}
	switch c := s.src[s.i]; c {
	case '{':
		s.i++
		return depth <= MaxDepth && s.object(depth)
	case '[':
		s.i++
		return depth <= MaxDepth && s.array(depth)
	case '"':
		s.i++
		_, ok := s.text()
		return ok
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

func (s *scanner) word(w string) bool {
	if !bytes.HasPrefix(s.src[s.i:], []byte(w)) {
		return false
	}
	s.i += len(w)
	return true
}

func (s *scanner) object(depth int) bool {
	if s.next('}') {
		return true
	}
	own := len(s.keys)
	var seen map[string]struct{}
	for {
		if !s.next('"') {
			return false
		}
		began := s.i
		escaped, ok := s.text()
		if !ok || escaped {
			return false
		}
		key := s.src[began : s.i-1]
		if seen, ok = fresh(s.keys[own:], seen, key); !ok {
			return false
		}
		s.keys = append(s.keys, key)
		if !s.next(':') {
			return false
		}
		if s.space(); !s.value(depth + 1) {
			return false
		}
		if s.next('}') {
			s.keys = s.keys[:own]
			return true
		}
		if !s.next(',') {
			return false
		}
	}
}

// fresh reports whether key is not among an object's keys so far. seen is nil as
// long as those are few.
func fresh(keys [][]byte, seen map[string]struct{}, key []byte) (map[string]struct{}, bool) {
	if len(keys) < linearKeys {
		for _, k := range keys {
			if bytes.Equal(k, key) {
				return seen, false
			}
		}
		return seen, true
	}
	if seen == nil {
		seen = make(map[string]struct{}, 2*linearKeys)
		for _, k := range keys {
			seen[string(k)] = struct{}{}
		}
	}
	if _, twice := seen[string(key)]; twice {
		return seen, false
	}
	seen[string(key)] = struct{}{}
	return seen, true
}

func (s *scanner) array(depth int) bool {
	if s.next(']') {
		return true
	}
	for {
		if s.space(); !s.value(depth + 1) {
			return false
		}
		if s.next(']') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
}

// text scans a string behind its opening quote, the closing quote included.
func (s *scanner) text() (escaped, ok bool) {
	for s.i < len(s.src) {
		switch c := s.src[s.i]; {
		case c == '"':
			s.i++
			return escaped, true
		case c == '\\':
			escaped = true
			if !s.escape() {
				return true, false
			}
		case c < ' ':
			return escaped, false
		default:
			s.i++ // all of the text was seen to be UTF-8
		}
	}
	return escaped, false
}

func (s *scanner) escape() bool {
	rest := s.src[s.i+1:]
	if len(rest) == 0 {
		return false
	}
	switch rest[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.i += 2
		return true
	case 'u':
		if len(rest) < 5 || !allHex(rest[1:5]) {
			return false
		}
		// U+D800 to U+DFFF are surrogates.
		if (rest[1] == 'd' || rest[1] == 'D') && rest[2] > '7' {
			return false
		}
		s.i += 6
		return true
	default:
		return false
	}
}

func allHex(text []byte) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// number scans the grammar of RFC 8259, section 6.
func (s *scanner) number() bool {
	s.skip('-', '-')
	if !s.skip('0', '0') && !s.digits() {
		return false
	}
	if s.skip('.', '.') && !s.digits() {
		return false
	}
	if s.skip('e', 'E') {
		s.skip('+', '-')
		return s.digits()
	}
	return true
}

// skip skips one byte if it is one of two.
func (s *scanner) skip(a, b byte) bool {
	if s.i < len(s.src) && (s.src[s.i] == a || s.src[s.i] == b) {
		s.i++
		return true
	}
	return false
}

func (s *scanner) digits() bool {
	began := s.i
	for s.i < len(s.src) && '0' <= s.src[s.i] && s.src[s.i] <= '9' {
		s.i++
	}
	return s.i > began
}
