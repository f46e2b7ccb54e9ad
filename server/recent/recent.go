// Package recent provides a map of bounded size for what strangers make a server remember. A full map forgets the least recently used key,
// so filling it locks nobody out.
package recent

import "container/list"

// Map keeps at most a fixed number of keys. The zero value is not usable; make one with New.
// It is not safe for concurrent use.
type Map[K comparable, V any] struct {
	limit   int
	entries map[K]*list.Element
	order   *list.List // of entry[K, V], the most recently used in front
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New returns an empty map of at most limit keys; limit must be at least 1.
func New[K comparable, V any](limit int) *Map[K, V] {
	if limit < 1 {
		panic("recent: a map must hold at least one key")
	}
	return &Map[K, V]{limit: limit, entries: map[K]*list.Element{}, order: list.New()}
}

// Get returns the value of a key and reports whether there is one. It counts as a use of the key.
func (m *Map[K, V]) Get(key K) (V, bool) {
	at, ok := m.entries[key]
	if !ok {
		var none V
		return none, false
	}
	m.order.MoveToFront(at)
	return valueOf[K, V](at).value, true
}

// Put sets the value of a key, which counts as a use. A full map forgets the least recently used key.
func (m *Map[K, V]) Put(key K, value V) {
	if at, ok := m.entries[key]; ok {
		valueOf[K, V](at).value = value
		m.order.MoveToFront(at)
		return
	}
	if len(m.entries) >= m.limit {
		last := m.order.Back()
		delete(m.entries, valueOf[K, V](last).key)
		m.order.Remove(last)
	}
	m.entries[key] = m.order.PushFront(&entry[K, V]{key, value})
}

// Delete forgets a key.
func (m *Map[K, V]) Delete(key K) {
	if at, ok := m.entries[key]; ok {
		delete(m.entries, key)
		m.order.Remove(at)
	}
}

// Oldest returns the least recently used key with its value, and reports whether there is one. It does not count as a use.
func (m *Map[K, V]) Oldest() (key K, value V, ok bool) {
	if last := m.order.Back(); last != nil {
		e := valueOf[K, V](last)
		return e.key, e.value, true
	}
	return key, value, false
}

// Len returns the number of keys in the map.
func (m *Map[K, V]) Len() int { return len(m.entries) }

func valueOf[K comparable, V any](at *list.Element) *entry[K, V] {
	return at.Value.(*entry[K, V]) //nolint:forcetypeassert // only Put adds elements
}
