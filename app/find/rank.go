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
	// InName and InAlso are where the query is in the two names, in order and apart
	// from each other. A word of the query is in one of them.
	InName, InAlso []Range
}

// Rank returns the entries that a query finds, the best first. Each word of the query
// must be in one of an entry's names, in any order. The ways to be found, from best to
// worst:
//
//   - the name is the whole query, or begins with it;
//   - each word begins a word of the name, the shortest name first;
//   - a word begins one of the entry's other words;
//   - a word is inside the name;
//   - its letters are in the name in their order, so "anst" finds "Add node: Step". The
//     fewer of them are inside of words and apart from the others, the better, then the
//     closer together they are.
//
// Each time the name comes before the second one. Equals keep their order, and so do all
// entries for a query without words. Upper case after lower case begins a word too. Only
// the first 1,024 bytes and 32 words of a query count. Letters apart are found in the
// first 512 bytes of a name, of words of up to 64.
func Rank(entries []Entry, query string) []Match {
	q := parseWords(query)
	type ranked struct {
		Match
		fit
	}
	found := make([]*ranked, 0, len(entries)) // pointers share the code of other sorts
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
		out[i].InName, out[i].InAlso = join(m.in[0]), join(m.in[1])
	}
	return out
}

// The ways to be found, the best first. What is in the second name is one worse.
const (
	exact = 2 * iota
	prefix
	wordStart
	otherWord
	inside
	apart
)

// The bounds of letters that do not follow each other, in bytes.
const (
	maxApartWord = 64
	maxApartName = 512
)

// fit says how well an entry fits a query.
type fit struct {
	way    int // the worst of the words'
	cost   int
	length int        // of the name, where that decides
	in     [2][]Range // of the two names
}

// match checks an entry, and reports whether the query finds it.
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

// word adds how a word is found, and reports whether it is.
func (f *fit) word(w string, names [2]name, others name) bool {
	for second, n := range names {
		if at := n.wordStart(w); at >= 0 {
			return f.add(wordStart+second, min(at, 1), second, n.source(at, at+len(w)))
		}
	}
	if others.wordStart(w) >= 0 {
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

// name is a folded name and what it was.
type name struct {
	folded
	was string
}

// begins reports whether a word begins at a byte of the folded name: behind a sign, and
// in emailAddress2 at the A and the 2.
func (n name) begins(i int) bool {
	if i > 0 && n.from[i] == n.from[i-1] {
		return false // inside of a character
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

// wordStart returns where a word of the name begins with w, -1 for nowhere.
func (n name) wordStart(w string) int {
	for i := range n.text {
		if strings.HasPrefix(n.text[i:], w) && n.begins(i) {
			return i
		}
	}
	return -1
}

// apart returns where the letters of w are in the name, in their order: as close together
// as they can be before the first place where all have come. Of the cost, each letter
// inside of a word and apart from the one before weighs more than any distance.
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
	last := end // where the letter that was found before begins
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
