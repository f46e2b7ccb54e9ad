package management

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// roleTable is the body of POST /roles.
func roleTable() schema.Table {
	return schema.Table{
		{Name: "name", Spec: schema.String{Min: 1, Max: 100}, Required: true},
		{Name: "description", Spec: schema.String{Max: 500}},
	}
}

// idsTable is a body that names roles or people under key.
func idsTable(key string) schema.Table {
	return schema.Table{{Name: key, Spec: schema.List{Item: schema.String{Min: 1, Max: 30}, Min: 1}, Required: true}}
}

type roleBody struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Preset      bool   `json:"is_preset"` // ours: every new person gets it
}

func newRoleBody(r store.Role) roleBody { return roleBody{r.ID, r.Name, r.Description, r.Preset} }

// roles implements /roles, including the members of a role.
type roles struct {
	*rows[store.Role, roleBody]
}

func newRoles(h *Handler) roles {
	return roles{&rows[store.Role, roleBody]{
		resource: resource{h, "role", "/roles"},
		bodies:   each(newRoleBody),
		list:     h.Store.ListRoles, get: h.Store.Role,
		table: roleTable(), patch: optional(roleTable()),
		create: func(ctx context.Context, o *schema.Object) func(*act) (store.Role, error) {
			row := changeRole(store.Role{ID: newID("rol_"), Created: h.Now()}, o)
			return func(a *act) (store.Role, error) { return row, a.CreateRole(ctx, row) }
		},
		update: updateRole,
		remove: func(c *api.Call, a *act) error {
			if err := a.mayRoles(c.Context(), c.ID()); err != nil {
				return err
			}
			return a.DeleteRole(c.Context(), c.ID())
		},
		id:    func(r store.Role) string { return r.ID },
		taken: func(context.Context, *schema.Object) string { return "Another role has this name" },
	}}
}

func (r roles) routes() api.Routes {
	routes := r.rows.routes()
	routes[r.path+"/{id}/permissions"] = permissions{
		r.resource, r.exists,
		r.h.Store.RolePermissions,
		func(ctx context.Context, a *act, id string, add, remove []store.Permission) error {
			return a.ChangeRolePermissions(ctx, id, add, remove)
		},
	}.operations()
	routes[r.path+"/{id}/users"] = map[string]api.Operation{http.MethodGet: r.op("read", r.users), http.MethodPost: r.op("update", r.addUsers)}
	return routes
}

// exists returns store.ErrNotFound for a role that does not exist.
func (roles) exists(ctx context.Context, rows store.Access, id string) error {
	_, err := rows.Role(ctx, id)
	return err
}

// changeRole sets the members of a checked body in a role.
func changeRole(r store.Role, o *schema.Object) store.Role {
	if o.Has("name") {
		r.Name = o.Text("name")
	}
	if o.Has("description") {
		r.Description = o.Text("description")
	}
	return r
}

func updateRole(ctx context.Context, a *act, id string, o *schema.Object) (store.Role, error) {
	if err := a.mayRoles(ctx, id); err != nil {
		return store.Role{}, err
	}
	return a.UpdateRole(ctx, id, func(r *store.Role) error { *r = changeRole(*r, o); return nil })
}

// users is GET /roles/{id}/users.
func (r roles) users(c *api.Call) *api.Error {
	p, e := readFind(c.Request.URL.Query())
	if e != nil {
		return e
	}
	if err := r.exists(c.Context(), r.h.Store, c.ID()); err != nil {
		return r.failed(c, err)
	}
	return answerFound(c, p, "users", func(ctx context.Context, f store.Find, offset, limit int) ([]store.User, int, error) {
		return r.h.Store.RoleUsers(ctx, c.ID(), f, offset, limit)
	}, each(newUserBody))
}

func (r roles) addUsers(c *api.Call) *api.Error {
	return r.changeHolders(c, holders{key: "users", exists: r.exists, did: "users added", status: http.StatusOK}, func(a *act, ids []string) error {
		return a.give(c.Context(), "users", ids, []string{c.ID()})
	})
}

// give gives roles to people. A person or a role that does not exist is a fault of the body's member key.
func (a *act) give(ctx context.Context, key string, users, roles []string) error {
	if err := a.mayRoles(ctx, roles...); err != nil {
		return err
	}
	err := a.AddRoles(ctx, users, roles)
	if errors.Is(err, store.ErrNotFound) {
		return api.InvalidBody(api.Fault(schema.CodeEnum, "must name what exists", schema.Key(key)))
	}
	return err
}

// holders describes a request to change the members of a role.
type holders struct {
	key    string // of the body, with IDs of roles or people
	exists func(ctx context.Context, rows store.Access, id string) error
	did    string // in the audit log
	status int
}

// changeHolders gives or removes roles: it finds the role or the person of the path and then calls do with the IDs of the body.
func (r resource) changeHolders(c *api.Call, x holders, do func(a *act, ids []string) error) *api.Error {
	o, e := c.Fields(idsTable(x.key), nil)
	if e != nil {
		return e
	}
	err := r.h.change(c, func(a *act) error {
		if err := x.exists(c.Context(), a, c.ID()); err != nil {
			return err
		}
		return do(a, strs(o.List(x.key)))
	})
	if err != nil {
		return r.failed(c, err)
	}
	r.audit(c, x.did, c.ID(), strings.Join(strs(o.List(x.key)), ", "))
	return c.Done(x.status)
}
