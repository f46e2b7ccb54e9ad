package find_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/find"
)

func ExampleRank() {
	commands := []find.Entry{{Name: "Cancel navigation test"}, {Name: "Add node: Router"}, {Name: "Add node: Step"}}
	for _, m := range find.Rank(commands, "anst") {
		fmt.Println(commands[m.Index].Name, m.InName)
	}
	// Output:
	// Add node: Step [{0 1} {4 5} {10 12}]
	// Cancel navigation test [{12 13} {16 17} {20 22}]
}

func TestRank(t *testing.T) {
	commands := []find.Entry{
		{Name: "Add node: Step", Also: "N"},
		{Name: "Add node: Flow"},
		{Name: "Add node: Router"},
		{Name: "Add rule"},
		{Name: "Fit view", Also: "Shift 1"},
		{Name: "Open file"},
		{Name: "Save", Also: "Ctrl S"},
		{Name: "Mark all", Also: "Ctrl A"},
		{Name: "Tidy up"},
		{Name: "Show old running tests"},
		{Name: "Resort"},
		{Name: "Plugins: sort"},
		{Name: "Zürich"},
		{Name: "toggleDarkMode2"},
	}
	nodes := []find.Entry{
		{Name: "Welcome", Also: "step_1"},
		{Name: "Your step", Also: "step_2"},
		{Name: "step_1 again", Also: "x"},
		{Name: "Step", Also: "step_3"},
		{Name: "Steps of all", Also: "step"},
		{Name: "Which way", Also: "router_1"},
	}
	for _, tt := range []struct {
		name, query string
		names       []find.Entry
		want        []string
	}{
		{"no query keeps all", " ", nodes, []string{
			"Welcome|step_1", "Your step|step_2", "step_1 again|x", "Step|step_3", "Steps of all|step",
			"Which way|router_1",
		}},
		{"nothing", "qqq", commands, nil},
		{"equals keep their order", "add", commands, []string{"[Add] node: Step|N", "[Add] node: Flow|", "[Add] node: Router|", "[Add] rule|"}},
		{"letters", "anst", commands, []string{"[A]dd [n]ode: [St]ep|N"}},
		{"initials before the inside", "fv", commands, []string{"[F]it [v]iew|Shift 1"}},
		{"a whole word before letters apart", "sort", commands, []string{"Plugins: [sort]|", "Re[sort]|", "[S]how [o]ld [r]unning [t]ests|"}},
		{"words in any order", "file open", commands, []string{"[Open] [file]|"}},
		{"each word somewhere", "ctrl mar", commands, []string{"[Mar]k all|[Ctrl] A"}},
		{"accents", "ZURI", commands, []string{"[Züri]ch|"}},
		{"humps", "dm2", commands, []string{"toggle[D]ark[M]ode[2]|"}},
		{"exact, of the second name too, then beginnings", "step", nodes, []string{
			"[Step]|step_3", "Steps of all|[step]", "[step]_1 again|x", "Welcome|[step]_1", "Your step|[step]_2",
		}},
		{"an id", "step_1", nodes, []string{"Welcome|[step_1]", "[step_1] again|x"}},
		{"the worst word counts", "add st", []find.Entry{{Name: "Xadd step"}, {Name: "Go add step"}}, []string{
			"Go [add] [st]ep|",
			"X[add] [st]ep|",
		}},
		{"other words, before letters apart", "phone", []find.Entry{
			{Name: "Page has one"},
			{Name: "Tel", Words: "phone mobile"},
			{Name: "Phone"},
		}, []string{"[Phone]|", "Tel|", "[P]age [h]as [one]|"}},
		{"the shorter name first", "add text", []find.Entry{{Name: "Add: Rich text"}, {Name: "Add: Text"}}, []string{
			"[Add]: [Text]|",
			"[Add]: Rich [text]|",
		}},
		{"no filters here", "type:step", nodes, nil},
	} {
		var got []string
		for _, m := range find.Rank(tt.names, tt.query) {
			e := tt.names[m.Index]
			got = append(got, marked(e.Name, m.InName)+"|"+marked(e.Also, m.InAlso))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q ranks\n\t%s\nwant\n\t%s", tt.name, tt.query, strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
		}
	}
}

