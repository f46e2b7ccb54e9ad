package management

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/web/etag"
)

// documents implements the operations on forms, or on flows.
type documents struct {
	resource
	shape *shape
	rows  store.Documents
}

func newDocuments(h *Handler, s *shape, rows store.Documents) *documents {
	return &documents{resource{h, s.noun, s.path}, s, rows}
}

// routes takes the rest of a path as the ID: nothing lies below a form or a flow, so a slash is a fault of the ID.
func (d *documents) routes() api.Routes {
	return api.Routes{
		d.path: {http.MethodGet: d.op("read", d.list), http.MethodPost: d.op("create", d.create)},
		d.path + "/{id...}": {
			http.MethodGet: d.op("read", d.get), http.MethodPatch: d.op("update", d.patch), http.MethodDelete: d.op("delete", d.delete),
		},
	}
}

// vault is GET /flows/vault/connections: the connections that the actions of flows use. We do not run flows, so there are none; the
// vendor's command line asks for them before it exports flows.
func vault(h *Handler) api.Routes {
	r := resource{h, "flow", "/flows"}
	return api.Routes{r.path + "/vault/connections": {http.MethodGet: r.op("read", func(c *api.Call) *api.Error {
		p, e := readPaging(c.Request.URL.Query())
		if e != nil {
			return e
		}
		return answerList(c, p, "connections", []struct{}{}, 0)
	})}}
}

// summary is a document as listed.
type summary struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Created string `json:"created_at"`
	Updated string `json:"updated_at"`
}

// list answers with a page of documents. hydrate is accepted and adds nothing; other parameters are ignored.
func (d *documents) list(c *api.Call) *api.Error {
	p, e := readPaging(c.Request.URL.Query())
	if e != nil {
		return e
	}
	docs, total, err := d.rows.List(c.Context(), p.offset(), p.size)
	if err != nil {
		return c.Down("list "+d.plural(), err)
	}
	list := make([]summary, len(docs))
	for i, row := range docs {
		list[i] = summary{row.ID, row.Name, api.Time(row.Created), api.Time(row.Updated)}
	}
	return answerList(c, p, d.plural(), list, total)
}

func (d *documents) get(c *api.Call) *api.Error {
	row, err := d.rows.Get(c.Context(), c.ID())
	if err != nil {
		return d.failed(c, err)
	}
	answer(c, http.StatusOK, row)
	return nil
}

func (d *documents) create(c *api.Call) *api.Error {
	tree, ps, e := c.Body(d.shape.table)
	if e != nil {
		return e
	}
	o, more := d.shape.complete(tree)
	if ps = append(ps, more...); len(ps) > 0 {
		schema.Sort(tree, ps)
		return api.InvalidBody(ps...)
	}
	if !fits(o) {
		return c.TooLarge()
	}
	row, err := d.rows.Create(c.Context(), d.shape.document(o, d.h.Now()))
	if err != nil {
		return c.Down("create "+d.noun, err)
	}
	c.Location(row.ID)
	after := answer(c, http.StatusCreated, row)
	d.auditEntry(c, "created", store.AuditEntry{ObjectID: row.ID, After: after})
	return nil
}

// patch changes the properties that the body names. The body is checked by its table first and then, together with the stored document, as
// a whole. All problems are reported together, and then nothing is stored.
func (d *documents) patch(c *api.Call) *api.Error {
	tree, ps, e := c.Body(d.shape.table)
	if e != nil {
		return e
	}
	ps = append(ps, d.shape.checkPatch(tree)...)
	patch, ok := tree.(*schema.Object)
	if !ok { // there is nothing to check together with the stored document
		return api.InvalidBody(ps...)
	}
	row, was, err := d.update(c, func(old store.Document) (store.Document, error) { return d.patched(c, old, patch, ps) })
	if err != nil {
		return d.failed(c, err)
	}
	after := answer(c, http.StatusOK, row)
	if !row.Updated.Equal(was.Updated) {
		d.auditEntry(c, "saved", store.AuditEntry{ObjectID: row.ID, Before: tag(render(was)), After: after})
	}
	return nil
}

// errChanged means that a document is no longer the one of which the next one was made.
var errChanged = errors.New("the document has changed")

// triesToUpdate is how often an update begins anew because somebody else was faster. After that, it excludes others while it works.
const triesToUpdate = 8

