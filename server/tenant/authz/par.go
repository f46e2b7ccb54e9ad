package authz

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

// requestPrefix begins every request_uri of this server; what follows is the secret. RFC 9126, section 2.2.
const requestPrefix = "urn:ietf:params:oauth:request_uri:"

// pushedLife is how long a request waits for its browser, which comes at once. RFC 9126, section 2.2
// names 5 to 600 seconds.
const pushedLife = 90 * time.Second

// How many requests a network may push for a public client, a second and at once: each is kept until it expires, and
// one network must stay far below what is kept for a client.
const pushRate, pushBurst = 2, 20

// pushed is the answer to a request that was sent ahead.
type pushed struct {
	RequestURI string `json:"request_uri"`
	ExpiresIn  int    `json:"expires_in"` // seconds
}

// push is POST /oauth/par: a client sends its authorization request ahead, so that no browser and no
// other site can change or read it. It is checked now and once more when the browser comes with its
// name. RFC 9126, section 2; a proof binds the code to its key, RFC 9449, section 10.1.
func (h *Handler) push(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	c, p, ok := h.clients.Request(w, r)
	if !ok {
		return
	}
	if c.Public && !oauth.Allow(w, h.pushes.Take(h.clients.Key(r, c))) {
		return
	}
	a, e := h.keepPushed(w, r, c, p)
	if e != nil {
		h.journal.Warn(r.Context(), "request refused", slog.String("client", c.ID), slog.String("error", e.Code), slog.String("why", e.Description))
		// An error that is told by redirect elsewhere has no status of its own.
		if e.Status != http.StatusServiceUnavailable {
			e = oauth.NewError(http.StatusBadRequest, e.Code, e.Description)
		}
		oauth.WriteError(w, e)
		return
	}
	oauth.WriteJSON(w, http.StatusCreated, a)
}

func (h *Handler) keepPushed(w http.ResponseWriter, r *http.Request, c store.Client, p oauth.Params) (*pushed, *oauth.Error) {
	if _, ok := p["request_uri"]; ok {
		return nil, oauth.InvalidRequest("a request that is sent ahead names no other")
	}
	key, e := h.clients.ProofKey(w, r)
	if e != nil {
		return nil, e
	}
	delete(p, "client_secret")
	p["client_id"] = c.ID
	if key != "" {
		if asked := p["dpop_jkt"]; asked != "" && asked != key {
			return nil, oauth.InvalidProof("dpop_jkt is another key than that of the proof")
		}
		p["dpop_jkt"] = key
	}
	if _, f := h.check(r.Context(), p); f != nil {
		return nil, f.err
	}
	query := p.Encode()
	if len(query) > maxQuery {
		return nil, oauth.InvalidRequest("the request is too long")
	}
	secret := tokens.NewSecret()
	now := h.Now()
	err := h.Store.CreateRequest(r.Context(), store.PushedRequest{
		Hash: tokens.Hash(secret), ClientID: c.ID, Query: query, Expires: now.Add(pushedLife),
	}, now)
	if err != nil {
		return nil, h.journal.Unavailable(r.Context(), "create request", err)
	}
	return &pushed{RequestURI: requestPrefix + secret, ExpiresIn: int(pushedLife / time.Second)}, nil
}

// errPushed is the one text for a request_uri that leads nowhere.
const errPushed = "the pushed request is unknown, expired, or used"

// openPushed uses up the pushed request that a query names, if it names one. Its pages may take as long as others.
func (h *Handler) openPushed(ctx context.Context, query string) *refusal {
	p, e := oauth.FormParams(query)
	if e != nil || p["request_uri"] == "" {
		return nil // parseRequest tells what is wrong
	}
	secret, ok := strings.CutPrefix(p["request_uri"], requestPrefix)
	if !ok {
		return nil
	}
	now := h.Now()
	_, err := h.Store.OpenRequest(ctx, tokens.Hash(secret), now, now.Add(2*browser.PageLife+factor.Life)) // sign-in, code and consent
	if errors.Is(err, store.ErrNotFound) {
		return &refusal{err: oauth.InvalidRequest(errPushed)}
	}
	if err != nil {
		return &refusal{err: h.journal.Unavailable(ctx, "open request", err)}
	}
	return nil
}

// ahead returns the parameters of the opened request that p names, in place of whatever else p says.
// RFC 9126, section 4.
func (h *Handler) ahead(ctx context.Context, p oauth.Params) (oauth.Params, *oauth.Error) {
	secret, ok := strings.CutPrefix(p["request_uri"], requestPrefix)
	if !ok {
		return nil, oauth.InvalidRequest("only requests that were sent ahead have a request_uri")
	}
	row, err := h.Store.Request(ctx, tokens.Hash(secret), h.Now())
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, h.journal.Unavailable(ctx, "read request", err)
	}
	if err != nil || row.ClientID != p["client_id"] {
		return nil, oauth.InvalidRequest(errPushed)
	}
	return oauth.FormParams(row.Query)
}

// answered forgets a request that was sent ahead once it has led to a code or a refusal. A failure
// costs nothing: its pages end by themselves.
func (h *Handler) answered(ctx context.Context, q *request) {
	if q.pushed == "" {
		return
	}
	if err := h.Store.DeleteRequest(ctx, tokens.Hash(q.pushed)); err != nil {
		h.journal.Down(ctx, "delete request", err)
	}
}
