package management

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// fieldPassword is the member of a body that holds a new password.
const fieldPassword = "password"

// userTable is the body of POST /users. connection is accepted because the vendor's clients always send it, and ignored, since there is
// only one. A person without a password is invited by a ticket.
func userTable() schema.Table {
	return schema.Table{
		{Name: "email", Spec: schema.String{Min: 3, Max: 320, Format: emailFormat()}, Required: true},
		{Name: "name", Spec: schema.String{Min: 1, Max: 300}},
		api.PasswordRow(fieldPassword),
		{Name: "connection", Spec: schema.String{Max: 128}},
	}
}

// userPatchTable is the body of PATCH /users/{id}.
func userPatchTable() schema.Table {
	return append(optional(userTable()), schema.Row{Name: "blocked", Spec: schema.Bool{}},
		schema.Row{Name: "email_verified", Spec: schema.Bool{}})
}

// userBody is a person in an answer.
type userBody struct {
	ID       string `json:"user_id"`
	Email    string `json:"email"`
	Verified bool   `json:"email_verified"` // confirmed by an administrator; false for people who signed up themselves
	Name     string `json:"name"`
	Blocked  bool   `json:"blocked"`
	Invited  bool   `json:"invited"` // ours: somebody else created the account, and it has neither a password nor a passkey yet
	Created  string `json:"created_at"`
}

func newUserBody(u store.User) userBody {
	return userBody{u.ID, u.Email, !u.Unverified, u.Name, u.Blocked, u.Invited(), api.Time(u.Created)}
}

// users implements /users, including the roles and the permissions of people.
type users struct {
	*rows[store.User, userBody]
}

func newUsers(h *Handler) users {
	u := users{&rows[store.User, userBody]{
		resource: resource{h, "user", "/users"},
		bodies:   each(newUserBody),
		list:     h.Store.ListUsers, get: h.Store.User,
		words: true,
		table: userTable(), check: api.PasswordBytes(fieldPassword),
		id: func(u store.User) string { return u.ID },
	}}
	u.create, u.taken = u.make, u.takenBy
	return u
}

func (u users) routes() api.Routes {
	routes, one := u.rows.routes(), u.path+"/{id}"
	routes[one][http.MethodPatch], routes[one][http.MethodDelete] = u.op("update", u.change), u.op("delete", u.drop)
	routes[one+"/permissions"] = permissions{
		u.resource, u.exists,
		u.h.Store.UserPermissions,
		func(ctx context.Context, a *act, id string, add, remove []store.Permission) error {
			return a.ChangeUserPermissions(ctx, id, add, remove)
		},
	}.operations()
	routes[one+"/roles"] = map[string]api.Operation{
		http.MethodGet: u.op("read", u.roles), http.MethodPost: u.op("update", u.addRoles), http.MethodDelete: u.op("update", u.removeRoles),
	}
	return routes
}

// exists returns store.ErrNotFound for a person who does not exist.
func (users) exists(ctx context.Context, rows store.Access, id string) error {
	_, err := rows.User(ctx, id)
	return err
}

// takenBy returns the message for an address that a person already has. Anybody may sign up with an address that is not theirs, so if the
// address is not confirmed, the message says so and gives advice.
func (u users) takenBy(ctx context.Context, o *schema.Object) string {
	const taken = "Another user has this e-mail address"
	if other, err := u.h.Store.UserByEmail(ctx, strings.ToLower(o.Text("email"))); err == nil && other.Unverified {
		return taken + ", " + other.ID + ", who signed up with it but was never confirmed: confirm the address, or delete that account first"
	}
	return taken
}

func (u users) make(ctx context.Context, o *schema.Object) func(*act) (store.User, error) {
	row := newUser(o, u.h.Now())
	if p := o.Text(fieldPassword); p != "" {
		row.PasswordHash = u.h.HashPassword(p)
	}
	return func(a *act) (store.User, error) {
		if err := a.CreateUser(ctx, row); err != nil {
			return row, err
		}
		return row, a.mayUser(ctx, row.ID) // preset roles give permissions too
	}
}

