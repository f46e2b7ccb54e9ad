package account

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// name is what the person is called.
func (p *profile) name() string {
	if p.user.Name == "" {
		return "No name"
	}
	return p.user.Name
}

// story says when a method was added and last used, and where a passkey works; "" where nothing is known.
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

// where says which applications a sign-in lives on in.
func (p *profile) where(s place) string {
	names := p.names(s)
	switch {
	case len(names) == 0:
		return "In a browser, in no application"
	case s.browser:
		return fmt.Sprintf("In %s", strings.Join(names, ", "))
	}
	return fmt.Sprintf("Only in %s", strings.Join(names, ", "))
}

// names are those of the applications of a sign-in; one that the tenant does not name goes by its id.
func (p *profile) names(s place) (out []string) {
	for _, id := range s.clients {
		if c, ok := p.consent(id); ok && c.name != "" {
			id = c.name
		}
		out = append(out, id)
	}
	return out
}

// may says what scopes let an application do: a line for each scope about the person, and one for each thing with
// all that may be done to it. A scope of another shape is shown as it is: hiding it would be worse.
func may(scopes []string) []string {
	var lines []string
	at := map[string]int{} // of a thing, in lines
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

// inFours sets a key in groups that are read and typed one by one.
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
