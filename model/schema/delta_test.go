package schema_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// randomTree returns a tree of at most the given depth.
func randomTree(r *rand.Rand, depth int) any {
	switch k := r.IntN(7); {
	case k < 3 && depth > 0:
		o := schema.NewObject()
		for range r.IntN(4) {
			o = o.With(string(rune('a'+r.IntN(5)))+[]string{"", "-x"}[r.IntN(2)], randomTree(r, depth-1))
		}
		return o
	case k == 3 && depth > 0:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = randomTree(r, depth-1)
		}
		return list
	case k == 4:
		return nil
	case k == 5:
		return schema.IntNumber(r.IntN(3))
	}
	return fmt.Sprint(r.IntN(3))
}

// mutate returns the tree with some places changed; the rest is shared.
func mutate(r *rand.Rand, v any, depth int) any {
	if r.IntN(5) == 0 {
		return randomTree(r, depth)
	}
	switch v := v.(type) {
	case *schema.Object:
		for _, m := range v.Members() {
			switch r.IntN(4) {
			case 0:
				v = v.With(m.Key, mutate(r, m.Value, depth-1))
			case 1:
				v = v.Without(m.Key)
			}
		}
		return v
	case []any:
		list := append([]any(nil), v...)
		for i := range list {
			list[i] = mutate(r, list[i], depth-1)
		}
		return list
	}
	return v
}

func TestDelta(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range sizetest.Of(0, 4_000, 200_000) {
		a := schema.NewObject(schema.Member{Key: "x", Value: randomTree(r, 4)}, schema.Member{Key: "y", Value: randomTree(r, 4)})
		b, ok := mutate(r, a, 4).(*schema.Object)
		if !ok {
			continue
		}
		edits, err := schema.DecodeEdits(schema.EncodeEdits(schema.Delta(a, b)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := schema.Patch(a, edits)
		if err != nil || !schema.Equal(got, b) {
			t.Fatalf("%s\n+ %v (%v)\ngot  %s\nwant %s", schema.Encode(a), edits, err, schema.Encode(got), schema.Encode(b))
		}
		if len(schema.Delta(b, b)) != 0 {
			t.Fatal("a tree differs from itself")
		}
	}
}

func TestDeltaIsSmall(t *testing.T) {
	a, _ := schema.Decode([]byte(`{"nodes":[{"id":"a","config":{"x":1}},{"id":"b"}],"translations":{"de":{"k":"v"}}}`))
	b, err := schema.Set(a, schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("config"), schema.Key("x")}, schema.IntNumber(2))
	if err != nil {
		t.Fatal(err)
	}
	edits := schema.Delta(a.(*schema.Object), b.(*schema.Object))
	if len(edits) != 1 || edits[0].Path.String() != "nodes[0].config.x" {
		t.Errorf("edits %v", edits)
	}
	if _, err := schema.Patch(schema.NewObject(), []schema.Edit{{Path: schema.Path{schema.Key("a"), schema.Index(3)}}}); err == nil {
		t.Error("an edit of another tree was applied")
	}
}

// Elements that are added, removed and moved between shared ones are edits of their own, and edits make the same array again.
func TestDeltaOfArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var all []any
	for i := range 60 {
		all = append(all, schema.NewObject(schema.Member{Key: "id", Value: schema.IntNumber(i)}))
	}
	list := func(l []any) *schema.Object { return schema.NewObject(schema.Member{Key: "l", Value: l}) }
	for range sizetest.Of(0, 1000, 50_000) {
		was := slices.Clone(all[:r.IntN(40)])
		now := slices.Clone(was)
		for range 1 + r.IntN(2) {
			switch k := r.IntN(3); {
			case k == 0:
				now = slices.Insert(now, r.IntN(len(now)+1), all[40+r.IntN(20)])
			case k == 1 && len(now) > 0:
				i := r.IntN(len(now))
				now = slices.Delete(now, i, i+1)
			case len(now) > 0:
				i := r.IntN(len(now))
				e := now[i]
				now = slices.Insert(slices.Delete(now, i, i+1), r.IntN(len(now)), e)
			}
		}
		edits, err := schema.DecodeEdits(schema.EncodeEdits(schema.Delta(list(was), list(now))))
		if err != nil {
			t.Fatal(err)
		}
		got, err := schema.Patch(list(was), edits)
		if err != nil || !schema.Equal(got, list(now)) {
			t.Fatalf("%v (%v)", edits, err)
		}
	}
	was := all[:30]
	for name, now := range map[string][]any{
		"added":   slices.Insert(slices.Clone(was), 7, all[50]),
		"removed": slices.Delete(slices.Clone(was), 7, 8),
	} {
		if edits := schema.Delta(list(was), list(now)); len(edits) != 1 || edits[0].Path.String() != "l[7]" {
			t.Errorf("%s: %v", name, edits)
		}
	}
	moved := slices.Insert(slices.Delete(slices.Clone(was), 3, 4), 20, was[3])
	if edits := schema.Delta(list(was), list(moved)); len(edits) != 2 || edits[0].Path.String() != "l[3]" || edits[1].Path.String() != "l[20]" {
		t.Errorf("moved: %v", edits)
	}
}
