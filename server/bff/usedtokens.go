package bff

import (
	"sync"

	"github.com/formgraph/formgraph/server/recent"
)

// usedTokens remembers the logout tokens that this process has used. When full it forgets the oldest, so a sign-out never fails for lack of
// space. A token that was forgotten or used by another process can be used again until it is too old; by then its sessions have ended.
type usedTokens struct {
	mu  sync.Mutex
	ids *recent.Map[string, struct{}]
}

func newUsedTokens() *usedTokens {
	return &usedTokens{ids: recent.New[string, struct{}](maxUsedTokens)}
}

func (t *usedTokens) has(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.ids.Get(id)
	return ok
}

func (t *usedTokens) add(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids.Put(id, struct{}{})
}
