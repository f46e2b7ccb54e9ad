package versions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// noon is the time of the tests.
func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// newHistory returns the versions of an empty store, whose clock stands at noon.
func newHistory(tb testing.TB) *History {
	tb.Helper()
	return NewHistory(sqlitetest.Open(tb).Team("").Versions(), noon)
}

var (
	ann = Author{"Ann", "auth0|ann"}
	bob = Author{"Bob", "auth0|bob"}
)

// at returns a form with a name, saved some seconds after noon; less than 0 for a form without dates.
func at(seconds int, name string) []byte {
	dates := ""
	if seconds >= 0 {
		dates = fmt.Sprintf(`,"created_at":"2020-01-01T00:00:00Z","updated_at":%q`, noon().Add(time.Duration(seconds)*time.Second).Format(time.RFC3339))
	}
	return fmt.Appendf(nil, `{"id":"ap_1","name":%q,"nodes":[]%s}`, name, dates)
}

// history returns the versions of form f, newest first: number, seconds after noon, author, and name of the form.
func (h *History) history(t *testing.T) string {
	t.Helper()
	list, _, err := h.Stored.List(t.Context(), "f", 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, v := range list {
		_, form, err := h.Open(t.Context(), "f", v.Number)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, strings.TrimSpace(fmt.Sprintf("%d@%g:%s %s", v.Number, v.Saved.Sub(noon()).Seconds(), form.Text("name"), v.Author)))
	}
	return strings.Join(words, ", ")
}

// told is what a history is told of form f.
type told struct {
	body []byte
	by   Author
}

