package model_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

func BenchmarkDecode1000Nodes(b *testing.B) {
	src := schema.Encode(formtest.Large(1000))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ps := schema.Decode(src); len(ps) > 0 {
			b.Fatal(ps)
		}
	}
}

func BenchmarkValidateWhole1000Nodes(b *testing.B) {
	tree := formtest.Large(1000)
	b.ReportAllocs()
	for b.Loop() {
		if ps := model.CheckNew(tree); len(ps) > 0 {
			b.Fatal(ps)
		}
	}
}

func BenchmarkValidateOneEditOf1000Nodes(b *testing.B) {
	var c model.Checker
	f := model.FromTree(formtest.Large(1000))
	if ps := c.Check(f); len(ps) > 0 {
		b.Fatal(ps)
	}
	at := schema.Path{schema.Key("nodes"), schema.Index(500), schema.Key("alias")}
	forms := [2]*model.Form{}
	for i := range forms {
		next, err := f.Set(at, fmt.Sprint("alias ", i))
		if err != nil {
			b.Fatal(err)
		}
		forms[i] = next
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		// A new node has no memo, so this measures an edit, not a look-up.
		next := f.Derive(forms[i%2].Tree())
		if ps := c.Check(next); len(ps) > 0 {
			b.Fatal(ps)
		}
	}
}
