package find_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/schema"
)

// contains reports whether a text contains a word, without regard to case and
// accents.
func contains(text, word string) bool { return strings.Contains(find.Fold(text), find.Fold(word)) }

// checkHits checks the laws of every search.
func checkHits(t *testing.T, f *model.Form, query string, hits []find.Hit) {
	t.Helper()
	for i, h := range hits {
		for _, l := range []struct {
			text string
			in   []find.Range
		}{{h.Title, h.InTitle}, {h.Context, h.InContext}} {
			if !utf8.ValidString(l.text) {
				t.Fatalf("%q: hit %d: %q is not UTF-8", query, i, l.text)
			}
			checkRanges(t, l.text, l.in)
		}
		// The path leads to a value; that of an end may be absent.
		if _, ok := schema.Lookup(f.Tree(), h.Path); !ok && h.Kind != find.StartKind && h.Kind != find.EndingKind {
			t.Fatalf("%q: hit %d: there is no %s", query, i, h.Path)
		}
		checkWhere(t, f, h)
		for w := range strings.FieldsSeq(strings.NewReplacer("{", " ", "}", " ").Replace(query)) {
			if strings.ContainsAny(w, ":") {
				continue
			}
			if !slices.ContainsFunc(parts(h.Title, h.InTitle), func(s string) bool { return contains(s, w) }) &&
				!slices.ContainsFunc(parts(h.Context, h.InContext), func(s string) bool { return contains(s, w) }) {
				t.Fatalf("%q: hit %d does not show %q: %s", query, i, w, line(h))
			}
		}
	}
}

func parts(s string, rs []find.Range) []string {
	out := make([]string, len(rs))
	for i, r := range rs {
		out[i] = s[r.From:r.To]
	}
	return out
}

// checkRanges checks that ranges are inside the text, in order, disjoint, not empty, and of whole characters.
func checkRanges(t *testing.T, s string, rs []find.Range) {
	t.Helper()
	end := -1
	for _, r := range rs {
		if r.From <= end || r.From >= r.To || r.To > len(s) {
			t.Fatalf("the ranges of %q are %v", s, rs)
		}
		if !utf8.RuneStart(s[r.From]) || r.To < len(s) && !utf8.RuneStart(s[r.To]) {
			t.Fatalf("the ranges of %q cut a character: %v", s, rs)
		}
		end = r.To
	}
}

// checkWhere checks that the ids are those of what the path leads into.
func checkWhere(t *testing.T, f *model.Form, h find.Hit) {
	t.Helper()
	if len(h.Path) < 2 || h.Path[0].Key != "nodes" {
		return
	}
	n := f.Nodes[h.Path[1].Index]
	if h.Node != n.ID {
		t.Fatalf("%s has the node %q", h.Path, h.Node)
	}
	comp, rule := "", ""
	if len(h.Path) > 4 && h.Path[4].Index >= 0 {
		switch c := n.Config.(type) {
		case *model.Step:
			comp = c.Components[h.Path[4].Index].ID
		case *model.Router:
			rule = c.Rules[h.Path[4].Index].ID
		case *model.Flow, nil:
		}
	}
	if h.Component != comp || h.Rule != rule {
		t.Fatalf("%s has the component %q and the rule %q", h.Path, h.Component, h.Rule)
	}
}

// thing identifies what a hit is about, independently of the query.
func thing(h find.Hit) string {
	p := h.Path
	switch {
	case h.Component != "" && len(p) > 4 && p[0].Key == "nodes", h.Rule != "":
		p = p[:5]
	case p[0].Key == "nodes":
		p = p[:2]
	case h.Kind == find.HiddenKind:
		p = p[:3]
	case h.Kind == find.MessageKind:
		p = p[:3]
	case h.Kind == find.TranslationKind && len(p) > 2 && p[2].Key == "components":
		p = p[:4]
	case h.Kind == find.TranslationKind && len(p) > 2 && p[2].Key == "messages":
		p = p[:5]
	case h.Kind == find.TranslationKind:
		p = p[:2]
	default:
		p = p[:1]
	}
	return p.String()
}

func things(hits []find.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = thing(h)
	}
	return out
}

