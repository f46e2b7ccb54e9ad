package desk

import (
	"maps"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/model/schema"
)

// noStore stores nothing. The texts know what they were told to keep.
type noStore struct{}

func (noStore) PutText(draft.Text) error        { return nil }
func (noStore) DropText(form, key string) error { return nil }

func written(members ...string) *schema.Object {
	var list []schema.Member
	for i := 0; i < len(members); i += 2 {
		list = append(list, schema.Member{Key: members[i], Value: members[i+1]})
	}
	return schema.NewObject(list...)
}

// What an earlier visit left, and what was written before it was read, are kept until a worker that knows of it no longer has it.
func TestUnsentComments(t *testing.T) {
	type texts = map[string]string
	kept := draft.NewTexts("f", noStore{}, texts{"a": "A", "b": "B"}, time.Now, func(work func()) { work() })
	var talk talk
	want := func(name string, unsent, stored texts) {
		t.Helper()
		if !maps.Equal(talk.unsent, unsent) || !maps.Equal(kept.Kept(), stored) {
			t.Errorf("%s: unsent are %v, stored %v", name, talk.unsent, kept.Kept())
		}
	}
	w, next := &worker.Worker{}, &worker.Worker{}
	if o := talk.tell(w); o != nil {
		t.Errorf("before the store was read, the worker is told %s", schema.Encode(o))
	}
	if !talk.wrote(w, written("b", "new", "c", "C")) {
		t.Error("the number of texts did not change")
	}
	talk.restore(kept)
	want("restored", texts{"a": "A", "b": "new", "c": "C"}, texts{"a": "A", "b": "new", "c": "C"})
	talk.wrote(w, written("b", "newer"))
	want("the worker knows a part", texts{"a": "A", "b": "newer", "c": "C"}, texts{"a": "A", "b": "newer", "c": "C"})
	if o := talk.tell(w); string(schema.Encode(o)) != `{"a":"A","b":"newer","c":"C"}` {
		t.Errorf("the worker is told %s", schema.Encode(o))
	}
	if o := talk.tell(w); o != nil {
		t.Errorf("the worker is told again: %s", schema.Encode(o))
	}
	if talk.wrote(w, written("a", "more", "b", "newer", "c", "C")) {
		t.Error("the number of texts changed")
	}
	talk.wrote(w, written("b", "newer"))
	want("the others were sent", texts{"b": "newer"}, texts{"b": "newer"})
	if o := talk.tell(next); string(schema.Encode(o)) != `{"b":"newer"}` {
		t.Errorf("the next worker is told %s", schema.Encode(o))
	}
	talk.wrote(next, written())
	want("all were sent", texts{}, texts{})
}

// Without a store, comments are written all the same.
func TestUnsentCommentsWithoutAStore(t *testing.T) {
	var talk talk
	w := &worker.Worker{}
	talk.restore(nil)
	if o := talk.tell(w); o == nil || o.Len() > 0 {
		t.Errorf("the worker is told %v", o)
	}
	talk.wrote(w, written("a", "A"))
	if talk.wrote(w, written()); len(talk.unsent) > 0 {
		t.Errorf("unsent are %v", talk.unsent)
	}
}
