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

// grantTable is the body of POST /client-grants. Contract, section 3.
func grantTable() schema.Table {
	return schema.Table{
		{Name: "client_id", Spec: schema.String{Min: 1, Max: 100}, Required: true},
		{Name: "audience", Spec: schema.String{Min: 1, Max: 600}, Required: true},
		grantScopeRow(),
		{Name: "subject_type", Spec: schema.Enum{string(store.SubjectUser), string(store.SubjectClient)}},
	}
}

func grantScopeRow() schema.Row {
	return schema.Row{Name: "scope", Spec: schema.List{Item: schema.String{Min: 1, Max: maxScope}}, Required: true}
}

type grantBody struct {
	ID       string            `json:"id"`
	ClientID string            `json:"client_id"`
	Audience string            `json:"audience"`
	Scope    []string          `json:"scope"`
	Subject  store.SubjectType `json:"subject_type"`
}

// clientGrants is /client-grants.
func (h *Handler) clientGrants() *resource {
	return &resource{
		noun: "client grant", plural: "client_grants",
		list: map[string]operation{http.MethodGet: {"read", h.listGrants}, http.MethodPost: {"create", h.createGrant}},
		one: map[string]operation{
			http.MethodGet: {"read", h.getGrant}, http.MethodPatch: {"update", h.patchGrant}, http.MethodDelete: {"delete", h.deleteGrant},
		},
	}
}

// grantBodies names the APIs of grants by their identifiers.
func (h *Handler) grantBodies(ctx context.Context, rows ...store.ClientGrant) ([]grantBody, error) {
	names := map[string]string{}
	list := make([]grantBody, len(rows))
	for i, g := range rows {
		if _, ok := names[g.APIID]; !ok {
			api, err := h.Store.APIByID(ctx, g.APIID)
			if err != nil && !errors.Is(err, store.ErrNotFound) { // deleted between two reads
				return nil, err
			}
			names[g.APIID] = api.Identifier
		}
		list[i] = grantBody{g.ID, g.ClientID, names[g.APIID], some(g.Scopes), g.Subject}
	}
	return list, nil
}

func (h *Handler) answerGrant(c *call, status int, g store.ClientGrant) *apiError {
	list, err := h.grantBodies(c.r.Context(), g)
	if err != nil {
		return h.down(c, "read API", err)
	}
	return h.answerJSON(c, status, list[0])
}

// listGrants answers a page, of one client, audience or subject type when the query names it.
func (h *Handler) listGrants(c *call) *apiError {
	q := c.r.URL.Query()
	p, e := readPaging(q)
	if e != nil {
		return e
	}
	f := store.GrantFilter{ClientID: q.Get("client_id"), Subject: store.SubjectType(q.Get("subject_type"))}
	if audience := q.Get("audience"); audience != "" {
		api, err := h.Store.API(c.r.Context(), audience)
		if errors.Is(err, store.ErrNotFound) {
			return answerList(h, c, p, c.res.plural, []grantBody{}, 0)
		}
		if err != nil {
			return h.down(c, "read API", err)
		}
		f.APIID = api.ID
	}
	page, total, err := h.Store.ListClientGrants(c.r.Context(), f, p.offset(), p.size)
	if err != nil {
		return h.down(c, "list client grants", err)
	}
	list, err := h.grantBodies(c.r.Context(), page...)
	if err != nil {
		return h.down(c, "read API", err)
	}
	return answerList(h, c, p, c.res.plural, list, total)
}

func (h *Handler) getGrant(c *call) *apiError {
	g, err := h.Store.ClientGrantByID(c.r.Context(), c.id)
	if err != nil {
		return h.failed(c, err)
	}
	return h.answerGrant(c, http.StatusOK, g)
}

// unknownScopes reports the words of a grant that the API does not have.
func unknownScopes(o *schema.Object, api store.API) schema.Problems {
	var ps schema.Problems
	for i, s := range strs(o.List("scope")) {
		if !slices.Contains(api.Scopes, s) {
			ps = append(ps, fault(schema.CodeEnum, "must be a scope of the API", schema.Key("scope"), schema.Index(i)))
		}
	}
	return ps
}

