package tenant

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// sharedAccess and sharedStore list the methods of the store that mean the same at every domain of the tenant. The stores of domains embed
// these lists and never an interface of package store, so a method that is added to the store does not compile until it is listed here or
// written for domainAccess or domainStore: nothing is shared by default.

// sharedAccess is the shared part of store.Access.
type sharedAccess interface {
	// Clients belong to the tenant, whatever its address.
	Client(ctx context.Context, id string) (store.Client, error)
	ClientGrant(ctx context.Context, clientID, apiID string, subject store.SubjectType) ([]string, error)
	ClientGrantByID(ctx context.Context, id string) (store.ClientGrant, error)
	CreateClient(ctx context.Context, c store.Client) error
	CreateClientGrant(ctx context.Context, g store.ClientGrant) (store.ClientGrant, error)
	DeleteClient(ctx context.Context, id string) error
	DeleteClientGrant(ctx context.Context, id string) error
	ListClientGrants(ctx context.Context, f store.GrantFilter, offset, limit int) (page []store.ClientGrant, total int, err error)
	ListClients(ctx context.Context, f store.Find, offset, limit int) (page []store.Client, total int, err error)
	OriginListed(ctx context.Context, origin string) (bool, error)
	SetClientGlobal(ctx context.Context, id string, global bool) error
	SetClientSecret(ctx context.Context, id string, hash []byte, since time.Time) error
	UpdateClient(ctx context.Context, id string, change func(*store.Client) error) (store.Client, error)
	UpdateClientGrant(ctx context.Context, id string, change func(*store.ClientGrant) error) (store.ClientGrant, error)

	// So do APIs. Only their audiences differ, see API.
	APIByID(ctx context.Context, id string) (store.API, error)
	CreateAPI(ctx context.Context, a store.API) error
	DeleteAPI(ctx context.Context, id string) error
	ListAPIs(ctx context.Context, f store.Find, offset, limit int) (page []store.API, total int, err error)
	UpdateAPI(ctx context.Context, id string, change func(*store.API) error) (store.API, error)

	// People are the same at both domains.
	CreateUser(ctx context.Context, u store.User) error
	DeleteUser(ctx context.Context, id string) error
	ListUsers(ctx context.Context, f store.Find, offset, limit int) (page []store.User, total int, err error)
	Permissions(ctx context.Context, userID, apiID string) ([]string, error)
	ResetPassword(ctx context.Context, id, passwordHash string) error
	SetBlocked(ctx context.Context, id string, blocked bool) error
	SignUp(ctx context.Context, u store.User, m store.Method) error
	UpdateUser(ctx context.Context, id string, change func(*store.User) error) (store.User, error)
	User(ctx context.Context, id string) (store.User, error)
	UserByEmail(ctx context.Context, email string) (store.User, error)

	// So are roles and their members.
	AddRoles(ctx context.Context, userIDs, roleIDs []string) error
	AnyHoldsAll(ctx context.Context, apiID string, scopes []string) (bool, error)
	ChangeRolePermissions(ctx context.Context, roleID string, add, remove []store.Permission) error
	ChangeUserPermissions(ctx context.Context, userID string, add, remove []store.Permission) error
	CreateRole(ctx context.Context, r store.Role) error
	DeleteRole(ctx context.Context, id string) error
	Held(ctx context.Context, userID, apiID string) ([]string, error)
	ListRoles(ctx context.Context, f store.Find, offset, limit int) (page []store.Role, total int, err error)
	RemoveRoles(ctx context.Context, userID string, roleIDs []string) error
	Role(ctx context.Context, id string) (store.Role, error)
	RolePermissions(ctx context.Context, roleID string) ([]store.Permission, error)
	RoleUsers(ctx context.Context, roleID string, f store.Find, offset, limit int) (page []store.User, total int, err error)
	UpdateRole(ctx context.Context, id string, change func(*store.Role) error) (store.Role, error)
	UserPermissions(ctx context.Context, userID string) ([]store.Permission, error)
	UserRoles(ctx context.Context, userID string) ([]store.Role, error)

	// Authentication methods belong to the person. The origin of a passkey determines the domain where it is valid.
	ChangePassword(ctx context.Context, userID, hash, keep string) (ended []string, err error)
	CreateMethod(ctx context.Context, m store.Method, most int) error
	DeleteMethod(ctx context.Context, userID, id string, allow func(u store.User, left []store.Method) error) error
	MethodByKey(ctx context.Context, key []byte) (store.Method, error)
	Methods(ctx context.Context, userID string) ([]store.Method, error)
	RenameMethod(ctx context.Context, userID, id, name string) error
	SetPassword(ctx context.Context, userID, hash string, allow func(u store.User, left []store.Method) error) error
	TakeMethods(ctx context.Context, userID string, which func(store.Method) bool) ([]store.Method, error)
	UseMethod(ctx context.Context, id string, from, to int64, data []byte, now time.Time) error
}

// sharedStore is the shared part of the rest of store.Tenant.
type sharedStore interface {
	// Ending a sign-in needs its secret and is harmless at the other domain.
	DeleteSignIn(ctx context.Context, hash []byte) error

	// These are called after a look at the code or the refresh token, which is checked. Sweep deletes expired rows of all domains.
	CreateRefresh(ctx context.Context, t store.Refresh) error
	FamilyLive(ctx context.Context, id string) (bool, error)
	RevokeFamily(ctx context.Context, id string) error
	Rotate(ctx context.Context, old []byte, next store.Refresh) error
	Sweep(ctx context.Context, now time.Time) error

	// A pushed request is deleted after a look at it, which is checked.
	DeleteRequest(ctx context.Context, hash []byte) error

	// Marks are about the tenant as a whole.
	Mark(ctx context.Context, name string) (string, error)
	PutMark(ctx context.Context, name, value string) error

	// People see and end their sign-ins at both domains.
	Authorizations(ctx context.Context, userID string, now time.Time) ([]store.Authorization, error)
	EndAuthorizations(ctx context.Context, userID, clientID string) error
	EndLogin(ctx context.Context, userID, id string) error
	EndLogins(ctx context.Context, userID string) error
	Logins(ctx context.Context, userID string, now time.Time) ([]store.Login, error)

	// Both domains share one log.
	AddEvent(ctx context.Context, e store.Event) error
	Event(ctx context.Context, id string) (store.Event, error)
	ListEvents(ctx context.Context, f store.EventFilter, offset, limit int) (page []store.Event, total int, err error)

	// A proof names its address, so none is valid at both domains, and one memory serves both.
	UseProof(ctx context.Context, id []byte, now, end time.Time) (first bool, err error)

	// Forms and flows belong to the tenant.
	Forms() store.Documents
	Flows() store.Documents
	Ping(ctx context.Context) error
}
