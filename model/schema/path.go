package schema

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Elem is one step of a Path: a property name or, when Index is not negative, an
// index in an array.
type Elem struct {
	Key   string
	Index int
}

// Key returns the step to a property.
func Key(name string) Elem { return Elem{Key: name, Index: -1} }

// Index returns the step to the i-th element, counted from 0.
func Index(i int) Elem { return Elem{Index: i} }

// Path locates a value inside a document: nodes[3].config.components[2].config.text.
// The empty Path is the document itself.
type Path []Elem

// Key returns the path of a property inside p. It shares no storage with p.
func (p Path) Key(name string) Path { return p.join(Key(name)) }

// Index returns the path of the i-th element inside p. It shares no storage with p.
func (p Path) Index(i int) Path { return p.join(Index(i)) }

// Join returns p followed by q. It shares no storage with either.
func (p Path) Join(q Path) Path { return slices.Concat(p, q) }

func (p Path) join(e Elem) Path { return append(slices.Clip(slices.Clone(p)), e) }

// Equal reports whether p and q lead to the same place.
func (p Path) Equal(q Path) bool { return slices.Equal(p, q) }

// HasPrefix reports whether p is q or below it.
func (p Path) HasPrefix(q Path) bool { return len(p) >= len(q) && slices.Equal(p[:len(q)], q) }

// String renders p as in nodes[3].config.components[2]. A key that is not an
// identifier is quoted as a JSON string: translations["pt-BR"].
func (p Path) String() string {
	var b strings.Builder
	for i, e := range p {
		switch {
		case e.Index >= 0:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(e.Index))
			b.WriteByte(']')
		case !isIdentifier(e.Key):
			b.WriteByte('[')
			b.Write(appendString(nil, e.Key))
			b.WriteByte(']')
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(e.Key)
		}
	}
	return b.String()
}

// MarshalText renders p as String does.
func (p Path) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// errPath is returned for a text that String never returns.
var errPath = errors.New("is not a path")

// ParsePath parses what Path.String returns.
func ParsePath(s string) (Path, error) {
	var p Path
	for rest := s; rest != ""; {
		if rest[0] == '[' {
			end, quoted := strings.IndexByte(rest, ']'), strings.HasPrefix(rest, `["`)
			if quoted {
				end = closingQuote(rest)
			}
			if end < 0 {
				return nil, fmt.Errorf("path %q: %w: an open bracket", s, errPath)
			}
			inner := rest[1:end]
			rest = rest[end+1:]
			if quoted {
				v, ps := Decode([]byte(inner))
				key, ok := v.(string)
				if len(ps) > 0 || !ok {
					return nil, fmt.Errorf("path %q: %w: a bad quoted key", s, errPath)
				}
				p = append(p, Key(key))
				continue
			}
			i, err := strconv.Atoi(inner)
			if err != nil || i < 0 || strconv.Itoa(i) != inner {
				return nil, fmt.Errorf("path %q: %w: a bad index", s, errPath)
			}
			p = append(p, Index(i))
			continue
		}
		if len(p) > 0 {
			if rest[0] != '.' {
				return nil, fmt.Errorf("path %q: %w: a dot is missing", s, errPath)
			}
			rest = rest[1:]
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if !isIdentifier(rest[:end]) {
			return nil, fmt.Errorf("path %q: %w: a bad key", s, errPath)
		}
		p = append(p, Key(rest[:end]))
		rest = rest[end:]
	}
	return p, nil
}

// closingQuote returns the index of the bracket after a quoted key, or -1.
func closingQuote(s string) int {
	for i := 2; i < len(s)-1; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			if s[i+1] == ']' {
				return i + 1
			}
			return -1
		}
	}
	return -1
}
