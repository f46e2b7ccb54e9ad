package management

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// roleTable is the body of POST /roles.
func roleTable() schema.Table {
	return schema.Table{
		{Name: "name", Spec: schema.String{Min: 1, Max: 100}, Required: true},
		{Name: "description", Spec: schema.String{Max: 500}},
	}
}

// idsTable is the body that names roles or people.
func idsTable(key string) schema.Table {
	return schema.Table{{Name: key, Spec: schema.List{Item: schema.String{Min: 1, Max: 30}, Min: 1}, Required: true}}
}

func permissionsTable() schema.Table {
	return schema.Table{{Name: "permissions", Spec: schema.List{Item: schema.Table{
		{Name: "permission_name", Spec: schema.String{Min: 1, Max: maxScope}, Required: true},
		{Name: "resource_server_identifier", Spec: schema.String{Min: 1, Max: 600}, Required: true},
	}, Min: 1}, Required: true}}
}

type roleBody struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Preset      bool   `json:"is_preset"` // ours: every new person gets it
}

type permissionBody struct {
	Name        string `json:"permission_name"`
	Description string `json:"description"`
	Identifier  string `json:"resource_server_identifier"`
	API         string `json:"resource_server_name"`
}

// roles is /roles.
func (h *Handler) roles() *resource {
	return &resource{
		noun: "role", plural: "roles",
		list: map[string]operation{http.MethodGet: {"read", h.listRoles}, http.MethodPost: {"create", h.createRole}},
		one: map[string]operation{
			http.MethodGet: {"read", h.getRole}, http.MethodPatch: {"update", h.patchRole}, http.MethodDelete: {"delete", h.deleteRole},
		},
		sub: map[string]map[string]operation{
			"permissions": {
				http.MethodGet: {"read", h.rolePermissions}, http.MethodPost: {"update", h.addRolePermissions}, http.MethodDelete: {"update", h.removeRolePermissions},
			},
			"users": {http.MethodGet: {"read", h.roleUsers}, http.MethodPost: {"update", h.addRoleUsers}},
		},
	}
}

func roleBodies(rows []store.Role) []roleBody {
	list := make([]roleBody, len(rows))
	for i, r := range rows {
		list[i] = roleBody{r.ID, r.Name, r.Description, r.Preset}
	}
	return list
}

func (h *Handler) listRoles(c *call) *apiError {
	p, e := readPaging(c.r.URL.Query())
	if e != nil {
		return e
	}
	page, total, err := h.Store.ListRoles(c.r.Context(), p.offset(), p.size)
	if err != nil {
		return h.down(c, "list roles", err)
	}
	return answerList(h, c, p, "roles", roleBodies(page), total)
}

func (h *Handler) getRole(c *call) *apiError {
	r, err := h.Store.Role(c.r.Context(), c.id)
	if err != nil {
		return h.failed(c, err)
	}
	return h.answerJSON(c, http.StatusOK, roleBodies([]store.Role{r})[0])
}

// changeRole puts the members of a checked body into a role.
func changeRole(r store.Role, o *schema.Object) store.Role {
	if o.Has("name") {
		r.Name = o.Text("name")
	}
	if o.Has("description") {
		r.Description = o.Text("description")
	}
	return r
}

// textRoleTaken is the message about a name that another role has.
const textRoleTaken = "Another role has this name"

func (h *Handler) createRole(c *call) *apiError {
	o, e := fields(c, roleTable(), nil)
	if e != nil {
		return e
	}
	r := changeRole(store.Role{ID: newID("rol_"), Created: h.Now()}, o)
	if err := h.change(c, func(a *act) error { return a.CreateRole(c.r.Context(), r) }); err != nil {
		return h.refused(c, err, textRoleTaken)
	}
	h.audit(c, "created", r.ID)
	c.Header().Set("Location", c.r.URL.EscapedPath()+"/"+r.ID)
	return h.answerJSON(c, http.StatusCreated, roleBodies([]store.Role{r})[0])
}

