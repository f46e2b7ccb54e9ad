package model_test

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// largeBody is a PATCH body of 1,000 steps with ten components each, as text,
// as our tree and as the oracle's.
type largeBody struct {
	*oracle
	src    []byte
	tree   *schema.Object
	theirs any
}

func newLargeBody(b *testing.B) largeBody {
	b.Helper()
	l := largeBody{oracle: newOracle(b), tree: formtest.Large(1000)}
	l.src = schema.Encode(l.tree)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(l.src))
	if err != nil {
		b.Fatal(err)
	}
	l.theirs = v
	return l
}

// ourText does everything that a server does with the text of a body, including the check
// of the graph, which a schema cannot do.
func (l largeBody) ourText(b *testing.B) {
	b.Helper()
	v, ps := schema.Decode(l.src)
	if len(ps) > 0 {
		b.Fatal(ps)
	}
	if ps := model.CheckPatch(v); len(ps) > 0 {
		b.Fatal(ps)
	}
	o, _ := v.(*schema.Object)
	if ps := model.CheckGraph(model.FromTree(o)); len(ps) > 0 {
		b.Fatal(ps)
	}
}

// ourTables is ourText without the graph, which is what a schema checks.
func (l largeBody) ourTables(b *testing.B) {
	b.Helper()
	v, ps := schema.Decode(l.src)
	if len(ps) > 0 {
		b.Fatal(ps)
	}
	if ps := model.CheckPatch(v); len(ps) > 0 {
		b.Fatal(ps)
	}
}

func (l largeBody) ourTree(b *testing.B) {
	b.Helper()
	if ps := model.CheckPatch(l.tree); len(ps) > 0 {
		b.Fatal(ps)
	}
}

func (l largeBody) theirText(b *testing.B) {
	b.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(l.src))
	if err != nil {
		b.Fatal(err)
	}
	if err := l.compiled.Validate(v); err != nil {
		b.Fatal(err)
	}
}

func (l largeBody) theirTree(b *testing.B) {
	b.Helper()
	if err := l.compiled.Validate(l.theirs); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkValidate1000(b *testing.B) {
	l := newLargeBody(b)
	for _, x := range []struct {
		name string
		run  func(*testing.B)
	}{
		{"text", l.ourText}, {"text-tables", l.ourTables}, {"tree", l.ourTree}, {"text-jsonschema", l.theirText}, {
			"tree-jsonschema",
			l.theirTree,
		},
	} {
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.run(b)
			}
		})
	}
}

// BenchmarkValidate1000Ratio reports how many times longer a validator of JSON Schema takes
// than the checker, from the text and from a tree. It alternates between them, so that other load on the
// machine affects both.
func BenchmarkValidate1000Ratio(b *testing.B) {
	l := newLargeBody(b)
	for _, x := range []struct {
		name         string
		ours, theirs func(*testing.B)
	}{
		{"text", l.ourText, l.theirText}, {"text-tables", l.ourTables, l.theirText}, {"tree", l.ourTree, l.theirTree},
	} {
		b.Run(x.name, func(b *testing.B) {
			var ours, theirs float64
			for b.Loop() {
				start := b.Elapsed()
				x.ours(b)
				between := b.Elapsed()
				x.theirs(b)
				ours += (between - start).Seconds()
				theirs += (b.Elapsed() - between).Seconds()
			}
			b.ReportMetric(theirs/ours, "ratio")
		})
	}
}
