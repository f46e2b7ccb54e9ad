package find

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

const (
	// maxShown bounds the characters of a name that are shown; the same as on a card.
	maxShown = 80
	// The characters that a snippet shows before and after a word.
	charsBefore = 24
	charsBehind = 48
)

// text is a text of an item, read again to be shown: the index keeps only the folded texts.
type text struct {
	class class
	path  schema.Path // from the entry's root
	shown string
	folded
	picks []Range // the parts of shown that a snippet must contain
}

// show returns the hit of an item.
func (x *Index) show(f *model.Form, s slot, it *item, q *query) Hit {
	texts, base := x.texts(s.entry, it)
	h := Hit{Kind: it.kind}
	name, where, own := h.name(f, s, it, texts)
	ids := slices.Concat(q.words, q.ids)

	// Elements without a name have their key as the title.
	keyed := s.node == nil || it.index < 0 && s.node.Alias == ""
	var title, context line
	if keyed {
		title.found(name, ids)
	} else {
		title.found(name, q.words)
	}
	context.add(where)
	context.found(own, q.words)
	id := ""
	if i := slices.IndexFunc(texts, func(t text) bool { return t.class == idClass }); i >= 0 && !keyed {
		id = schema.Shorten(texts[i].shown, maxShown)
		context.part()
		context.found(id, ids)
	}
	seen := string(appendFold(nil, name+"\n"+own+"\n"+id))
	if !keyed {
		name = ""
	}
	seenID := string(appendFold(nil, name+"\n"+id))

	best := explain(texts, q, seen, seenID)
	for i := range texts {
		if t := &texts[i]; len(t.picks) > 0 {
			context.part()
			if label := labelOf(t.path[min(len(base), len(t.path)):]); label != "" {
				context.add(label + ": ")
			}
			t.snippet(&context, ids)
		}
	}
	h.Title, h.InTitle = title.done()
	h.Context, h.InContext = context.done()
	h.Path = root(s).Join(base)
	if best >= 0 {
		h.Path = root(s).Join(texts[best].path)
	}
	return h
}

// texts reads the texts of an item and its path from the entry's root.
func (x *Index) texts(e *entry, it *item) (texts []text, base schema.Path) {
	w := walker{flows: x.flows}
	w.emit = func(c class, s string) {
		t := text{class: c, path: slices.Clone(w.path), shown: w.shown(s)}
		t.folded = foldMap(t.shown)
		texts = append(texts, t)
	}
	w.item(e, it)
	return texts, w.path
}

// root returns the path of an entry.
func root(s slot) schema.Path {
	switch {
	case s.place >= 0:
		return schema.Path{schema.Key("nodes"), schema.Index(s.place)}
	case s.part.key == "translations":
		return schema.Path{schema.Key("translations"), schema.Key(s.part.lang)}
	}
	return schema.Path{schema.Key(s.part.key)}
}

// explain picks, for each word that is not visible yet, the text that it matches best, and returns the index of the best text of all, -1
// for none. A filter id: picks only ids.
func explain(texts []text, q *query, seen, seenID string) int {
	best, least := -1, maxCost
	pick := func(word string, seen string, fit func(t *text) bool) {
		at, in, cost := -1, -1, maxCost
		for i := range texts {
			t := &texts[i]
			if !fit(t) {
				continue
			}
			a, c := locate(t.class, t.text, word)
			if c > 0 && t.class <= nameClass && t.text == q.whole {
				c = 0
			}
			if a >= 0 && c < cost {
				at, in, cost = a, i, c
			}
		}
		if in < 0 {
			return
		}
		if cost < least {
			best, least = in, cost
		}
		if !strings.Contains(seen, word) {
			t := &texts[in]
			t.picks = append(t.picks, t.source(at, at+len(word)))
		}
	}
	for _, w := range q.words {
		pick(w, seen, func(*text) bool { return true })
	}
	for _, w := range q.ids {
		pick(w, seenID, func(t *text) bool { return t.class == idClass })
	}
	return best
}

// snippet adds the text around the picks.
func (t *text) snippet(l *line, words []string) {
	sort.Sort(byFrom(t.picks))
	end := 0
	for i := 0; i < len(t.picks); {
		w := t.window(t.picks[i])
		for i++; i < len(t.picks) && t.window(t.picks[i]).From <= w.To; i++ {
			w.To = max(w.To, t.window(t.picks[i]).To)
		}
		if w.From > end {
			l.add("…")
		}
		l.found(t.shown[w.From:w.To], words)
		end = w.To
	}
	if end < len(t.shown) {
		l.add("…")
	}
}

// window returns the range around a pick.
func (t *text) window(r Range) Range {
	for range charsBefore {
		_, n := utf8.DecodeLastRuneInString(t.shown[:r.From])
		r.From -= n
	}
	for range charsBehind {
		_, n := utf8.DecodeRuneInString(t.shown[r.To:])
		r.To += n
	}
	return r
}

