package management

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Bounds of a password in bytes. NIST SP 800-63B, section 5.1.1.2 asks for 8 at least.
const minPassword, maxPassword = 8, 1024

// How long a one-time link lives: by default five days, as in the vendor's API, a week at most.
const (
	ticketLife    = 5 * 24 * time.Hour
	maxTicketLife = 7 * 24 * time.Hour
)

// userTable is the body of POST /users. connection is taken since the vendor's clients always send it,
// and means nothing here: there is one. A person without a password is invited by a ticket.
func userTable() schema.Table {
	return schema.Table{
		{Name: "email", Spec: schema.String{Min: 3, Max: 320, Format: emailFormat()}, Required: true},
		{Name: "name", Spec: schema.String{Min: 1, Max: 300}},
		{Name: "password", Spec: schema.String{Min: minPassword, Max: maxPassword, Secret: true}},
		{Name: "connection", Spec: schema.String{Max: 128}},
	}
}

// userPatchTable is the body of PATCH /users/{id}.
func userPatchTable() schema.Table {
	return append(optional(userTable()), schema.Row{Name: "blocked", Spec: schema.Bool{}}, schema.Row{Name: "email_verified", Spec: schema.Bool{}})
}

// userBody is a person in an answer.
type userBody struct {
	ID       string `json:"user_id"`
	Email    string `json:"email"`
	Verified bool   `json:"email_verified"` // an administrator vouches for it; false for who signed up alone
	Name     string `json:"name"`
	Blocked  bool   `json:"blocked"`
	Invited  bool   `json:"invited"` // ours: somebody else made the account, and there is no password and no passkey yet
	Created  string `json:"created_at"`
}

func newUserBody(u store.User) userBody {
	return userBody{u.ID, u.Email, !u.Unverified, u.Name, u.Blocked, u.Invited(), u.Created.UTC().Format(timeFormat)}
}

func userBodies(rows []store.User) []userBody {
	list := make([]userBody, len(rows))
	for i, u := range rows {
		list[i] = newUserBody(u)
	}
	return list
}

// users is /users.
func (h *Handler) users() *resource {
	return &resource{
		noun: "user", plural: "users",
		list: map[string]operation{http.MethodGet: {"read", h.listUsers}, http.MethodPost: {"create", h.createUser}},
		one: map[string]operation{
			http.MethodGet: {"read", h.getUser}, http.MethodPatch: {"update", h.patchUser}, http.MethodDelete: {"delete", h.deleteUser},
		},
		sub: map[string]map[string]operation{
			"roles": {
				http.MethodGet: {"read", h.userRoles}, http.MethodPost: {"update", h.addUserRoles}, http.MethodDelete: {"update", h.removeUserRoles},
			},
			"permissions": {
				http.MethodGet: {"read", h.userPermissions}, http.MethodPost: {"update", h.addUserPermissions}, http.MethodDelete: {"update", h.removeUserPermissions},
			},
			// Ours beside /tickets/password-change, so that all about a person lies below the person.
			"tickets": {http.MethodPost: {"create:user_tickets", h.inviteUser}},
			"authentication-methods": {
				http.MethodGet: {"read:" + methodsNoun, h.listMethods}, http.MethodDelete: {"delete:" + methodsNoun, h.takeMethods},
			},
			"authenticators": {http.MethodDelete: {"delete:" + methodsNoun, h.takeSeconds}},
		},
		inner: map[string]map[string]operation{
			"authentication-methods": {
				http.MethodGet: {"read:" + methodsNoun, h.getMethod}, http.MethodDelete: {"delete:" + methodsNoun, h.takeMethod},
			},
		},
	}
}

// tickets is /tickets/password-change.
func (h *Handler) tickets() *resource {
	return &resource{
		noun: "ticket", plural: "tickets", list: map[string]operation{},
		one: map[string]operation{http.MethodPost: {"create:user_tickets", h.passwordTicket}},
	}
}

func (h *Handler) listUsers(c *call) *apiError {
	p, e := readPaging(c.r.URL.Query())
	if e != nil {
		return e
	}
	page, total, err := h.Store.ListUsers(c.r.Context(), p.offset(), p.size)
	if err != nil {
		return h.down(c, "list users", err)
	}
	return answerList(h, c, p, "users", userBodies(page), total)
}

func (h *Handler) answerUser(c *call, status int) *apiError {
	u, err := h.Store.User(c.r.Context(), c.id)
	if err != nil {
		return h.failed(c, err)
	}
	return h.answerJSON(c, status, newUserBody(u))
}

func (h *Handler) getUser(c *call) *apiError { return h.answerUser(c, http.StatusOK) }

