package management

import (
	"context"
	"slices"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// maxScope bounds one scope in characters, as in the vendor's API.
const maxScope = 280

// apiTable is the body of POST /resource-servers. The name active is our choice: the vendor's API has none for whether an API is activated.
func apiTable() schema.Table {
	policy := schema.Table{{Name: "policy", Spec: schema.Enum{
		string(store.AllowAll), string(store.RequireClientGrant),
		string(store.DenyAll),
	}}}
	return schema.Table{
		{Name: "identifier", Spec: schema.String{Min: 1, Max: 600}, Required: true},
		{Name: "name", Spec: schema.String{Min: 1, Max: 200}, Required: true},
		{Name: "scopes", Spec: schema.List{Item: schema.Table{
			{Name: "value", Spec: schema.String{Min: 1, Max: maxScope, Format: scopeFormat(access.Identity)}, Required: true},
			{Name: "description", Spec: schema.String{Max: 500}},
		}}},
		{Name: "subject_type_authorization", Spec: schema.Table{{Name: "user", Spec: policy}, {Name: "client", Spec: policy}}},
		{Name: "active", Spec: schema.Bool{}},
	}
}

type scopeBody struct {
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
}

type policyBody struct {
	Policy store.Policy `json:"policy"`
}

type apiBody struct {
	ID         string      `json:"id"`
	Identifier string      `json:"identifier"`
	Name       string      `json:"name"`
	System     bool        `json:"is_system"`
	Active     bool        `json:"active"`
	Scopes     []scopeBody `json:"scopes"`
	Subjects   struct {
		User   policyBody `json:"user"`
		Client policyBody `json:"client"`
	} `json:"subject_type_authorization"`
}

// system reports whether an API is the tenant's own.
func system(id string) bool { return id == access.ManagementAPI || id == access.SelfServiceAPI }

func newAPIBody(a store.API) apiBody {
	b := apiBody{ID: a.ID, Identifier: a.Identifier, Name: a.Name, System: system(a.ID), Active: !a.Inactive, Scopes: []scopeBody{}}
	for _, s := range a.Scopes {
		b.Scopes = append(b.Scopes, scopeBody{s, a.ScopeTexts[s]})
	}
	b.Subjects.User.Policy, b.Subjects.Client.Policy = a.UserPolicy, a.ClientPolicy
	return b
}

// newAPIs describes /resource-servers. Nothing changes the identifier of an API, since tokens and other people's settings name it.
func newAPIs(h *Handler) *rows[store.API, apiBody] {
	return &rows[store.API, apiBody]{
		resource: resource{h, "resource server", "/resource-servers"},
		bodies:   each(newAPIBody),
		list:     h.Store.ListAPIs, get: h.Store.APIByID,
		table: apiTable(), patch: optional(apiTable())[1:], check: repeatedScopes,
		create: createAPI, update: updateAPI, remove: removeAPI,
		id:    func(a store.API) string { return a.ID },
		taken: func(context.Context, *schema.Object) string { return "An API has this identifier already" },
	}
}

// changeAPI sets the members of a checked body in an API.
func changeAPI(a store.API, o *schema.Object) store.API {
	if o.Has("name") {
		a.Name = o.Text("name")
	}
	if o.Has("scopes") {
		a.Scopes, a.ScopeTexts = nil, map[string]string{}
		for _, v := range o.List("scopes") {
			s, _ := v.(*schema.Object)
			a.Scopes = append(a.Scopes, s.Text("value"))
			if d := s.Text("description"); d != "" {
				a.ScopeTexts[s.Text("value")] = d
			}
		}
	}
	auth := o.Object("subject_type_authorization")
	if p := auth.Object("user").Text("policy"); p != "" {
		a.UserPolicy = store.Policy(p)
	}
	if p := auth.Object("client").Text("policy"); p != "" {
		a.ClientPolicy = store.Policy(p)
	}
	a.Inactive = !flag(o, "active", !a.Inactive)
	return a
}

// repeatedScopes reports a scope that is listed twice.
func repeatedScopes(o *schema.Object) schema.Problems {
	var ps schema.Problems
	var seen []string
	for i, v := range o.List("scopes") {
		s, _ := v.(*schema.Object)
		if slices.Contains(seen, s.Text("value")) {
			ps = append(ps, api.Fault(schema.CodeDuplicateID, "must be listed once", schema.Key("scopes"), schema.Index(i), schema.Key("value")))
		}
		seen = append(seen, s.Text("value"))
	}
	return ps
}

// createAPI creates an API that requires a grant from everybody unless its body says otherwise.
func createAPI(ctx context.Context, o *schema.Object) func(*act) (store.API, error) {
	row := changeAPI(store.API{
		ID: newID("api_"), Identifier: o.Text("identifier"), UserPolicy: store.RequireClientGrant, ClientPolicy: store.RequireClientGrant,
	}, o)
	return func(a *act) (store.API, error) { return row, a.CreateAPI(ctx, row) }
}

// updateAPI changes an API. Of the self-service API only activation and the policy for people can change; the management API cannot change
// at all, since turning it off could not be undone.
func updateAPI(ctx context.Context, a *act, id string, o *schema.Object) (store.API, error) {
	return a.UpdateAPI(ctx, id, func(row *store.API) error {
		next := changeAPI(*row, o)
		if err := a.mayAPI(*row, next, o); err != nil {
			return err
		}
		*row = next
		return nil
	})
}

// mayAPI refuses changes of the tenant's own APIs. A caller who lets any client request access to people's accounts could reach every
// account, so the self-service API is reserved for callers who hold everything.
func (a *act) mayAPI(old, next store.API, o *schema.Object) error {
	switch {
	case old.ID == access.ManagementAPI:
		return notSupported("The management API cannot be changed")
	case old.ID != access.SelfServiceAPI:
		return nil
	case next.ClientPolicy != old.ClientPolicy:
		return notSupported("The client policy of the self-service API cannot be changed")
	case o.Has("name") || o.Has("scopes"):
		return notSupported("Name and scopes of the self-service API cannot be changed")
	}
	return a.may(Scopes())
}

func removeAPI(c *api.Call, a *act) error {
	if system(c.ID()) {
		return notSupported("The tenant's own APIs cannot be deleted")
	}
	return a.DeleteAPI(c.Context(), c.ID())
}
