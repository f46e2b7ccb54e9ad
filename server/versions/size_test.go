package versions

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// Beyond the maximum size, the oldest go until a quarter is free.
func TestExpiredBySize(t *testing.T) {
	const most = 80 // 70 is not too much, 60 is left
	type row struct {
		number, base, size int
		kept               string
	}
	whole := func(numbers ...int) (rows []row) {
		for _, n := range numbers {
			rows = append(rows, row{n, n, 10, ""})
		}
		return rows
	}
	for _, tt := range []struct {
		name string
		list []row // oldest first
		want string
	}{
		{"none", nil, "[]"},
		{"full", whole(1, 2, 3, 4, 5, 6, 7), "[]"},
		{"too much", whole(1, 2, 3, 4, 5, 6, 7, 8), "[1 2]"},
		{"a little too much", append(whole(1, 2, 3, 4, 5, 6, 7), row{8, 8, 1, ""}), "[1 2]"},
		{"named and noted", append([]row{{1, 1, 10, "name"}, {2, 2, 10, ""}, {3, 3, 10, "note"}}, whole(4, 5, 6, 7, 8)...), "[2 4]"},
		{"only named and noted", []row{{1, 1, 50, "name"}, {2, 2, 50, "note"}, {3, 3, 50, ""}}, "[]"},
		{"the newest", []row{{1, 1, 10, ""}, {2, 2, 500, ""}}, "[1]"},
		{"the newest has not the greatest number", []row{{1, 1, 10, ""}, {3, 3, 10, ""}, {2, 2, 500, ""}}, "[1]"},
		{"the greatest number", append(whole(9), whole(1, 2, 3, 4, 5, 6, 7)...), "[1 2]"},
		{"the next is edits of the removed", append([]row{{1, 1, 20, ""}, {2, 1, 1, ""}, {3, 2, 1, ""}}, whole(4, 5, 6, 7, 8)...), "[1 2 3]"},
		{
			"the next stays with what the removed had",
			append([]row{{1, 1, 19, ""}, {2, 1, 1, "name"}, {3, 2, 1, ""}}, whole(4, 5, 6, 7, 8)...), "[1 3 4]",
		},
	} {
		list, sizes := []store.Version{}, map[int]int{}
		for i, r := range tt.list {
			v := store.Version{Number: r.number, Base: r.base, Saved: noon().Add(time.Duration(i) * time.Second)}
			switch r.kept {
			case "name":
				v.Name = "x"
			case "note":
				v.Note = "x"
			}
			list, sizes[r.number] = append(list, v), r.size
		}
		slices.Reverse(list)
		if got := fmt.Sprint(expired(list, sizes, most, noon())); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// What is removed because of its age counts as removed.
func TestExpiredByAgeAndSize(t *testing.T) {
	var list []store.Version // newest first
	sizes := map[int]int{}
	for n := 10; n > 0; n-- {
		v := store.Version{Number: n, Base: n, Saved: noon().Add(time.Duration(n) * time.Second)}
		if n <= 4 {
			v.Saved = v.Saved.Add(-2 * keepAll)
		}
		list, sizes[n] = append(list, v), 10
	}
	if got := fmt.Sprint(expired(list, sizes, 80, noon())); got != "[1 2 3]" {
		t.Errorf("%s go", got)
	}
	if got := fmt.Sprint(expired(list, sizes, 72, noon())); got != "[1 2 3 4 5]" {
		t.Errorf("%s go", got)
	}
}

// limited is a store that watches the size of form f.
type limited struct {
	store.Versions

	t             *testing.T
	most          int
	looks, prunes int // how often all versions were listed, and some removed
}

func (l *limited) List(ctx context.Context, form string, offset, limit int) ([]store.Version, int, error) {
	if limit == math.MaxInt32 {
		l.looks++
	}
	return l.Versions.List(ctx, form, offset, limit)
}

func (l *limited) Prune(ctx context.Context, form string, remove []int, again []store.Version) error {
	l.prunes++
	return l.Versions.Prune(ctx, form, remove, again)
}

func (l *limited) size() int {
	l.t.Helper()
	sizes, err := l.Sizes(l.t.Context(), "f")
	if err != nil {
		l.t.Fatal(err)
	}
	sum := 0
	for _, size := range sizes {
		sum += size
	}
	return sum
}

func (l *limited) Add(ctx context.Context, v store.Version) error {
	err := l.Versions.Add(ctx, v)
	if size := l.size(); err == nil && size > l.most {
		l.t.Errorf("%d bytes after version %d was added, want at most %d", size, v.Number, l.most)
	}
	return err
}

// newLimited returns the versions of an empty store that take most bytes for a form.
func newLimited(t *testing.T, most int) (*History, *limited) {
	t.Helper()
	l := &limited{Versions: newHistory(t).Stored, t: t, most: most}
	return reopened(l), l
}

// reopened returns the versions of the store in another process.
func reopened(l *limited) *History {
	h := NewHistory(l, noon)
	h.most = l.most
	return h
}

// text returns a text that takes about n bytes, also compressed.
func text(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return base64.StdEncoding.EncodeToString(b)
}

// However large versions are, and whether they are edits or not, a form takes no more than the maximum, not much less, and all that is left can
// be opened, what has a name included.
func TestSizeIsLimited(t *testing.T) {
	const most = 256 << 10
	for _, tt := range []struct {
		name  string
		edits int // after each new text
		again bool
	}{{"texts", 0, false}, {"edits of texts", 4, false}, {"each by another process", 2, true}} {
		t.Run(tt.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(11, 12))
			h, l := newLimited(t, most)
			names := map[int]string{}
			now := ""
			for i := range pruneEvery - 1 { // so that the number of versions is no reason to look
				if i%(tt.edits+1) == 0 {
					now = text(r, 20_000)
				} else {
					now += "."
				}
				names[i+1] = now
				if tt.again {
					h = reopened(l)
				}
				if err := h.record(t.Context(), "f", at(i, now), ann, false); err != nil {
					t.Fatal(err)
				}
				if i%20 == 3 {
					if _, err := l.Describe(t.Context(), "f", i+1, func(v *store.Version) error { v.Name = "kept"; return nil }); err != nil {
						t.Fatal(err)
					}
				}
				if size := l.size(); size > most-spare(most) || i > 50 && size < most/2 {
					t.Errorf("%d bytes after version %d, of %d", size, i+1, most)
				}
			}
			if l.looks > 2*l.prunes { // one to remove versions, and one to see that it was enough
				t.Errorf("%d looks for %d removals: some were in vain", l.looks, l.prunes)
			}
			list, total, err := l.List(t.Context(), "f", 0, pruneEvery)
			if err != nil || total > pruneEvery/2+10*tt.edits || list[0].Number != pruneEvery-1 {
				t.Errorf("%d versions are left, %v", total, err)
			}
			kept := 0
			for _, v := range list {
				_, form, err := h.Open(t.Context(), "f", v.Number)
				if err != nil || form.Text("name") != names[v.Number] {
					t.Errorf("version %d is another form, %v", v.Number, err)
				}
				if named(v) {
					kept++
				}
			}
			if kept != 3 { // 4, 24 and 44
				t.Errorf("%d named versions are left, want 3", kept)
			}
		})
	}
}

