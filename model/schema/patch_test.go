package schema_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// randomPath returns a path that leads somewhere in a tree, or close to it.
func randomPath(r *rand.Rand, tree any) (p schema.Path) {
	for len(p) == 0 || r.IntN(3) > 0 {
		switch v := tree.(type) {
		case []any:
			i := r.IntN(len(v) + 2)
			p, tree = p.Index(i), nil
			if i < len(v) {
				tree = v[i]
			}
		default:
			key := string(rune('a' + r.IntN(5)))
			if r.IntN(8) == 0 {
				return p.Index(r.IntN(2))
			}
			o, _ := v.(*schema.Object)
			p = p.Key(key)
			tree, _ = o.Get(key)
		}
	}
	return p
}

// Patch makes what its edits make one after the other, and leaves the tree as it was.
func TestPatchMakesOneEditAfterTheOther(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	done := 0
	for range sizetest.Of(0, 20_000, 500_000) {
		o, ok := randomTree(r, 5).(*schema.Object)
		if !ok {
			continue
		}
		before := string(schema.Encode(o))
		var edits []schema.Edit
		var want any = o
		var wrong error
		for range 1 + r.IntN(6) {
			e := schema.Edit{Path: randomPath(r, want)}
			var next any
			switch r.IntN(4) {
			case 0:
				e.Cleared = true
				next, wrong = schema.Clear(want, e.Path)
			case 1:
				e.Inserted, e.Value = true, randomTree(r, 2)
				next, wrong = schema.Insert(want, e.Path, e.Value)
			default:
				e.Value = randomTree(r, 2)
				next, wrong = schema.Set(want, e.Path, e.Value)
			}
			if edits = append(edits, e); wrong != nil {
				break
			}
			want = next
		}
		got, err := schema.Patch(o, edits)
		switch {
		case (err != nil) != (wrong != nil) || wrong != nil && !errors.Is(err, schema.ErrNoPlace):
			t.Fatalf("%s\n%v\nerror %v, want %v", before, edits, err, wrong)
		case string(schema.Encode(o)) != before:
			t.Fatalf("%v made %s from %s", edits, schema.Encode(o), before)
		case err == nil && string(schema.Encode(got)) != string(schema.Encode(want)):
			t.Fatalf("%s\n%v\ngot  %s\nwant %s", before, edits, schema.Encode(got), schema.Encode(want))
		case err == nil:
			done++
		}
	}
	if done < 1000 {
		t.Errorf("only %d patches were made", done)
	}
}

// PatchFitting applies the edits in order, and skips those that Patch would not apply to the tree by then.
func TestPatchFittingLeavesOutWhatHasNoPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	done := map[bool]int{}
	for range sizetest.Of(0, 20_000, 500_000) {
		o, ok := randomTree(r, 5).(*schema.Object)
		if !ok {
			continue
		}
		edits := make([]schema.Edit, 1+r.IntN(6))
		want := o
		for i := range edits {
			e := schema.Edit{Path: randomPath(r, want), Value: randomTree(r, 2)}
			switch r.IntN(6) {
			case 0:
				e = schema.Edit{Path: e.Path, Cleared: true}
			case 1:
				e.Inserted = true
			case 2:
				e.Path = nil // no edit can replace the document
			}
			edits[i] = e
			tree, err := schema.Patch(want, edits[i:i+1])
			if e.Path == nil {
				tree, err = nil, schema.ErrNoPlace
			}
			if done[err == nil]++; err == nil {
				want = tree
			}
		}
		if got := schema.PatchFitting(o, edits); string(schema.Encode(got)) != string(schema.Encode(want)) {
			t.Fatalf("%s\n%v\ngot  %s\nwant %s", schema.Encode(o), edits, schema.Encode(got), schema.Encode(want))
		}
	}
	if done[true] < 1000 || done[false] < 1000 {
		t.Errorf("only %v edits had a place or none", done)
	}
}

// The work of Patch is bounded by the size of what it changes, not by that times the number of edits, and by its limit.
func TestPatchMovesLittle(t *testing.T) {
	const size, edits = 50_000, 10_000
	list := make([]any, size)
	members := make([]schema.Member, size)
	for i := range list {
		list[i], members[i] = "x", schema.Member{Key: fmt.Sprint("k", i), Value: "x"}
	}
	o := schema.NewObject(schema.Member{Key: "list", Value: list}, schema.Member{Key: "object", Value: schema.NewObject(members...)})
	at := schema.Path{schema.Key("list")}
	for name, edit := range map[string]func(i int) schema.Edit{
		"elements": func(i int) schema.Edit { return schema.Edit{Path: at.Index(i), Value: "y"} },
		"appended": func(i int) schema.Edit { return schema.Edit{Path: at.Index(size + i), Value: "y", Inserted: true} },
		"members": func(i int) schema.Edit {
			return schema.Edit{Path: schema.Path{schema.Key("object"), schema.Key(fmt.Sprint("k", i))}, Cleared: true}
		},
	} {
		all := make([]schema.Edit, edits)
		for i := range all {
			all[i] = edit(i)
		}
		if _, moved, err := schema.PatchWithin(o, all, math.MaxInt); err != nil || moved > size+10 {
			t.Errorf("%s: %d moved, %v", name, moved, err)
		}
	}
	first := make([]schema.Edit, edits)
	for i := range first {
		first[i] = schema.Edit{Path: at.Index(0), Value: "y", Inserted: true}
	}
	if _, moved, err := schema.PatchWithin(o, first, 10*size); !errors.Is(err, schema.ErrMoves) || moved > 10*size {
		t.Errorf("%d moved, %v", moved, err)
	}
}

func TestDigestIsThatOfEqualTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	seen := map[uint64]any{}
	for range sizetest.Of(0, 20_000, 500_000) {
		v := randomTree(r, 4)
		h := schema.Digest(v)
		if was, ok := seen[h]; ok && !schema.Equal(was, v) {
			t.Fatalf("%s and %s have the same digest", schema.Encode(was), schema.Encode(v))
		}
		seen[h] = v
	}
	for _, same := range [][2]string{{`{"a":1,"b":[2,null]}`, `{"b":[2.0,null],"a":10e-1}`}, {`[0,-0]`, `[-0.0,0e5]`}, {`"ä"`, `"\u00e4"`}} {
		a, _ := schema.Decode([]byte(same[0]))
		b, _ := schema.Decode([]byte(same[1]))
		if schema.Digest(a) != schema.Digest(b) {
			t.Errorf("%s and %s differ", same[0], same[1])
		}
	}
	for _, other := range [][2]string{
		{`[1,2]`, `[2,1]`},
		{`[[],1]`, `[[1]]`},
		{`{"a":"b"}`, `{"b":"a"}`},
		{`1`, `"1"`},
		{`1`, `-1`},
		{`true`, `false`},
		{`[]`, `{}`},
	} {
		a, _ := schema.Decode([]byte(other[0]))
		b, _ := schema.Decode([]byte(other[1]))
		if schema.Digest(a) == schema.Digest(b) {
			t.Errorf("%s and %s are the same", other[0], other[1])
		}
	}
}

func TestMeasure(t *testing.T) {
	for text, want := range map[string][2]int{`1`: {1, 0}, `{}`: {1, 1}, `[1,{"a":[]}]`: {4, 3}, `{"a":{"b":{}},"c":2}`: {4, 3}} {
		v, _ := schema.Decode([]byte(text))
		if values, depth := schema.Measure(v); values != want[0] || depth != want[1] {
			t.Errorf("%s: %d values, depth %d", text, values, depth)
		}
	}
}