// takenBy says who has an address that another was to get. Anybody may sign up with an address that is not
// theirs, so the message says that nobody vouches for it, and what to do.
func (h *Handler) takenBy(ctx context.Context, email string) string {
	const taken = "Another user has this e-mail address"
	if u, err := h.Store.UserByEmail(ctx, email); err == nil && u.Unverified {
		return taken + ", " + u.ID + ", who signed up alone: confirm the address as theirs, or delete that account first"
	}
	return taken
}

func (h *Handler) createUser(c *call) *apiError {
	o, e := fields(c, userTable(), passwordBytes)
	if e != nil {
		return e
	}
	u := newUser(o, h.Now())
	if p := o.Text("password"); p != "" {
		u.PasswordHash = h.HashPassword(p)
	}
	ctx := c.r.Context()
	err := h.change(c, func(a *act) error {
		if err := a.CreateUser(ctx, u); err != nil {
			return err
		}
		return a.mayUser(ctx, u.ID) // preset roles give something, too
	})
	if err != nil {
		return h.refused(c, err, h.takenBy(ctx, u.Email))
	}
	h.audit(c, "created", u.ID)
	c.Header().Set("Location", c.r.URL.EscapedPath()+"/"+u.ID)
	c.id = u.ID
	return h.answerUser(c, http.StatusCreated)
}

// NewUser returns a person as POST /users makes one of a body, without the password. What is wrong with
// the body is the error.
func NewUser(o *schema.Object, now time.Time) (store.User, error) {
	if ps := append(schema.Check(userTable(), o), passwordBytes(o)...); len(ps) > 0 {
		return store.User{}, ps
	}
	return newUser(o, now), nil
}

func newUser(o *schema.Object, now time.Time) store.User {
	u := store.User{ID: newID("user_"), Email: strings.ToLower(o.Text("email")), Name: o.Text("name"), Created: now}
	if u.Name == "" {
		u.Name = u.Email
	}
	return u
}

// NewTicket makes a one-time link's ticket of the default life for a user and returns it in clear.
func NewTicket(userID string, now time.Time) (store.Ticket, string) {
	return newTicket(userID, now, ticketLife)
}

func newTicket(userID string, now time.Time, life time.Duration) (store.Ticket, string) {
	ticket := tokens.NewSecret()
	return store.Ticket{Hash: tokens.Hash(ticket), UserID: userID, Expires: now.Add(life)}, ticket
}

// passwordBytes judges what the table counts in characters and hashing in bytes.
func passwordBytes(o *schema.Object) schema.Problems {
	if len(o.Text("password")) > maxPassword {
		return schema.Problems{fault(schema.CodeLength, "must be at most 1024 bytes", schema.Key("password"))}
	}
	return nil
}

// patchUser changes a person. A new password and blocking sign the person out everywhere; nobody can
// block themselves, since then there may be nobody left to undo it.
func (h *Handler) patchUser(c *call) *apiError {
	o, e := fields(c, userPatchTable(), passwordBytes)
	if e != nil {
		return e
	}
	block := flag(o, "blocked", false)
	if block && c.id == c.person() {
		return notSupported("Nobody can block themselves")
	}
	hash := ""
	if p := o.Text("password"); p != "" {
		hash = h.HashPassword(p) // takes long: not inside of the transaction
	}
	tell := h.signingOut(c)
	var u store.User
	err := h.change(c, func(a *act) (err error) {
		u, err = patchUserRow(c.r.Context(), a, c.id, o, hash)
		return err
	})
	if err != nil {
		return h.refused(c, err, h.takenBy(c.r.Context(), strings.ToLower(o.Text("email"))))
	}
	if hash != "" || block {
		tell()
	}
	if block {
		h.audit(c, "blocked", c.id)
	}
	h.audit(c, "updated", c.id)
	return h.answerJSON(c, http.StatusOK, newUserBody(u))
}

// patchUserRow writes the members of a checked body, and nothing else of the person.
func patchUserRow(ctx context.Context, a *act, id string, o *schema.Object, hash string) (store.User, error) {
	if err := a.mayUser(ctx, id); err != nil {
		return store.User{}, err
	}
	if o.Has("email") || o.Has("name") || o.Has("email_verified") {
		_, err := a.UpdateUser(ctx, id, func(u *store.User) error {
			if o.Has("email") {
				u.Email, u.Unverified = strings.ToLower(o.Text("email")), false // an administrator vouches for it
			}
			u.Unverified = !flag(o, "email_verified", !u.Unverified)
			if o.Has("name") {
				u.Name = o.Text("name")
			}
			return nil
		})
		if err != nil {
			return store.User{}, err
		}
	}
	if hash != "" {
		if err := a.ResetPassword(ctx, id, hash); err != nil {
			return store.User{}, err
		}
	}
	if o.Has("blocked") {
		if err := a.SetBlocked(ctx, id, flag(o, "blocked", false)); err != nil {
			return store.User{}, err
		}
	}
	return a.User(ctx, id)
}

