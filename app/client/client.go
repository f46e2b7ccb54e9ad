// Package client makes the browser's calls to the server. It calls only the routes of the editor's backend that
// server/API.md lists. Package formapi has the calls about forms, which need the tables of forms.
//
// It does not depend on the DOM: its user provides the Fetcher that sends requests.
package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Request is a call to the server that served the page.
type Request struct {
	Method string
	Path   string // begins with /bff/
	Header map[string]string
	Body   []byte // nil for none
}

// Response is the answer to a Request.
type Response struct {
	Status int
	Header func(name string) string
	Body   []byte
}

// Fetcher sends a request. It returns an error if there was no answer. It ends
// when the context ends, and limits the size of the answer.
type Fetcher interface {
	Fetch(context.Context, Request) (Response, error)
}

// Time limits of a call. The server's own limit for the tenant is 30 s.
const (
	readLimit  = 35 * time.Second
	writeLimit = 65 * time.Second
)

// Client calls the server. It is safe for concurrent use if its Fetcher is.
type Client struct {
	// Tab names the page to the server in changes, so that the page can tell events about its own; "" for none. Set it before the first call, and
	// change it only where nothing else runs at the same time, as in a browser.
	Tab string

	fetcher Fetcher
}

// New returns a client that sends requests with f.
func New(f Fetcher) *Client { return &Client{fetcher: f} }

// Error is a failed request: an unsuccessful answer, or no answer at all (Status
// 0).
type Error struct {
	Status     int
	Code       string // a stable code of server/API.md, or "offline" without an answer
	Detail     string
	Problems   []Problem     // of code invalid_body
	RetryAfter time.Duration // of status 429 or 503, 0 when unknown
	Outcome    Outcome       // of a change
	Who        string        // of code not_allowed: the e-mail address, name or subject of the person, "" when unknown
}

// Outcome is what is known about a change whose request failed.
type Outcome string

// The outcomes. The zero Outcome means that the response did not state one.
const (
	NotSent        Outcome = "not_sent"  // the tenant was not called
	NotSaved       Outcome = "not_saved" // the tenant has what it had before
	OutcomeUnknown Outcome = "unknown"   // the change may have been made
)

// Problem is a problem as the server reports it.
type Problem struct{ Path, Code, Detail string }

// Codes that pages handle separately.
const (
	CodeOffline     = "offline"      // the request got no response of the server, or that of something in between
	CodeConflict    = "conflict"     // the server has another version by now
	CodeNotAllowed  = "not_allowed"  // the person is signed in, but may not use the editor
	CodeRateLimited = "rate_limited" // too many requests by this person, or to the tenant
	CodePageTaken   = "page_taken"   // the name of the page, Client.Tab, belongs to another session
)

func (e *Error) Error() string { return e.Detail }

// CodeOf returns the code of an error of this package, "" for any other error.
func CodeOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// User is the signed-in person, as returned by GET /bff/user.
type User struct {
	Sub, Name, Email string
	Scopes           []string
}

// Can reports whether the user's token has a scope.
func (u User) Can(scope string) bool { return slices.Contains(u.Scopes, scope) }

// User returns the signed-in user. Without a session the error has status 401.
func (c *Client) User(ctx context.Context) (User, error) {
	o, err := c.Object(ctx, "/bff/user")
	if err != nil {
		return User{}, err
	}
	u := User{Sub: o.Text("sub"), Name: o.Text("name"), Email: o.Text("email")}
	if s := o.Text("scopes"); s != "" {
		u.Scopes = strings.Fields(s)
	}
	for _, s := range o.List("scopes") {
		if s, ok := s.(string); ok {
			u.Scopes = append(u.Scopes, s)
		}
	}
	return u, nil
}

// DraftKey is a key that encrypts the drafts of the signed-in person. ID
// identifies it without revealing anything about it.
type DraftKey struct{ ID, Key string }

