package management

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// resource is everything below the first segment of a path.
type resource struct {
	h    *Handler
	noun string // such as "client grant": for errors and the operator's log
	path string // such as "/client-grants"
}

// plural returns the resource's name in scopes and lists, such as "client_grants".
func (r resource) plural() string { return strings.ReplaceAll(r.path[1:], "-", "_") }

// op returns an operation that requires the scope of a verb.
func (r resource) op(verb string, do func(*api.Call) *api.Error) api.Operation {
	return api.Operation{Scope: verb + ":" + r.plural(), Do: do}
}

// failed maps an error of an operation on one row to an answer.
func (r resource) failed(c *api.Call, err error) *api.Error {
	if e, ok := errors.AsType[*api.Error](err); ok {
		return e
	}
	if errors.Is(err, store.ErrNotFound) {
		return &api.Error{
			Status: http.StatusNotFound, Code: "inexistent_" + strings.ReplaceAll(r.noun, " ", "_"),
			Message: strings.ToUpper(r.noun[:1]) + r.noun[1:] + " not found",
		}
	}
	return c.Down("serve "+r.noun, err)
}

// audit records a change to the row with an ID and who made it, but never the content. detail names the changed part; it may be empty.
func (r resource) audit(c *api.Call, did, id, detail string) {
	r.auditEntry(c, did, store.AuditEntry{ObjectID: id, Detail: detail})
}

// auditEntry records an entry with further fields set. It sets the user, the client, the event and the object.
func (r resource) auditEntry(c *api.Call, did string, e store.AuditEntry) {
	e.Source, e.Outcome, e.Object = audit.SourceTenant, audit.Done, strings.ReplaceAll(r.noun, " ", "_")
	e.Event = e.Object + "_" + strings.ReplaceAll(did, " ", "_")
	e.Issuer, e.Subject, e.ClientID = r.h.Tokens.Issuer, c.Token.Subject, c.Token.ClientID
	r.h.Audit.Record(c.Request, r.h.Log, e)
}

// keysOf returns the names of the members of a body.
func keysOf(o *schema.Object) string {
	var keys []string
	for _, m := range o.Members() {
		keys = append(keys, m.Key)
	}
	return strings.Join(keys, ", ")
}

// gone answers that the row of a path has been deleted.
func (r resource) gone(c *api.Call) *api.Error {
	r.audit(c, "deleted", c.ID(), "")
	return c.Done(http.StatusNoContent)
}

// lister reads a part of a list, like the lists of package store.
type lister[T any] func(ctx context.Context, f store.Find, offset, limit int) (page []T, total int, err error)

// rows describes a kind of rows that administrators list, read, create, change and delete. T is a row and B its shape in answers. An
// operation whose field is nil does not exist, or the resource implements it itself.
type rows[T interface{ Place() string }, B any] struct {
	resource
	bodies func(c *api.Call, rows []T) ([]B, error)
	list   lister[T]
	narrow func(c *api.Call) lister[T] // in place of list, if the query of a call selects rows
	// words means that q may only be words: in the vendor's API it is a query, and an answer with the rows that contain its words would
	// mislead.
	words bool
	// array means that a part read by places is an array unless totals are requested, as in the vendor's API.
	array bool
	get   func(ctx context.Context, id string) (T, error)

	table schema.Table                         // the body of POST
	patch schema.Table                         // the body of PATCH
	check func(*schema.Object) schema.Problems // rules for a body that no table can express
	// create returns a function that creates a row from a checked body in a transaction. It does slow work before it returns.
	create func(ctx context.Context, o *schema.Object) func(*act) (T, error)
	// update writes the members of a checked body and leaves the rest of the row unchanged.
	update func(ctx context.Context, a *act, id string, o *schema.Object) (T, error)
	remove func(c *api.Call, a *act) error
	id     func(T) string
	// taken explains store.ErrConflict for a body; nil if rows cannot conflict.
	taken func(ctx context.Context, o *schema.Object) string
}

