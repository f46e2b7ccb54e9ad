package management

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
)

// timeFormat is how dates are written: RFC 3339 with milliseconds, in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z"

// Bounds of a page of a list, as in the vendor's public API.
const (
	maxPage        = 1000
	maxPerPage     = 100
	defaultPerPage = 50
)

// summary is a document in a list.
type summary struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Created string `json:"created_at"`
	Updated string `json:"updated_at"`
}

// paging is which part of a list is asked for.
type paging struct {
	page, size int
	totals     bool
}

func (p paging) offset() int { return p.page * p.size }

// narrowing are parameters of the vendor's API that pick rows of a list, or continue after one, and that do not
// exist here. A request for one person must not be answered with everybody; what only shapes an answer is ignored.
var narrowing = []string{"q", "name_filter", "identifiers", "app_type", "client_ids", "is_first_party", "from"}

// readPaging reads page, per_page and include_totals of a query.
func readPaging(q url.Values) (p paging, e *apiError) {
	for _, name := range narrowing {
		if q.Get(name) != "" {
			return p, invalidQuery(name, "is not supported here: read the pages, and pick")
		}
	}
	if p.page, e = number(q.Get("page"), "page", 0, 0, maxPage); e != nil {
		return p, e
	}
	if p.size, e = number(q.Get("per_page"), "per_page", defaultPerPage, 1, maxPerPage); e != nil {
		return p, e
	}
	if v := q.Get("include_totals"); v != "" {
		var err error
		if p.totals, err = strconv.ParseBool(v); err != nil {
			return p, invalidQuery("include_totals", "must be true or false")
		}
	}
	return p, nil
}

// answerList answers an array, or an object with totals when they are asked for; key is its member.
func answerList[T any](h *Handler, c *call, p paging, key string, list []T, total int) *apiError {
	if list == nil {
		list = []T{} // an empty list is not null
	}
	var v any = list
	if p.totals {
		v = map[string]any{"start": p.offset(), "limit": p.size, "total": total, key: list}
	}
	return h.answerJSON(c, http.StatusOK, v)
}

// answerJSON answers with a value.
func (h *Handler) answerJSON(c *call, status int, v any) *apiError {
	b, err := json.Marshal(v)
	if err != nil {
		return h.down(c, "encode answer", err)
	}
	writeJSON(c, status, b)
	return nil
}

// listAll answers a page of documents. hydrate is accepted and adds nothing; other parameters are ignored.
func (h *Handler) listAll(c *call) *apiError {
	p, e := readPaging(c.r.URL.Query())
	if e != nil {
		return e
	}
	docs, total, err := c.res.documents.List(c.r.Context(), p.offset(), p.size)
	if err != nil {
		return h.down(c, "list "+c.res.plural, err)
	}
	list := make([]summary, len(docs))
	for i, d := range docs {
		list[i] = summary{d.ID, d.Name, d.Created.UTC().Format(timeFormat), d.Updated.UTC().Format(timeFormat)}
	}
	return answerList(h, c, p, c.res.plural, list, total)
}

// number reads a whole number of a query.
func number(text, name string, otherwise, least, most int) (int, *apiError) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, invalidQuery(name, fmt.Sprintf("must be a whole number from %d to %d", least, most))
	}
	return n, nil
}

func (h *Handler) getOne(c *call) *apiError {
	d, err := c.res.documents.Get(c.r.Context(), c.id)
	if err != nil {
		return h.failed(c, err)
	}
	answer(c, http.StatusOK, d)
	return nil
}

func (h *Handler) createOne(c *call) *apiError {
	tree, ps, e := readBody(c, c.res.table)
	if e != nil {
		return e
	}
	o, more := c.res.complete(tree)
	if ps = append(ps, more...); len(ps) > 0 {
		schema.Sort(tree, ps)
		return invalidBody(ps)
	}
	if !fits(o) {
		return tooLarge()
	}
	d, err := c.res.documents.Create(c.r.Context(), c.res.document(o, h.Now()))
	if err != nil {
		return h.down(c, "create "+c.res.noun, err)
	}
	h.audit(c, "created", d.ID)
	c.Header().Set("Location", c.r.URL.EscapedPath()+"/"+d.ID)
	answer(c, http.StatusCreated, d)
	return nil
}

