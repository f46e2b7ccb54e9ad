package find

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Entry is an item that Rank orders by its names.
type Entry struct {
	Name string
	Also string // a second name shown beside it, such as an id; "" for none
	// Words are other words that people may search for; they are not shown.
	Words string
}

// Match is an entry that matches a query.
type Match struct {
	Index int // in the list of entries
	// InName and InAlso are the ranges of the query's words in the two names, in order and not overlapping.
	InName, InAlso []Range
	// Scattered reports whether letters of a word are inside words, apart from its other letters. Among many names there is nearly always such
	// a match.
	Scattered bool
}

// Rank returns the entries that match a query, the best first. Each word of the query
// must be in one of an entry's names, in any order. The ways to match, from best to
// worst:
//
//   - the name equals the whole query, or begins with it;
//   - each word begins a word of the name, the shortest name first;
//   - a word of at least three bytes begins one of the entry's other words;
//   - a word is inside the name;
//   - its letters are in the name in order, so "anst" finds "Add node: Step". Fewer
//     letters inside words and apart from the others are better, then letters that are
//     closer together.
//
// In each way the name comes before the second name. Equals keep their order, and so do all
// entries for a query without words. Upper case after lower case begins a word too. Only
// the first 1,024 bytes and 32 words of a query count. Separate letters match only in the
// first 512 bytes of a name, for words of up to 64 bytes.
func Rank(entries []Entry, query string) []Match {
	q := parseWords(query)
	type ranked struct {
		Match
		fit
	}
	found := make([]*ranked, 0, len(entries)) // pointers, so that the sort shares its code with other sorts
	for i, e := range entries {
		m := ranked{Match: Match{Index: i}}
		if m.match(e, q) {
			found = append(found, &m)
		}
	}
	slices.SortStableFunc(found, func(a, b *ranked) int {
		return cmp.Or(cmp.Compare(a.way, b.way), cmp.Compare(a.cost, b.cost), cmp.Compare(a.length, b.length))
	})
	out := make([]Match, len(found))
	for i, m := range found {
		out[i] = m.Match
		out[i].Scattered = m.way >= apart && m.cost >= maxApartName
		out[i].InName, out[i].InAlso = join(m.in[0]), join(m.in[1])
	}
	return out
}

// The ways to match, the best first. A match in the second name is one worse.
const (
	exact = 2 * iota
	prefix
	wordStart
	otherWord
	inside
	apart
)

// The bounds for matching separate letters, in bytes.
const (
	maxApartWord = 64
	maxApartName = 512
)

// leastOther is the least length, in bytes, of a word that matches other words. People do not see those, so a shorter match would puzzle them.
const leastOther = 3

// fit measures how well an entry matches a query.
type fit struct {
	way    int // the worst of all words
	cost   int
	length int        // of the name, if it matters
	in     [2][]Range // ranges in the two names
}

// match computes the fit of an entry, and reports whether it matches.
func (f *fit) match(e Entry, q query) bool {
	if len(q.words) == 0 {
		return true
	}
	names := [2]name{{foldMap(e.Name), e.Name}, {foldMap(e.Also), e.Also}}
	for _, way := range []int{exact, prefix} {
		for second, n := range names {
			if n.text == q.whole || way == prefix && strings.HasPrefix(n.text, q.whole) {
				f.way, f.in[second] = way+second, []Range{n.source(0, len(q.whole))}
				return true
			}
		}
	}
	others := name{foldMap(e.Words), e.Words}
	for _, w := range q.words {
		if !f.word(w, names, others) {
			return false
		}
	}
	if f.way == wordStart {
		f.length = len(e.Name)
	}
	return true
}

// word adds the fit of a word, and reports whether it matches.
func (f *fit) word(w string, names [2]name, others name) bool {
	for second, n := range names {
		if at := n.wordStart(w); at >= 0 {
			return f.add(wordStart+second, min(at, 1), second, n.source(at, at+len(w)))
		}
	}
	if len(w) >= leastOther && others.wordStart(w) >= 0 {
		return f.add(otherWord, 0, 0)
	}
	for second, n := range names {
		if at := strings.Index(n.text, w); at >= 0 {
			return f.add(inside+second, 0, second, n.source(at, at+len(w)))
		}
	}
	for second, n := range names {
		if in, cost := n.apart(w); in != nil {
			return f.add(apart+second, cost, second, in...)
		}
	}
	return false
}

func (f *fit) add(way, cost, second int, in ...Range) bool {
	f.way, f.cost = max(f.way, way), f.cost+cost
	f.in[second] = append(f.in[second], in...)
	return true
}

// name is a folded name and its original.
type name struct {
	folded
	was string
}

// begins reports whether a word begins at a byte of the folded name: after a character that is not alphanumeric, and in emailAddress2 at
// the A and the 2.
func (n name) begins(i int) bool {
	if i > 0 && n.from[i] == n.from[i-1] {
		return false // inside a character
	}
	front := n.was[:n.from[i]]
	before, size := utf8.DecodeLastRuneInString(front)
	for unicode.Is(unicode.Mn, before) {
		front = front[:len(front)-size]
		before, size = utf8.DecodeLastRuneInString(front)
	}
	at, _ := utf8.DecodeRuneInString(n.was[n.from[i]:])
	switch {
	case size == 0 || !alnum(before) || !alnum(at):
		return true
	case unicode.IsUpper(at):
		return unicode.IsLower(before)
	}
	return unicode.IsDigit(at) && !unicode.IsDigit(before)
}

// wordStart returns where a word of the name begins with w, or -1.
func (n name) wordStart(w string) int {
	for i := range n.text {
		if strings.HasPrefix(n.text[i:], w) && n.begins(i) {
			return i
		}
	}
	return -1
}

// apart returns the positions of the letters of w in the name, in order: as close together as possible before the first place where all
// have occurred. A letter inside a word and apart from the previous one costs more than any distance.
func (n name) apart(w string) (in []Range, cost int) {
	text := n.text[:min(len(n.text), maxApartName)]
	rest, end := w, 0
	for i := 0; i < len(text) && rest != ""; {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if want, length := utf8.DecodeRuneInString(rest); want == r {
			rest, end = rest[length:], i
		}
	}
	if rest != "" || len(w) > maxApartWord {
		return nil, 0
	}
	last := end // where the previously found letter begins
	for rest, i := w, end; rest != ""; {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		i -= size
		if want, length := utf8.DecodeLastRuneInString(rest); want == r {
			rest = rest[:len(rest)-length]
			in = append(in, n.source(i, i+size))
			cost += last - i - size
			if i+size < last && !n.begins(last) {
				cost += maxApartName
			}
			if last = i; rest == "" && !n.begins(i) {
				cost += maxApartName
			}
		}
	}
	return in, cost
}