// routes returns the operations that the description defines.
func (r *rows[T, B]) routes() api.Routes {
	all, one := map[string]api.Operation{http.MethodGet: r.op("read", r.listAll)},
		map[string]api.Operation{http.MethodGet: r.op("read", r.getOne)}
	if r.create != nil {
		all[http.MethodPost] = r.op("create", r.createOne)
	}
	if r.update != nil {
		one[http.MethodPatch] = r.op("update", r.patchOne)
	}
	if r.remove != nil {
		one[http.MethodDelete] = r.op("delete", r.deleteOne)
	}
	return api.Routes{r.path: all, r.path + "/{id}": one}
}

func (r *rows[T, B]) listAll(c *api.Call) *api.Error {
	p, e := readFind(c.Request.URL.Query())
	if e != nil {
		return e
	}
	if r.words && queryLanguage(p.find.Search) {
		return invalidQuery("q", "must be words to search for: there is no query language here")
	}
	p.checkpoint = p.checkpoint && (p.totals || !r.array)
	read := r.list
	if r.narrow != nil {
		read = r.narrow(c)
	}
	return answerFound(c, p, r.plural(), read, r.bodies)
}

// answerFound answers with the requested part of a list; key is the member that holds it.
func answerFound[T interface{ Place() string }, B any](
	c *api.Call, p paging, key string, read lister[T], bodies func(c *api.Call, rows []T) ([]B, error),
) *api.Error {
	page, total, err := read(c.Context(), p.find, p.offset(), p.size+1) // one more row shows whether the list continues
	if errors.Is(err, store.ErrPlace) {
		return invalidQuery("from", "must be the next of an answer of this list")
	}
	if err != nil {
		return c.Down("list "+key, err)
	}
	next := ""
	if len(page) > p.size {
		page = page[:p.size]
		next = page[p.size-1].Place()
	}
	list, err := bodies(c, page)
	if err != nil {
		return c.Down("read what "+key+" name", err)
	}
	return answerPart(c, p, key, list, total, next)
}

// answer answers with one row.
func (r *rows[T, B]) answer(c *api.Call, status int, row T) *api.Error {
	list, err := r.bodies(c, []T{row})
	if err != nil {
		return c.Down("read what a "+r.noun+" names", err)
	}
	return c.JSON(status, list[0])
}

func (r *rows[T, B]) getOne(c *api.Call) *api.Error {
	row, err := r.get(c.Context(), c.ID())
	if err != nil {
		return r.failed(c, err)
	}
	return r.answer(c, http.StatusOK, row)
}

// refused maps an error of a change that a body requested to an answer.
func (r *rows[T, B]) refused(c *api.Call, o *schema.Object, err error) *api.Error {
	if r.taken != nil && errors.Is(err, store.ErrConflict) {
		return api.Conflict(r.taken(c.Context(), o))
	}
	return r.failed(c, err)
}

func (r *rows[T, B]) createOne(c *api.Call) *api.Error {
	o, e := c.Fields(r.table, r.check)
	if e != nil {
		return e
	}
	create := r.create(c.Context(), o)
	var row T
	err := r.h.change(c, func(a *act) (err error) {
		row, err = create(a)
		return err
	})
	if err != nil {
		return r.refused(c, o, err)
	}
	r.audit(c, "created", r.id(row), "")
	c.Location(r.id(row))
	return r.answer(c, http.StatusCreated, row)
}

func (r *rows[T, B]) patchOne(c *api.Call) *api.Error {
	o, e := c.Fields(r.patch, r.check)
	if e != nil {
		return e
	}
	var row T
	err := r.h.change(c, func(a *act) (err error) {
		row, err = r.update(c.Context(), a, c.ID(), o)
		return err
	})
	if err != nil {
		return r.refused(c, o, err)
	}
	r.audit(c, "changed", r.id(row), keysOf(o))
	return r.answer(c, http.StatusOK, row)
}

func (r *rows[T, B]) deleteOne(c *api.Call) *api.Error {
	if err := r.h.change(c, func(a *act) error { return r.remove(c, a) }); err != nil {
		return r.failed(c, err)
	}
	return r.gone(c)
}

// each returns the bodies function for rows whose bodies depend only on the row.
func each[T, B any](body func(T) B) func(*api.Call, []T) ([]B, error) {
	return func(_ *api.Call, rows []T) ([]B, error) { return bodiesOf(rows, body), nil }
}

func bodiesOf[T, B any](rows []T, body func(T) B) []B {
	list := make([]B, len(rows))
	for i, row := range rows {
		list[i] = body(row)
	}
	return list
}