func (a *author) query() string {
	terms := make([]string, 1+a.r.IntN(3))
	for i := range terms {
		w := []rune(words[a.r.IntN(len(words))])
		switch a.r.IntN(8) {
		case 0:
			terms[i] = []string{"type:", "kind:", "id:"}[a.r.IntN(3)] + []string{"", "e", "st", "field", "email"}[a.r.IntN(5)]
		case 1, 2, 3:
			from := a.r.IntN(len(w))
			terms[i] = string(w[from : from+1+a.r.IntN(len(w)-from)])
		default:
			terms[i] = string(w)
		}
		// A mark alone is not a word.
		if strings.TrimSpace(find.Fold(terms[i])) == "" {
			terms[i] = "e"
		}
	}
	return strings.Join(terms, " ")
}

func TestLaws(t *testing.T) {
	found := 0
	for seed := range uint64(150) {
		a := &author{r: rand.New(rand.NewPCG(seed, 1))}
		f := a.form(1 + a.r.IntN(8))
		for range 12 {
			query := a.query()
			hits := search(f, query)
			found += len(hits)
			checkHits(t, f, query, hits)
			all := things(hits)
			if slices.Sort(all); len(slices.Compact(slices.Clone(all))) != len(all) {
				t.Fatalf("%q finds a thing twice: %v", query, all)
			}
			// A limit keeps the first hits.
			var x find.Index
			if n := 1 + a.r.IntN(4); n < len(hits) && !reflect.DeepEqual(x.Search(f, query, n), hits[:n]) {
				t.Fatalf("%q: the first %d hits are others", query, n)
			}
			// With fewer words, or a shorter word, no hit is lost.
			terms := strings.Fields(query)
			if len(terms) > 1 {
				fewer := strings.Join(slices.Delete(slices.Clone(terms), 0, 1), " ")
				more := things(search(f, fewer))
				for _, one := range all {
					if !slices.Contains(more, one) {
						t.Fatalf("%q finds %s, %q does not", query, one, fewer)
					}
				}
			}
			// The order and the case of words do not change what is found.
			slices.Reverse(terms)
			other := things(search(f, strings.ToUpper(strings.Join(terms[:1], ""))+" "+strings.Join(terms[1:], " ")))
			if slices.Sort(other); !strings.ContainsAny(query, "ßĳſ:") && !slices.Equal(all, other) {
				t.Fatalf("%q finds %v, the other way round %v", query, all, other)
			}
		}
	}
	if found < 3000 {
		t.Errorf("only %d hits were checked", found)
	}
}

// An index that follows edits finds what a new one finds.
func TestIndexFollows(t *testing.T) {
	a := &author{r: rand.New(rand.NewPCG(5, 6))}
	var x find.Index
	f := a.form(6)
	past := []*model.Form{f}
	for range 300 {
		o := f.Tree()
		list := slices.Clone(o.List("nodes"))
		switch a.r.IntN(8) {
		case 0:
			list = append(list, a.form(1).Tree().List("nodes")[0])
		case 1:
			if len(list) > 1 {
				i := a.r.IntN(len(list))
				list = slices.Delete(list, i, i+1)
			}
		case 2:
			a.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		case 3:
			i := a.r.IntN(len(list))
			list[i] = list[i].(*schema.Object).With("alias", a.text())
		case 4:
			list = append(list, list[0]) // the same object twice
		case 5:
			key := []string{"name", "messages", "translations", "start", "ending", "style"}[a.r.IntN(6)]
			v, _ := a.form(1).Tree().Get(key)
			o = o.With(key, v)
		case 6:
			o = o.Without([]string{"messages", "start", "ending", "style"}[a.r.IntN(4)])
		case 7:
			f = past[a.r.IntN(len(past))]
			o, list = f.Tree(), f.Tree().List("nodes")
		}
		f = f.Derive(o.With("nodes", list[:min(len(list), 10)]))
		past = append(past, f)
		query := a.query()
		if got, want := x.Search(f, query, 0), search(f, query); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: the index finds\n%v\nfrom scratch\n%v", query, things(got), things(want))
		}
	}
}