// NewUser returns the person that POST /users creates from a body, without the password. The error describes the faults of the body.
func NewUser(o *schema.Object, now time.Time) (store.User, error) {
	if ps := append(schema.Check(userTable(), o), api.PasswordBytes(fieldPassword)(o)...); len(ps) > 0 {
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

// change changes a person. A new password or a block signs the person out everywhere. People cannot block themselves, since there might be
// nobody left to undo it.
func (u users) change(c *api.Call) *api.Error {
	o, e := c.Fields(userPatchTable(), api.PasswordBytes(fieldPassword))
	if e != nil {
		return e
	}
	block := flag(o, "blocked", false)
	if block && c.ID() == c.Person() {
		return notSupported("Nobody can block themselves")
	}
	hash := ""
	if p := o.Text(fieldPassword); p != "" {
		hash = u.h.HashPassword(p) // slow, so not inside the transaction
	}
	notify := u.signingOut(c)
	var row store.User
	err := u.h.change(c, func(a *act) (err error) {
		row, err = patchUserRow(c.Context(), a, c.ID(), o, hash)
		return err
	})
	if err != nil {
		return u.refused(c, o, err)
	}
	if hash != "" || block {
		notify()
	}
	if block {
		u.audit(c, "blocked", c.ID(), "")
	}
	u.audit(c, "changed", c.ID(), keysOf(o))
	return u.answer(c, http.StatusOK, row)
}

// patchUserRow writes the members of a checked body and changes nothing else of the person.
func patchUserRow(ctx context.Context, a *act, id string, o *schema.Object, hash string) (store.User, error) {
	if err := a.mayUser(ctx, id); err != nil {
		return store.User{}, err
	}
	if o.Has("email") || o.Has("name") || o.Has("email_verified") {
		_, err := a.UpdateUser(ctx, id, func(u *store.User) error {
			if o.Has("email") {
				u.Email, u.Unverified = strings.ToLower(o.Text("email")), false // an administrator confirms it
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

func (u users) drop(c *api.Call) *api.Error {
	if c.ID() == c.Person() {
		return notSupported("Nobody can delete themselves")
	}
	notify := u.signingOut(c) // before the deletion: it needs the person to find the applications
	err := u.h.change(c, func(a *act) error {
		if err := a.mayUser(c.Context(), c.ID()); err != nil {
			return err
		}
		return a.DeleteUser(c.Context(), c.ID())
	})
	if err != nil {
		return u.failed(c, err)
	}
	notify()
	return u.gone(c)
}

// signingOut returns a function that notifies applications that the person of a call has been signed out everywhere. The person is signed
// out whether or not that succeeds.
func (u users) signingOut(c *api.Call) func() {
	if u.h.SigningOut == nil {
		return func() {}
	}
	notify, err := u.h.SigningOut(c.Context(), c.ID())
	if err != nil {
		u.h.Log.LogAttrs(c.Context(), slog.LevelError, "store failed", slog.String("action", "find clients to notify"), slog.Any("error", err))
		return func() {}
	}
	return notify
}

// roles is GET /users/{id}/roles.
func (u users) roles(c *api.Call) *api.Error {
	p, e := readPaging(c.Request.URL.Query())
	if e != nil {
		return e
	}
	if err := u.exists(c.Context(), u.h.Store, c.ID()); err != nil {
		return u.failed(c, err)
	}
	held, err := u.h.Store.UserRoles(c.Context(), c.ID())
	if err != nil {
		return c.Down("list roles of user", err)
	}
	return answerList(c, p, "roles", bodiesOf(window(held, p), newRoleBody), len(held))
}

func (u users) addRoles(c *api.Call) *api.Error {
	return u.changeHolders(c, holders{key: "roles", exists: u.exists, did: "roles added", status: http.StatusNoContent},
		func(a *act, ids []string) error {
			return a.give(c.Context(), "roles", []string{c.ID()}, ids)
		})
}

func (u users) removeRoles(c *api.Call) *api.Error {
	return u.changeHolders(c, holders{key: "roles", exists: u.exists, did: "roles removed", status: http.StatusNoContent},
		func(a *act, ids []string) error {
			if err := a.mayRoles(c.Context(), ids...); err != nil {
				return err
			}
			return a.RemoveRoles(c.Context(), c.ID(), ids)
		})
}
