package model_test

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Keys are unique even if ids are missing, repeated, those of the ends, or contain the mark of keys.
func TestKeysAreUnique(t *testing.T) {
	v, problems := schema.Decode([]byte(`{"nodes":[{"id":"a"},{"id":"a"},{},{"id":"$ending"},{"id":"a"},7,{"id":"a\u00002"},{"id":"b"}]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	f := model.FromTree(v.(*schema.Object))
	keys := f.Keys()
	want := []string{"a", "a\x002", "\x001", "$ending\x002", "a\x003", "\x002", "\x003", "b"}
	if !slices.Equal(keys, want) {
		t.Errorf("got keys %q, want %q", keys, want)
	}
	for i, k := range keys {
		if n, at := f.Node(k); at != i || n != f.Nodes[i] {
			t.Errorf("the key %q of node %d leads to node %d", k, i, at)
		}
	}
	for i, want := range []string{"a", "a", "", "$ending", "a", "", "", "b"} {
		if got := model.KeyID(keys[i]); got != want {
			t.Errorf("the key %q holds the id %q, want %q", keys[i], got, want)
		}
	}
	for _, k := range []string{"", "c", "a\x001", "a\x004", "a\x00", "a\x00x", "\x000", "\x004"} {
		if _, at := f.Node(k); at >= 0 {
			t.Errorf("%q leads to node %d", k, at)
		}
	}
}