func (h *Handler) patchRole(c *call) *apiError {
	o, e := fields(c, optional(roleTable()), nil)
	if e != nil {
		return e
	}
	var r store.Role
	err := h.change(c, func(a *act) (err error) {
		if err := a.mayRoles(c.r.Context(), c.id); err != nil {
			return err
		}
		r, err = a.UpdateRole(c.r.Context(), c.id, func(r *store.Role) error { *r = changeRole(*r, o); return nil })
		return err
	})
	if err != nil {
		return h.refused(c, err, textRoleTaken)
	}
	h.audit(c, "updated", r.ID)
	return h.answerJSON(c, http.StatusOK, roleBodies([]store.Role{r})[0])
}

func (h *Handler) deleteRole(c *call) *apiError {
	err := h.change(c, func(a *act) error {
		if err := a.mayRoles(c.r.Context(), c.id); err != nil {
			return err
		}
		return a.DeleteRole(c.r.Context(), c.id)
	})
	if err != nil {
		return h.failed(c, err)
	}
	return h.gone(c)
}

// window cuts one page out of a list that is read whole, since it is never long.
func window[T any](list []T, p paging) []T {
	from := min(p.offset(), len(list))
	return list[from:min(from+p.size, len(list))]
}

// answerPermissions answers a page of permissions with the names of their APIs.
func (h *Handler) answerPermissions(c *call, held []store.Permission, err error) *apiError {
	if err != nil {
		return h.down(c, "list permissions", err)
	}
	p, e := readPaging(c.r.URL.Query())
	if e != nil {
		return e
	}
	apis := map[string]store.API{}
	var list []permissionBody
	for _, row := range window(held, p) {
		a, ok := apis[row.APIID]
		if !ok {
			if a, err = h.Store.APIByID(c.r.Context(), row.APIID); err != nil && !errors.Is(err, store.ErrNotFound) {
				return h.down(c, "read API", err)
			}
			apis[row.APIID] = a
		}
		list = append(list, permissionBody{row.Scope, a.ScopeTexts[row.Scope], a.Identifier, a.Name})
	}
	return answerList(h, c, p, "permissions", list, len(held))
}

// permissions returns the permissions that a checked body names. Those to add must exist; those to remove may
// name a scope that the API has lost.
func (a *act) permissions(ctx context.Context, o *schema.Object, adding bool) ([]store.Permission, error) {
	var rows []store.Permission
	var ps schema.Problems
	for i, v := range o.List("permissions") {
		p, _ := v.(*schema.Object)
		at := func(key string) []schema.Elem {
			return []schema.Elem{schema.Key("permissions"), schema.Index(i), schema.Key(key)}
		}
		api, err := a.API(ctx, p.Text("resource_server_identifier"))
		switch {
		case errors.Is(err, store.ErrNotFound):
			ps = append(ps, fault(schema.CodeEnum, "must be the identifier of an API", at("resource_server_identifier")...))
		case err != nil:
			return nil, err
		case adding && !slices.Contains(api.Scopes, p.Text("permission_name")):
			ps = append(ps, fault(schema.CodeEnum, "must be a scope of the API", at("permission_name")...))
		default:
			rows = append(rows, store.Permission{APIID: api.ID, Scope: p.Text("permission_name")})
		}
	}
	if len(ps) > 0 {
		return nil, invalidBody(ps)
	}
	return rows, a.may(access.Power(rows))
}

// changePermissions adds or removes what a body names. change is the store's method for a role or a user.
func (h *Handler) changePermissions(c *call, adding bool, change func(a *act, add, remove []store.Permission) error) *apiError {
	o, e := fields(c, permissionsTable(), nil)
	if e != nil {
		return e
	}
	err := h.change(c, func(a *act) error {
		rows, err := a.permissions(c.r.Context(), o, adding)
		switch {
		case err != nil:
			return err
		case adding:
			return change(a, rows, nil)
		}
		return change(a, nil, rows)
	})
	if err != nil {
		return h.failed(c, err)
	}
	status, did := http.StatusCreated, "permitted"
	if !adding {
		status, did = http.StatusNoContent, "forbidden"
	}
	h.audit(c, did, c.id)
	c.WriteHeader(status)
	return nil
}

