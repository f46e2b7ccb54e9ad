package scenarios

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/charset/charsettest"
	"github.com/formgraph/formgraph/model/schema"
)

// listOf returns scenarios whose names are the words; a value after = tells versions of a scenario apart.
func listOf(words string) list {
	var l list
	for w := range strings.FieldsSeq(words) {
		name, value, _ := strings.Cut(w, "=")
		s := schema.NewObject(schema.Member{Key: "name", Value: name})
		if value != "" {
			s = s.With("language", value)
		}
		l = append(l, s)
	}
	return l
}

func (l list) words() string {
	var words []string
	for _, s := range l {
		w := s.Text("name")
		if value := s.Text("language"); value != "" {
			w += "=" + value
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

func TestMerge(t *testing.T) {
	for _, x := range []struct{ name, base, mine, theirs, want string }{
		{"nothing", "", "", "", ""},
		{"both add", "a", "a b", "a c", "a b c"},
		{"both add the same", "", "a=1", "a=2", "a=1"},
		{"I change", "a b", "a=1 b", "a b", "a=1 b"},
		{"they change", "a b", "a b", "a b=2", "a b=2"},
		{"both change", "a", "a=1", "a=2", "a=1"},
		{"I remove", "a b", "b", "a b", "b"},
		{"they remove", "a b", "a b", "b", "b"},
		{"I remove what they changed", "a", "", "a=2", "a=2"},
		{"I rename", "a b", "c b", "a b d", "c b d"},
		{"they remove what I changed", "a", "a=1", "", "a=1"},
		{"both remove", "a b", "b", "b", "b"},
	} {
		if got := merge(listOf(x.base), listOf(x.mine), listOf(x.theirs)).words(); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

func TestList(t *testing.T) {
	l := listOf("a b")
	next, name := l.with(schema.NewObject(schema.Member{Key: "name", Value: "a"}))
	if name != "a (2)" || next.words() != "a b a (2)" || l.words() != "a b" {
		t.Errorf("added %q: %q, before %q", name, next.words(), l.words())
	}
	for _, x := range []struct{ name, to, want, fault string }{
		{"a", " c ", "c b", ""},
		{"a", "a", "a b", ""},
		{"a", " ", "", "needs a name"},
		{"a", "b", "", "another scenario"},
		{"a", strings.Repeat("é", 255), strings.Repeat("é", 255) + " b", ""},
		{"a", strings.Repeat("é", 256), "", "at most 255"},
	} {
		got, err := l.renamed(x.name, x.to)
		if x.fault == "" && (err != nil || got.words() != x.want) || x.fault != "" && (err == nil || !strings.Contains(err.Error(), x.fault)) {
			t.Errorf("%q to %q: %q, %v", x.name, x.to, got.words(), err)
		}
	}
	got, added, replaced := l.including(listOf("b=2 c"))
	if got.words() != "a b=2 c" || added != 1 || replaced != 1 || l.words() != "a b" {
		t.Errorf("%q, %d added, %d replaced", got.words(), added, replaced)
	}
	if got := l.without("a").words(); got != "b" {
		t.Errorf("without a: %q", got)
	}
}

func TestParse(t *testing.T) {
	l := listOf("a b=2")
	got, err := parse(l.text())
	if err != nil || got.words() != l.words() {
		t.Errorf("%q, %v", got.words(), err)
	}
	if got, err := parse(list(nil).text()); err != nil || len(got) != 0 {
		t.Errorf("an empty file: %v, %v", got, err)
	}
	for _, bad := range []string{"", "{", "[]", `{"nodes":[]}`, `{"scenarios":[1]}`, `{"scenarios":[{}]}`} {
		if l, err := parse(bad); err == nil {
			t.Errorf("%s is %q", bad, l.words())
		}
	}
	for _, c := range charsettest.Of(charsettest.Scenarios) {
		switch l, err := parse(string(c.File)); {
		case err != nil && (c.Refused == "" || !strings.Contains(err.Error(), c.Refused)):
			t.Errorf("%s: %v", c.Name, err)
		case err == nil && (c.Refused != "" || l[0].Text("name") != c.Text):
			t.Errorf("%s: %q", c.Name, l.words())
		}
	}
}