func (h *Handler) deleteUser(c *call) *apiError {
	if c.id == c.person() {
		return notSupported("Nobody can delete themselves")
	}
	tell := h.signingOut(c) // first: which applications to tell goes with the person
	err := h.change(c, func(a *act) error {
		if err := a.mayUser(c.r.Context(), c.id); err != nil {
			return err
		}
		return a.DeleteUser(c.r.Context(), c.id)
	})
	if err != nil {
		return h.failed(c, err)
	}
	tell()
	return h.gone(c)
}

// signingOut returns what lets applications know that the person of a call is signed out everywhere. The
// person is, whether or not they can be notified.
func (h *Handler) signingOut(c *call) func() {
	if h.SigningOut == nil {
		return func() {}
	}
	tell, err := h.SigningOut(c.r.Context(), c.id)
	if err != nil {
		h.Log.LogAttrs(c.r.Context(), slog.LevelError, "store failed", slog.String("action", "find clients to tell"), slog.Any("error", err))
		return func() {}
	}
	return tell
}

// lifeRow is how long a ticket lives, in seconds.
func lifeRow() schema.Row {
	return schema.Row{Name: "ttl_sec", Spec: schema.Numeric{Min: "60", Max: schema.IntNumber(int(maxTicketLife / time.Second)), Integer: true}}
}

func ticketTable() schema.Table {
	return schema.Table{
		{Name: "user_id", Spec: schema.String{Min: 1, Max: 30}},
		{Name: "email", Spec: schema.String{Min: 3, Max: 320, Format: emailFormat()}},
		{Name: "connection_id", Spec: schema.String{Max: 128}}, // the vendor's clients send it with email; there is one
		lifeRow(),
	}
}

// passwordTicket is POST /tickets/password-change: a one-time link for the user of user_id or email.
func (h *Handler) passwordTicket(c *call) *apiError {
	if c.id != "password-change" {
		return &apiError{status: http.StatusNotFound, code: "not_found", message: "There is nothing at this path"}
	}
	o, e := fields(c, ticketTable(), func(o *schema.Object) schema.Problems {
		if o.Has("user_id") == o.Has("email") {
			return schema.Problems{fault(schema.CodeOneOf, "must hold either user_id or email")}
		}
		return nil
	})
	if e != nil {
		return e
	}
	return h.issueTicket(c, o, func(ctx context.Context, a *act) (store.User, error) {
		if o.Has("email") {
			return a.UserByEmail(ctx, strings.ToLower(o.Text("email")))
		}
		return a.User(ctx, o.Text("user_id"))
	})
}

// inviteUser is POST /users/{id}/tickets.
func (h *Handler) inviteUser(c *call) *apiError {
	o, e := fields(c, schema.Table{lifeRow()}, nil)
	if e != nil {
		return e
	}
	return h.issueTicket(c, o, func(ctx context.Context, a *act) (store.User, error) { return a.User(ctx, c.id) })
}

// issueTicket makes a one-time link for the person that find returns.
func (h *Handler) issueTicket(c *call, o *schema.Object, find func(context.Context, *act) (store.User, error)) *apiError {
	life := ticketLife
	if v, ok := o.Get("ttl_sec"); ok {
		if n, ok := v.(schema.Number); ok {
			seconds, _ := n.Int() // the table asks for one
			life = time.Duration(seconds) * time.Second
		}
	}
	row, ticket := newTicket("", h.Now(), life)
	ctx := c.r.Context()
	err := h.change(c, func(a *act) error {
		u, err := find(ctx, a)
		switch {
		case err != nil:
			return err
		case u.Blocked:
			return conflict("The user is blocked")
		}
		if err := a.mayUser(ctx, u.ID); err != nil {
			return err
		}
		row.UserID = u.ID
		return a.CreateTicket(ctx, row, h.Now())
	})
	if errors.Is(err, store.ErrNotFound) {
		return &apiError{status: http.StatusNotFound, code: "inexistent_user", message: "User not found"}
	}
	if err != nil {
		return h.failed(c, err)
	}
	h.audit(c, "created", row.UserID)
	return h.answerJSON(c, http.StatusCreated, map[string]string{"ticket": h.TicketURL(ticket)})
}
