package find_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// The first search of a form of 1,000 nodes with 10,000 components: the cost of
// opening the search.
func BenchmarkSearchFirst1000Nodes(b *testing.B) {
	f := large(1000)
	b.ReportAllocs()
	for b.Loop() {
		var x find.Index
		if hits := x.Search(f, "email number 77", 50); len(hits) == 0 {
			b.Fatal("nothing found")
		}
	}
}

// The cost of typing a letter: each query is on the same form, or on one with
// a changed node.
func BenchmarkSearchAgain1000Nodes(b *testing.B) {
	for _, query := range []string{"email number 77", "e", "zzz", "type:email your", "kind:field"} {
		for _, edited := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/edited=%t", query, edited), func(b *testing.B) {
				f := large(1000)
				var x find.Index
				x.Search(f, query, 50)
				forms := [2]*model.Form{}
				for i := range forms {
					next, err := f.Set(schema.Path{schema.Key("nodes"), schema.Index(500), schema.Key("alias")}, fmt.Sprint("alias ", i))
					if err != nil {
						b.Fatal(err)
					}
					forms[i] = next
				}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					g := f
					if i++; edited {
						g = f.Derive(forms[i%2].Tree())
					}
					x.Search(g, query, 50)
				}
			})
		}
	}
}

func BenchmarkRank2000Names(b *testing.B) {
	names := make([]find.Entry, 2000)
	for i := range names {
		names[i] = find.Entry{Name: fmt.Sprintf("Page %d: Your address", i), Also: fmt.Sprintf("step_%04d", i)}
	}
	b.ReportAllocs()
	for b.Loop() {
		find.Rank(names, "pya 17")
	}
}
