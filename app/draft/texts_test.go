package draft_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/draft"
)

func TestTextIsReadAsWritten(t *testing.T) {
	want := draft.Text{Form: "ap_a", Key: "new ask\tmail", Text: "Why\n\"now\"?", Changed: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)}
	if got, err := draft.ReadText(want.Content()); err != nil || got != want {
		t.Errorf("read %+v, %v", got, err)
	}
	for _, content := range []string{``, `[]`, `{}`, `{"form":"ap_a","key":"k","text":"t"}`, `{"key":"k","changed":"2026-01-02T03:04:05Z"}`, `{"form":"ap_a","changed":"2026-01-02T03:04:05Z"}`} {
		if got, err := draft.ReadText([]byte(content)); err == nil {
			t.Errorf("%s is read as %+v", content, got)
		}
	}
}

// textStore stores texts in memory, or fails.
type textStore struct {
	texts  map[string]string
	writes int
	err    error
}

func (s *textStore) PutText(t draft.Text) error {
	if s.writes++; s.err == nil {
		s.texts[t.Form+" "+t.Key] = t.Text
	}
	return s.err
}

func (s *textStore) DropText(form, key string) error {
	if s.writes++; s.err == nil {
		delete(s.texts, form+" "+key)
	}
	return s.err
}

func (s *textStore) want(t *testing.T, name string, want map[string]string) {
	t.Helper()
	if !maps.Equal(s.texts, want) {
		t.Errorf("%s: stored are %v, want %v", name, s.texts, want)
	}
}

type texts = map[string]string

func TestTextsAreKeptUntilTheyAreGone(t *testing.T) {
	store := &textStore{texts: texts{"f a": "A", "f b": "B", "other a": "O"}}
	k := draft.NewTexts("f", store, texts{"a": "A", "b": "B"}, time.Now, func(work func()) { work() })
	k.Keep(texts{"a": "A", "c": "C"})
	store.want(t, "another", texts{"f a": "A", "f c": "C", "other a": "O"})
	if store.writes != 2 {
		t.Errorf("%d writes, want 2: what did not change is not written", store.writes)
	}
	k.Keep(texts{"a": "longer", "c": "C"})
	store.want(t, "changed", texts{"f a": "longer", "f c": "C", "other a": "O"})
	store.err = errors.New("no room")
	k.Keep(texts{"a": "lost"})
	store.want(t, "failed", texts{"f a": "longer", "f c": "C", "other a": "O"})
	store.err = nil
	k.Keep(texts{"a": "lost"})
	store.want(t, "tried again", texts{"f a": "lost", "other a": "O"})
	if got := k.Kept(); !maps.Equal(got, texts{"a": "lost"}) {
		t.Errorf("kept are %v", got)
	}
	k.Stop()
	k.Keep(texts{"b": "late"})
	store.want(t, "stopped", texts{"f a": "lost", "other a": "O"})
}

// While a text is written, only the latest one after it counts.
func TestTextsWaitWhileTheStoreIsBusy(t *testing.T) {
	store := &textStore{texts: texts{}}
	var work func()
	k := draft.NewTexts("f", store, nil, time.Now, func(w func()) {
		if work != nil {
			t.Error("two write at once")
		}
		work = w
	})
	for _, text := range []string{"W", "Wh", "Why"} {
		k.Keep(texts{"a": text})
	}
	work()
	store.want(t, "typed", texts{"f a": "Why"})
	if store.writes != 1 {
		t.Errorf("%d writes, want 1", store.writes)
	}
}

func TestTextsAreBounded(t *testing.T) {
	store := &textStore{texts: texts{}}
	k := draft.NewTexts("f", store, nil, time.Now, func(work func()) { work() })
	k.Keep(texts{"z": strings.Repeat("ä", 9000)})
	if got := store.texts["f z"]; len(got) != 16000 || !utf8.ValidString(got) {
		t.Errorf("%d bytes are kept", len(got))
	}
	k.Keep(texts{"z": "a" + strings.Repeat("ä", 9000)})
	if got := store.texts["f z"]; len(got) != 15999 || !utf8.ValidString(got) {
		t.Errorf("%d bytes are kept", len(got))
	}
	many := texts{"z": "first"}
	for i := range 80 {
		many[fmt.Sprint("k", i)] = "later"
	}
	if k.Keep(many); len(store.texts) != 50 || store.texts["f z"] != "first" {
		t.Errorf("%d texts are kept, the first is %q", len(store.texts), store.texts["f z"])
	}
}
