package account

import (
	"errors"
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// consent is the wire form of an application's permission to act for a person. Its ID is that of the client.
type consent struct {
	ID     string          `json:"id"`
	Name   string          `json:"client_name"`
	Since  string          `json:"created_at"`
	Grants []consentGrants `json:"grants"`
}

// consentGrants is the wire form of the scopes of one API.
type consentGrants struct {
	Audience string   `json:"audience"`
	Scopes   []string `json:"scopes"`
}

// consents implements the operations on the applications that may act for a person.
type consents struct{ h *Handler }

// all returns one entry for each client that has a live authorization or a consent of the person. It includes clients that belong to the
// tenant and need no consent, since they act for the person too.
func (k *consents) all(c *api.Call) ([]consent, *api.Error) {
	as, err := k.h.Store.Authorizations(c.Context(), c.User.ID, k.h.Now())
	if err != nil {
		return nil, c.Down("list authorizations", err)
	}
	out := []consent{}
	for _, a := range as {
		i := slices.IndexFunc(out, func(x consent) bool { return x.ID == a.ClientID })
		if i < 0 {
			client, err := k.h.Store.Client(c.Context(), a.ClientID)
			if errors.Is(err, store.ErrNotFound) {
				continue // deleted meanwhile
			}
			if err != nil {
				return nil, c.Down("read client", err)
			}
			i, out = len(out), append(out, consent{ID: a.ClientID, Name: client.Name, Since: stamp(a.Since)})
		}
		found := &out[i]
		found.Since = min(found.Since, stamp(a.Since)) // dates in one format sort as text
		found.Grants = append(found.Grants, consentGrants{a.Audience, append([]string{}, a.Scope...)})
	}
	return out, nil
}

// list is GET /consents.
func (k *consents) list(c *api.Call) *api.Error {
	out, e := k.all(c)
	if e != nil {
		return e
	}
	return c.JSON(http.StatusOK, map[string]any{"consents": out})
}

// get is GET /consents/{id}.
func (k *consents) get(c *api.Call) *api.Error {
	out, e := k.all(c)
	if e != nil {
		return e
	}
	i := slices.IndexFunc(out, func(x consent) bool { return x.ID == c.ID() })
	if i < 0 {
		return api.NotFound()
	}
	return c.JSON(http.StatusOK, out[i])
}

// delete is DELETE /consents/{id}: it revokes the application's refresh tokens for this person, and the application must ask again.
func (k *consents) delete(c *api.Call) *api.Error {
	err := k.h.Store.EndAuthorizations(c.Context(), c.User.ID, c.ID())
	if errors.Is(err, store.ErrNotFound) {
		return api.NotFound()
	}
	if err != nil {
		return c.Down("end authorizations", err)
	}
	k.h.audit(c, "consent_deleted", "consent", c.ID(), "")
	return c.Done(http.StatusNoContent)
}
