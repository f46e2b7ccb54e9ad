package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/upstream"
)

// Time limits of the steps of a change. Together they stay below the 60 seconds after which the server's listener gives up, and the 65
// after which the editor does.
const (
	readTime  = 15 * time.Second // to wait for other changes of the form, and to read it
	writeTime = 25 * time.Second
	lookTime  = 10 * time.Second // to look up a change whose answer was lost
)

// Forms gives the forms of a tenant entity tags and honours If-Match with them. It passes on all other calls.
//
// A form whose answer has no strong ETag gets one of its content. A change that names such a tag is made only if the form still has it:
// Forms reads the form, compares, and sends the change without the tag, one change of a form at a time. A change that is made elsewhere,
// between the reading and the writing, goes unnoticed. A change that names a tag of the tenant's own is passed on as it is, and one whose
// tag a proxy has changed with the tag that the form has if they are the same. Whether such a tenant honours If-Match cannot be detected
// from outside; if it does not, updates can be lost as without this package.
//
// A change without a usable answer is looked up: after a DELETE or PATCH that was made after all, the answer is as usual; after one that
// was not, the error wraps upstream.ErrNotSaved; and if the form is neither as before nor as wanted, the answer is 412, and the editor
// merges. If a tenant commits a change only after it was looked up, that too is found by the comparison before the next change.
//
// It is safe for concurrent use.
type Forms struct {
	next  Caller
	locks *locks
	tags  *tags
}

// NewForms returns Forms in front of next. lock serializes the changes of a form by several processes; nil means that there is only this one.
func NewForms(next Caller, lock Lock) *Forms { return &Forms{next, newLocks(lock), newTags()} }