// newGrant returns the grant that a checked body asks for. Client and API must exist.
func (a *act) newGrant(ctx context.Context, o *schema.Object) (store.ClientGrant, error) {
	var ps schema.Problems
	if _, err := a.Client(ctx, o.Text("client_id")); errors.Is(err, store.ErrNotFound) {
		ps = append(ps, fault(schema.CodeEnum, "must be the id of a client", schema.Key("client_id")))
	} else if err != nil {
		return store.ClientGrant{}, err
	}
	api, err := a.API(ctx, o.Text("audience"))
	switch {
	case errors.Is(err, store.ErrNotFound):
		ps = append(ps, fault(schema.CodeEnum, "must be the identifier of an API", schema.Key("audience")))
	case err != nil:
		return store.ClientGrant{}, err
	default:
		if api.ID == access.SelfServiceAPI && o.Text("subject_type") != string(store.SubjectUser) {
			ps = append(ps, fault(schema.CodeEnum, "must be user: the self-service API is for people only", schema.Key("subject_type")))
		}
		ps = append(ps, unknownScopes(o, api)...)
	}
	if len(ps) > 0 {
		schema.Sort(o, ps)
		return store.ClientGrant{}, invalidBody(ps)
	}
	g := store.ClientGrant{ClientID: o.Text("client_id"), APIID: api.ID, Subject: store.SubjectClient, Scopes: strs(o.List("scope"))}
	if s := o.Text("subject_type"); s != "" {
		g.Subject = store.SubjectType(s)
	}
	return g, nil
}

// mayGrant refuses to give or take scopes of a grant that the caller does not hold.
func (a *act) mayGrant(g store.ClientGrant, before, after []string) error {
	g.Scopes = access.Changed(before, after)
	return a.may(access.GrantPower(Scopes(), g))
}

func (h *Handler) createGrant(c *call) *apiError {
	o, e := fields(c, grantTable(), nil)
	if e != nil {
		return e
	}
	var g store.ClientGrant
	err := h.change(c, func(a *act) (err error) {
		if g, err = a.newGrant(c.r.Context(), o); err != nil {
			return err
		}
		if err := a.mayGrant(g, nil, g.Scopes); err != nil {
			return err
		}
		g, err = a.CreateClientGrant(c.r.Context(), g)
		return err
	})
	if err != nil {
		return h.refused(c, err, "The client has a grant for this audience and subject type already")
	}
	h.audit(c, "created", g.ID)
	c.Header().Set("Location", c.r.URL.EscapedPath()+"/"+g.ID)
	return h.answerGrant(c, http.StatusCreated, g)
}

func (h *Handler) patchGrant(c *call) *apiError {
	o, e := fields(c, schema.Table{grantScopeRow()}, nil)
	if e != nil {
		return e
	}
	ctx, scopes := c.r.Context(), strs(o.List("scope"))
	var g store.ClientGrant
	err := h.change(c, func(a *act) (err error) {
		g, err = a.UpdateClientGrant(ctx, c.id, func(g *store.ClientGrant) error {
			api, err := a.APIByID(ctx, g.APIID)
			if err != nil {
				return err
			}
			if ps := unknownScopes(o, api); len(ps) > 0 {
				return invalidBody(ps)
			}
			if err := a.mayGrant(*g, g.Scopes, scopes); err != nil {
				return err
			}
			g.Scopes = scopes
			return nil
		})
		return err
	})
	if err != nil {
		return h.failed(c, err)
	}
	h.audit(c, "updated", g.ID)
	return h.answerGrant(c, http.StatusOK, g)
}

func (h *Handler) deleteGrant(c *call) *apiError {
	err := h.change(c, func(a *act) error {
		g, err := a.ClientGrantByID(c.r.Context(), c.id)
		if err != nil {
			return err
		}
		if err := a.mayGrant(g, g.Scopes, nil); err != nil {
			return err
		}
		return a.DeleteClientGrant(c.r.Context(), c.id)
	})
	if err != nil {
		return h.failed(c, err)
	}
	return h.gone(c)
}
