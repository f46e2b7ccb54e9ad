package management

import (
	"crypto/rand"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
)

// shape describes the documents of a kind and their rules.
type shape struct {
	noun   string      // "form"
	path   string      // "/forms"
	prefix string      // of new ids
	table  schema.Spec // determines which values of form-urlencoded bodies are strings

	checkNew   func(tree any) schema.Problems
	checkPatch func(tree any) schema.Problems
	// checkWhole checks rules that a table cannot express, on the document as it would be stored.
	checkWhole func(o *schema.Object) schema.Problems
	// create completes a new document.
	create func(o *schema.Object) *schema.Object
	// order is the order of the members; others follow in the order in which they came.
	order []string
}

// forms is the shape of the spec's section "Update a form" and its neighbours.
func forms() *shape {
	s := &shape{
		noun: "form", path: "/forms", prefix: "ap_", table: model.ContentTable(),
		checkNew: model.CheckNew, checkPatch: model.CheckPatch,
		checkWhole: func(o *schema.Object) schema.Problems { return model.CheckGraph(model.FromTree(o)) },
		// The vendor's API gives a form without an ending one that continues with the sign-in.
		create: func(o *schema.Object) *schema.Object {
			if o.Has("ending") {
				return o
			}
			return o.With("ending", schema.NewObject(schema.Member{Key: "resume_flow", Value: true}))
		},
	}
	for _, row := range model.ContentTable() {
		s.order = append(s.order, row.Name)
	}
	return s
}

// flows is the shape of the flows that nodes of kind FLOW name. The spec shows no fields of a flow; we chose a name as for a form and
// actions as an array, and store everything else as it is.
func flows() *shape {
	rows := schema.Table{
		{Name: "name", Spec: schema.String{Min: 1, Max: 150}, Required: true},
		{Name: "actions", Spec: schema.List{Item: schema.Open{}}},
	}
	patch := schema.Table{rows[0], {Name: "actions", Spec: schema.Nullable{Spec: rows[1].Spec}}}
	patch[0].Required = false
	check := func(t schema.Table) func(any) schema.Problems {
		return func(tree any) schema.Problems {
			ps := append(schema.Check(schema.Open{Rows: t}, tree), reserved(tree)...)
			schema.Sort(tree, ps)
			return ps
		}
	}
	return &shape{
		noun: "flow", path: "/flows", prefix: "af_", table: schema.Open{Rows: rows},
		checkNew: check(rows), checkPatch: check(patch),
		checkWhole: func(*schema.Object) schema.Problems { return nil },
		create:     func(o *schema.Object) *schema.Object { return o },
		order:      []string{"name", "actions"},
	}
}

// reserved reports the members of a flow that only the tenant sets.
func reserved(tree any) schema.Problems {
	o, _ := tree.(*schema.Object)
	var ps schema.Problems
	for _, key := range []string{"id", "created_at", "updated_at", "executed_at"} {
		if o.Has(key) {
			ps = append(ps, schema.Problem{
				Path: schema.Path{schema.Key(key)}, Code: schema.CodeUnknown, Detail: "must not be sent: the tenant sets it", Offset: -1,
			})
		}
	}
	return ps
}

// NewForm returns a form as the API would store it, with a new ID. The error describes its faults.
func NewForm(o *schema.Object, now time.Time) (store.Document, error) { return forms().make(o, now) }

// NewFlow is NewForm for a flow.
func NewFlow(o *schema.Object, now time.Time) (store.Document, error) { return flows().make(o, now) }

func (s *shape) make(o *schema.Object, now time.Time) (store.Document, error) {
	o, ps := s.complete(o)
	if len(ps) > 0 {
		return store.Document{}, ps
	}
	return s.document(o, now), nil
}

// complete checks the body that creates a document and returns the completed document in order. The document must not be used if there are
// problems.
func (s *shape) complete(tree any) (*schema.Object, schema.Problems) {
	o, _ := tree.(*schema.Object)
	o = s.create(o)
	ps := append(s.checkNew(tree), s.checkWhole(o)...)
	schema.Sort(o, ps)
	return s.canonical(o), ps
}

// document returns the row of a new, complete document.
func (s *shape) document(o *schema.Object, now time.Time) store.Document {
	return store.Document{ID: newID(s.prefix), Name: o.Text("name"), Created: now, Body: schema.Encode(o)}
}

// canonical returns a document as it is stored: with its members in order, without null, and without empty objects or arrays at the top
// level.
func (s *shape) canonical(o *schema.Object) *schema.Object {
	members := make([]schema.Member, 0, o.Len())
	add := func(key string, v any) {
		switch t := v.(type) {
		case nil:
			return
		case *schema.Object:
			if t.Len() == 0 {
				return
			}
		case []any:
			if len(t) == 0 {
				return
			}
		}
		members = append(members, schema.Member{Key: key, Value: v})
	}
	listed := map[string]bool{}
	for _, key := range s.order {
		listed[key] = true
		if v, ok := o.Get(key); ok {
			add(key, v)
		}
	}
	for _, m := range o.Members() {
		if !listed[m.Key] {
			add(m.Key, m.Value)
		}
	}
	return schema.NewObject(members...)
}

// idLetters is how many letters and digits follow the prefix of a new ID, as in real ones: 131 bits.
const idLetters = 22

// newID returns a random ID that begins with prefix.
func newID(prefix string) string {
	const alnum = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	id := []byte(prefix)
	for buf := make([]byte, 1); len(id) < len(prefix)+idLetters; {
		rand.Read(buf) // never fails
		// Bytes above the last whole multiple of 62 are dropped, so that all characters are equally likely.
		if int(buf[0]) < 256/len(alnum)*len(alnum) {
			id = append(id, alnum[int(buf[0])%len(alnum)])
		}
	}
	return string(id)
}
