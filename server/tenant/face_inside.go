package tenant

import (
	"context"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// inside is the part of rows that a transaction has. Each method of store.Access stands here, so that one which is
// added does not compile until somebody decides whether both faces share what it reaches.
type inside struct {
	access store.Access
	face   access.Face
}

var _ store.Access = inside{}

// The clients are those of the tenant, whatever its address.

func (i inside) Client(ctx context.Context, id string) (store.Client, error) {
	return i.access.Client(ctx, id)
}

func (i inside) ClientGrant(ctx context.Context, clientID, apiID string, subject store.SubjectType) ([]string, error) {
	return i.access.ClientGrant(ctx, clientID, apiID, subject)
}

func (i inside) ClientGrantByID(ctx context.Context, id string) (store.ClientGrant, error) {
	return i.access.ClientGrantByID(ctx, id)
}

func (i inside) CreateClient(ctx context.Context, c store.Client) error {
	return i.access.CreateClient(ctx, c)
}

func (i inside) CreateClientGrant(ctx context.Context, g store.ClientGrant) (store.ClientGrant, error) {
	return i.access.CreateClientGrant(ctx, g)
}

func (i inside) DeleteClient(ctx context.Context, id string) error {
	return i.access.DeleteClient(ctx, id)
}

func (i inside) DeleteClientGrant(ctx context.Context, id string) error {
	return i.access.DeleteClientGrant(ctx, id)
}

func (i inside) ListClientGrants(ctx context.Context, f store.GrantFilter, offset, limit int) (page []store.ClientGrant, total int,
	err error,
) {
	return i.access.ListClientGrants(ctx, f, offset, limit)
}

func (i inside) ListClients(ctx context.Context, f store.Find, offset, limit int) (page []store.Client, total int, err error) {
	return i.access.ListClients(ctx, f, offset, limit)
}

func (i inside) OriginListed(ctx context.Context, origin string) (bool, error) {
	return i.access.OriginListed(ctx, origin)
}

func (i inside) SetClientGlobal(ctx context.Context, id string, global bool) error {
	return i.access.SetClientGlobal(ctx, id, global)
}

func (i inside) SetClientSecret(ctx context.Context, id string, hash []byte, since time.Time) error {
	return i.access.SetClientSecret(ctx, id, hash, since)
}

func (i inside) UpdateClient(ctx context.Context, id string, change func(*store.Client) error) (store.Client, error) {
	return i.access.UpdateClient(ctx, id, change)
}

func (i inside) UpdateClientGrant(ctx context.Context, id string, change func(*store.ClientGrant) error) (store.ClientGrant, error) {
	return i.access.UpdateClientGrant(ctx, id, change)
}

// So are the APIs, but for what their audiences are called.

// API implements store.APIs. An audience of the other face is not an API here.
func (i inside) API(ctx context.Context, audience string) (store.API, error) {
	id, ok := i.face.Identifier(audience)
	if !ok {
		return store.API{}, errOtherFace
	}
	return i.access.API(ctx, id)
}

func (i inside) APIByID(ctx context.Context, id string) (store.API, error) {
	return i.access.APIByID(ctx, id)
}

func (i inside) CreateAPI(ctx context.Context, a store.API) error { return i.access.CreateAPI(ctx, a) }

func (i inside) DeleteAPI(ctx context.Context, id string) error { return i.access.DeleteAPI(ctx, id) }

func (i inside) ListAPIs(ctx context.Context, f store.Find, offset, limit int) (page []store.API, total int, err error) {
	return i.access.ListAPIs(ctx, f, offset, limit)
}

func (i inside) UpdateAPI(ctx context.Context, id string, change func(*store.API) error) (store.API, error) {
	return i.access.UpdateAPI(ctx, id, change)
}

// The people are the same at both faces.

func (i inside) CreateUser(ctx context.Context, u store.User) error {
	return i.access.CreateUser(ctx, u)
}

func (i inside) DeleteUser(ctx context.Context, id string) error { return i.access.DeleteUser(ctx, id) }

func (i inside) ListUsers(ctx context.Context, f store.Find, offset, limit int) (page []store.User, total int, err error) {
	return i.access.ListUsers(ctx, f, offset, limit)
}

func (i inside) Permissions(ctx context.Context, userID, apiID string) ([]string, error) {
	return i.access.Permissions(ctx, userID, apiID)
}

func (i inside) ResetPassword(ctx context.Context, id, passwordHash string) error {
	return i.access.ResetPassword(ctx, id, passwordHash)
}

func (i inside) SetBlocked(ctx context.Context, id string, blocked bool) error {
	return i.access.SetBlocked(ctx, id, blocked)
}

func (i inside) SignUp(ctx context.Context, u store.User, m store.Method) error {
	return i.access.SignUp(ctx, u, m)
}

func (i inside) UpdateUser(ctx context.Context, id string, change func(*store.User) error) (store.User, error) {
	return i.access.UpdateUser(ctx, id, change)
}

func (i inside) User(ctx context.Context, id string) (store.User, error) {
	return i.access.User(ctx, id)
}

func (i inside) UserByEmail(ctx context.Context, email string) (store.User, error) {
	return i.access.UserByEmail(ctx, email)
}

// So are the roles, and who holds them.

func (i inside) AddRoles(ctx context.Context, userIDs, roleIDs []string) error {
	return i.access.AddRoles(ctx, userIDs, roleIDs)
}

func (i inside) AnyHoldsAll(ctx context.Context, apiID string, scopes []string) (bool, error) {
	return i.access.AnyHoldsAll(ctx, apiID, scopes)
}

func (i inside) ChangeRolePermissions(ctx context.Context, roleID string, add, remove []store.Permission) error {
	return i.access.ChangeRolePermissions(ctx, roleID, add, remove)
}

func (i inside) ChangeUserPermissions(ctx context.Context, userID string, add, remove []store.Permission) error {
	return i.access.ChangeUserPermissions(ctx, userID, add, remove)
}

func (i inside) CreateRole(ctx context.Context, r store.Role) error {
	return i.access.CreateRole(ctx, r)
}

func (i inside) DeleteRole(ctx context.Context, id string) error { return i.access.DeleteRole(ctx, id) }

func (i inside) Held(ctx context.Context, userID, apiID string) ([]string, error) {
	return i.access.Held(ctx, userID, apiID)
}

func (i inside) ListRoles(ctx context.Context, f store.Find, offset, limit int) (page []store.Role, total int, err error) {
	return i.access.ListRoles(ctx, f, offset, limit)
}

func (i inside) RemoveRoles(ctx context.Context, userID string, roleIDs []string) error {
	return i.access.RemoveRoles(ctx, userID, roleIDs)
}

func (i inside) Role(ctx context.Context, id string) (store.Role, error) {
	return i.access.Role(ctx, id)
}

func (i inside) RolePermissions(ctx context.Context, roleID string) ([]store.Permission, error) {
	return i.access.RolePermissions(ctx, roleID)
}

func (i inside) RoleUsers(ctx context.Context, roleID string, f store.Find, offset, limit int) (page []store.User, total int, err error) {
	return i.access.RoleUsers(ctx, roleID, f, offset, limit)
}

func (i inside) UpdateRole(ctx context.Context, id string, change func(*store.Role) error) (store.Role, error) {
	return i.access.UpdateRole(ctx, id, change)
}

func (i inside) UserPermissions(ctx context.Context, userID string) ([]store.Permission, error) {
	return i.access.UserPermissions(ctx, userID)
}

func (i inside) UserRoles(ctx context.Context, userID string) ([]store.Role, error) {
	return i.access.UserRoles(ctx, userID)
}

// A one-time link is good at the face that made it.

// CreateTicket implements store.Tickets.
func (i inside) CreateTicket(ctx context.Context, t store.Ticket, now time.Time) error {
	t.Issuer = i.face.Key()
	return i.access.CreateTicket(ctx, t, now)
}

// RedeemTicket implements store.Tickets, looking first as UseAuthSession does.
func (i inside) RedeemTicket(ctx context.Context, hash []byte, now time.Time, passwordHash string) (string, error) {
	if _, err := i.Ticket(ctx, hash, now); err != nil {
		return "", err
	}
	return i.access.RedeemTicket(ctx, hash, now, passwordHash)
}

// Ticket implements store.Tickets.
func (i inside) Ticket(ctx context.Context, hash []byte, now time.Time) (store.Ticket, error) {
	t, err := i.access.Ticket(ctx, hash, now)
	if err == nil && t.Issuer != i.face.Key() {
		return store.Ticket{}, fmt.Errorf("begun at another address: %w", store.ErrNotFound)
	}
	return t, err
}

// Authentication methods belong to the person; the origin of a passkey says at which face it is valid.

func (i inside) ChangePassword(ctx context.Context, userID, hash, keep string) (ended []string, err error) {
	return i.access.ChangePassword(ctx, userID, hash, keep)
}

func (i inside) CreateMethod(ctx context.Context, m store.Method, most int) error {
	return i.access.CreateMethod(ctx, m, most)
}

func (i inside) DeleteMethod(ctx context.Context, userID, id string, allow func(u store.User, left []store.Method) error) error {
	return i.access.DeleteMethod(ctx, userID, id, allow)
}

func (i inside) MethodByKey(ctx context.Context, key []byte) (store.Method, error) {
	return i.access.MethodByKey(ctx, key)
}

func (i inside) Methods(ctx context.Context, userID string) ([]store.Method, error) {
	return i.access.Methods(ctx, userID)
}

func (i inside) RenameMethod(ctx context.Context, userID, id, name string) error {
	return i.access.RenameMethod(ctx, userID, id, name)
}

func (i inside) SetPassword(ctx context.Context, userID, hash string, allow func(u store.User, left []store.Method) error) error {
	return i.access.SetPassword(ctx, userID, hash, allow)
}

func (i inside) TakeMethods(ctx context.Context, userID string, which func(store.Method) bool) ([]store.Method, error) {
	return i.access.TakeMethods(ctx, userID, which)
}

func (i inside) UseMethod(ctx context.Context, id string, from, to int64, data []byte, now time.Time) error {
	return i.access.UseMethod(ctx, id, from, to, data, now)
}

// What a caller may do now depends on the audience, which is the face's own.

// Standing implements store.Standings. An audience of the other face has nothing to show.
func (i inside) Standing(ctx context.Context, c store.Caller) (store.Standing, error) {
	id, ok := i.face.Identifier(c.Audience)
	if !ok {
		return store.Standing{}, nil
	}
	c.Audience = id
	return i.access.Standing(ctx, c)
}
