package drafts

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

const savedForm = `{"id":"ap_test","name":"Contact","nodes":[{"id":"ask","type":"STEP","alias":"Ask","config":{"components":[]}}]}`

var (
	config  = editor.Config{Now: time.Now, Rand: rand.IntN}
	changed = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
)

func set(t *testing.T, ed *editor.Editor, path string, value any) {
	t.Helper()
	at, err := schema.ParsePath(path)
	if err == nil {
		err = ed.Run(editor.Set{Path: at, Value: value})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// left is a draft in which a form was renamed.
func left(t *testing.T, name string) *Keeping {
	t.Helper()
	ed := editor.New(formtest.Parse(t, savedForm), config)
	set(t, ed, "name", name)
	return &Keeping{taken: &Taken{Draft: draft.Draft{Meta: draft.Meta{Changed: changed}, Past: ed.Past()}, Log: &draft.Log{}}}
}

func TestDraftIsRestoredAndMerged(t *testing.T) {
	elsewhere := strings.Replace(savedForm, `"Ask"`, `"Elsewhere"`, 1)
	for _, test := range []struct {
		name, saved, draft string
		readOnly           bool
		form, alias        string
		back, merged       bool
		conflicts          int
	}{
		{name: "unchanged meanwhile", saved: savedForm, draft: "Mine", form: "Mine", alias: "Ask", back: true},
		{name: "saved elsewhere meanwhile", saved: elsewhere, draft: "Mine", form: "Mine", alias: "Elsewhere", back: true, merged: true},
		{
			name: "both renamed it", saved: strings.Replace(savedForm, "Contact", "Theirs", 1), draft: "Mine", form: "Mine", alias: "Ask",
			back: true, merged: true, conflicts: 1,
		},
		{
			name: "saved after all", saved: strings.Replace(savedForm, "Contact", "Mine", 1), draft: "Mine", form: "Mine", alias: "Ask",
			merged: true,
		},
		{name: "may not be changed", saved: savedForm, draft: "Mine", readOnly: true, form: "Contact", alias: "Ask"},
	} {
		d := left(t, test.draft)
		c := config
		c.ReadOnly = test.readOnly
		ed, conflicts := d.NewEditor(formtest.Parse(t, test.saved), c)
		f := ed.State().Form
		if f.Name != test.form || f.Nodes[0].Alias != test.alias || len(conflicts) != test.conflicts {
			t.Errorf("%s: %s with %s and conflicts %v", test.name, f.Name, f.Nodes[0].Alias, conflicts)
		}
		if back := d.back.Equal(changed); back != test.back || ed.Unsaved() != test.back || d.merged != test.merged {
			t.Errorf("%s: back %v, unsaved %t, merged %t", test.name, d.back, ed.Unsaved(), d.merged)
		}
	}
}

func TestSavedFormOpensWithoutADraft(t *testing.T) {
	for _, d := range []*Keeping{{}, {taken: &Taken{}}} {
		ed, _ := d.NewEditor(formtest.Parse(t, savedForm), config)
		if ed.Unsaved() || ed.State().Form.Name != "Contact" || d.Work() != nil {
			t.Errorf("opens %s, unsaved %t, work %v", ed.State().Form.Name, ed.Unsaved(), d.Work())
		}
	}
	if f := left(t, "Mine").Work(); f == nil || f.Name != "Mine" {
		t.Errorf("the work of a draft is %v", f)
	}
}

// place is a draft.Store that fails with err, nil for never.
type place struct{ err error }

func (p *place) Write(draft.Batch) error { return p.err }
func (p *place) Delete() error           { return p.err }

// keeper returns a keeper that writes at once.
func keeper(t *testing.T, err error) draft.KeeperConfig {
	t.Helper()
	return draft.KeeperConfig{
		Store: &place{err}, Editor: editor.New(formtest.Parse(t, savedForm), config), ETag: func() string { return "" },
		Now: func() time.Time { return changed }, Run: func(work func() error, then func(error)) { then(work()) },
		After: func(d time.Duration, f func()) {
			if d < time.Second { // the pause between writes, not the delay before a retry
				f()
			}
		},
		Changed: func() {},
	}
}

// edited returns a keeper that has seen an edit.
func edited(t *testing.T, err error) *draft.Keeper {
	t.Helper()
	c := keeper(t, err)
	k := draft.NewKeeper(c)
	set(t, c.Editor, "name", "Mine")
	k.Follow()
	return k
}

func TestBannerDescribesTheRestoredWork(t *testing.T) {
	restored := func(taken Taken, merged bool) *Keeping {
		return &Keeping{keeper: draft.Continue(keeper(t, nil), &draft.Log{}, changed), taken: &taken, back: changed, merged: merged}
	}
	dismissed := restored(Taken{}, false)
	dismissed.Dismiss()
	broken := errors.New("it is broken")
	for _, test := range []struct {
		name    string
		d       *Keeping
		unsaved bool
		want    []string // parts of the banner, none for no banner
	}{
		{name: "no draft", unsaved: true},
		{name: "not open yet", d: &Keeping{}, unsaved: true},
		{name: "kept", d: &Keeping{keeper: edited(t, nil)}, unsaved: true},
		{name: "not kept", d: &Keeping{keeper: edited(t, broken)}, unsaved: true, want: []string{"cannot keep", `"save"`}},
		{name: "not kept, but saved", d: &Keeping{keeper: edited(t, broken)}},
		{name: "full", d: &Keeping{keeper: edited(t, fmt.Errorf("write: %w", ErrNoRoom))}, unsaved: true, want: []string{"no room", `"save"`}},
		{name: "back", d: restored(Taken{}, false), unsaved: true, want: []string{"is back", `"discard-draft"`, `"keep-draft"`}},
		{name: "back and merged", d: restored(Taken{}, true), unsaved: true, want: []string{"both versions are merged"}},
		{name: "back and damaged", d: restored(Taken{Damaged: broken}, false), unsaved: true, want: []string{"could not be read"}},
		{
			name: "another tab has more", d: restored(Taken{More: 1}, false), unsaved: true,
			want: []string{"Another tab has", "Open it in a new tab"},
		},
		{name: "two tabs have more", d: restored(Taken{More: 2}, false), unsaved: true, want: []string{"2 other tabs have"}},
		{name: "dismissed", d: dismissed, unsaved: true},
	} {
		shown := ""
		if ui := test.d.Banner(test.unsaved); ui != nil {
			shown = app.HTMLString(ui)
		}
		if (shown == "") != (test.want == nil) {
			t.Errorf("%s: banner %s", test.name, shown)
		}
		for _, part := range test.want {
			if !strings.Contains(shown, part) {
				t.Errorf("%s: the banner lacks %s:\n%s", test.name, part, shown)
			}
		}
	}
}

func TestStatusAndTimeOfStoredWork(t *testing.T) {
	var none *Keeping
	for name, test := range map[string]struct {
		d    *Keeping
		want draft.Status
		at   time.Time
	}{
		"no draft": {none, draft.None, time.Time{}},
		"not open": {&Keeping{}, draft.None, time.Time{}},
		"kept":     {&Keeping{keeper: edited(t, nil)}, draft.Kept, changed},
		"failed":   {&Keeping{keeper: edited(t, errors.New("it is broken"))}, draft.Failed, time.Time{}},
		"restored": {&Keeping{keeper: draft.Continue(keeper(t, nil), &draft.Log{}, changed)}, draft.Restored, changed},
	} {
		if got := test.d.Status(); got != test.want || !test.d.KeptAt().Equal(test.at) {
			t.Errorf("%s: %s at %v, want %s at %v", name, got, test.d.KeptAt(), test.want, test.at)
		}
	}
}

func TestWorkNoLongerStoredHasNoTime(t *testing.T) {
	c := keeper(t, nil)
	d := &Keeping{keeper: draft.NewKeeper(c)}
	for i, err := range []error{nil, errors.New("it is broken")} {
		c.Store.(*place).err = err
		set(t, c.Editor, "name", fmt.Sprint("Name ", i))
		d.keeper.Follow()
	}
	if d.Status() != draft.Failed || !d.KeptAt().IsZero() {
		t.Errorf("%s, kept at %v", d.Status(), d.KeptAt())
	}
}

func TestMissingDraftCanBeClosedLeftAndDeleted(t *testing.T) {
	for _, d := range []*Keeping{nil, {}} {
		d.Close()
		d.Settle()
		loaded := false
		d.Leave(true, func() { loaded = true })
		if err := d.Delete(); err != nil || !loaded || d.Work() != nil {
			t.Errorf("delete: %v, loaded: %t, work %v", err, loaded, d.Work())
		}
	}
}

// Leave stores the work before the page is reloaded, unless it is discarded.
func TestLeaveKeepsTheWorkUnlessItIsDiscarded(t *testing.T) {
	for _, discard := range []bool{false, true} {
		c := keeper(t, nil)
		k := draft.NewKeeper(c)
		set(t, c.Editor, "name", "Mine")
		loaded := false
		(&Keeping{keeper: k}).Leave(discard, func() { loaded = true })
		if s, _ := k.Status(); !loaded || (s == draft.Kept) == discard {
			t.Errorf("discard %t leaves the draft %s, loads: %t", discard, s, loaded)
		}
	}
}

// Each edit is followed. In a browser without storage, an edit reports why the work is not kept.
func TestBrowserWithoutStorageSaysWhy(t *testing.T) {
	server := uitest.Server(func(client.Request) (client.Response, error) {
		return uitest.Answer(503, `{"detail":"there are no keys"}`), nil
	})
	d := OpenFor(context.Background(), client.New(server), "ap_test")
	if d.failed == nil || d.failed.Error() != "there are no keys" || d.Work() != (*model.Form)(nil) {
		t.Errorf("the reason is %v", d.failed)
	}
	ed, _ := d.NewEditor(formtest.Parse(t, savedForm), config)
	d.Follow(ed, func() string { return "" }, func() {})
	if d.Status() != draft.None {
		t.Errorf("before an edit it is %s", d.Status())
	}
	atOnce := keeper(t, nil)
	d.keeper.Run, d.keeper.After = atOnce.Run, atOnce.After
	set(t, ed, "name", "Mine")
	if status, err := d.keeper.Status(); status != draft.Failed || !errors.Is(err, d.failed) {
		t.Errorf("after an edit it is %s, because of %v", status, err)
	}
}