// Names beyond the bound are found by their words, and separate letters only within it.
func TestRankLongNames(t *testing.T) {
	far := strings.Repeat("- ", 256) + "xyz"
	long := strings.Repeat("a", 70)
	for _, tt := range []struct {
		name, query string
		want        int
	}{
		{far, "xyz", 1},
		{far, "yz", 1},
		{far, "xz", 0},
		{"x-" + far[4:], "xz", 0},
		{far[2:], "xz", 0},
		{far[4:], "xz", 1},
		{"b" + long, long, 1},
		{"b-" + long, long, 1},
		{long[:35] + "-" + long[:35], long, 0},
		{long[:32] + "-" + long[:32], long[:64], 1},
	} {
		if got := len(find.Rank([]find.Entry{{Name: tt.name}}, tt.query)); got != tt.want {
			t.Errorf("%.12q… of %d in %.12q… of %d: %d matches, want %d", tt.query, len(tt.query), tt.name, len(tt.name), got, tt.want)
		}
	}
}

func TestRankLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	a := &author{r: r}
	found := 0
	for range 2000 {
		names := make([]find.Entry, 1+r.IntN(6))
		for i := range names {
			names[i] = find.Entry{Name: a.text(), Also: []string{"", a.id(), a.text()}[r.IntN(3)]}
		}
		query := strings.ReplaceAll(a.query(), ":", "")
		ms := find.Rank(names, query)
		checkMatches(t, names, query, ms)
		found += len(ms)
		// A shorter query finds no less.
		terms := strings.Fields(query)
		fewer := find.Rank(names, strings.Join(terms[1:], " "))
		for _, m := range ms {
			if !slices.ContainsFunc(fewer, func(n find.Match) bool { return n.Index == m.Index }) {
				t.Fatalf("%q finds %+v, %v does not", query, names[m.Index], terms[1:])
			}
		}
		// Whether an entry matches does not depend on the other entries.
		for i, e := range names {
			alone := len(find.Rank([]find.Entry{e}, query)) == 1
			if alone != slices.ContainsFunc(ms, func(m find.Match) bool { return m.Index == i }) {
				t.Fatalf("%q finds %+v among others: %t", query, e, !alone)
			}
		}
	}
	if found < 800 {
		t.Errorf("only %d matches were checked", found)
	}
}

// checkMatches checks that the ranges are valid and hold the letters of each word in
// order, and that exact matches come first.
func checkMatches(t *testing.T, names []find.Entry, query string, ms []find.Match) {
	t.Helper()
	whole := strings.Join(strings.Fields(find.Fold(query)), " ")
	inexact := false
	for _, m := range ms {
		e := names[m.Index]
		checkRanges(t, e.Name, m.InName)
		checkRanges(t, e.Also, m.InAlso)
		name, also := strings.Join(parts(e.Name, m.InName), ""), strings.Join(parts(e.Also, m.InAlso), "")
		for w := range strings.FieldsSeq(whole) {
			if !within(w, find.Fold(name)) && !within(w, find.Fold(also)) {
				t.Fatalf("%q: the ranges of %+v are %q and %q", query, e, name, also)
			}
		}
		exact := whole != "" && (find.Fold(e.Name) == whole || find.Fold(e.Also) == whole)
		if exact && inexact {
			t.Fatalf("%q: %+v is exact and comes later", query, e)
		}
		inexact = inexact || !exact
	}
}

// within reports whether the letters of a word are in a text, in order.
func within(word, text string) bool {
	for _, r := range text {
		if w, n := utf8.DecodeRuneInString(word); n > 0 && w == r {
			word = word[n:]
		}
	}
	return word == ""
}

func FuzzRank(f *testing.F) {
	f.Add("anst", "Add node: Step", "step_1")
	f.Add("ss st", "Straße \u0301", "ĳ")
	f.Fuzz(func(t *testing.T, query, name, also string) {
		names := []find.Entry{{Name: strings.ToValidUTF8(name, "?"), Also: strings.ToValidUTF8(also, "?")}, {Name: "Add node"}}
		ms := find.Rank(names, query)
		if len(query) < 500 && len(strings.Fields(query)) < 30 {
			checkMatches(t, names, query, ms)
		}
	})
}
