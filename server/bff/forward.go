package bff

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/upstream"
)

const (
	// maxBody bounds a form's JSON text in bytes.
	maxBody = 4 << 20
	// maxMessage bounds the text of the account API that is shown, in bytes.
	maxMessage = 500
)

// listQuery lists the parameters of a list, all numbers or booleans.
var listQuery = []string{"page", "per_page", "include_totals"}

// placeQuery lists the parameters of a list that is read in steps and searched: from is a position in it, q is any text.
var placeQuery = append([]string{"take", "from", "q"}, listQuery...)

// maxQuery bounds from and q in bytes. A position holds names of up to 600 characters.
const maxQuery = 4 << 10

// call is one route of the management API, or of the account API.
type call struct {
	method, resource string
	// sub is the word after the ID; "" for none.
	sub string
	// admin marks the tenant's administration, where people see the tenant's own message about a conflict.
	admin bool
	// me marks a route of the account API; the others are of the management API.
	me bool
	// noun names the resource in messages; "" means resource.
	noun string
	// limit bounds the body in bytes; 0 means maxBody.
	limit int64
	// scope is required in the token; without it the API is not called.
	scope string
	// query lists the parameters that are forwarded: from and q, and others that are numbers or booleans. A request with any other is
	// refused.
	query []string
	// filter lists parameters that hold one word, such as an ID.
	filter []string
	// body reports whether the request carries JSON.
	body bool
	// check reports names that are not in the body's table; nil leaves names to the tenant.
	check func(tree any) schema.Problems
	// event is the name in the audit log; "" for reads.
	event string
}

// changes reports whether a call changes a form.
func (c call) changes() bool { return c.event != "" && c.resource == "forms" && !c.me && !c.admin }

// creates reports whether a call creates a form.
func (c call) creates() bool { return c.changes() && c.method == http.MethodPost }

// ofForm reports whether a call is about one form.
func (c call) ofForm(req upstream.Request) bool {
	return c.resource == "forms" && len(req.Path) == 2 && !c.me && !c.admin
}

// forwarder forwards the calls of the editor's pages to the tenant's APIs, with the tokens that access supplies.
type forwarder struct {
	sessions   signedIn
	management Caller
	rights     *rights
	work       *work
	orphans    *Orphans
	witness    witness
	account    *upstream.Client // nil when no route needs it
	events     *Events          // nil if nobody is told of saves
	files      []*teamFile
	overviews  *overviews
	versions   *formVersions
	together   *together // nil if nobody edits together
	comments   *formComments
	links      *formLinks
	log        journal
	observe    observe.Func
}

// forward returns the endpoint of c.
func (f *forwarder) forward(c call) endpoint {
	return endpoint{c.method, func(w http.ResponseWriter, r *http.Request) {
		ss, p := f.sessions.current(w, r)
		if p != nil {
			p.Write(w, r)
			return
		}
		if c.creates() {
			p = f.work.room(r, ss)
		}
		if p == nil && c.changes() {
			p = f.work.begin(r, ss)
		}
		var req upstream.Request
		if p == nil {
			req, p = f.request(w, r, c)
		}
		if p != nil {
			p.Write(w, r)
			return
		}
		tab, p := tabOf(r)
		if p != nil {
			p.Write(w, r)
			return
		}
		f.sessions.Touch(r.Context(), ss)
		if res := f.exchange(w, r, c, ss, req); res != nil {
			f.forget(r, c, res)
			f.relay(w, r, c, res)
			f.publish(r, c, ss, tab, res)
		}
	}}
}

// exchange makes a call of the API for the person of a session and returns the answer. If there is none, or if its words would mislead the
// person, it writes a problem and returns nil.
func (f *forwarder) exchange(w http.ResponseWriter, r *http.Request, c call, ss *sessions.Session, req upstream.Request) *upstream.Response {
	var res *upstream.Response
	var p *httpx.Problem
	if c.ofForm(req) {
		p = f.work.wait(r, ss)
	}
	if p == nil {
		res, p = f.call(r, c, ss, req)
	}
	if p != nil {
		f.refuse(w, r, p)
		return nil
	}
	return res
}

// refuse writes a problem. With the one of a session that has ended, the browser forgets its cookie.
func (f *forwarder) refuse(w http.ResponseWriter, r *http.Request, p *httpx.Problem) {
	if p.Code == httpx.CodeSession {
		f.sessions.forget(w, r)
	}
	p.Write(w, r)
}

