package outline

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// has reports whether the row exists and is shown.
func (o *outline) has(s spot) bool {
	return s.at >= 0 && s.at < o.len() && s.part >= -1 && s.part < o.shown(s.at)
}

// near returns the row at a position, or the nearest one if it no longer
// exists.
func (o *outline) near(s spot) spot {
	s.at = max(0, min(s.at, o.len()-1))
	s.part = max(-1, min(s.part, o.shown(s.at)-1))
	return s
}

// next returns the row below, or s itself at the end.
func (o *outline) next(s spot) spot {
	switch {
	case s.part+1 < o.shown(s.at):
		return spot{s.at, s.part + 1}
	case s.at+1 < o.len():
		return spot{s.at + 1, -1}
	}
	return s
}

// previous returns the row above, or s itself at the top.
func (o *outline) previous(s spot) spot {
	switch {
	case s.part >= 0:
		return spot{s.at, s.part - 1}
	case s.at > 0:
		return spot{s.at - 1, o.shown(s.at-1) - 1}
	}
	return s
}

// last returns the last row.
func (o *outline) last() spot { return spot{o.len() - 1, -1} }

// typed returns the next row whose name begins with a text, wrapping around,
// or s itself if there is none. While the text grows, s remains a candidate.
func (o *outline) typed(s spot, text string) spot {
	text = strings.ToLower(text)
	at := s
	first, n := utf8.DecodeRuneInString(text)
	switch {
	case strings.Trim(text, string(first)) == "":
		text = text[:n] // repeating a letter moves to the next match
	case strings.HasPrefix(o.folded(s), text):
		return s
	}
	for {
		if at == o.last() {
			at = spot{0, -1}
		} else {
			at = o.next(at)
		}
		if strings.HasPrefix(o.folded(at), text) {
			return at
		}
		if at == s {
			return s
		}
	}
}

// folded returns the name of a row in lower case.
func (o *outline) folded(s spot) string {
	name, ok := o.small[s]
	if !ok {
		name = strings.ToLower(o.name(s))
		o.small[s] = name
	}
	return name
}

// find returns the row of a node or of a part of it, or the node's row if the
// part is not shown.
func (o *outline) find(node, part string) (spot, bool) {
	at, ok := o.place[node]
	if !ok {
		return spot{}, false
	}
	for i := range o.shown(at) {
		if part != "" && o.part(spot{at, i}) == part {
			return spot{at, i}, true
		}
	}
	return spot{at, -1}, true
}

// parse parses the position of a row, such as "4" or "4 0", and reports
// whether the row is shown.
func (o *outline) parse(text string) (s spot, ok bool) {
	at, part, isPart := strings.Cut(text, " ")
	s.part = -1
	var err error
	if s.at, err = strconv.Atoi(at); err == nil && isPart {
		s.part, err = strconv.Atoi(part)
	}
	return s, err == nil && o.has(s)
}
