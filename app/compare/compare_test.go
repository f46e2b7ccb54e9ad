package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/compare"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

const before = `{"name":"F","start":{"next_node":"ask","coordinates":{"x":0,"y":0}},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","coordinates":{"x":200,"y":0},"config":{"next_node":"which","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},{"id":"site","category":"FIELD","type":"URL","label":"Website"},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"which","type":"ROUTER","alias":"Who needs more?","coordinates":{"x":600,"y":0},"config":{"fallback":"profile","rules":[
		{"id":"low","alias":"Safe","condition":{"operator":"AND","operands":[{"operator":"LT","operands":["{{fields.age}}","50"]}]},"next_node":"$ending"}]}},
	{"id":"profile","type":"STEP","alias":"Your profile","coordinates":{"x":1000,"y":200},"config":{"next_node":"$ending","components":[]}}],
	"translations":{"de":{"components":{"mail":{"label":"E-Mail"}}}}}`

const after = `{"name":"G","start":{"next_node":"ask","coordinates":{"x":0,"y":40}},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","coordinates":{"x":200,"y":100},"config":{"next_node":"which","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"Work e-mail"},{"id":"age","category":"FIELD","type":"NUMBER","label":"Your age"},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"which","type":"ROUTER","alias":"Who needs more?","coordinates":{"x":600,"y":0},"config":{"fallback":"$ending","rules":[
		{"id":"low","alias":"Safe","condition":{"operator":"AND","operands":[{"operator":"LT","operands":["{{fields.age}}","30"]}]},"next_node":"$ending"},
		{"id":"young","alias":"Under 18","next_node":"parent"}]}},
	{"id":"parent","type":"STEP","alias":"Parental consent","coordinates":{"x":1000,"y":0},"config":{"components":[]}}],
	"translations":{"de":{"components":{"mail":{"label":"Mail"}}}}}`

func shown(items []compare.Item) string {
	var b strings.Builder
	for _, it := range items {
		fmt.Fprintf(&b, "%s %s [%s]", compare.Signs[it.Kind], it.Name, it.Key)
		if it.Moved {
			b.WriteString(" moved")
		}
		for _, l := range it.Lines {
			fmt.Fprintf(&b, "; %s|%s|%s|%s|%s|%s", l.Kind, l.Name, l.Property, l.Before, l.After, l.Note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestDifferencesAreSaidInWords(t *testing.T) {
	got := shown(compare.Forms(formtest.Parse(t, before), formtest.Parse(t, after)))
	const want = `~ Name []; changed|||F|G|
↔ Start [$start] moved; moved||Moved|||
~ About you [ask] moved; moved||Moved|||; changed|Work e-mail|Label|E-mail|Work e-mail|; added|Your age||||; removed|Website||||
~ Who needs more? [which]; changed||Otherwise|Your profile|Ending|; changed|Safe|Condition|fields.age is less than 50|Your age is less than 30|; added|Under 18||||
+ Parental consent [parent]
− Your profile [profile]
~ Translations de []; changed||Components › Mail › Label|E-Mail|Mail|
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Of nodes with the same name, each is told from the others by its id.
func TestNodesWithOneName(t *testing.T) {
	now := formtest.Parse(t, `{"name":"Details","nodes":[{"id":"a","type":"STEP","alias":"Details","config":{"components":[]}},
		{"id":"b","type":"STEP","alias":"Details","config":{"components":[]}},{"id":"c","type":"STEP","alias":"Other","config":{"components":[]}}]}`)
	var ids []string
	for _, i := range compare.Forms(formtest.Parse(t, `{"name":"F","nodes":[]}`), now) {
		ids = append(ids, i.Name+":"+i.ID)
	}
	if want := []string{"Name:", "Details:a", "Details:b", "Other:"}; !slices.Equal(ids, want) {
		t.Errorf("got %q, want %q", ids, want)
	}
}

func TestMarksOfTheCanvas(t *testing.T) {
	base, now := formtest.Parse(t, before), formtest.Parse(t, after)
	items := compare.Forms(base, now)
	m := compare.MarksOf(base, now, items, true)
	var cards []string
	for _, c := range m.Cards {
		cards = append(cards, fmt.Sprint(c))
	}
	want := []string{
		"{$start moved Moved [] []}",
		"{ask changed Changed, moved [{mail changed} {age added}] [Website]}",
		"{which changed Changed [{low changed} {young added}] []}",
		"{parent added Added [] []}",
	}
	if !slices.Equal(cards, want) {
		t.Errorf("the cards are %q, want %q", cards, want)
	}
	if len(m.Gone) != 1 || len(m.Was) != 2 || len(m.Edges) != 2 {
		t.Errorf("gone %d, moved %d, edges %d", len(m.Gone), len(m.Was), len(m.Edges))
	}
	m.Reverse()
	cards = nil
	for _, c := range m.Cards {
		cards = append(cards, fmt.Sprint(c))
	}
	want[1], want[2] = "{ask changed Changed, moved [{mail changed} {age removed}] [Website]}", "{which changed Changed [{low changed} {young removed}] []}"
	want[3] = "{parent removed Only in this form [] []}"
	if !slices.Equal(cards, want) {
		t.Errorf("reversed, the cards are %q, want %q", cards, want)
	}
	m = compare.MarksOf(base, now, items, false)
	if len(m.Was) != 0 || slices.ContainsFunc(m.Cards, func(c compare.Card) bool { return c.Kind == merge.Moved || strings.Contains(c.Tag, "moved") }) {
		t.Errorf("without the layout the marks are %v", m)
	}
}

func TestTextsAreComparedWordByWord(t *testing.T) {
	got := compare.Texts("We send a code to you", "We send you a link")
	var b strings.Builder
	for _, p := range got {
		fmt.Fprintf(&b, "%s%q", [...]string{"", "-", "+"}[p.Kind], p.Text)
	}
	if want := `"We send "-"a code to ""you "+"a link"`; b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
	if long := strings.Repeat("word ", 500); len(compare.Texts(long, long+"x")) != 2 {
		t.Error("long texts are compared word by word")
	}
}

// Any two forms can be compared, broken or not, and every part can be taken.
func FuzzForms(f *testing.F) {
	for _, s := range []string{
		before, after, `{}`, `{"nodes":3}`, `{"nodes":[null,1,{"id":"ask"},{"id":"ask","type":"STEP","config":{"components":[null,{"id":"mail"},{"id":"mail"}]}}]}`,
		`{"nodes":[{"id":"which","type":"ROUTER","config":{"rules":[{},{"id":"low"}]}},{"type":"STEP","config":[]}],"start":1,"translations":[]}`,
	} {
		f.Add(before, s)
		f.Add(s, after)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, _ := schema.Decode([]byte(a))
		y, _ := schema.Decode([]byte(b))
		ox, ok1 := x.(*schema.Object)
		oy, ok2 := y.(*schema.Object)
		if !ok1 || !ok2 {
			return
		}
		base, now := model.FromTree(ox), model.FromTree(oy)
		items := compare.Forms(base, now)
		for _, layout := range []bool{true, false} {
			compare.MarksOf(base, now, items, layout)
		}
		for i := range items {
			if items[i].Name == "" && items[i].IsNode() {
				t.Errorf("a node without a name: %+v", items[i])
			}
			items[i].Take(base, now)
			items[i].Take(now, base)
		}
	})
}

func BenchmarkForms(b *testing.B) {
	base := model.FromTree(formtest.Large(1000))
	now, err := base.Set(schema.Path{schema.Key("name")}, "other")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		compare.MarksOf(base, now, compare.Forms(base, now), true)
	}
}
