package admin

import "strings"

// place is what the page's address names behind the hash: a section, and an entry of it, "" for none.
type place struct{ section, entry string }

// placeOf reads the address's fragment, without the hash.
func placeOf(fragment string) place {
	section, entry, _ := strings.Cut(fragment, "/")
	if !plain(section) || !plain(entry) {
		return place{}
	}
	return place{section, entry}
}

// plain reports whether a word may be part of a path: what the tenant's ids are made of.
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

// fragment returns the fragment of the address that names the place, with the hash.
func (p place) fragment() string {
	if p.entry == "" {
		return "#" + p.section
	}
	return "#" + p.section + "/" + p.entry
}
