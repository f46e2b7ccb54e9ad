package bff

import (
	"sync"

	"github.com/formgraph/formgraph/server/recent"
)

// toldTokens remembers the logout tokens that this process acted on. When it is full it forgets the oldest, so that a
// sign-out never fails for lack of room. A token that was forgotten, or was used at another process, can be used again
// until it is too old; by then its sessions have ended already.
type toldTokens struct {
	mu  sync.Mutex
	ids *recent.Map[string, struct{}]
}

func newToldTokens() *toldTokens { return &toldTokens{ids: recent.New[string, struct{}](maxTold)} }

func (t *toldTokens) has(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.ids.Get(id)
	return ok
}

func (t *toldTokens) add(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids.Put(id, struct{}{})
}
