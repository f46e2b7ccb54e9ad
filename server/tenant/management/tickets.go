package management

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// How long a one-time link is valid: five days by default, as in the vendor's API, and a week at most.
const (
	ticketLife    = 5 * 24 * time.Hour
	maxTicketLife = 7 * 24 * time.Hour
)

// tickets creates the one-time links with which people set a password.
type tickets struct{ resource }

func newTickets(h *Handler) tickets { return tickets{resource{h, "ticket", "/tickets"}} }

// routes adds a route of ours to the vendor's: everything about a person is below the person.
func (t tickets) routes() api.Routes {
	op := func(do func(*api.Call) *api.Error) map[string]api.Operation {
		return map[string]api.Operation{http.MethodPost: {Scope: "create:user_tickets", Do: do}}
	}
	return api.Routes{t.path + "/password-change": op(t.forAnybody), "/users/{id}/tickets": op(t.forUser)}
}

// NewTicket makes the ticket of a one-time link with the default lifetime for a user and returns it in clear.
func NewTicket(userID string, now time.Time) (store.Ticket, string) {
	return newTicket(userID, now, ticketLife)
}

func newTicket(userID string, now time.Time, life time.Duration) (store.Ticket, string) {
	ticket := tokens.NewSecret()
	return store.Ticket{Hash: tokens.Hash(ticket), UserID: userID, Expires: now.Add(life)}, ticket
}

// lifeRow is the lifetime of a ticket, in seconds.
func lifeRow() schema.Row {
	return schema.Row{Name: "ttl_sec", Spec: schema.Numeric{Min: "60", Max: schema.IntNumber(int(maxTicketLife / time.Second)), Integer: true}}
}

func ticketTable() schema.Table {
	return schema.Table{
		{Name: "user_id", Spec: schema.String{Min: 1, Max: 30}},
		{Name: "email", Spec: schema.String{Min: 3, Max: 320, Format: emailFormat()}},
		{Name: "connection_id", Spec: schema.String{Max: 128}}, // the vendor's clients send it with email; there is only one
		lifeRow(),
	}
}

// forAnybody is POST /tickets/password-change: a one-time link for the user of user_id or email.
func (t tickets) forAnybody(c *api.Call) *api.Error {
	o, e := c.Fields(ticketTable(), func(o *schema.Object) schema.Problems {
		if o.Has("user_id") == o.Has("email") {
			return schema.Problems{api.Fault(schema.CodeOneOf, "must hold either user_id or email")}
		}
		return nil
	})
	if e != nil {
		return e
	}
	return t.issue(c, o, func(ctx context.Context, a *act) (store.User, error) {
		if o.Has("email") {
			return a.UserByEmail(ctx, strings.ToLower(o.Text("email")))
		}
		return a.User(ctx, o.Text("user_id"))
	})
}

// forUser is POST /users/{id}/tickets.
func (t tickets) forUser(c *api.Call) *api.Error {
	o, e := c.Fields(schema.Table{lifeRow()}, nil)
	if e != nil {
		return e
	}
	return t.issue(c, o, func(ctx context.Context, a *act) (store.User, error) { return a.User(ctx, c.ID()) })
}

// issue makes a one-time link for the person that find returns.
func (t tickets) issue(c *api.Call, o *schema.Object, find func(context.Context, *act) (store.User, error)) *api.Error {
	life := ticketLife
	if v, ok := o.Get("ttl_sec"); ok {
		if n, ok := v.(schema.Number); ok {
			seconds, _ := n.Int() // the table requires a whole number
			life = time.Duration(seconds) * time.Second
		}
	}
	row, ticket := newTicket("", t.h.Now(), life)
	ctx := c.Context()
	err := t.h.change(c, func(a *act) error {
		u, err := find(ctx, a)
		switch {
		case err != nil:
			return err
		case u.Blocked:
			return api.Conflict("The user is blocked")
		}
		if err := a.mayUser(ctx, u.ID); err != nil {
			return err
		}
		row.UserID = u.ID
		return a.CreateTicket(ctx, row, t.h.Now())
	})
	if errors.Is(err, store.ErrNotFound) {
		return &api.Error{Status: http.StatusNotFound, Code: "inexistent_user", Message: "User not found"}
	}
	if err != nil {
		return t.failed(c, err)
	}
	resource{t.h, "user", "/users"}.audit(c, "ticket created", row.UserID, "")
	return c.JSON(http.StatusCreated, map[string]string{"ticket": t.h.TicketURL(ticket)})
}
