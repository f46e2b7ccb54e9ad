package management

import (
	"context"
	"strings"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// eventBody is one line of the sign-in log, in the vendor's shape.
type eventBody struct {
	ID          string `json:"log_id"`
	SameID      string `json:"_id"` // the vendor's shape has it twice
	Date        string `json:"date"`
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
	ClientID    string `json:"client_id,omitempty"`
	ClientName  string `json:"client_name,omitempty"` // the current name; empty for a deleted client
	UserID      string `json:"user_id,omitempty"`
	UserName    string `json:"user_name,omitempty"` // the current name; empty for a deleted user
	IP          string `json:"ip"`
	Audience    string `json:"audience,omitempty"`
	Scope       string `json:"scope,omitempty"`
}

// newLogs describes /logs, the sign-in log, newest first.
func newLogs(h *Handler) *rows[store.Event, eventBody] {
	l := logs{h}
	return &rows[store.Event, eventBody]{
		resource: resource{h, "log", "/logs"},
		bodies:   l.bodies, narrow: l.narrow, words: true, array: true,
		get: h.Store.Event,
	}
}

// logs reads the sign-in log.
type logs struct{ h *Handler }

// bodies adds the names of people and clients to events.
func (l logs) bodies(c *api.Call, rows []store.Event) ([]eventBody, error) {
	users, clients := map[string]store.User{"": {}}, map[string]store.Client{"": {}}
	list := make([]eventBody, len(rows))
	for i, e := range rows {
		user, err := once(c.Context(), users, e.UserID, l.h.Store.User)
		if err != nil {
			return nil, err
		}
		client, err := once(c.Context(), clients, e.ClientID, l.h.Store.Client)
		if err != nil {
			return nil, err
		}
		list[i] = eventBody{
			ID: e.ID, SameID: e.ID, Date: api.Time(e.At), Type: e.Type, Description: e.Description,
			ClientID: e.ClientID, ClientName: client.Name, UserID: e.UserID, UserName: user.Email,
			IP: e.Address, Audience: e.Audience, Scope: strings.Join(e.Scope, " "),
		}
	}
	return list, nil
}

// narrow selects the events of one type, user or client if the query names it.
func (l logs) narrow(c *api.Call) lister[store.Event] {
	q := c.Request.URL.Query()
	return func(ctx context.Context, f store.Find, offset, limit int) ([]store.Event, int, error) {
		filter := store.EventFilter{Find: f, Type: q.Get("type"), UserID: q.Get("user_id"), ClientID: q.Get("client_id")}
		return l.h.Store.ListEvents(ctx, filter, offset, limit)
	}
}
