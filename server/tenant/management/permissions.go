package management

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/api"
)

func permissionsTable() schema.Table {
	return schema.Table{{Name: "permissions", Spec: schema.List{Item: schema.Table{
		{Name: "permission_name", Spec: schema.String{Min: 1, Max: maxScope}, Required: true},
		{Name: "resource_server_identifier", Spec: schema.String{Min: 1, Max: 600}, Required: true},
	}, Min: 1}, Required: true}}
}

type permissionBody struct {
	Name        string `json:"permission_name"`
	Description string `json:"description"`
	Identifier  string `json:"resource_server_identifier"`
	API         string `json:"resource_server_name"`
}

// permissions implements the operations on the permissions of a role, or on those that a person has directly.
type permissions struct {
	resource // of the holder

	exists func(ctx context.Context, rows store.Access, id string) error
	held   func(ctx context.Context, id string) ([]store.Permission, error)
	change func(ctx context.Context, a *act, id string, add, remove []store.Permission) error
}

func (p permissions) operations() map[string]api.Operation {
	return map[string]api.Operation{
		http.MethodGet: p.op("read", p.list), http.MethodPost: p.op("update", p.add), http.MethodDelete: p.op("update", p.remove),
	}
}

// list answers with a page of permissions with the names of their APIs.
func (p permissions) list(c *api.Call) *api.Error {
	if err := p.exists(c.Context(), p.h.Store, c.ID()); err != nil {
		return p.failed(c, err)
	}
	held, err := p.held(c.Context(), c.ID())
	if err != nil {
		return c.Down("list permissions", err)
	}
	at, e := readPaging(c.Request.URL.Query())
	if e != nil {
		return e
	}
	apis := map[string]store.API{}
	var list []permissionBody
	for _, row := range window(held, at) {
		of, err := once(c.Context(), apis, row.APIID, p.h.Store.APIByID)
		if err != nil {
			return c.Down("read API", err)
		}
		list = append(list, permissionBody{row.Scope, of.ScopeTexts[row.Scope], of.Identifier, of.Name})
	}
	return answerList(c, at, "permissions", list, len(held))
}

func (p permissions) add(c *api.Call) *api.Error {
	return p.changeBy(c, true, "permissions added", http.StatusCreated)
}

func (p permissions) remove(c *api.Call) *api.Error {
	return p.changeBy(c, false, "permissions removed", http.StatusNoContent)
}

// changeBy adds or removes the permissions that a body names.
func (p permissions) changeBy(c *api.Call, adding bool, did string, status int) *api.Error {
	o, e := c.Fields(permissionsTable(), nil)
	if e != nil {
		return e
	}
	var named []string
	err := p.h.change(c, func(a *act) error {
		rows, err := a.permissions(c.Context(), o, adding)
		named = scopesIn(rows)
		switch {
		case err != nil:
			return err
		case adding:
			return p.change(c.Context(), a, c.ID(), rows, nil)
		}
		return p.change(c.Context(), a, c.ID(), nil, rows)
	})
	if err != nil {
		return p.failed(c, err)
	}
	p.audit(c, did, c.ID(), strings.Join(named, ", "))
	return c.Done(status)
}

func scopesIn(rows []store.Permission) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = row.Scope
	}
	return out
}

// permissions returns the permissions that a checked body names. Permissions to add must exist; those to remove may name a scope that the
// API no longer has.
func (a *act) permissions(ctx context.Context, o *schema.Object, adding bool) ([]store.Permission, error) {
	var rows []store.Permission
	var ps schema.Problems
	for i, v := range o.List("permissions") {
		p, _ := v.(*schema.Object)
		at := func(key string) []schema.Elem {
			return []schema.Elem{schema.Key("permissions"), schema.Index(i), schema.Key(key)}
		}
		of, err := a.API(ctx, p.Text("resource_server_identifier"))
		switch {
		case errors.Is(err, store.ErrNotFound):
			ps = append(ps, api.Fault(schema.CodeEnum, "must be the identifier of an API", at("resource_server_identifier")...))
		case err != nil:
			return nil, err
		case adding && !slices.Contains(of.Scopes, p.Text("permission_name")):
			ps = append(ps, api.Fault(schema.CodeEnum, "must be a scope of the API", at("permission_name")...))
		default:
			rows = append(rows, store.Permission{APIID: of.ID, Scope: p.Text("permission_name")})
		}
	}
	if len(ps) > 0 {
		return nil, api.InvalidBody(ps...)
	}
	return rows, a.may(access.Power(rows))
}