// Do implements Caller. Lists of forms are answered with summaries.
func (f *Forms) Do(ctx context.Context, r upstream.Request, tokens upstream.TokenSource) (*upstream.Response, error) {
	if len(r.Path) == 0 || len(r.Path) > 2 || r.Path[0] != "forms" || r.Asks {
		return f.next.Do(ctx, r, tokens)
	}
	// The reads of a change count with it: a tenant that says stop is not asked again for each of them.
	r.Retries = &upstream.Retries{}
	c := &call{Forms: f, request: r, tokens: tokens, want: readCondition(r.IfMatch)}
	switch {
	case len(r.Path) == 1 && r.Method == http.MethodGet:
		r.Summaries = true
		return f.next.Do(ctx, r, tokens)
	case r.Method == http.MethodPost:
		return c.create(ctx)
	case r.Method == http.MethodPatch, r.Method == http.MethodDelete:
		return c.change(ctx)
	}
	res, err := c.read(ctx)
	if err == nil {
		_, err = c.formIn(res)
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

// call is one call about a form.
type call struct {
	*Forms

	request upstream.Request
	tokens  upstream.TokenSource
	want    condition
}

// form is a form as an answer shows it.
type form struct {
	identity

	etag string // of the tenant, "" if it has no strong one
}

// current returns the tag under which the browser knows the form.
func (f *form) current() string {
	if f == nil {
		return ""
	}
	if f.etag != "" {
		return f.etag
	}
	return f.tag
}

// formIn returns the form in a successful answer, and gives the answer a tag. It returns nil if there is no form, and an error if the
// answer is not valid JSON.
func (c *call) formIn(res *upstream.Response) (*form, error) {
	if !res.OK() || len(res.Body) == 0 {
		return nil, nil //nolint:nilnil // no form is not an error
	}
	found, err := c.tags.of(res.Body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", upstream.ErrAnswer, err)
	}
	if found.id == "" || found.name == "" {
		return nil, nil //nolint:nilnil // no form is not an error
	}
	of := &form{identity: found, etag: res.Header.Get("Etag")}
	// No condition can name a weak tag, so no tenant can honour one. Web frameworks add them by default.
	if !strings.HasPrefix(of.etag, `"`) {
		of.etag = ""
	}
	res.Header.Set("Etag", of.current())
	return of, nil
}

// create makes a form. A lost answer cannot be looked up: the id is in the answer.
func (c *call) create(ctx context.Context) (*upstream.Response, error) {
	c.request.Unparsed = true
	res, err := c.next.Do(ctx, c.request, c.tokens)
	if err != nil || !res.OK() {
		return res, err
	}
	if now, err := c.formIn(res); now == nil {
		return nil, cmp.Or(err, fmt.Errorf("%w: it made a form without showing it", upstream.ErrAnswer))
	}
	return res, nil
}

// change makes a PATCH or DELETE.
func (c *call) change(ctx context.Context) (*upstream.Response, error) {
	reading, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	release, err := c.locks.acquire(reading, c.request.Path[1])
	if err != nil {
		return nil, notSent(ctx, err)
	}
	defer release()
	var before *form
	if !c.want.Given() || c.want.needsRead() {
		var stop *upstream.Response
		if before, stop, err = c.before(ctx, reading); stop != nil || err != nil {
			return stop, err
		}
		c.request.IfMatch = ""
		if c.want.Given() && !c.want.Any() {
			c.request.IfMatch = before.etag // if it has tags, the tenant compares once more, at the moment of the change
		}
	}
	// From here on, the change continues even if the browser disconnects: the next change must not begin before this one has ended.
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	c.request.Unparsed = c.request.Method == http.MethodPatch
	res, err := c.next.Do(writing, c.request, c.tokens)
	err = inTime(ctx, err)
	if errors.Is(err, upstream.ErrNotSent) {
		return nil, err
	}
	if c.request.Method == http.MethodDelete {
		res, err = c.deleted(ctx, res, err)
	} else {
		res, err = c.saved(ctx, before, res, err)
	}
	if res != nil {
		res.Before = before.current()
	}
	return res, err
}

// before reads the form that is about to change. If the change must not be made it returns the answer or the error. Without a condition a
// failure to read is no reason to stop, unless a form that is gone is to be saved, or the tenant refuses further requests.
func (c *call) before(ctx, reading context.Context) (*form, *upstream.Response, error) {
	res, err := c.read(reading)
	switch {
	case err != nil && c.want.Given():
		return nil, nil, notSent(ctx, err)
	case err != nil:
		return nil, nil, nil
	case gone(res) && (c.want.Given() || c.request.Method == http.MethodPatch), res.Status == http.StatusTooManyRequests && !res.Held:
		return nil, res, nil
	}
	now, err := c.formIn(res)
	switch {
	case !c.want.Given():
		return now, nil, nil
	case res.Status >= http.StatusInternalServerError:
		return nil, nil, notSent(ctx, fmt.Errorf("%w: status %d", upstream.ErrFailed, res.Status))
	case !res.OK():
		return nil, res, nil
	case now == nil:
		return nil, nil, notSent(ctx, cmp.Or(err, fmt.Errorf("%w: it shows no form", upstream.ErrAnswer)))
	case !c.want.Holds(now.etag, now.tag):
		return nil, conflict(now), nil
	}
	return now, nil, nil
}

// saved judges the answer to a PATCH. A success is answered with the whole form.
func (c *call) saved(ctx context.Context, before *form, res *upstream.Response, err error) (*upstream.Response, error) {
	if err == nil && res.Status < http.StatusInternalServerError {
		var shown *form
		if shown, err = c.formIn(res); shown != nil || !res.OK() {
			return res, nil
		}
	}
	taken := err == nil && res.OK() // as the tenant says; the form as it is now shows what it took
	now, again := c.lookUp(ctx)
	switch {
	case again == nil && taken:
		return nil, fmt.Errorf("%w: it took a change without showing the form", upstream.ErrAnswer)
	case again == nil && err != nil:
		return nil, err
	case again == nil:
		return res, nil
	case now == nil: // it is gone
		return again, nil
	case taken, holds(again.Body, c.request.Body):
		return again, nil
	case before != nil && before.tag == now.tag, before == nil && c.want.Holds(now.etag) && c.want.Given():
		return nil, fmt.Errorf("%w: %w", upstream.ErrNotSaved, lost(res, err))
	}
	return conflict(now), nil
}

// deleted judges the answer to a DELETE.
func (c *call) deleted(ctx context.Context, res *upstream.Response, err error) (*upstream.Response, error) {
	if err == nil && res.Status < http.StatusInternalServerError {
		if res.OK() {
			res.Body = nil
		}
		return res, nil
	}
	now, again := c.lookUp(ctx)
	switch {
	case again == nil:
		return res, err
	case now == nil:
		return &upstream.Response{Status: http.StatusNoContent, Header: http.Header{}}, nil
	}
	return nil, fmt.Errorf("%w: %w", upstream.ErrNotSaved, lost(res, err))
}

// lookUp reads the form after a change without an answer. It returns no form and the answer if the form is gone, and neither if it cannot
// find out.
func (c *call) lookUp(ctx context.Context) (*form, *upstream.Response) {
	looking, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTime)
	defer cancel()
	res, err := c.read(looking)
	if err != nil {
		return nil, nil
	}
	if gone(res) {
		return nil, res
	}
	if now, err := c.formIn(res); err == nil && now != nil {
		return now, res
	}
	return nil, nil
}

func (c *call) read(ctx context.Context) (*upstream.Response, error) {
	return c.next.Do(ctx, upstream.Request{
		Method: http.MethodGet, Path: c.request.Path, Unparsed: true, Retries: c.request.Retries,
	}, c.tokens)
}

func gone(res *upstream.Response) bool {
	return res.Status == http.StatusNotFound || res.Status == http.StatusGone
}

func conflict(now *form) *upstream.Response {
	return &upstream.Response{Status: http.StatusPreconditionFailed, Before: now.current(), Header: http.Header{}}
}

// lost returns the error of a change without a usable answer.
func lost(res *upstream.Response, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: status %d", upstream.ErrFailed, res.Status)
}

func notSent(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", upstream.ErrNotSent, inTime(ctx, err))
}

// inTime returns the error of a step whose own time has ended as the tenant's failure: the caller's time has not.
func inTime(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, upstream.ErrTimeout) && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", upstream.ErrTimeout, err)
	}
	return err
}

// holds reports whether a form has every value of a patch. A null of the patch means that the form lacks the property.
func holds(form, patch []byte) bool {
	wanted, err := canonical(patch)
	if err != nil {
		return false
	}
	found, err := canonical(form)
	if err != nil {
		return false
	}
	now := membersOf(found)
	return !slices.ContainsFunc(membersOf(wanted), func(m member) bool {
		value := valueOf(now, m.name)
		if value == nil {
			return m.value.Kind() != 'n'
		}
		return string(value) != string(m.value)
	})
}
