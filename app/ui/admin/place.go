package admin

import "strings"

// place is the location named by the fragment of the page's address: a section and an entry in it, ""
// for none.
type place struct{ section, entry string }

// placeOf parses the fragment of the address, without the hash.
func placeOf(fragment string) place {
	section, entry, _ := strings.Cut(fragment, "/")
	if !plain(section) || !plain(entry) {
		return place{}
	}
	return place{section, entry}
}

// plain reports whether a word consists only of characters found in the tenant's ids, so it may be
// part of a path.
func plain(s string) bool {
	const most = 64
	for i := range len(s) {
		c := s[i]
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return len(s) <= most
}

// fragment returns the fragment of the address for the place, with the hash.
func (p place) fragment() string {
	if p.entry == "" {
		return "#" + p.section
	}
	return "#" + p.section + "/" + p.entry
}
