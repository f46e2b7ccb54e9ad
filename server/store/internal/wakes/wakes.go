// Package wakes wakes the listeners of topics in one process.
package wakes

import "sync"

// Wakes are the listeners of topics. The zero value has none. It is safe for concurrent use.
type Wakes struct {
	mu     sync.Mutex
	topics map[string]map[chan struct{}]bool
}

// Listen implements store.Messages.
func (w *Wakes) Listen(topic string) (wake <-chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.topics == nil {
		w.topics = map[string]map[chan struct{}]bool{}
	}
	if w.topics[topic] == nil {
		w.topics[topic] = map[chan struct{}]bool{}
	}
	w.topics[topic][c] = true
	return c, func() { w.remove(topic, c) }
}

func (w *Wakes) remove(topic string, c chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.topics[topic], c)
	if len(w.topics[topic]) == 0 {
		delete(w.topics, topic)
	}
}

// Wake wakes the listeners of a topic. It never waits for them.
func (w *Wakes) Wake(topic string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	wakeAll(w.topics[topic])
}

// WakeAll wakes all listeners.
func (w *Wakes) WakeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, listeners := range w.topics {
		wakeAll(listeners)
	}
}

func wakeAll(listeners map[chan struct{}]bool) {
	for c := range listeners {
		select {
		case c <- struct{}{}:
		default: // it has not read yet, and will find this message, too
		}
	}
}