func (h *Handler) rolePermissions(c *call) *apiError {
	if _, err := h.Store.Role(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	held, err := h.Store.RolePermissions(c.r.Context(), c.id)
	return h.answerPermissions(c, held, err)
}

func (h *Handler) changeRolePermissions(c *call, adding bool) *apiError {
	return h.changePermissions(c, adding, func(a *act, add, remove []store.Permission) error {
		return a.ChangeRolePermissions(c.r.Context(), c.id, add, remove)
	})
}

func (h *Handler) addRolePermissions(c *call) *apiError { return h.changeRolePermissions(c, true) }

func (h *Handler) removeRolePermissions(c *call) *apiError { return h.changeRolePermissions(c, false) }

func (h *Handler) userPermissions(c *call) *apiError {
	if _, err := h.Store.User(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	held, err := h.Store.UserPermissions(c.r.Context(), c.id)
	return h.answerPermissions(c, held, err)
}

func (h *Handler) changeUserPermissions(c *call, adding bool) *apiError {
	return h.changePermissions(c, adding, func(a *act, add, remove []store.Permission) error {
		return a.ChangeUserPermissions(c.r.Context(), c.id, add, remove)
	})
}

func (h *Handler) addUserPermissions(c *call) *apiError { return h.changeUserPermissions(c, true) }

func (h *Handler) removeUserPermissions(c *call) *apiError { return h.changeUserPermissions(c, false) }

// roleUsers is GET /roles/{id}/users.
func (h *Handler) roleUsers(c *call) *apiError {
	p, e := readPaging(c.r.URL.Query())
	if e != nil {
		return e
	}
	if _, err := h.Store.Role(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	page, total, err := h.Store.RoleUsers(c.r.Context(), c.id, p.offset(), p.size)
	if err != nil {
		return h.down(c, "list users of role", err)
	}
	return answerList(h, c, p, "users", userBodies(page), total)
}

// give gives people roles; a person or a role that does not exist is a fault of the member key of the body.
func (a *act) give(ctx context.Context, key string, users, roles []string) error {
	if err := a.mayRoles(ctx, roles...); err != nil {
		return err
	}
	err := a.AddRoles(ctx, users, roles)
	if errors.Is(err, store.ErrNotFound) {
		return invalidBody(schema.Problems{fault(schema.CodeEnum, "must name what exists", schema.Key(key))})
	}
	return err
}

// changeHolders gives or takes roles: what do does with the ids that the member key of the body names, after
// exists has found the role or the person of the path.
func (h *Handler) changeHolders(
	c *call, key string, exists func(*act) error, do func(a *act, ids []string) error, did string, status int,
) *apiError {
	o, e := fields(c, idsTable(key), nil)
	if e != nil {
		return e
	}
	err := h.change(c, func(a *act) error {
		if err := exists(a); err != nil {
			return err
		}
		return do(a, strs(o.List(key)))
	})
	if err != nil {
		return h.failed(c, err)
	}
	h.audit(c, did, c.id)
	c.WriteHeader(status)
	return nil
}

func (h *Handler) addRoleUsers(c *call) *apiError {
	ctx := c.r.Context()
	return h.changeHolders(c, "users", func(a *act) error {
		_, err := a.Role(ctx, c.id)
		return err
	}, func(a *act, ids []string) error { return a.give(ctx, "users", ids, []string{c.id}) }, "given", http.StatusOK)
}

// userRoles is GET /users/{id}/roles.
func (h *Handler) userRoles(c *call) *apiError {
	p, e := readPaging(c.r.URL.Query())
	if e != nil {
		return e
	}
	if _, err := h.Store.User(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	held, err := h.Store.UserRoles(c.r.Context(), c.id)
	if err != nil {
		return h.down(c, "list roles of user", err)
	}
	return answerList(h, c, p, "roles", roleBodies(window(held, p)), len(held))
}

// changeUserRoles gives or takes roles of the person of a path.
func (h *Handler) changeUserRoles(c *call, do func(a *act, ids []string) error, did string) *apiError {
	return h.changeHolders(c, "roles", func(a *act) error {
		_, err := a.User(c.r.Context(), c.id)
		return err
	}, do, did, http.StatusNoContent)
}

func (h *Handler) addUserRoles(c *call) *apiError {
	return h.changeUserRoles(c, func(a *act, ids []string) error { return a.give(c.r.Context(), "roles", []string{c.id}, ids) }, "given")
}

func (h *Handler) removeUserRoles(c *call) *apiError {
	return h.changeUserRoles(c, func(a *act, ids []string) error {
		if err := a.mayRoles(c.r.Context(), ids...); err != nil {
			return err
		}
		return a.RemoveRoles(c.r.Context(), c.id, ids)
	}, "taken")
}
