package find

import (
	"strings"

	"github.com/formgraph/formgraph/model"
)

// The costs of a word by where it was found. The cost of a hit is their sum, and the hits with the lowest cost come first. A name that
// equals the whole query costs nothing.
const (
	nameStart = 1 + iota // at the start of a word of an id, a key or a name
	nameInside
	typeStart
	typeInside
	textStart
	textInside

	maxCost = maxTerms * textInside
)

// found is an item that a query finds.
type found struct {
	slot, item int32
	cost       int
}

// Search returns the hits of a query in a form, at most limit of them, or all if limit is not positive. It returns nil for a query without
// words and filters.
//
// Each word of the query must occur in some text of the element, in any order. The searched texts are ids, names (aliases, labels, the name
// of the form), types as written and as in the palette, any other text of the author without its HTML tags, conditions in words, keys, ids
// of nodes to which pointers lead, and ids and names of flows. Not searched are secrets, the config of an unknown type, which may contain
// secrets, and values where an object is expected.
//
// Filters are type:, the beginning of the type of a node or component; kind:, the
// beginning of a Kind or of the category of a component; and id:, a part of the id or
// key. All filters must match. Any other term with a colon is a word.
//
// The best hits come first: a name that equals the whole query, then ids and names before types before texts, and in each the start of a
// word before the inside. Equals are in document order. Only the first 1,024 bytes and 32 words of a query count. Time and memory are
// linear in the form.
func (x *Index) Search(f *model.Form, query string, limit int) []Hit {
	q := parse(query)
	if q.empty() {
		return nil
	}
	x.follow(f)
	x.found = x.found[:0]
	for s := range x.slots {
		e := x.slots[s].entry
		if !q.in(e.text) {
			continue
		}
		for i := range e.items {
			it := &e.items[i]
			text := e.text[it.from:it.to]
			if len(e.items) > 1 && !q.in(text) || !q.fits(e, it, text) {
				continue
			}
			if cost, ok := q.cost(text); ok {
				x.found = append(x.found, found{int32(s), int32(i), cost})
			}
		}
	}
	best := first(x.found, limit)
	hits := make([]Hit, len(best))
	for i, b := range best {
		s := x.slots[b.slot]
		hits[i] = x.show(f, s, &s.items[b.item], &q)
	}
	return hits
}

// first returns the cheapest hits, in order. It uses a counting sort, since one letter finds
// almost everything.
func first(all []found, limit int) []found {
	var starts [maxCost + 2]int
	for _, f := range all {
		starts[f.cost+1]++
	}
	for i := range maxCost + 1 {
		starts[i+1] += starts[i]
	}
	sorted := make([]found, len(all))
	for _, f := range all {
		sorted[starts[f.cost]] = f
		starts[f.cost]++
	}
	if limit > 0 && limit < len(sorted) {
		sorted = sorted[:limit]
	}
	return sorted
}

// in reports whether a text contains all words. It is a cheap check before the others.
func (q *query) in(text string) bool {
	for _, w := range q.words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// fits reports whether an item passes the filters.
func (q *query) fits(e *entry, it *item, text string) bool {
	for _, k := range q.kinds {
		if !strings.HasPrefix(string(it.kind), k) && !strings.HasPrefix(category(e, it), k) {
			return false
		}
	}
	if len(q.ids)+len(q.types) == 0 {
		return true
	}
	for _, want := range q.ids {
		if !has(text, func(c class, s string) bool { return c == idClass && strings.Contains(s, want) }) {
			return false
		}
	}
	for _, want := range q.types {
		if !has(text, func(c class, s string) bool { return c == typeClass && strings.HasPrefix(squeeze(s), want) }) {
			return false
		}
	}
	return true
}

// category returns the category of a component for the filter kind:, and the kind of anything else.
func category(e *entry, it *item) string {
	if it.kind == ComponentKind {
		switch e.node.Component(it.index).Category {
		case model.Block:
			return "block"
		case model.Widget:
			return "widget"
		case model.Field:
			return "field"
		}
	}
	return string(it.kind)
}

// has reports whether one of the texts of an item passes a test.
func has(text string, test func(c class, s string) bool) bool {
	for text != "" {
		c, s, rest := cutField(text)
		if test(c, s) {
			return true
		}
		text = rest
	}
	return false
}

// cutField splits the first text off an item's texts.
func cutField(text string) (c class, s, rest string) {
	end := strings.IndexByte(text, 0)
	return class(text[0]), text[1:end], text[end+1:]
}

// cost returns the cost of an item, and whether each word is in one of its texts.
func (q *query) cost(text string) (int, bool) {
	var buf [maxTerms]int
	best := buf[:len(q.words)]
	missing := len(best)
	for text != "" && len(best) > 0 {
		c, s, rest := cutField(text)
		text = rest
		if c <= nameClass && s == q.whole {
			return 0, true
		}
		for i, w := range q.words {
			if best[i] != 0 && best[i] <= c.start() {
				continue
			}
			_, cost := locate(c, s, w)
			if cost == 0 || best[i] != 0 && best[i] <= cost {
				continue
			}
			if best[i] == 0 {
				missing--
			}
			best[i] = cost
		}
	}
	sum := 0
	for _, b := range best {
		sum += b
	}
	return sum, missing == 0
}

// start returns the cost of a match at the start of a word in a text of the class.
func (c class) start() int {
	switch c {
	case typeClass:
		return typeStart
	case textClass:
		return textStart
	default:
		return nameStart
	}
}

// locate returns where a word occurs in a folded text, preferably at the start of a word, and its cost. It returns -1 and 0 if the word
// does not occur.
func locate(c class, text, word string) (at, cost int) {
	first := strings.Index(text, word)
	if first < 0 {
		return -1, 0
	}
	for i := first; ; {
		if startsWord(text, i) {
			return i, c.start()
		}
		n := strings.Index(text[i+1:], word)
		if n < 0 {
			return first, c.start() + 1
		}
		i += 1 + n
	}
}