// patchOne changes the properties that the body names. The body is judged by its table first and then,
// together with what is stored, as a whole; every problem is reported at once and nothing is stored then.
func (h *Handler) patchOne(c *call) *apiError {
	tree, ps, e := readBody(c, c.res.table)
	if e != nil {
		return e
	}
	ps = append(ps, c.res.checkPatch(tree)...)
	patch, _ := tree.(*schema.Object)
	match := c.r.Header.Values("If-Match")
	var was time.Time
	d, err := c.res.documents.Update(c.r.Context(), c.id, h.Now(), func(old store.Document) (store.Document, error) {
		was = old.Updated
		stored, broken := schema.DecodeGrown(old.Body)
		base, ok := stored.(*schema.Object)
		if !ok || len(broken) > 0 {
			return old, errors.New("stored document is not a JSON object")
		}
		next := model.PatchFromTree(patch).Apply(model.FromTree(base)).Tree()
		all := slices.Concat(ps, c.res.checkWhole(next))
		if len(all) > 0 {
			schema.Sort(bodyFirst(patch, base), all)
			return old, invalidBody(all)
		}
		// After the body: a condition decides only about a request that would otherwise succeed.
		// RFC 9110, section 13.2.1.
		if len(match) > 0 && !matches(match, tag(render(old))) {
			return old, &apiError{
				status: http.StatusPreconditionFailed, code: "precondition_failed",
				message: "The " + c.res.noun + " has changed since it was read",
			}
		}
		if next = c.res.canonical(next); !fits(next) {
			return old, tooLarge()
		}
		if !schema.Equal(base, next) {
			old.Name, old.Body = next.Text("name"), schema.Encode(next)
		}
		return old, nil
	})
	if err != nil {
		return h.failed(c, err)
	}
	if !d.Updated.Equal(was) {
		h.audit(c, "updated", d.ID)
	}
	answer(c, http.StatusOK, d)
	return nil
}

// bodyFirst returns the members of a patch in their order and then those of the stored document that it
// leaves alone: the order in which a caller reads problems of both.
func bodyFirst(patch, base *schema.Object) *schema.Object {
	o := patch
	for _, m := range base.Members() {
		if !patch.Has(m.Key) {
			o = o.With(m.Key, m.Value)
		}
	}
	return o
}

// fits reports whether a document is within the limits of a body, beside what completes a new one:
// several patches, each within the limits, can together make one that is not.
func fits(o *schema.Object) bool {
	return values(o) <= schema.MaxValues+addedValues && len(schema.Encode(o)) <= schema.MaxBytes+addedBytes
}

// What is added to a new document may take no more, so that a body at the limits is taken.
const (
	addedValues = 8
	addedBytes  = 256
)

// values counts a value and all inside of it.
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

func (h *Handler) deleteOne(c *call) *apiError {
	if err := c.res.documents.Delete(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	h.audit(c, "deleted", c.id)
	c.WriteHeader(http.StatusNoContent)
	return nil
}

// failed maps an error of an operation on one document.
func (h *Handler) failed(c *call, err error) *apiError {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	if errors.Is(err, store.ErrNotFound) {
		return &apiError{
			status: http.StatusNotFound, code: "inexistent_" + strings.ReplaceAll(c.res.noun, " ", "_"),
			message: strings.ToUpper(c.res.noun[:1]) + c.res.noun[1:] + " not found",
		}
	}
	return h.down(c, "serve "+c.res.noun, err)
}

// render returns the answer's text: id, the members as they are kept, and the dates.
func render(d store.Document) []byte {
	var b bytes.Buffer
	b.WriteString(`{"id":`)
	b.Write(schema.Encode(d.ID))
	if inner := d.Body[1 : len(d.Body)-1]; len(inner) > 0 {
		b.WriteByte(',')
		b.Write(inner)
	}
	fmt.Fprintf(&b, `,"created_at":%q,"updated_at":%q}`, d.Created.UTC().Format(timeFormat), d.Updated.UTC().Format(timeFormat))
	return b.Bytes()
}

// tag returns the strong entity tag of an answer's text.
func tag(text []byte) string {
	sum := sha256.Sum256(text)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// matches reports whether an If-Match header holds the tag. A weak tag never matches. RFC 9110, section 13.1.1.
func matches(headers []string, tag string) bool {
	for _, h := range headers {
		for t := range strings.SplitSeq(h, ",") {
			if t = strings.TrimSpace(t); t == "*" || t == tag {
				return true
			}
		}
	}
	return false
}

func answer(c *call, status int, d store.Document) {
	b := render(d)
	c.Header().Set("ETag", tag(b))
	writeJSON(c, status, b)
}
