package find

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Entry is one of the names that Rank orders.
type Entry struct {
	Name string
	Also string // a second name that is shown beside it, such as an id; "" for none
	// Words are others that people may look for; they are not shown.
	Words string
}

// Match is an entry that a query finds.
type Match struct {
	Index int // in the list of entries
	// InName and InAlso are where the query stands in the two names, in order and
	// apart from each other. A word of the query is in one of them.
	InName, InAlso []Range
}

// Rank returns the entries that a query finds, the best first. Each word of the
// query must be found in one of an entry's names, in any order: as it is, or as
// some of the letters of a name in their order, so "anst" finds "Add node: Step".
//
// A name that is the whole query comes first, then one that begins with it, then
// those where each word begins a word, the shortest first, then those where it
// begins one of the entry's other words, then the rest by how many letters begin
// words or follow each other and how little lies between; each time the name
// before the second one. Equals keep their order, and so do all entries for a
// query without words. Upper case after lower case begins a word too. Of a query
// only the first 1,024 bytes and 32 words count, and letters that stand apart
// are found in the first 512 of a name.
func Rank(names []Entry, query string) []Match {
	q := rankQuery(query)
	var r ranker
	matches := make([]Match, 0, len(names))
	fits := make([]*fit, 0, len(names)) // pointers share the code of other sorts
	for i, e := range names {
		r.name.read(e.Name)
		r.also.read(e.Also)
		r.words.read(e.Words)
		f, ok := r.rank(&q)
		if !ok {
			continue
		}
		f.place = len(matches)
		fits = append(fits, &f)
		matches = append(matches, Match{i, join(r.inName), join(r.inAlso)})
	}
	slices.SortStableFunc(fits, func(a, b *fit) int {
		return cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(b.score, a.score), cmp.Compare(a.length, b.length))
	})
	sorted := make([]Match, len(fits))
	for i, f := range fits {
		sorted[i] = matches[f.place]
	}
	return sorted
}

// The tiers of matches, the best first. What is found in the second name is one
// tier worse.
const (
	tierExact  = 0
	tierPrefix = 2
	tierStarts = 4
	tierWords  = 6
	tierLoose  = 8
)

// What the letters of a loose match are worth, and what lies between costs. A
// letter that begins a word is worth a gap of the length of a usual word; so
// initials win over letters from the middle of words, but not from far apart.
const (
	scoreFirst  = 12 // begins the name
	scoreStart  = 9  // begins a word
	scoreFollow = 7  // follows the letter before
	gapOpen     = 3  // the first letter that is passed over
	gapMore     = 1  // each further one
)

// The bounds of a loose match, in letters: its cost is their product.
const (
	maxLooseWord = 64
	maxLooseName = 512
)

type fit struct {
	tier, score int
	length      int // of the name, where that decides
	place       int
}

// ranker holds what ranking one entry needs, to be used again for the next.
type ranker struct {
	name, also     letters
	words          letters
	inName, inAlso []Range
	last, now      []int
	back           []int16
	at             []int
}

// terms are the words of Rank's query.
type terms struct {
	whole []rune
	words [][]rune
}

func rankQuery(text string) terms {
	q := parseWords(text)
	t := terms{whole: []rune(q.whole)}
	for _, w := range q.words {
		t.words = append(t.words, []rune(w))
	}
	return t
}

// rank judges the entry that was read.
func (r *ranker) rank(q *terms) (fit, bool) {
	r.inName, r.inAlso = r.inName[:0], r.inAlso[:0]
	if len(q.words) == 0 {
		return fit{}, true
	}
	for _, tier := range []int{tierExact, tierPrefix} {
		for second, l := range []*letters{&r.name, &r.also} {
			if hasAt(l.runes, q.whole, 0) && (tier == tierPrefix || len(l.runes) == len(q.whole)) {
				r.mark(second, l.source(0, len(q.whole)))
				return fit{tier: tier + second}, true
			}
		}
	}
	var all fit
	for _, w := range q.words {
		f, ok := r.word(w)
		if !ok {
			return fit{}, false
		}
		all.tier = max(all.tier, f.tier)
		all.score += f.score
	}
	if all.tier == tierStarts {
		all.length = len(r.name.runes)
	}
	return all, true
}

// mark notes a range of the first or the second name.
func (r *ranker) mark(second int, rg Range) {
	if second == 0 {
		r.inName = append(r.inName, rg)
	} else {
		r.inAlso = append(r.inAlso, rg)
	}
}