// DraftKeys returns the keys of the person's drafts: the first encrypts, all
// decrypt.
func (c *Client) DraftKeys(ctx context.Context) ([]DraftKey, error) {
	o, err := c.Object(ctx, "/bff/draft-keys")
	var keys []DraftKey
	for _, v := range o.List("keys") {
		if k, ok := v.(*schema.Object); ok {
			keys = append(keys, DraftKey{k.Text("id"), k.Text("key")})
		}
	}
	return keys, err
}

// SignOut ends the session and returns the address at which the browser ends that
// of the tenant, "" if the tenant has none.
func (c *Client) SignOut(ctx context.Context) (string, error) {
	o, _, err := c.Do(ctx, Request{Method: "POST", Path: "/bff/logout"})
	return o.Text("logout_url"), err
}

// Do sends a request and returns the object in its answer, with the answer itself. An answer without success is an *Error;
// a success whose body is not a JSON object is an error without a code.
func (c *Client) Do(ctx context.Context, r Request) (*schema.Object, Response, error) {
	v, res, err := c.value(ctx, r)
	if err != nil {
		return nil, res, err
	}
	o, ok := v.(*schema.Object)
	if !ok {
		return nil, res, fmt.Errorf("%s %s: the answer is not a JSON object", r.Method, r.Path)
	}
	return o, res, nil
}

func (c *Client) value(ctx context.Context, r Request) (any, Response, error) {
	res, err := c.exchange(ctx, r)
	if err != nil {
		return nil, res, err
	}
	v, ps := schema.DecodeGrown(res.Body)
	if len(ps) > 0 {
		return nil, res, fmt.Errorf("%s %s: read the answer: %w", r.Method, r.Path, ps)
	}
	if len(res.Body) > large {
		pause.Rest() // to read it has taken most of a task
	}
	return v, res, nil
}

// large is the length of an answer, in bytes, that takes a browser some time to read.
const large = 128 << 10

// exchange sends a request and turns every answer but a success of the server into an *Error.
func (c *Client) exchange(ctx context.Context, r Request) (Response, error) {
	limit := readLimit
	if r.Method != "GET" {
		limit = writeLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	h := map[string]string{"X-CSRF": "1", "Accept": "application/json"}
	if r.Body != nil {
		h["Content-Type"] = "application/json"
	}
	if c.Tab != "" && r.Method != "GET" {
		h["X-Tab"] = c.Tab
	}
	maps.Copy(h, r.Header)
	r.Header = h
	res, err := c.fetcher.Fetch(ctx, r)
	if err != nil {
		return res, &Error{Code: CodeOffline, Detail: "the server cannot be reached: " + err.Error()}
	}
	if res.Status < 200 || res.Status >= 300 {
		return res, failure(res)
	}
	if strings.HasPrefix(res.Header("Content-Type"), "text/html") { // the server answers with JSON
		return res, &Error{Code: CodeOffline, Detail: "the network answered with a page in place of the server. It may ask for a sign-in"}
	}
	return res, nil
}

// failure reads a problem+json answer. A proxy may answer in place of the server, or put a page of its own in place of the server's answer; then
// only the status is known.
func failure(res Response) *Error {
	e := &Error{Status: res.Status, Detail: fmt.Sprintf("the server, or a proxy before it, answered with status %d", res.Status)}
	v, _ := schema.Decode(res.Body)
	o, _ := v.(*schema.Object)
	e.Code = o.Text("code")
	if d := o.Text("detail"); d != "" {
		e.Detail = d
	}
	switch {
	case e.Code != "":
	case e.Status == 412:
		e.Code = CodeConflict
	case e.Status > 500:
		e.Code = CodeOffline
	}
	e.Outcome = Outcome(o.Text("outcome"))
	if e.Code == CodeNotAllowed {
		e.Who = cmp.Or(o.Text("email"), o.Text("name"), o.Text("sub"))
	}
	for _, p := range o.List("problems") {
		if p, ok := p.(*schema.Object); ok {
			e.Problems = append(e.Problems, Problem{p.Text("path"), p.Text("code"), p.Text("detail")})
		}
	}
	if s, err := strconv.Atoi(res.Header("Retry-After")); err == nil && s > 0 {
		e.RetryAfter = time.Duration(s) * time.Second
	}
	return e
}