func TestRecord(t *testing.T) {
	nobody := Author{}
	for _, tt := range []struct {
		name string
		told []told
		want string
	}{
		{"saves", []told{{at(1, "A"), ann}, {at(2, "B"), bob}}, "2@2:B Bob, 1@1:A Ann"},
		{"back to an earlier content", []told{{at(1, "A"), ann}, {at(2, "B"), ann}, {at(3, "A"), bob}}, "3@3:A Bob, 2@2:B Ann, 1@1:A Ann"},
		{"the same again", []told{{at(1, "A"), ann}, {at(2, "A"), bob}}, "1@1:A Ann"},
		{"saved elsewhere", []told{{at(1, "A"), ann}, {at(2, "B"), nobody}, {at(3, "C"), bob}}, "3@3:C Bob, 2@2:B, 1@1:A Ann"},
		{"noticed before it was recorded", []told{{at(1, "A"), nobody}, {at(1, "A"), ann}}, "1@1:A Ann"},
		{"the author stays", []told{{at(1, "A"), ann}, {at(1, "A"), bob}}, "1@1:A Ann"},
		{"noticed, and the next save recorded first", []told{{at(1, "A"), nobody}, {at(2, "B"), bob}, {at(1, "A"), ann}}, "2@2:B Bob, 1@1:A Ann"},
		{"an old read", []told{{at(2, "B"), ann}, {at(1, "A"), nobody}}, "1@2:B Ann"},
		{"an old read of a known one", []told{{at(1, "A"), ann}, {at(2, "B"), ann}, {at(1, "A"), nobody}}, "2@2:B Ann, 1@1:A Ann"},
		{"a read that differs from the answer to the save", []told{{at(1, "A"), ann}, {at(1, "A+"), nobody}}, "1@1:A Ann"},
		{"an old save", []told{{at(2, "B"), ann}, {at(1, "A"), bob}, {at(2, "B"), nobody}}, "1@2:B Ann, 2@1:A Bob"},
		{
			"several within a second",
			[]told{{at(1, "A"), ann}, {at(1, "B"), ann}, {at(1, "A"), ann}, {at(1, "A"), nobody}},
			"3@1:A Ann, 2@1:B Ann, 1@1:A Ann",
		},
		{"without dates", []told{{at(-1, "A"), ann}, {at(-1, "B"), nobody}, {at(-1, "A"), nobody}}, "2@0.001:B, 1@0:A Ann"},
		{"back without dates", []told{{at(-1, "A"), ann}, {at(-1, "B"), ann}, {at(-1, "A"), bob}}, "3@0.002:A Bob, 2@0.001:B Ann, 1@0:A Ann"},
	} {
		h := newHistory(t)
		for _, x := range tt.told {
			if err := h.record(t.Context(), "f", x.body, x.by, false); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
		if got := h.history(t); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Somebody who saves a form without a change long after it was noticed is not its author.
func TestLateAuthor(t *testing.T) {
	h := newHistory(t)
	for _, x := range []told{{at(0, "A"), Author{}}, {at(0, "A"), ann}} {
		if err := h.record(t.Context(), "f", x.body, x.by, false); err != nil {
			t.Fatal(err)
		}
		h.Now = func() time.Time { return noon().Add(time.Hour) }
	}
	if got := h.history(t); got != "1@0:A" {
		t.Errorf("got %s", got)
	}
}

// A version has what an author saves, and what a tenant computes makes no new version.
func TestContent(t *testing.T) {
	h := newHistory(t)
	for _, body := range []string{
		`{"id":"a","name":"A","created_at":"x","updated_at":"y","embedded_at":null,"submitted_at":"2020-01-01","links":{},"flow_count":1,"b":1,"a":{"d":2,"c":3}}`,
		` {"a": {"c": 3, "d": 2}, "b": 1, "name": "A", "flow_count": 2}`,
	} {
		if err := h.record(t.Context(), "f", []byte(body), ann, false); err != nil {
			t.Fatal(err)
		}
	}
	_, form, err := h.Open(t.Context(), "f", 1)
	if want := `{"name":"A","b":1,"a":{"d":2,"c":3}}`; err != nil || string(schema.Encode(form)) != want {
		t.Errorf("got %s, %v, want %s", schema.Encode(form), err, want)
	}
	if _, _, err := h.Open(t.Context(), "f", 2); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the order of members made a version: %v", err)
	}
	for _, body := range []string{"", "{", "[]", `"x"`, "{}", `{"message":"OK"}`, `{"name":"A","name":"B"}`} {
		if err := h.record(t.Context(), "f", []byte(body), ann, false); !errors.Is(err, errForm) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// edit returns the form with a small change: a card moves, a label changes, or a component or a node is added or removed.
func edit(tb testing.TB, r *rand.Rand, i int, form *schema.Object) *schema.Object {
	tb.Helper()
	nodes := form.List("nodes")
	n := r.IntN(len(nodes))
	node, _ := nodes[n].(*schema.Object)
	parts := node.Object("config").List("components")
	at := schema.Path{schema.Key("nodes"), schema.Index(n)}
	set := func(p schema.Path, v any) *schema.Object {
		now, err := schema.Set(form, p, v)
		if err != nil {
			tb.Fatal(err)
		}
		return now.(*schema.Object) //nolint:forcetypeassert // the root stays an object
	}
	list := func(p schema.Path, now []any) *schema.Object { return set(p, now) }
	switch k := r.IntN(20); {
	case k < 8:
		return set(at.Key("coordinates"), model.Point{X: r.IntN(5000), Y: r.IntN(5000)}.Tree())
	case k == 8:
		return list(schema.Path{schema.Key("nodes")}, append(nodes[:n:n], append([]any{
			model.NewNode(model.StepNode, fmt.Sprintf("new%d", i), model.Point{}),
		}, nodes[n:]...)...))
	case k == 9 && len(nodes) > 190:
		return list(schema.Path{schema.Key("nodes")}, append(nodes[:n:n], nodes[n+1:]...))
	case k == 10 && len(parts) > 9:
		return list(at.Key("config").Key("components"), parts[1:])
	case k < 13 && node.Has("config"):
		c := model.NewComponent(model.KindOf("TEXT"), model.SpecDialect, fmt.Sprintf("added%d", i))
		return list(at.Key("config").Key("components"), append(slices.Clip(parts), c))
	case len(parts) > 0:
		return set(at.Key("config").Key("components").Index(0).Key("label"), fmt.Sprintf("Label %d", i))
	}
	return set(schema.Path{schema.Key("name")}, fmt.Sprintf("Form %d", i))
}

// saved returns the form as the tenant answers a save, the i-th of the test.
func saved(form *schema.Object, i int) []byte {
	now := noon().Add(time.Duration(i) * time.Second).Format(time.RFC3339)
	return schema.Encode(form.With("id", "ap_1").With("updated_at", now))
}

// Every version can be opened as it was, and no chain is long.
func TestEveryVersionOpens(t *testing.T) {
	h, r := newHistory(t), rand.New(rand.NewPCG(5, 6))
	form := formtest.Large(20)
	var texts [][]byte
	for i := range 300 {
		if err := h.record(t.Context(), "f", saved(form, i), ann, false); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, schema.Encode(form))
		form = edit(t, r, i, form)
	}
	whole, stored, copies := 0, 0, 0
	for i, want := range texts {
		chain, err := h.Stored.Chain(t.Context(), "f", i+1)
		if err != nil || len(chain) > maxChain {
			t.Fatalf("version %d: a chain of %d, %v", i+1, len(chain), err)
		}
		if len(chain) == 1 {
			whole++
		}
		if got, err := textOf(chain); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("version %d: %v\n%s\nwant\n%s", i+1, err, got, want)
		}
		stored, copies = stored+len(chain[len(chain)-1].Body), copies+len(want)
	}
	if stored*50 > copies {
		t.Errorf("%d bytes are stored, more than 2 %% of %d in whole copies", stored, copies)
	}
	if whole > 300/maxChain+1 {
		t.Errorf("%d whole forms of 300", whole)
	}
}

// A damaged version does not keep others from being recorded.
func TestRecordAfterDamage(t *testing.T) {
	h := newHistory(t)
	v := store.Version{Form: "f", Number: 1, Saved: noon(), Hash: []byte{1}, Base: 1, Body: []byte("damaged")}
	if err := errors.Join(h.Stored.Add(t.Context(), v), h.record(t.Context(), "f", at(1, "A"), ann, false)); err != nil {
		t.Fatal(err)
	}
	if _, form, err := h.Open(t.Context(), "f", 2); err != nil || form.Text("name") != "A" {
		t.Errorf("%v, %v", form, err)
	}
	if _, _, err := h.Open(t.Context(), "f", 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("the damaged version: %v", err)
	}
}

// beaten is a store in which another process always adds a version first, some times.
type beaten struct {
	store.Versions
	other *History
	times int
}

func (b *beaten) Add(ctx context.Context, v store.Version) error {
	if b.times--; b.times >= 0 {
		if err := b.other.record(ctx, v.Form, at(b.times, fmt.Sprint("other ", b.times)), bob, false); err != nil {
			return err
		}
	}
	return b.Versions.Add(ctx, v)
}

// A replica whose number is taken takes the next.
func TestRecordMeetsAnother(t *testing.T) {
	other := newHistory(t)
	h := NewHistory(&beaten{other.Stored, other, 3}, noon)
	if err := h.record(t.Context(), "f", at(9, "A"), ann, false); err != nil {
		t.Fatal(err)
	}
	if got := h.history(t); got != "4@9:A Ann, 1@2:other 2 Bob, 2@1:other 1 Bob, 3@0:other 0 Bob" {
		t.Errorf("got %s", got)
	}
}

// overtaken is a store in which another process records something right after one of the reads.
type overtaken struct {
	store.Versions
	reads int // until then
	other func()
}

func (o *overtaken) read() {
	if o.reads--; o.reads == 0 {
		o.other()
	}
}

func (o *overtaken) Last(ctx context.Context, form string) (int, error) {
	defer o.read()
	return o.Versions.Last(ctx, form)
}

func (o *overtaken) List(ctx context.Context, form string, offset, limit int) ([]store.Version, int, error) {
	defer o.read()
	return o.Versions.List(ctx, form, offset, limit)
}

func (o *overtaken) Chain(ctx context.Context, form string, number int) ([]store.Version, error) {
	defer o.read()
	return o.Versions.Chain(ctx, form, number)
}

// A form that one replica notices while another records its save is one version, whenever the save is recorded.
func TestNoticedWhileRecorded(t *testing.T) {
	for reads := 1; reads <= 3; reads++ {
		other := newHistory(t)
		save := func(body []byte) {
			if err := other.record(t.Context(), "f", body, ann, false); err != nil {
				t.Fatal(err)
			}
		}
		save(at(1, "A"))
		o := &overtaken{other.Stored, reads, func() { save(at(2, "B")) }}
		if err := NewHistory(o, noon).record(t.Context(), "f", at(2, "B"), Author{}, false); err != nil {
			t.Fatal(err)
		}
		if got := other.history(t); o.reads > 0 || got != "2@2:B Ann, 1@1:A Ann" {
			t.Errorf("after read %d: got %s", reads, got)
		}
	}
}