// update changes a document, and returns it as it is and as it was. What the change takes of a large document must not keep other writers
// waiting, of which SQLite has one at a time: it is done before, and again if the document is another one by then.
func (d *documents) update(c *api.Call, change func(store.Document) (store.Document, error)) (row, was store.Document, err error) {
	for range triesToUpdate {
		if was, err = d.rows.Get(c.Context(), c.ID()); err != nil {
			return row, was, err
		}
		next, failed := change(was)
		if failed != nil {
			return row, was, failed
		}
		row, err = d.rows.Update(c.Context(), c.ID(), d.h.Now(), func(old store.Document) (store.Document, error) {
			if !old.Updated.Equal(was.Updated) || !bytes.Equal(old.Body, was.Body) {
				return old, errChanged
			}
			return next, nil
		})
		if !errors.Is(err, errChanged) {
			return row, was, err
		}
	}
	row, err = d.rows.Update(c.Context(), c.ID(), d.h.Now(), func(old store.Document) (store.Document, error) {
		was = old
		return change(old)
	})
	return row, was, err
}

// patched returns a document after a patch with the problems of its own, if it may be that. Otherwise the error says why.
func (d *documents) patched(c *api.Call, old store.Document, patch *schema.Object, ps schema.Problems) (store.Document, error) {
	// A body with problems of its own is refused first. Whether it fits the document is looked at only if that is the one that the request names: that
	// takes long for a large one. RFC 9110, section 13.2.1.
	match := c.Request.Header.Values("If-Match")
	if len(ps) == 0 && len(match) > 0 && !etag.Read(match...).Holds(tag(render(old))) {
		return old, &api.Error{
			Status: http.StatusPreconditionFailed, Code: "precondition_failed",
			Message: "The " + d.noun + " has changed since it was read",
		}
	}
	stored, broken := schema.DecodeGrown(old.Body)
	base, ok := stored.(*schema.Object)
	if !ok || len(broken) > 0 {
		return old, errors.New("stored document is not a JSON object")
	}
	if err := c.Context().Err(); err != nil { // the caller has left
		return old, err
	}
	next := model.PatchFromTree(patch).Apply(model.FromTree(base)).Tree()
	if err := c.Context().Err(); err != nil {
		return old, err
	}
	all := slices.Concat(ps, d.shape.checkWhole(next))
	if len(all) > 0 {
		schema.Sort(bodyFirst(patch, base), all)
		return old, api.InvalidBody(all...)
	}
	if next = d.shape.canonical(next); !fits(next) {
		return old, c.TooLarge()
	}
	if !schema.Equal(base, next) {
		old.Name, old.Body = next.Text("name"), schema.Encode(next)
	}
	return old, nil
}

// bodyFirst returns the members of a patch in their order and then the stored members that it does not change: the order in which a caller
// reads the problems of both.
func bodyFirst(patch, base *schema.Object) *schema.Object {
	o := patch
	for _, m := range base.Members() {
		if !patch.Has(m.Key) {
			o = o.With(m.Key, m.Value)
		}
	}
	return o
}

// fits reports whether a document is within the limits of a body, apart from what completes a new one: several patches within the limits
// can add up to a document that is not.
func fits(o *schema.Object) bool {
	return values(o) <= schema.MaxValues+addedValues && len(schema.Encode(o)) <= schema.MaxBytes+addedBytes
}

// What completes a new document may take no more than this, so that a body at the limits is accepted.
const (
	addedValues = 8
	addedBytes  = 256
)

// values counts a value and all values inside it.
func values(v any) int {
	n := 1
	switch t := v.(type) {
	case *schema.Object:
		for _, m := range t.Members() {
			n += values(m.Value)
		}
	case []any:
		for _, e := range t {
			n += values(e)
		}
	}
	return n
}

func (d *documents) delete(c *api.Call) *api.Error {
	if err := d.rows.Delete(c.Context(), c.ID()); err != nil {
		return d.failed(c, err)
	}
	return d.gone(c)
}

// render returns the text of an answer: the ID, the members as stored, and the dates.
func render(d store.Document) []byte {
	var b bytes.Buffer
	b.WriteString(`{"id":`)
	b.Write(schema.Encode(d.ID))
	if inner := d.Body[1 : len(d.Body)-1]; len(inner) > 0 {
		b.WriteByte(',')
		b.Write(inner)
	}
	fmt.Fprintf(&b, `,"created_at":%q,"updated_at":%q}`, api.Time(d.Created), api.Time(d.Updated))
	return b.Bytes()
}

// tag returns the strong entity tag for the text of an answer, which has the date of the document's last change.
func tag(text []byte) string {
	sum := sha256.Sum256(text)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// answer responds with a document and returns its entity tag.
func answer(c *api.Call, status int, d store.Document) (etag string) {
	b := render(d)
	etag = tag(b)
	c.Header().Set("ETag", etag)
	c.Send("application/json", status, b)
	return etag
}