// word finds a word in one of the names.
func (r *ranker) word(w []rune) (fit, bool) {
	names := []*letters{&r.name, &r.also}
	for second, l := range names {
		for i := range l.runes {
			if l.starts[i] && hasAt(l.runes, w, i) {
				r.mark(second, l.source(i, i+len(w)))
				score := scoreStart
				if i == 0 {
					score = scoreFirst
				}
				return fit{tier: tierStarts + second, score: score}, true
			}
		}
	}
	for i := range r.words.runes {
		if r.words.starts[i] && hasAt(r.words.runes, w, i) {
			return fit{tier: tierWords}, true
		}
	}
	for second, l := range names {
		if score, ok := r.align(w, l); ok {
			for _, i := range r.at {
				r.mark(second, l.source(i, i+1))
			}
			return fit{tier: tierLoose + second, score: score}, true
		}
		// Too long to be aligned is not too long to be there.
		if i := indexRunes(l.runes, w); i >= 0 {
			r.mark(second, l.source(i, i+len(w)))
			return fit{tier: tierLoose + second}, true
		}
	}
	return fit{}, false
}

// align finds the letters of a word in a name, in their order and in the way that
// is worth most, and leaves their places in r.at.
func (r *ranker) align(w []rune, l *letters) (score int, ok bool) {
	n := min(len(l.runes), maxLooseName)
	if len(w) > maxLooseWord || !isSubsequence(w, l.runes[:n]) {
		return 0, false
	}
	const never = -1 << 30
	r.last, r.now = grow(r.last, n), grow(r.now, n)
	r.back = grow(r.back, n*len(w))
	for i, letter := range w {
		// gap is the best way to have placed the letters before with at least one
		// passed over, and gapAt where the last of them stands.
		gap, gapAt := never, -1
		for j := range n {
			if i > 0 && j > 1 {
				gap -= gapMore
				if open := r.last[j-2] - gapOpen; open > gap {
					gap, gapAt = open, j-2
				}
			}
			r.now[j] = never
			if l.runes[j] != letter {
				continue
			}
			worth := 0
			switch {
			case j == 0:
				worth = scoreFirst
			case l.starts[j]:
				worth = scoreStart
			}
			if i == 0 {
				r.now[j] = worth
				continue
			}
			if j == 0 {
				continue
			}
			from, best := gapAt, gap
			if follow := r.last[j-1] + scoreFollow; follow >= best {
				from, best = j-1, follow
			}
			if best > never/2 {
				r.now[j], r.back[i*n+j] = best+worth, int16(from)
			}
		}
		r.last, r.now = r.now, r.last
	}
	end := 0
	for j := range n {
		if r.last[j] > r.last[end] {
			end = j
		}
	}
	r.at = grow(r.at, len(w))
	for i, j := len(w)-1, end; i >= 0; i-- {
		r.at[i] = j
		j = int(r.back[i*n+j])
	}
	return r.last[end], true
}

func grow[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// letters is a folded name, letter by letter.
type letters struct {
	runes  []rune
	starts []bool // whether a word begins at the letter
	from   []int  // where it comes from, and the end behind the last
}

func (l *letters) read(s string) {
	l.runes, l.starts, l.from = l.runes[:0], l.starts[:0], l.from[:0]
	before := ' '
	var buf [utf8.UTFMax]byte
	for i, r := range s {
		b := buf[:0]
		if r < utf8.RuneSelf {
			b = append(b, ascii[r])
		} else {
			b = appendRune(b, r)
		}
		start := begins(before, r)
		for len(b) > 0 {
			r, n := utf8.DecodeRune(b)
			l.runes, l.starts, l.from = append(l.runes, r), append(l.starts, start), append(l.from, i)
			b, start = b[n:], false
		}
		if !unicode.Is(unicode.Mn, r) {
			before = r
		}
	}
	l.from = append(l.from, len(s))
}

// begins tells whether a word begins at a character: behind a sign, and in
// emailAddress2 at the A and the 2.
func begins(before, at rune) bool {
	switch {
	case !alnum(before) || !alnum(at):
		return true
	case unicode.IsUpper(at):
		return unicode.IsLower(before)
	}
	return unicode.IsDigit(at) && !unicode.IsDigit(before)
}

// source returns the range of the name that the letters i to j come from.
func (l *letters) source(i, j int) Range {
	for j < len(l.runes) && l.from[j] == l.from[j-1] {
		j++
	}
	return Range{l.from[i], l.from[j]}
}

func hasAt(text, w []rune, i int) bool {
	return len(text)-i >= len(w) && slices.Equal(text[i:i+len(w)], w)
}

// indexRunes returns where w stands in a text, or -1.
func indexRunes(text, w []rune) int {
	s := string(text)
	i := strings.Index(s, string(w))
	if i < 0 {
		return -1
	}
	return utf8.RuneCountInString(s[:i])
}

func isSubsequence(w, text []rune) bool {
	for _, r := range text {
		if len(w) > 0 && w[0] == r {
			w = w[1:]
		}
	}
	return len(w) == 0
}
