package remote

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/web/etag"
)

// mark begins every entity tag of ours. The tags are strong, since clients compare only those (RFC 9110, section 13.1.1).
const mark = `"fg-`

// volatile lists the members of a form that do not belong to its content: points in time, counts and links. They change without an edit,
// and some tenants compute them for each answer.
var volatile = []string{"created_at", "updated_at", "embedded_at", "submitted_at", "flow_count", "links"}

// member is one member of a form: its name and the text of its value.
type member struct {
	name  string
	value jsontext.Value
}

// canonical returns the canonical text of a value (RFC 8785), except that whole numbers keep all their digits: the RFC would round those
// that exceed a float64, and two forms that differ must not have the same text. A value that is not valid JSON is an error.
func canonical(v jsontext.Value) (jsontext.Value, error) {
	v = slices.Clone(v)
	err := v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.AllowDuplicateNames(true))
	return v, err
}

// membersOf returns the members of an object from its canonical text, in their order there. The values share its memory. Any other value
// has none. The text is known to be valid and without white space, so it is enough to find where values end: parsing it again would take as
// long as all the rest.
func membersOf(text jsontext.Value) []member {
	var all []member
	if text.Kind() != '{' {
		return nil
	}
	for rest := text[1:]; len(rest) > 1; {
		colon := endOf(rest)
		name, _ := jsontext.AppendUnquote(nil, rest[:colon]) // valid, as said above
		rest = rest[colon+1:]
		end := endOf(rest)
		all = append(all, member{string(name), rest[:end]})
		rest = rest[end+1:] // after a comma or the closing brace
	}
	return all
}

// endOf returns the length of the first value in a valid text without white space.
func endOf(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += endOfString(text[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // of a number or word before it
			}
			depth--
		case ',', ':':
			if depth == 0 {
				return i
			}
		}
		if depth == 0 && (text[i] == '"' || text[i] == '}' || text[i] == ']') {
			return i + 1
		}
	}
	return len(text)
}

// endOfString returns the length of the string at the start of a valid text.
func endOfString(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// valueOf returns the last value of a name, as JSON readers commonly do, or nil.
func valueOf(all []member, name string) jsontext.Value {
	for _, m := range slices.Backward(all) {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// tagOf returns the entity tag of a form's content, from its members in canonical order. Forms that differ only in the order of members,
// white space, the spelling of texts and fractions, or volatile members have the same one.
func tagOf(all []member) string {
	h := sha256.New()
	for _, m := range all {
		if slices.Contains(volatile, m.name) {
			continue
		}
		_, _ = fmt.Fprintf(h, "%q:", m.name) // a hash never fails
		_, _ = h.Write(m.value)
	}
	return mark + base64.RawURLEncoding.EncodeToString(h.Sum(nil)) + `"`
}

// maxSeen is how many answers tags remembers, some 100 bytes each.
const maxSeen = 4096

// identity is what the text of an answer says of its form.
type identity struct{ id, name, tag string }

// tags remembers the tags of recent answers by their text. Saving a form reads the same text again that the last save answered, which then
// need not be parsed.
type tags struct {
	mu   sync.Mutex
	seen *recent.Map[[sha256.Size]byte, identity]
}

func newTags() *tags { return &tags{seen: recent.New[[sha256.Size]byte, identity](maxSeen)} }

// of returns the identity of a form, which is empty if the text is not that of an object, or an error if it is not valid JSON.
func (t *tags) of(body []byte) (identity, error) {
	sum := sha256.Sum256(body)
	t.mu.Lock()
	known, ok := t.seen.Get(sum)
	t.mu.Unlock()
	if ok {
		return known, nil
	}
	text, err := canonical(body)
	if err != nil {
		return identity{}, err
	}
	all := membersOf(text)
	found := identity{id: textOf(valueOf(all, "id")), name: textOf(valueOf(all, "name")), tag: tagOf(all)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen.Put(sum, found)
	return found, nil
}

// textOf returns a JSON string's text, "" for any other value.
func textOf(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	text, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	return string(text)
}

// condition is the header If-Match. A tag of ours is made of the content alone, so that a weak one means the same.
type condition struct{ etag.Condition }

// readCondition reads If-Match, "" for none.
func readCondition(field string) condition {
	if field == "" {
		return condition{}
	}
	return condition{etag.Read(field)}
}

// needsRead reports whether only we can decide the condition. One that names only the tenant's tags, as it has written them, is the tenant's
// to decide.
func (c condition) needsRead() bool { return !c.Exact() || c.Begins(strings.TrimPrefix(mark, `"`)) }
