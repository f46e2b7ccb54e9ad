package drafts

import (
	"context"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/ui/vault"
)

// ErrNoRoom reports that the browser has no storage left.
var ErrNoRoom = vault.ErrNoRoom

// Store contains the drafts of one person in this browser. Its methods block and
// must not run on the goroutine of a JavaScript callback.
type Store struct{ vault *vault.Vault }

// Found is a draft in a Store.
type Found struct {
	ID string
	draft.Meta
}

// Open opens the store of the signed-in person.
func Open(ctx context.Context, c *client.Client) (*Store, error) {
	v, err := vault.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Store{v}, nil
}

// Close closes the store.
func (s *Store) Close() { s.vault.Close() }

// List returns the person's drafts, newest first. It omits unreadable drafts.
func (s *Store) List(ctx context.Context) ([]*Found, error) {
	heads, err := s.vault.Named(ctx, draft.HeadPart)
	if err != nil {
		return nil, fmt.Errorf("list drafts: %w", err)
	}
	var out []*Found
	for _, h := range heads {
		if m, err := draft.ReadMeta(h.Text); err == nil {
			out = append(out, &Found{h.Draft, m})
		}
	}
	slices.SortFunc(out, func(a, b *Found) int { return b.Changed.Compare(a.Changed) })
	return out, nil
}

// Read reads a draft; see draft.Read.
func (s *Store) Read(ctx context.Context, id string) (draft.Draft, *draft.Log, error) {
	parts, err := s.vault.Of(ctx, id)
	if err != nil {
		return draft.Draft{}, nil, err
	}
	texts := map[string][]byte{}
	for _, p := range parts {
		texts[p.Name] = p.Text
	}
	return draft.Read(texts)
}

// Place is a draft in a store; it is a draft.Store.
type Place struct {
	Store *Store
	ID    string
}

// Write implements draft.Store.
func (p Place) Write(b draft.Batch) error {
	put := make([]vault.Part, len(b.Put))
	for i, part := range b.Put {
		put[i] = vault.Part{Name: part.Name, Text: part.Content}
	}
	return p.Store.vault.Write(context.Background(), p.ID, put, b.Delete)
}

// Delete implements draft.Store.
func (p Place) Delete() error { return p.Store.vault.Delete(context.Background(), p.ID) }
