package management

import (
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
)

// NewForm returns a form as creating it through the API would keep it, with a new id. What is wrong
// with it is the error.
func NewForm(o *schema.Object, now time.Time) (store.Document, error) { return forms().make(o, now) }

// NewFlow is NewForm for a flow.
func NewFlow(o *schema.Object, now time.Time) (store.Document, error) { return flows().make(o, now) }

func (r *resource) make(o *schema.Object, now time.Time) (store.Document, error) {
	o, ps := r.complete(o)
	if len(ps) > 0 {
		return store.Document{}, ps
	}
	return r.document(o, now), nil
}

// complete judges the body that creates a document and returns the document, completed and in order;
// with problems it is of no use.
func (r *resource) complete(tree any) (*schema.Object, schema.Problems) {
	o, _ := tree.(*schema.Object)
	o = r.create(o)
	ps := append(r.checkNew(tree), r.checkWhole(o)...)
	schema.Sort(o, ps)
	return r.canonical(o), ps
}

// document returns the row of a complete new document.
func (r *resource) document(o *schema.Object, now time.Time) store.Document {
	return store.Document{ID: r.newID(), Name: o.Text("name"), Created: now, Body: schema.Encode(o)}
}
