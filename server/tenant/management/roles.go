package management

import (
	"errors"
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
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

// putRole keeps a role with the members of a body in it.
func (h *Handler) putRole(c *call, r store.Role, table schema.Table, status int, did string) *apiError {
	o, e := fields(c, table, nil)
	if e != nil {
		return e
	}
	if o.Has("name") {
		r.Name = o.Text("name")
	}
	if o.Has("description") {
		r.Description = o.Text("description")
	}
	if err := h.Store.PutRole(c.r.Context(), r); err != nil {
		return h.refused(c, err, "Another role has this name")
	}
	h.audit(c, did, r.ID)
	if status == http.StatusCreated {
		c.Header().Set("Location", c.r.URL.EscapedPath()+"/"+r.ID)
	}
	return h.answerJSON(c, status, roleBodies([]store.Role{r})[0])
}

func (h *Handler) createRole(c *call) *apiError {
	return h.putRole(c, store.Role{ID: newID("rol_"), Created: h.Now()}, roleTable(), http.StatusCreated, "created")
}

func (h *Handler) patchRole(c *call) *apiError {
	r, err := h.Store.Role(c.r.Context(), c.id)
	if err != nil {
		return h.failed(c, err)
	}
	return h.putRole(c, r, optional(roleTable()), http.StatusOK, "updated")
}

func (h *Handler) deleteRole(c *call) *apiError {
	if err := h.Store.DeleteRole(c.r.Context(), c.id); err != nil {
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

// permissions reads a body that names permissions. Those to add must exist; those to remove may name a
// scope that the API has lost.
func (h *Handler) permissions(c *call, adding bool) ([]store.Permission, *apiError) {
	var rows []store.Permission
	var failure error
	_, e := fields(c, permissionsTable(), func(o *schema.Object) (ps schema.Problems) {
		for i, v := range o.List("permissions") {
			p, _ := v.(*schema.Object)
			at := func(key string) []schema.Elem {
				return []schema.Elem{schema.Key("permissions"), schema.Index(i), schema.Key(key)}
			}
			a, err := h.Store.API(c.r.Context(), p.Text("resource_server_identifier"))
			switch {
			case errors.Is(err, store.ErrNotFound):
				ps = append(ps, fault(schema.CodeEnum, "must be the identifier of an API", at("resource_server_identifier")...))
			case err != nil:
				failure = err
			case adding && !slices.Contains(a.Scopes, p.Text("permission_name")):
				ps = append(ps, fault(schema.CodeEnum, "must be a scope of the API", at("permission_name")...))
			default:
				rows = append(rows, store.Permission{APIID: a.ID, Scope: p.Text("permission_name")})
			}
		}
		return ps
	})
	if failure != nil {
		return nil, h.down(c, "read API", failure)
	}
	return rows, e
}

// changePermissions adds or removes what a body names. change is the store's method for a role or a user.
func (h *Handler) changePermissions(c *call, adding bool, change func(add, remove []store.Permission) error) *apiError {
	rows, e := h.permissions(c, adding)
	if e != nil {
		return e
	}
	add, remove, status, did := rows, []store.Permission(nil), http.StatusCreated, "permitted"
	if !adding {
		add, remove, status, did = nil, rows, http.StatusNoContent, "forbidden"
	}
	if err := change(add, remove); err != nil {
		return h.failed(c, err)
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

func (h *Handler) changeRole(c *call, adding bool) *apiError {
	return h.changePermissions(c, adding, func(add, remove []store.Permission) error {
		return h.Store.ChangeRolePermissions(c.r.Context(), c.id, add, remove)
	})
}

func (h *Handler) addRolePermissions(c *call) *apiError    { return h.changeRole(c, true) }
func (h *Handler) removeRolePermissions(c *call) *apiError { return h.changeRole(c, false) }

func (h *Handler) userPermissions(c *call) *apiError {
	if _, err := h.Store.User(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	held, err := h.Store.UserPermissions(c.r.Context(), c.id)
	return h.answerPermissions(c, held, err)
}

func (h *Handler) changeUser(c *call, adding bool) *apiError {
	return h.changePermissions(c, adding, func(add, remove []store.Permission) error {
		return h.Store.ChangeUserPermissions(c.r.Context(), c.id, add, remove)
	})
}

func (h *Handler) addUserPermissions(c *call) *apiError    { return h.changeUser(c, true) }
func (h *Handler) removeUserPermissions(c *call) *apiError { return h.changeUser(c, false) }

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

// give gives people roles and answers; a person or a role that does not exist is a fault of the body,
// unless it is the one of the path.
func (h *Handler) give(c *call, key string, users, roles []string, status int) *apiError {
	err := h.Store.AddRoles(c.r.Context(), users, roles)
	if errors.Is(err, store.ErrNotFound) {
		return invalidBody(schema.Problems{fault(schema.CodeEnum, "must name what exists", schema.Key(key))})
	}
	if err != nil {
		return h.failed(c, err)
	}
	h.audit(c, "given", c.id)
	c.WriteHeader(status)
	return nil
}

func (h *Handler) addRoleUsers(c *call) *apiError {
	if _, err := h.Store.Role(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	o, e := fields(c, idsTable("users"), nil)
	if e != nil {
		return e
	}
	return h.give(c, "users", strs(o.List("users")), []string{c.id}, http.StatusOK)
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

func (h *Handler) addUserRoles(c *call) *apiError {
	if _, err := h.Store.User(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	o, e := fields(c, idsTable("roles"), nil)
	if e != nil {
		return e
	}
	return h.give(c, "roles", []string{c.id}, strs(o.List("roles")), http.StatusNoContent)
}

func (h *Handler) removeUserRoles(c *call) *apiError {
	if _, err := h.Store.User(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	o, e := fields(c, idsTable("roles"), nil)
	if e != nil {
		return e
	}
	if err := h.Store.RemoveRoles(c.r.Context(), c.id, strs(o.List("roles"))); err != nil {
		return h.failed(c, err)
	}
	h.audit(c, "taken", c.id)
	c.WriteHeader(http.StatusNoContent)
	return nil
}
