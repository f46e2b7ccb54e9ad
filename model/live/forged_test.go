package live_test

import (
	"errors"
	"testing"

	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
)

// An entry that somebody has given the page and the serial of an offer is not the offer: all copies are equal in the end, and nothing is lost.
func TestForgedEntryIsNotTheOffer(t *testing.T) {
	f := start(t)
	s := newServer(f)
	a, b := live.Open("A", f, ""), live.Open("B", f, "")
	fa := setLabel(t, f, "a0", "Ada")
	offer, _ := a.Offer(fa, "", 0)
	forged, _ := live.Open("A", f, "").Offer(setLabel(t, f, "b1", "Bob"), "", 0)
	if forged.Number != offer.Number || forged.Page != offer.Page || forged.Serial != offer.Serial {
		t.Fatalf("forged %+v, offered %+v", forged, offer)
	}
	s.post(t, forged)
	s.post(t, offer) // too late
	step, err := a.Take(fa, s.entries[0])
	if err != nil || step.Own {
		t.Fatalf("%+v, %v", step, err)
	}
	if fa = step.Local; label(fa, "a0") != "Ada" || label(fa, "b1") != "Bob" {
		t.Errorf("A has %q and %q", label(fa, "a0"), label(fa, "b1"))
	}
	again, ok := a.Offer(fa, "", 0)
	if !ok {
		t.Fatal("A believes that others have its text")
	}
	s.post(t, again)
	fb := f
	for _, e := range s.entries {
		if step, err = b.Take(fb, e); err != nil {
			t.Fatal(err)
		}
		fb = step.Local
	}
	if step, err = a.Take(fa, s.entries[1]); err != nil || !step.Own {
		t.Fatalf("%+v, %v", step, err)
	}
	if !schema.Equal(a.Shared().Tree(), b.Shared().Tree()) || !schema.Equal(step.Local.Tree(), fb.Tree()) || label(fb, "a0") != "Ada" {
		t.Errorf("A has %s, B %s", schema.Encode(step.Local.Tree()), schema.Encode(fb.Tree()))
	}
}

// A page that has another name since it made an offer knows the offer under both names.
func TestRenamedPageKnowsItsOffer(t *testing.T) {
	for _, name := range []string{"A", "A2"} {
		f := start(t)
		a := live.Open("A", f, "")
		local := setLabel(t, f, "a0", "Ada")
		e, _ := a.Offer(local, "", 0)
		a.Rename("A2")
		e.Page = name
		if step, err := a.Take(local, e); err != nil || !step.Own || !a.Same(local) {
			t.Errorf("as %s: %+v, %v", name, step, err)
		}
		if next, _ := a.Offer(setLabel(t, local, "a0", "Eve"), "", 0); next.Page != "A2" {
			t.Errorf("offers as %s", next.Page)
		}
	}
}

// A copy that differs from the shared form is noticed by the digest of an entry, even of the page's own.
func TestDigestShowsWhatDiffers(t *testing.T) {
	f := start(t)
	a, b, other := live.Open("A", f, ""), live.Open("B", f, ""), live.Open("C", setLabel(t, f, "b2", "x"), "")
	local := setLabel(t, f, "a0", "Ada")
	e, _ := a.Offer(local, "", 0)
	e.Digest = live.Digest(local.Tree())
	for name, c := range map[string]*live.Copy{"A": a, "B": b} {
		if _, err := c.Take(local, e); err != nil || c.Number() != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := other.Take(f, e); !errors.Is(err, live.ErrDiffers) {
		t.Errorf("a copy that differs: %v", err)
	}
	read, err := live.ReadEntry(e.Tree())
	if err != nil || read.Digest != e.Digest {
		t.Errorf("read %+v, %v", read, err)
	}
}

// What exceeds the limits of documents, or does not have the shape of a form, cannot be shared.
func TestCheckForm(t *testing.T) {
	for text, want := range map[string]error{
		`{}`: nil, `{"name":"f","nodes":[{"id":"a"}],"start":{},"ending":null,"x":1}`: nil,
		`{"nodes":"x"}`: live.ErrShape, `{"nodes":[1]}`: live.ErrShape, `{"nodes":[null]}`: live.ErrShape, `{"ending":1}`: live.ErrShape,
		`{"start":[]}`: live.ErrShape, `{"name":{}}`: live.ErrShape, `{"translations":"x"}`: live.ErrShape,
	} {
		v, _ := schema.Decode([]byte(text))
		if err := live.CheckForm(v.(*schema.Object)); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	var deep any = schema.NewObject()
	for range schema.MaxDepth - 1 {
		deep = []any{deep}
	}
	if err := live.CheckForm(schema.NewObject(schema.Member{Key: "x", Value: deep})); !errors.Is(err, live.ErrDeep) {
		t.Errorf("a deep form: %v", err)
	}
	if err := live.CheckForm(schema.NewObject(schema.Member{Key: "x", Value: make([]any, schema.MaxValues)})); !errors.Is(err, live.ErrMany) {
		t.Errorf("a form of many values: %v", err)
	}
	edit := func(length int) []schema.Edit {
		p := schema.Path{}
		for range length {
			p = p.Key("a")
		}
		return []schema.Edit{{Path: p, Value: []any{schema.IntNumber(1)}}}
	}
	if n, err := live.CheckEdits(edit(schema.MaxDepth - 1)); err != nil || n < 2 {
		t.Errorf("%d values, %v", n, err)
	}
	if _, err := live.CheckEdits(edit(schema.MaxDepth)); !errors.Is(err, live.ErrDeep) {
		t.Errorf("deep edits: %v", err)
	}
}