// When the first removal frees little, since the next version takes over what the removed ones had, more go.
func TestSizeOfGrownForms(t *testing.T) {
	const most = 256 << 10
	r := rand.New(rand.NewPCG(13, 14))
	h, l := newLimited(t, most)
	save := func(i int, name string) {
		t.Helper()
		if err := h.record(t.Context(), "f", at(i, name), ann, false); err != nil {
			t.Fatal(err)
		}
		if size := l.size(); size > most-spare(most) {
			t.Errorf("%d bytes after version %d, want at most %d", size, i+1, most-spare(most))
		}
	}
	var grown strings.Builder
	grown.WriteString(text(r, 1000))
	i := 0
	for ; i < 50; i++ { // to 200 kB in one chain
		save(i, grown.String())
		grown.WriteString(text(r, grown.Len()/12))
	}
	for range 3 {
		save(i, text(r, 20_000))
		i++
	}
	if chain, err := l.Chain(t.Context(), "f", i); err != nil || len(chain) != 1 {
		t.Errorf("the newest is %d versions, %v", len(chain), err)
	}
}

// When nothing more may be removed, versions are still recorded.
func TestSizeOfNamedVersions(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	h, l := newLimited(t, 64<<10)
	l.most = 1 << 20 // not watched
	for i := range 10 {
		if err := h.record(t.Context(), "f", at(i, text(r, 10_000)), ann, false); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Describe(t.Context(), "f", i+1, func(v *store.Version) error { v.Note = "kept"; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if _, total, err := l.List(t.Context(), "f", 0, 1); total != 10 || err != nil {
		t.Errorf("%d versions are left, %v", total, err)
	}
}

// No more versions get a name or a note than may stay for ever, by their number and by their size. What they have can be changed and cleared.
func TestNamedVersionsAreLimited(t *testing.T) {
	name := func(name string) func(*store.Version) error {
		return func(v *store.Version) error { v.Name = name; return nil }
	}
	for what, x := range map[string]struct{ versions, size, most, named int }{
		"number": {maxNamed + 1, 10, 1 << 20, maxNamed},
		"size":   {8, 1000, 10_000, 5},
	} {
		t.Run(what, func(t *testing.T) {
			h := newHistory(t)
			h.most = x.most
			for i := range x.versions {
				v := store.Version{Form: "f", Number: i + 1, Saved: noon(), Hash: []byte{1}, Base: i + 1, Body: make([]byte, x.size)}
				if i < x.named-1 {
					v.Note = "kept"
				}
				if err := h.Stored.Add(t.Context(), v); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := h.Describe(t.Context(), "f", x.named, name("last")); err != nil {
				t.Errorf("the last that fits: %v", err)
			}
			if _, err := h.Describe(t.Context(), "f", x.named+1, name("more")); !errors.Is(err, ErrTooManyNamed) {
				t.Errorf("one more: %v", err)
			}
			for _, text := range []string{"another", ""} {
				if v, err := h.Describe(t.Context(), "f", x.named, name(text)); err != nil || v.Name != text {
					t.Errorf("changed to %q: %v", text, err)
				}
			}
			if _, err := h.Describe(t.Context(), "f", x.named+1, name("more")); err != nil {
				t.Errorf("after another was cleared: %v", err)
			}
		})
	}
}
