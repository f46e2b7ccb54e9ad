package management

import (
	"crypto/rand"
	"net/http"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
)

// operation is what one method of a path does, and the verb of the scope that it needs, or the whole
// scope when that does not end in the path's first word.
type operation struct {
	verb string
	do   func(*call) *apiError
}

// resource is what lies below one first word of a path. For a kind of document it says what bodies look
// like and how they are judged; administration has its operations only.
type resource struct {
	noun      string // "form"; in errors and in the operator's log
	plural    string // "forms": path, scopes and the list's member
	prefix    string // of new ids
	documents store.Documents
	table     schema.Spec // tells form-urlencoded bodies which values are strings

	checkNew   func(tree any) schema.Problems
	checkPatch func(tree any) schema.Problems
	// checkWhole judges what no table can, on the document as it would be kept.
	checkWhole func(o *schema.Object) schema.Problems
	// create completes a new document.
	create func(o *schema.Object) *schema.Object
	// order is the order of the members that are kept; others follow as they came.
	order []string

	list, one map[string]operation            // by method
	sub       map[string]map[string]operation // below an id, by the word behind it and by method
	inner     map[string]map[string]operation // below an id, a word of sub and another id
}

// forms is the resource of the spec's section "Update a form" and its neighbours.
func forms() *resource {
	r := &resource{
		noun: "form", plural: "forms", prefix: "ap_", table: model.ContentTable(),
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
		r.order = append(r.order, row.Name)
	}
	return r
}

// flows is the resource that nodes of kind FLOW name. The spec shows no fields of a flow; we choose a
// name as a form has one, actions as an array, and keep everything else as it comes.
func flows() *resource {
	rows := schema.Table{
		{Name: "name", Spec: schema.String{Min: 1, Max: 150}, Required: true},
		{Name: "actions", Spec: schema.List{Item: schema.Open{}}},
	}
	patch := schema.Table{rows[0], {Name: "actions", Spec: schema.Nullable{Spec: rows[1].Spec}}}
	patch[0].Required = false
	judge := func(t schema.Table) func(any) schema.Problems {
		return func(tree any) schema.Problems {
			ps := append(schema.Check(schema.Open{Rows: t}, tree), reserved(tree)...)
			schema.Sort(tree, ps)
			return ps
		}
	}
	return &resource{
		noun: "flow", plural: "flows", prefix: "af_", table: schema.Open{Rows: rows},
		checkNew: judge(rows), checkPatch: judge(patch),
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

// bind ties a resource to where it is kept and to what is done with it.
func (h *Handler) bind(r *resource, documents store.Documents) *resource {
	r.documents = documents
	r.list = map[string]operation{
		http.MethodGet:  {"read", h.listAll},
		http.MethodPost: {"create", h.createOne},
	}
	r.one = map[string]operation{
		http.MethodGet:    {"read", h.getOne},
		http.MethodPatch:  {"update", h.patchOne},
		http.MethodDelete: {"delete", h.deleteOne},
	}
	return r
}

// withVault adds GET /flows/vault/connections: what the actions of flows connect with. The runtime of flows
// is not ours, so there are none; the vendor's command line asks for them before it exports flows.
func (h *Handler) withVault(flows *resource) *resource {
	flows.sub = map[string]map[string]operation{"connections": {http.MethodGet: {"read", func(c *call) *apiError {
		if c.id != "vault" {
			return invalidID()
		}
		p, e := readPaging(c.r.URL.Query())
		if e != nil {
			return e
		}
		return answerList(h, c, p, "connections", []struct{}{}, 0)
	}}}}
	return flows
}

// canonical returns a document as it is kept: members in order, none that is null, and no empty object
// or array at the top.
func (r *resource) canonical(o *schema.Object) *schema.Object {
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
	for _, key := range r.order {
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

// idLetters is how many letters and digits follow the prefix of a new id, as in real ones: 131 bits.
const idLetters = 22

// newID returns a random id.
func (r *resource) newID() string {
	return newID(r.prefix)
}

// newID returns a random id that begins with prefix.
func newID(prefix string) string {
	const alnum = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	id := []byte(prefix)
	for buf := make([]byte, 1); len(id) < len(prefix)+idLetters; {
		rand.Read(buf) // never fails
		// Bytes past the last whole multiple of 62 are dropped: each letter is as likely as another.
		if int(buf[0]) < 256/len(alnum)*len(alnum) {
			id = append(id, alnum[int(buf[0])%len(alnum)])
		}
	}
	return string(id)
}