// labelOf describes the property of a text in words. It omits the config, which contains most properties.
func labelOf(p schema.Path) string {
	var words []string
	for _, e := range p {
		if e.Index < 0 && e.Key != "config" {
			words = append(words, schema.Words(shownKey(e.Key)))
		}
	}
	return strings.Join(words, " ")
}

// name sets the ids and the icon of a hit, and returns its name, its location, and a word about it, such as its type.
func (h *Hit) name(f *model.Form, s slot, it *item, texts []text) (name, where, own string) {
	if s.node != nil {
		return h.nameNode(f, s.node, it)
	}
	switch it.kind {
	case StartKind, EndingKind:
		h.Node, h.Icon = model.StartID, string(it.kind)
		if it.kind == EndingKind {
			h.Node = model.EndingID
			return "Ending", "", ""
		}
		return "Start", "", ""
	case HiddenKind:
		h.Node, h.Icon = model.StartID, "start"
		for _, t := range texts {
			if t.class == idClass {
				name = schema.Shorten(t.shown, maxShown)
			}
		}
		return name, "Hidden field", ""
	case MessageKind:
		h.Icon = "text"
		return shownKey(keyOf(s.part, it)), message(it.group), ""
	case TranslationKind:
		h.Icon = "text"
		lang := shownKey(s.part.lang)
		if it.index < 0 {
			return lang, "Language", ""
		}
		key := keyOf(s.part, it)
		if !it.message {
			h.Component = key
		}
		return shownKey(key), "Translation ", lang
	default:
	}
	h.Icon = "form"
	if s.part.key == "name" {
		return caption.Excerpt(f.Name, maxShown), "Form", ""
	}
	row, _ := model.ContentTable().Row(s.part.key)
	return row.Title(), "Form", ""
}

func shownKey(key string) string { return schema.Shorten(caption.Line(key), maxShown) }

func message(group string) string {
	switch group {
	case "errors":
		return "Error message"
	case "custom":
		return "Custom message"
	}
	return "Message"
}

func (h *Hit) nameNode(f *model.Form, n *model.Node, it *item) (name, where, own string) {
	h.Node = n.ID
	kind := "Unknown node"
	h.Icon = "warn"
	if k := model.NodeKindOf(n.Type); k != nil {
		kind, h.Icon = k.Label, k.Icon
	}
	title := caption.Excerpt(cmp.Or(n.Alias, n.ID), maxShown)
	if it.index >= 0 {
		if title == "" {
			title = kind
		}
		return h.namePart(f, n, it), title, ""
	}
	if title == "" {
		return kind, "", ""
	}
	return title, "", kind
}

// namePart names a component or a rule.
func (h *Hit) namePart(f *model.Form, n *model.Node, it *item) string {
	if r := n.Rule(it.index); r != nil {
		h.Rule = r.ID
		return cmp.Or(caption.Excerpt(r.Alias, maxShown), schema.Shorten(caption.Line(caption.Rule(f.Fields(), r, it.index)), maxShown))
	}
	c := n.Component(it.index)
	h.Component, h.Icon = c.ID, "warn"
	if c.Kind != nil {
		h.Icon = c.Kind.Icon
	}
	return caption.Component(c)
}

// line builds a text and the ranges of the words that were found in it.
type line struct {
	b      []byte
	ranges []Range
}

func (l *line) add(s string) { l.b = append(l.b, s...) }

// part begins the next part of the line.
func (l *line) part() {
	if len(l.b) > 0 {
		l.add(" · ")
	}
}

// found adds a text and the ranges of the words that occur in it.
func (l *line) found(s string, words []string) {
	at := len(l.b)
	l.add(s)
	m := foldMap(s)
	for _, w := range words {
		if w == "" {
			continue
		}
		for i := strings.Index(m.text, w); i >= 0; {
			r := m.source(i, i+len(w))
			l.ranges = append(l.ranges, Range{at + r.From, at + r.To})
			next := strings.Index(m.text[i+len(w):], w)
			if next < 0 {
				break
			}
			i += len(w) + next
		}
	}
}

// done returns the text and the ranges, sorted and joined.
func (l *line) done() (string, []Range) { return string(l.b), join(l.ranges) }

// byFrom sorts ranges by where they begin. A generic function for their type would be a tenth of a percent of the browser's program.
type byFrom []Range

func (rs byFrom) Len() int           { return len(rs) }
func (rs byFrom) Less(i, j int) bool { return rs[i].From < rs[j].From }
func (rs byFrom) Swap(i, j int)      { rs[i], rs[j] = rs[j], rs[i] }

// join sorts ranges and joins those that touch.
func join(rs []Range) []Range {
	sort.Sort(byFrom(rs))
	var out []Range
	for _, r := range rs {
		if n := len(out); n > 0 && r.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, r.To)
			continue
		}
		out = append(out, r)
	}
	return out
}
