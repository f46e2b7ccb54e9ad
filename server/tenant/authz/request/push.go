package request

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// requestPrefix begins every request_uri of this server. The secret follows. RFC 9126, section 2.2.
const requestPrefix = "urn:ietf:params:oauth:request_uri:"

// pushedLife is how long a pushed request waits for its browser, which comes at once. RFC 9126, section 2.2 suggests 5 to 600 seconds.
const pushedLife = 90 * time.Second

// PushRate and PushBurst are how many requests a network may push for a public client, per second and at once. Each is stored until it
// expires, and one network must stay far below the number that is stored for a client.
const PushRate, PushBurst = 2, 20

// pushed is the answer to a pushed request.
type pushed struct {
	RequestURI string `json:"request_uri"`
	ExpiresIn  int    `json:"expires_in"` // seconds
}

// Push is POST /oauth/par: a client pushes its authorization request, so that no browser and no other site can change or
// read it. The request is checked now, and again when the browser names it. RFC 9126, section 2. A proof binds the code
// to its key. RFC 9449, section 10.1.
func (rs *Requests) Push(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	c, p, ok := rs.Clients.Request(w, r)
	if !ok {
		return
	}
	if c.Public && !oauth.Allow(w, rs.Pushes.Take(r.Context(), rs.Clients.Key(r, c))) {
		return
	}
	a, e := rs.keep(w, r, c, p)
	if e != nil {
		rs.Journal.Warn(r.Context(), "request refused",
			slog.String("client", c.ID), slog.String("error", e.Code), slog.String("why", e.Description))
		// An error that is sent by redirect elsewhere has no status.
		if e.Status != http.StatusServiceUnavailable {
			e = oauth.NewError(http.StatusBadRequest, e.Code, e.Description)
		}
		oauth.WriteError(w, e)
		return
	}
	oauth.WriteJSON(w, http.StatusCreated, a)
}

// keep checks and stores a request.
func (rs *Requests) keep(w http.ResponseWriter, r *http.Request, c store.Client, p oauth.Params) (*pushed, *oauth.Error) {
	if _, ok := p["request_uri"]; ok {
		return nil, oauth.InvalidRequest("a pushed request must not have a request_uri")
	}
	key, e := rs.Clients.ProofKey(w, r)
	if e != nil {
		return nil, e
	}
	delete(p, "client_secret")
	p["client_id"] = c.ID
	if key != "" {
		if asked := p["dpop_jkt"]; asked != "" && asked != key {
			return nil, oauth.InvalidProof("dpop_jkt is not the key of the proof")
		}
		p["dpop_jkt"] = key
	}
	if _, f := rs.check(r.Context(), p); f != nil {
		return nil, f.Err
	}
	query := p.Encode()
	if len(query) > MaxQuery {
		return nil, oauth.InvalidRequest("the request is too long")
	}
	secret := tokens.NewSecret()
	now := rs.Now()
	err := rs.Store.CreateRequest(r.Context(), store.PushedRequest{
		Hash: tokens.Hash(secret), ClientID: c.ID, Query: query, Expires: now.Add(pushedLife),
	}, now)
	if err != nil {
		return nil, rs.Journal.Unavailable(r.Context(), "create request", err)
	}
	return &pushed{RequestURI: requestPrefix + secret, ExpiresIn: int(pushedLife / time.Second)}, nil
}

// errPushed is the single text for a request_uri that cannot be used.
const errPushed = "the pushed request is unknown, expired, or used"

// Open uses up the pushed request that a query names, if it names one. Its pages then live as long as others.
func (rs *Requests) Open(ctx context.Context, query string) *Refusal {
	p, e := oauth.FormParams(query)
	if e != nil || p["request_uri"] == "" {
		return nil // Parse reports the fault
	}
	secret, ok := strings.CutPrefix(p["request_uri"], requestPrefix)
	if !ok {
		return nil
	}
	now := rs.Now()
	_, err := rs.Store.OpenRequest(ctx, tokens.Hash(secret), now, now.Add(2*browser.PageLife+factor.Life)) // sign-in, code and consent
	if errors.Is(err, store.ErrNotFound) {
		return &Refusal{Err: oauth.InvalidRequest(errPushed)}
	}
	if err != nil {
		return &Refusal{Err: rs.Journal.Unavailable(ctx, "open request", err)}
	}
	return nil
}

// ahead returns the parameters of the opened request that p names, in place of all others in p. RFC 9126, section 4.
func (rs *Requests) ahead(ctx context.Context, p oauth.Params) (oauth.Params, *oauth.Error) {
	secret, ok := strings.CutPrefix(p["request_uri"], requestPrefix)
	if !ok {
		return nil, oauth.InvalidRequest("request_uri must name a pushed request")
	}
	row, err := rs.Store.Request(ctx, tokens.Hash(secret), rs.Now())
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, rs.Journal.Unavailable(ctx, "read request", err)
	}
	if err != nil || row.ClientID != p["client_id"] {
		return nil, oauth.InvalidRequest(errPushed)
	}
	return oauth.FormParams(row.Query)
}

// answered removes a pushed request that has led to a code or a refusal. A failure does no harm, since the request expires.
func (rs *Requests) answered(ctx context.Context, q *Request) {
	if q.pushed == "" {
		return
	}
	if err := rs.Store.DeleteRequest(ctx, tokens.Hash(q.pushed)); err != nil {
		rs.Journal.Down(ctx, "delete request", err)
	}
}