// call makes a call of the API for the person of a session. It returns the answer, or a problem if there is none or its words would mislead the
// person; neither if the browser has gone.
func (f *forwarder) call(r *http.Request, c call, ss *sessions.Session, req upstream.Request) (*upstream.Response, *httpx.Problem) {
	ctx, saved := f.saving(r.Context(), c)
	tokens, p := f.sessions.access.tokens(ss, c)
	if p != nil {
		f.auditRefusal(r, c, ss, p.Status)
		saved("refused")
		f.rights.learn(ss, c, req, p.Status)
		return nil, p
	}
	api := f.management
	if c.me {
		api = f.account
	}
	others := f.versions.others(ctx, c, req)
	var res *upstream.Response
	var err error
	if p := f.work.inTurn(ctx, c, req, func() { res, err = api.Do(ctx, req, tokens) }); p != nil {
		saved("refused")
		return nil, p
	}
	names := others()
	saved(saveOutcome(res, err))
	f.auditCall(r, c, ss, req, res, err)
	f.work.called(ss, c, req, res)
	if err != nil {
		if p = f.sessions.access.failed(r.Context(), ss, c, err); p == nil {
			p = f.callFailed(r, c, err)
		}
		return nil, p
	}
	if req.Asks {
		res = answerOf(res)
	}
	f.rights.learn(ss, c, req, res.Status)
	if p := f.sessions.access.answered(r.Context(), ss, c, res); p != nil {
		return nil, p
	}
	f.versions.told(r, c, ss, req, res, names)
	f.noticed(r, c, ss, res)
	return res, nil
}

// reads asks the tenant for a form. If the person may not read it, reads writes the answer.
func (f *forwarder) reads(w http.ResponseWriter, r *http.Request, ss *sessions.Session, form string) (res *upstream.Response, ok bool) {
	res, p := f.ask(r, ss, form, readForms)
	if p != nil {
		f.refuse(w, r, p)
	}
	return res, p == nil
}

// request checks the browser's request and builds a new one for the API. It copies only If-Match from the browser's headers.
func (f *forwarder) request(w http.ResponseWriter, r *http.Request, c call) (upstream.Request, *httpx.Problem) {
	req := upstream.Request{Method: c.method, Path: []string{c.resource}}
	if id := r.PathValue("id"); id != "" {
		req.Path = append(req.Path, id)
	}
	if c.sub != "" {
		req.Path = append(req.Path, c.sub)
	}
	if inner := r.PathValue("method"); inner != "" {
		req.Path = append(req.Path, inner)
	}
	var p *httpx.Problem
	if req.Query, p = forwardQuery(r, c.query, c.filter); p != nil {
		return req, p
	}
	if req.IfMatch, p = ifMatch(r); p != nil {
		return req, p
	}
	if !c.body {
		return req, nil
	}
	limit := c.limit
	if limit == 0 {
		limit = maxBody
	}
	if req.Body, p = httpx.ReadJSON(w, r, limit); p != nil {
		return req, p
	}
	// The rules of a form are checked by the tenant.
	if p = httpx.StrictJSON(req.Body); p == nil && c.check != nil {
		p = misspelt(req.Body, c.check)
	}
	return req, p
}

func forwardQuery(r *http.Request, allowed, words []string) (url.Values, *httpx.Problem) {
	if r.URL.RawQuery == "" && !r.URL.ForceQuery {
		return nil, nil
	}
	deny := httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "This address takes no query parameters.")
	if all := slices.Concat(allowed, words); len(all) > 0 {
		deny.Detail = "The query may hold " + strings.Join(all, ", ") + ", each once."
	}
	given, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || len(given) == 0 {
		return nil, deny
	}
	for name, values := range given {
		good := len(values) == 1 && (slices.Contains(allowed, name) && queryValue(name, values[0]) ||
			slices.Contains(words, name) && idPattern.MatchString(values[0]))
		if !good {
			return nil, deny
		}
	}
	return given, nil
}

// queryValue accepts small numbers, booleans, valid text for a search, and a position.
func queryValue(name, v string) bool {
	switch {
	case name == "q":
		return len(v) <= maxQuery && utf8.ValidString(v) && !strings.ContainsFunc(v, unicode.IsControl)
	case name == "from":
		return len(v) <= maxQuery && strings.Trim(v, placeLetters) == ""
	case v == "true" || v == "false":
		return true
	}
	n, err := strconv.ParseUint(v, 10, 16)
	return err == nil && strconv.FormatUint(n, 10) == v
}

// placeLetters are the characters of a position: base64url.
const placeLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
