package model_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func seeds(f *testing.F) {
	f.Helper()
	for _, s := range []string{
		`{"name":"f","nodes":[{"id":"a","type":"STEP","config":{"components":[
{"id":"c","category":"FIELD","type":"PAYMENT","config":{"charge":{"type":"ONE_OFF"}}}]}}]}`,
		`{"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":null,"next_node":"$ending"}],"fallback":"r"}}],
"start":{"next_node":"q"}}`,
		`{"nodes":[1,null,{}],"start":3,"style":null}`,
	} {
		f.Add([]byte(s), []byte(`{"nodes":[],"name":"g"}`))
	}
}

// The checker must report every problem in document order, and the same ones
// whether it is new or has seen another form.
func FuzzCheck(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, ok := object1(a)
		y, ok2 := object1(b)
		if !ok || !ok2 {
			return
		}
		fx, fy := model.FromTree(x), model.FromTree(y)
		for _, p := range new(model.Checker).Check(fx) {
			if p.Code == "" || p.Detail == "" {
				t.Fatalf("problem without code or detail: %#v", p)
			}
		}
		var c model.Checker
		_ = c.Check(fy)
		if got, want := c.Check(fx.Derive(x)).Error(), new(model.Checker).Check(fx).Error(); got != want {
			t.Fatalf("after another form:\n got %s\nwant %s", got, want)
		}
		for _, ps := range []schema.Problems{model.CheckPatch(x), model.CheckNew(x), model.CheckResponse(x), model.Warnings(fx)} {
			for _, p := range ps {
				if p.Code == "" || p.Detail == "" {
					t.Fatalf("problem without code or detail: %#v", p)
				}
			}
		}
	})
}

// Apply(base, Diff(base, now)) equals now in the properties that a patch can have.
func FuzzDiff(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, ok := object1(a)
		y, ok2 := object1(b)
		if !ok || !ok2 {
			return
		}
		base, now := model.FromTree(x), model.FromTree(y)
		p := model.Diff(base, now)
		got := p.Apply(base)
		for _, r := range model.ContentTable() {
			want, has := y.Get(r.Name)
			v, had := got.Tree().Get(r.Name)
			// A null in the new form clears the property, except the name.
			if want == nil {
				has, want = false, nil
			}
			if r.Name == "name" && !has {
				continue
			}
			if has != had && (!had || v != nil) || has && !schema.Equal(v, want) {
				t.Fatalf("%s: got %v, want %v after %s", r.Name, v, want, schema.Encode(p.Tree()))
			}
		}
	})
}

func object1(src []byte) (*schema.Object, bool) {
	v, ps := schema.Decode(src)
	if len(ps) > 0 {
		return nil, false
	}
	o, ok := v.(*schema.Object)
	return o, ok
}
