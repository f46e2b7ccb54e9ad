package drafts

import (
	"context"
	"encoding/hex"
	"hash/fnv"
	"slices"
	"time"

	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/ui/vault"
)

// texts is a draft.TextStore of one person.
type texts struct {
	vault  *vault.Vault
	person string
}

// Texts returns what a person has written on a form in this browser and not sent, nil if the browser stores nothing. It must not run on the page's
// goroutine.
func (d *Keeping) Texts(ctx context.Context, form, person string) *draft.Texts {
	if d == nil || d.taken == nil || d.taken.Store == nil {
		return nil
	}
	t := texts{d.taken.Store.vault, person}
	parts, err := t.vault.Named(ctx, draft.TextPart)
	if err != nil {
		return nil
	}
	kept, old := split(parts, form)
	if len(old) > 0 {
		_ = t.vault.Delete(ctx, old...) // they are tried again at the next visit
	}
	return draft.NewTexts(form, t, kept, time.Now, func(work func()) { go work() })
}

// split returns the texts of a form by key, and the records of texts that are too many or cannot be read.
func split(parts []vault.Part, form string) (kept map[string]string, old []string) {
	type found struct {
		draft.Text
		id string
	}
	var all []*found
	for _, p := range parts {
		if text, err := draft.ReadText(p.Text); err == nil {
			all = append(all, &found{text, p.Draft})
		} else {
			old = append(old, p.Draft)
		}
	}
	slices.SortFunc(all, func(a, b *found) int { return b.Changed.Compare(a.Changed) })
	kept = map[string]string{}
	for i, f := range all {
		switch {
		case i >= draft.MaxStored:
			old = append(old, f.id)
		case f.Form == form:
			kept[f.Key] = f.Text.Text
		}
	}
	return kept, old
}

// id returns the id of a text's record. People who share the browser have different ones, and the id does not tell who they are.
func (t texts) id(form, key string) string {
	h := fnv.New128a()
	for _, s := range []string{t.person, form, key} {
		_, _ = h.Write([]byte(s + "\x00")) // never fails
	}
	return draft.TextPart + "-" + hex.EncodeToString(h.Sum(nil))
}

// PutText implements draft.TextStore.
func (t texts) PutText(text draft.Text) error {
	return t.vault.Write(context.Background(), t.id(text.Form, text.Key), []vault.Part{{Name: draft.TextPart, Text: text.Content()}}, nil)
}

// DropText implements draft.TextStore.
func (t texts) DropText(form, key string) error {
	return t.vault.Delete(context.Background(), t.id(form, key))
}