func TestRealForms(t *testing.T) {
	for _, file := range realforms.Files(t) {
		d, ps, _ := envelope.Read(file.Text)
		if len(ps) > 0 {
			t.Fatal(ps)
		}
		for _, query := range []string{"e", "email", "next type:next", "kind:", "the you", "$ending"} {
			checkHits(t, d.Form, query, search(d.Form, query))
		}
		for _, n := range d.Form.Nodes {
			hits := search(d.Form, n.ID)
			if !slices.ContainsFunc(hits, func(h find.Hit) bool { return h.Node == n.ID && h.Component == "" }) {
				t.Errorf("%s: the node %s is not found by its id", file.Name, n.ID)
			}
		}
	}
}

// Hostile texts cost time linear in their length: were one of them
// read again for each of its bytes, this test would take minutes.
func TestHostileTexts(t *testing.T) {
	const size = 1 << 17
	for _, text := range []string{
		strings.Repeat("<a", size/2), strings.Repeat("<!--", size/4), strings.Repeat("&", size),
		strings.Repeat("a", size), strings.Repeat("ab", size/2) + "c", strings.Repeat("\u0301", size/2), strings.Repeat("ß", size/2),
		strings.Repeat("- ", size/2), strings.Repeat("< ", size/2), strings.Repeat("日", size/3),
	} {
		f := model.FromTree(object("name", text, "style", object("css", text), "messages", object("custom", object(text, text))))
		var x find.Index
		for _, query := range []string{"a", "s", "-", strings.Repeat("a", 1000), strings.Repeat("a", 1000) + "b", strings.Repeat("a b ab ba ",
			8), text} {
			for _, h := range x.Search(f, query, 10) {
				checkRanges(t, h.Title, h.InTitle)
				checkRanges(t, h.Context, h.InContext)
				if len(h.Title)+len(h.Context) > 1<<15 {
					t.Errorf("%.10q… shows %d bytes", text, len(h.Title)+len(h.Context))
				}
			}
		}
		find.Rank([]find.Entry{{Name: text, Also: text}}, "abc")
		find.Rank([]find.Entry{{Name: text, Also: text}}, text)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("email", "Your <b>e&shy;mail</b>", "Label")
	f.Add("type:text ss", "Straße \xff", "{{fields.x}}")
	f.Add("id:a \u0301", "e\u0301\u00ad", "a\x00b")
	f.Fuzz(func(t *testing.T, query, text, label string) {
		text, label = schema.WellFormed(text), schema.WellFormed(label)
		comp := object("id", "a_1", "category", "FIELD", "type", "LEGAL", "label", label, "config", object("text", text))
		rule := object("id", label, "condition", object("operator", "EQ", "operands", []any{text, label}))
		form := model.FromTree(object("name", label, "nodes", []any{
			object("id", text, "type", "STEP", "config", object("components", []any{comp})),
			object("id", "r", "type", "ROUTER", "alias", text, "config", object("rules", []any{rule})),
		}, "translations", object(label, object("components", object(text, object("label", text)))), "messages", object("custom", object(text,
			label))))
		hits := search(form, query)
		for _, h := range hits {
			checkRanges(t, h.Title, h.InTitle)
			checkRanges(t, h.Context, h.InContext)
			if !utf8.ValidString(h.Title) || !utf8.ValidString(h.Context) {
				t.Fatalf("%q: not UTF-8: %q %q", query, h.Title, h.Context)
			}
			if _, ok := schema.Lookup(form.Tree(), h.Path); !ok && h.Kind != find.StartKind && h.Kind != find.EndingKind {
				t.Fatalf("%q: there is no %s", query, h.Path)
			}
		}
		if len(query) < 200 && len(strings.Fields(query)) == 1 {
			checkFound(t, query, hits)
		}
	})
}

// checkFound checks that what one word finds is marked.
func checkFound(t *testing.T, query string, hits []find.Hit) {
	t.Helper()
	for _, h := range hits {
		if len(h.InTitle)+len(h.InContext) == 0 && !strings.Contains(query, ":") {
			t.Fatalf("%q finds %s, and nothing is marked", query, line(h))
		}
	}
}
