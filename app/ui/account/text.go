package account

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// name is the display name of the person.
func (p *profile) name() string {
	if p.user.Name == "" {
		return "No name"
	}
	return p.user.Name
}

// story describes when a method was added and last used, and on which devices a passkey works; "" if nothing is
// known.
func (m method) story(now time.Time) string {
	story := m.Story(now)
	switch {
	case story == "" || m.Kind != passkey:
		return story
	case m.synced:
		return story + " · on all your devices"
	}
	return story + " · on one device"
}

// where names the applications that use a sign-in.
func (p *profile) where(s place) string {
	names := p.names(s)
	switch {
	case len(names) == 0:
		return "In a browser, without an application"
	case s.browser:
		return fmt.Sprintf("In %s", strings.Join(names, ", "))
	}
	return fmt.Sprintf("Only in %s", strings.Join(names, ", "))
}

// names returns the names of the applications that use a sign-in; an application without a known name is listed
// by id.
func (p *profile) names(s place) (out []string) {
	for _, id := range s.clients {
		if c, ok := p.consent(id); ok && c.name != "" {
			id = c.name
		}
		out = append(out, id)
	}
	return out
}

// may describes what scopes allow an application to do: one line for each scope about the person, and one line
// for each object with all its verbs. A scope of another form is shown unchanged: hiding it would be worse.
func may(scopes []string) []string {
	var lines []string
	at := map[string]int{} // index of an object's line in lines
	for _, s := range scopes {
		if text, ok := lookUp(scopeNames, s); ok {
			lines = append(lines, text)
			continue
		}
		verb, thing, cut := strings.Cut(s, ":")
		what, known := lookUp(verbs, verb)
		if !cut || !known {
			lines = append(lines, s)
			continue
		}
		name, ok := lookUp(things, thing)
		if !ok {
			name = strings.NewReplacer("_", " ", ":", " ").Replace(thing)
			_, n := utf8.DecodeRuneInString(name)
			name = kit.Initial(name) + name[n:]
		}
		if i, ok := at[thing]; ok {
			lines[i] += ", " + what
			continue
		}
		at[thing] = len(lines)
		lines = append(lines, fmt.Sprintf("%s: %s", name, what))
	}
	return lines
}

func lookUp(table [][2]string, key string) (string, bool) {
	row, ok := find(table, func(r [2]string) bool { return r[0] == key })
	return row[1], ok
}

// tooShort says that a password of n characters has less than the least number of them.
func tooShort(least, n int) string {
	said := fmt.Sprintf("Use at least %d characters.", least)
	if n > 0 {
		said += fmt.Sprintf(" This has %d.", n)
	}
	return said
}

// inFours splits a key into groups of four characters, which are easier to read and type.
func inFours(key string) string {
	var b strings.Builder
	for i, r := range strings.ReplaceAll(key, " ", "") {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}
