package management

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/store"
)

// eventBody is one line of the sign-in log, in the vendor's shape.
type eventBody struct {
	ID          string `json:"log_id"`
	SameID      string `json:"_id"` // the vendor has it twice
	Date        string `json:"date"`
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
	ClientID    string `json:"client_id,omitempty"`
	ClientName  string `json:"client_name,omitempty"` // of today; empty when it is deleted
	UserID      string `json:"user_id,omitempty"`
	UserName    string `json:"user_name,omitempty"` // as ClientName
	IP          string `json:"ip"`
	Audience    string `json:"audience,omitempty"`
	Scope       string `json:"scope,omitempty"`
}

// logs is /logs.
func (h *Handler) logs() *resource {
	return &resource{
		noun: "log", plural: "logs", list: map[string]operation{http.MethodGet: {"read", h.listEvents}},
		one: map[string]operation{http.MethodGet: {"read", h.getEvent}},
	}
}

// eventBodies names the people and clients of events.
func (h *Handler) eventBodies(c *call, rows ...store.Event) ([]eventBody, error) {
	users, clients := map[string]string{"": ""}, map[string]string{"": ""}
	list := make([]eventBody, len(rows))
	for i, e := range rows {
		if _, ok := users[e.UserID]; !ok {
			u, err := h.Store.User(c.r.Context(), e.UserID)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return nil, err
			}
			users[e.UserID] = u.Email
		}
		if _, ok := clients[e.ClientID]; !ok {
			row, err := h.Store.Client(c.r.Context(), e.ClientID)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return nil, err
			}
			clients[e.ClientID] = row.Name
		}
		list[i] = eventBody{
			ID: e.ID, SameID: e.ID, Date: e.At.UTC().Format(timeFormat), Type: e.Type, Description: e.Description,
			ClientID: e.ClientID, ClientName: clients[e.ClientID], UserID: e.UserID, UserName: users[e.UserID],
			IP: e.Address, Audience: e.Audience, Scope: strings.Join(e.Scope, " "),
		}
	}
	return list, nil
}

// listEvents answers a page, newest first, of one type, user or client when the query names it.
func (h *Handler) listEvents(c *call) *apiError {
	q := c.r.URL.Query()
	p, e := readPaging(q)
	if e != nil {
		return e
	}
	f := store.EventFilter{Type: q.Get("type"), UserID: q.Get("user_id"), ClientID: q.Get("client_id")}
	page, total, err := h.Store.ListEvents(c.r.Context(), f, p.offset(), p.size)
	if err != nil {
		return h.down(c, "list events", err)
	}
	list, err := h.eventBodies(c, page...)
	if err != nil {
		return h.down(c, "name people of events", err)
	}
	return answerList(h, c, p, "logs", list, total)
}

func (h *Handler) getEvent(c *call) *apiError {
	e, err := h.Store.Event(c.r.Context(), c.id)
	if err != nil {
		return h.failed(c, err)
	}
	list, err := h.eventBodies(c, e)
	if err != nil {
		return h.down(c, "name people of events", err)
	}
	return h.answerJSON(c, http.StatusOK, list[0])
}

// record keeps one line of the log about what a call did. What cannot be kept goes to the operator's log.
func (h *Handler) record(c *call, e store.Event) {
	e.At, e.ClientID, e.Address = h.Now(), c.token.ClientID, clientip.Of(c.r)
	ctx := context.WithoutCancel(c.r.Context())
	if err := h.Store.AddEvent(ctx, e); err != nil {
		h.Log.LogAttrs(ctx, slog.LevelError, "store failed", slog.String("action", "keep event"), slog.Any("error", err))
	}
}
