package draft_test

import (
	"errors"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/editor"
)

// desk is an editor with a keeper whose writes end when the test lets them.
type desk struct {
	*testing.T
	ed     *editor.Editor
	k      *draft.Keeper
	parts  store
	work   func() error // in progress
	then   func(error)
	timers map[time.Duration]func()
	writes int
	fail   error
	now    func() time.Time
}

func (d *desk) Write(b draft.Batch) error {
	if d.fail == nil {
		d.parts.write(b)
		d.writes++
	}
	return d.fail
}

func (d *desk) Delete() error {
	clear(d.parts)
	return d.fail
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{T: t, parts: store{}, timers: map[time.Duration]func(){}, now: clock()}
	d.ed = editor.New(formOf(t, threeNodes), editor.Config{Now: d.now})
	d.k = draft.NewKeeper(d.config())
	d.ed.Observe(d.k.Follow)
	return d
}

func (d *desk) config() draft.KeeperConfig {
	return draft.KeeperConfig{
		Store: d, Editor: d.ed, Now: d.now, Changed: func() {},
		ETag:  func() string { return "e" },
		Run:   func(work func() error, then func(error)) { d.work, d.then = work, then },
		After: func(t time.Duration, f func()) { d.timers[t] = f },
	}
}

func (d *desk) name(text string) {
	d.Helper()
	if err := d.ed.Run(editor.Set{Path: path(d, "name"), Value: text}); err != nil {
		d.Fatal(err)
	}
}

// end ends the write in progress and the pause after it.
func (d *desk) end() {
	d.Helper()
	if d.work == nil {
		d.Fatal("nothing is being written")
	}
	work, then := d.work, d.then
	d.work = nil
	then(work())
	d.timers[50*time.Millisecond]()
}

func (d *desk) want(s draft.Status, name string) {
	d.Helper()
	if got, err := d.k.Status(); got != s {
		d.Errorf("the draft is %s (%v), want %s", got, err, s)
	}
	got, _, err := draft.Read(d.parts)
	if name == "" && len(d.parts) == 0 {
		return
	}
	if err != nil || got.Name != name || got.Past.Now().Form.Name != name {
		d.Errorf("the draft has the name %q (%v), want %q", got.Name, err, name)
	}
}

func TestKeeperWritesAtOnceAndThenLaterChanges(t *testing.T) {
	d := newDesk(t)
	d.want(draft.None, "")
	d.name("a")
	d.name("b")
	d.want(draft.None, "")
	d.end()
	d.want(draft.None, "a") // the content when the write began
	d.end()
	d.want(draft.Kept, "b")
	if d.work != nil || d.writes != 2 {
		t.Errorf("%d writes, and one in progress: %v", d.writes, d.work != nil)
	}
	d.ed.Select(editor.SelectNodes("a"))
	if d.work != nil {
		t.Error("a selection is written")
	}
}

func TestKeeperDeletesSavedOrUndoneWork(t *testing.T) {
	for name, act := range map[string]func(*editor.Editor){
		"saved":  func(e *editor.Editor) { e.Saved(e.State().Form) },
		"undone": func(e *editor.Editor) { e.Undo() },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.name("a")
			d.end()
			act(d.ed)
			d.end()
			d.want(draft.None, "")
			d.name("b")
			d.end()
			d.want(draft.Kept, "b")
		})
	}
}

func TestKeeperReportsFailureAndRetries(t *testing.T) {
	d := newDesk(t)
	d.name("a")
	d.end()
	d.fail = errors.New("no room")
	d.name("b")
	d.end()
	if _, err := d.k.Status(); !errors.Is(err, d.fail) {
		t.Errorf("the reason is %v", err)
	}
	d.want(draft.Failed, "a")
	d.fail = nil
	d.timers[5*time.Second]()
	d.end()
	d.want(draft.Kept, "b")
}

// restoredDesk returns a desk whose editor was restored from the returned draft,
// while its first write is in progress.
func restoredDesk(t *testing.T) (*desk, draft.Draft) {
	t.Helper()
	d := newDesk(t)
	d.name("a")
	d.end()
	was, log, err := draft.Read(d.parts)
	if err != nil {
		t.Fatal(err)
	}
	d.ed = editor.Restore(was.Past, editor.Config{Now: d.now})
	d.k = draft.Continue(d.config(), log, was.Changed)
	d.ed.Observe(d.k.Follow)
	d.k.Follow()
	return d, was
}

func TestRestoredLastsUntilTheNextChange(t *testing.T) {
	d, was := restoredDesk(t)
	d.end()
	d.want(draft.Restored, "a")
	if again, _, _ := draft.Read(d.parts); !again.Changed.Equal(was.Changed) {
		t.Errorf("restoring changed the time of the draft from %v to %v", was.Changed, again.Changed)
	}
	d.name("b")
	d.end()
	d.want(draft.Kept, "b")
	if !d.k.KeptAt().After(was.Changed) {
		t.Error("the draft is as old as before")
	}
}

func TestChangeDuringTheFirstWriteEndsRestored(t *testing.T) {
	d, _ := restoredDesk(t)
	d.name("b")
	work, then := d.work, d.then
	d.work = nil
	then(work())
	d.want(draft.None, "a")
	d.timers[50*time.Millisecond]()
	d.end()
	d.want(draft.Kept, "b")
}

func TestStoppedKeeperWritesNothing(t *testing.T) {
	d := newDesk(t)
	d.k.Stop()
	d.name("a")
	if d.work != nil {
		t.Error("it writes")
	}
}

func TestKeeperClosesAfterThePause(t *testing.T) {
	d := newDesk(t)
	d.name("a")
	work, then := d.work, d.then
	then(work())
	closed := false
	d.k.Close(func() { closed = true })
	if d.timers[50*time.Millisecond](); !closed {
		t.Error("not closed after the pause")
	}
}

func TestClosedKeeperWritesTheRestFirst(t *testing.T) {
	d := newDesk(t)
	d.name("a")
	d.name("b")
	closed := false
	d.k.Close(func() { closed = true })
	for range 2 {
		if closed {
			t.Fatal("closed before all is written")
		}
		work, then := d.work, d.then
		then(work())
	}
	d.want(draft.Kept, "b")
	if !closed {
		t.Error("not closed after the last write")
	}
}

// Changes by others are written later and do not change the status of the person's own work.
func TestKeeperWritesChangesByOthersLater(t *testing.T) {
	const later = 2 * time.Second
	d := newDesk(t)
	shown := 0
	d.k.Changed = func() { shown++ }
	theirs := func(text string) {
		t.Helper()
		before := d.ed.State().Form
		after, err := before.Set(path(t, "name"), text)
		if err != nil {
			t.Fatal(err)
		}
		d.ed.TakeOthers(before, after, after, nil)
	}
	d.name("mine")
	d.end()
	d.want(draft.Kept, "mine")
	shown = 0
	theirs("theirs")
	theirs("theirs again")
	if d.want(draft.Kept, "mine"); d.work != nil || shown > 0 {
		t.Errorf("written at once: %v; shown %d times", d.work != nil, shown)
	}
	d.timers[later]()
	d.end()
	if d.want(draft.Kept, "theirs again"); shown > 0 {
		t.Errorf("shown %d times", shown)
	}
	theirs("once more")
	d.name("mine again")
	d.want(draft.None, "theirs again")
	theirs("during the write")
	d.end()
	d.want(draft.Kept, "mine again")
	d.k.Close(func() {})
	d.end()
	d.want(draft.Kept, "during the write")
}
