package draft

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/formgraph/formgraph/model/schema"
)

// Text is what a person has written beside a form and not sent, such as a comment. Each one is a record of its own in the store of drafts.
type Text struct {
	Form, Key, Text string // Key says what it is, such as a reply, in the form
	Changed         time.Time
}

// TextPart is the name of the only part of a text's record.
const TextPart = "text"

// Limits of the texts that are kept.
const (
	maxTexts  = 50    // on a form
	maxLength = 16000 // bytes of a text; of a longer one, the rest is not kept
	MaxStored = 200   // of one person in one browser; older ones are deleted
)

// Content returns the content of the part of a text.
func (t Text) Content() []byte {
	return schema.Encode(schema.NewObject(
		schema.Member{Key: "form", Value: t.Form}, schema.Member{Key: "key", Value: t.Key}, schema.Member{Key: "text", Value: t.Text},
		schema.Member{Key: "changed", Value: t.Changed.UTC().Format(time.RFC3339Nano)},
	))
}

// ReadText reads the part of a text.
func ReadText(content []byte) (Text, error) {
	o, err := parse(content)
	if err != nil {
		return Text{}, err
	}
	t := Text{Form: o.Text("form"), Key: o.Text("key"), Text: o.Text("text")}
	if t.Changed, err = time.Parse(time.RFC3339Nano, o.Text("changed")); err != nil || t.Form == "" || t.Key == "" {
		return Text{}, errMalformed
	}
	return t, nil
}

// TextStore stores texts. Both methods block until the change is durable.
type TextStore interface {
	PutText(t Text) error
	DropText(form, key string) error
}

// Texts keeps the texts of a form in a store. A failure to store a text is not told: it is tried again with the next change.
type Texts struct {
	form  string
	store TextStore
	now   func() time.Time
	run   func(work func()) // concurrently

	mu      sync.Mutex
	kept    map[string]string // by key, as they are stored
	want    map[string]string // as they are to be stored
	busy    bool
	stopped bool
}

// NewTexts returns the texts of a form, of which the store has some, by key. run calls a function concurrently.
func NewTexts(form string, store TextStore, kept map[string]string, now func() time.Time, run func(work func())) *Texts {
	return &Texts{form: form, store: store, now: now, run: run, kept: kept, want: kept}
}

// Kept returns the texts that are stored, by key.
func (t *Texts) Kept() map[string]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.kept)
}

// Keep stores texts by key in place of those that were. While it is busy it waits, and then stores the latest.
func (t *Texts) Keep(texts map[string]string) {
	t.mu.Lock()
	t.want = t.bounded(texts)
	idle := !t.busy
	t.busy = true
	t.mu.Unlock()
	if idle {
		t.run(t.work)
	}
}

// Stop stops keeping: the person discards everything.
func (t *Texts) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
}

// bounded returns the texts within the limits. Those that are kept have precedence.
func (t *Texts) bounded(texts map[string]string) map[string]string {
	var keys, others []string
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		if _, kept := t.want[key]; kept {
			keys = append(keys, key)
		} else {
			others = append(others, key)
		}
	}
	keys = append(keys, others...)
	out := map[string]string{}
	for _, key := range keys[:min(len(keys), maxTexts)] {
		text := texts[key]
		if len(text) > maxLength {
			text = strings.ToValidUTF8(text[:maxLength], "")
		}
		out[key] = text
	}
	return out
}

// work stores until everything is stored or something fails.
func (t *Texts) work() {
	for {
		key, text, put, due := t.next()
		if !due {
			return
		}
		var err error
		if put {
			err = t.store.PutText(Text{Form: t.form, Key: key, Text: text, Changed: t.now()})
		} else {
			err = t.store.DropText(t.form, key)
		}
		t.did(key, text, put, err)
	}
}

// next returns a text that is to be stored, or deleted if put is false.
func (t *Texts) next() (key, text string, put, due bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy && !t.stopped {
		for key, text := range t.want {
			if was, ok := t.kept[key]; !ok || was != text {
				return key, text, true, true
			}
		}
		for key := range t.kept {
			if _, ok := t.want[key]; !ok {
				return key, "", false, true
			}
		}
	}
	t.busy = false
	return "", "", false, false
}

// did records what next returned as stored, or ends the work.
func (t *Texts) did(key, text string, put bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := map[string]string{} // want may be the same map
	maps.Copy(kept, t.kept)
	switch {
	case err != nil:
		t.busy = false
		return
	case put:
		kept[key] = text
	default:
		delete(kept, key)
	}
	t.kept = kept
}
