package versions

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/server/store"
)

// marks are what a version changed, as stored with the version. All names are those in the version itself, except the first of each pair in Renamed.
// Elements that the version removed have no mark.
type marks struct {
	// All means that there is no version before it: it changed whatever no later version did.
	All bool `json:"all,omitempty"`
	// Unknown means that the version before it cannot be read.
	Unknown bool         `json:"unknown,omitempty"`
	Own     []element    `json:"own,omitempty"`
	Renamed [][2]element `json:"renamed,omitempty"`
	// Earlier are the changes of versions before it that were removed, the newest first.
	Earlier []earlier `json:"earlier,omitempty"`
}

// earlier is what a removed version changed.
type earlier struct {
	Number   int       `json:"version"`
	Saved    time.Time `json:"saved"`
	Author   string    `json:"author,omitempty"`
	AuthorID string    `json:"author_id,omitempty"`
	All      bool      `json:"all,omitempty"`
	Of       []element `json:"of,omitempty"`
}

// marksOf returns what a version changed from the form before to the form now. before is nil if there was no version.
func marksOf(before, now *model.Form) marks {
	if before == nil {
		return marks{All: true}
	}
	was, is, pairs := renamed(before, now)
	return marks{Own: changed(was, is), Renamed: pairs}
}

func (m *marks) encode() []byte {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // texts and numbers
	}
	return pack(0, text)
}

// readMarks reads what a version changed. The row must have it.
func readMarks(v *store.Version) (m marks, err error) {
	_, text, err := unpack(v.Changed)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return m, fmt.Errorf("%w: version %d: what it changed: %w", ErrDamaged, v.Number, err)
	}
	return m, nil
}

// inherit takes over the marks of the version before, which is removed. now is the form of this version, nil if it cannot be read: what it no
// longer has needs no mark.
func (m *marks) inherit(v *store.Version, before marks, now *elements) {
	if m.All || m.Unknown {
		return
	}
	here := newNames()
	here.back(m.Renamed) // from names of the version before to those of this one
	known := map[element]bool{}
	for _, e := range m.Own {
		known[e] = true
	}
	for _, old := range m.Earlier {
		for _, e := range old.Of {
			known[e] = true
		}
	}
	own := earlier{Number: v.Number, Saved: v.Saved, Author: v.Author, AuthorID: v.AuthorID, All: before.All, Of: before.Own}
	for _, old := range append([]earlier{own}, before.Earlier...) {
		var of []element
		for _, e := range old.Of {
			if e = here.of(e); e != "" && !known[e] && now.has(e) {
				known[e] = true
				of = append(of, e)
			}
		}
		if old.Of = of; len(of) > 0 || old.All {
			m.Earlier = append(m.Earlier, old)
		}
	}
	m.Unknown = before.Unknown
	pairs := make([][2]element, 0, len(before.Renamed)+len(m.Renamed))
	for _, p := range before.Renamed {
		if to := here.of(p[1]); to != "" && to != p[0] {
			pairs = append(pairs, [2]element{p[0], to})
		}
	}
	first := make(map[element]element, len(before.Renamed)) // the older names
	for _, p := range before.Renamed {
		first[p[1]] = p[0]
	}
	for _, p := range m.Renamed {
		if _, twice := first[p[0]]; !twice {
			pairs = append(pairs, [2]element{firstName(p[0], first), p[1]})
		}
	}
	m.Renamed = pairs
}

// firstName returns the name of an element in an older version, given its older names: that of a rule changes with its router.
func firstName(e element, first map[element]element) element {
	if e.kind() == 'r' {
		router, id := e.rule()
		if old, ok := first[nodeOf(router)]; ok {
			return ruleOf(old.id(), id)
		}
	}
	return e
}

// has reports whether the form has an element; a form that cannot be read may have it.
func (es *elements) has(e element) bool {
	if es == nil {
		return true
	}
	_, ok := es.parts[e]
	return ok
}

// names maps the names of elements in an older version to those in a newer one. "" means that the newer version does not have the element, although
// another element may have its name. An element that is not in the map has the same name in both.
type names struct {
	to    map[element]element
	rules map[string][]string // the rules in the map, by router
}

func newNames() *names { return &names{map[element]element{}, map[string][]string{}} }

// of returns the newer name of an element.
func (n *names) of(e element) element {
	if now, ok := n.to[e]; ok {
		return now
	}
	if e.kind() == 'r' {
		router, id := e.rule()
		switch now, ok := n.to[nodeOf(router)]; {
		case !ok:
		case now == "":
			return ""
		default:
			return ruleOf(now.id(), id)
		}
	}
	return e
}

// back makes the names those of the version before the older one, given the pairs that the older one renamed.
func (n *names) back(pairs [][2]element) {
	next := map[element]element{}
	for _, p := range pairs {
		if p[0].kind() == 'n' {
			n.backRules(next, p)
		}
		next[p[0]] = n.of(p[1])
	}
	for _, p := range pairs {
		if _, again := next[p[1]]; !again {
			next[p[1]] = "" // an older element with this name is another one
		}
	}
	for e, now := range next {
		if _, known := n.to[e]; !known && e.kind() == 'r' {
			router, id := e.rule()
			n.rules[router] = append(n.rules[router], id)
		}
		n.to[e] = now
	}
}

// backRules names the rules of a renamed router that were renamed later.
func (n *names) backRules(next map[element]element, p [2]element) {
	for _, id := range n.rules[p[1].id()] {
		old := ruleOf(p[0].id(), id)
		if _, own := next[old]; !own {
			next[old] = n.to[ruleOf(p[1].id(), id)]
		}
	}
}
