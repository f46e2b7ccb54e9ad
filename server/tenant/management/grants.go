package management

import (
	"context"
	"errors"
	"slices"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// grantTable is the body of POST /client-grants.
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
	*grantNames
}

// grantNames are the members that the parameter include_names adds. They are our choice: people do not read IDs.
type grantNames struct {
	Client   string `json:"client_name"`
	API      string `json:"resource_server_name"`
	Reserved bool   `json:"is_reserved"` // of the client
}

// newGrants describes /client-grants.
func newGrants(h *Handler) *rows[store.ClientGrant, grantBody] {
	g := grants{h}
	return &rows[store.ClientGrant, grantBody]{
		resource: resource{h, "client grant", "/client-grants"},
		bodies:   g.bodies, narrow: g.narrow,
		get:   h.Store.ClientGrantByID,
		table: grantTable(), patch: schema.Table{grantScopeRow()},
		create: createGrant, update: updateGrant, remove: removeGrant,
		id: func(g store.ClientGrant) string { return g.ID },
		taken: func(context.Context, *schema.Object) string {
			return "The client has a grant for this audience and subject type already"
		},
	}
}

// grants reads the grants of clients.
type grants struct{ h *Handler }

// bodies replaces the APIs of grants by their identifiers, and adds names if the query asks for them.
func (g grants) bodies(c *api.Call, rows []store.ClientGrant) ([]grantBody, error) {
	apis, clients := map[string]store.API{}, map[string]store.Client{}
	named := c.Request.URL.Query().Get("include_names") == "true"
	list := make([]grantBody, len(rows))
	for i, row := range rows {
		of, err := once(c.Context(), apis, row.APIID, g.h.Store.APIByID)
		if err != nil {
			return nil, err
		}
		list[i] = grantBody{row.ID, row.ClientID, of.Identifier, some(row.Scopes), row.Subject, nil}
		if !named {
			continue
		}
		client, err := once(c.Context(), clients, row.ClientID, g.h.Store.Client)
		if err != nil {
			return nil, err
		}
		list[i].grantNames = &grantNames{client.Name, of.Name, slices.Contains(g.h.Reserved, row.ClientID)}
	}
	return list, nil
}

// once reads a row unless it is in read already. The zero value stands for a row that was deleted in the meantime.
func once[T any](ctx context.Context, read map[string]T, id string, get func(context.Context, string) (T, error)) (T, error) {
	row, ok := read[id]
	if ok {
		return row, nil
	}
	row, err := get(ctx, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return row, err
	}
	read[id] = row
	return row, nil
}

// narrow selects the grants of one client, audience or subject type if the query names it.
func (g grants) narrow(c *api.Call) lister[store.ClientGrant] {
	q := c.Request.URL.Query()
	return func(ctx context.Context, f store.Find, offset, limit int) ([]store.ClientGrant, int, error) {
		filter := store.GrantFilter{Find: f, ClientID: q.Get("client_id"), Subject: store.SubjectType(q.Get("subject_type"))}
		if audience := q.Get("audience"); audience != "" {
			found, err := g.h.Store.API(ctx, audience)
			if errors.Is(err, store.ErrNotFound) {
				return nil, 0, nil
			}
			if err != nil {
				return nil, 0, err
			}
			filter.APIID = found.ID
		}
		return g.h.Store.ListClientGrants(ctx, filter, offset, limit)
	}
}

// unknownScopes reports the scopes of a grant that the API does not have.
func unknownScopes(o *schema.Object, of store.API) schema.Problems {
	var ps schema.Problems
	for i, s := range strs(o.List("scope")) {
		if !slices.Contains(of.Scopes, s) {
			ps = append(ps, api.Fault(schema.CodeEnum, "must be a scope of the API", schema.Key("scope"), schema.Index(i)))
		}
	}
	return ps
}

// newGrant returns the grant described by a checked body. Client and API must exist.
func (a *act) newGrant(ctx context.Context, o *schema.Object) (store.ClientGrant, error) {
	var ps schema.Problems
	if _, err := a.Client(ctx, o.Text("client_id")); errors.Is(err, store.ErrNotFound) {
		ps = append(ps, api.Fault(schema.CodeEnum, "must be the id of a client", schema.Key("client_id")))
	} else if err != nil {
		return store.ClientGrant{}, err
	}
	of, err := a.API(ctx, o.Text("audience"))
	switch {
	case errors.Is(err, store.ErrNotFound):
		ps = append(ps, api.Fault(schema.CodeEnum, "must be the identifier of an API", schema.Key("audience")))
	case err != nil:
		return store.ClientGrant{}, err
	default:
		if of.ID == access.SelfServiceAPI && o.Text("subject_type") != string(store.SubjectUser) {
			ps = append(ps, api.Fault(schema.CodeEnum, "must be user: the self-service API is for people only", schema.Key("subject_type")))
		}
		ps = append(ps, unknownScopes(o, of)...)
	}
	if len(ps) > 0 {
		schema.Sort(o, ps)
		return store.ClientGrant{}, api.InvalidBody(ps...)
	}
	g := store.ClientGrant{ClientID: o.Text("client_id"), APIID: of.ID, Subject: store.SubjectClient, Scopes: strs(o.List("scope"))}
	if s := o.Text("subject_type"); s != "" {
		g.Subject = store.SubjectType(s)
	}
	return g, nil
}

// mayGrant refuses to give or remove scopes of a grant that the caller does not hold.
func (a *act) mayGrant(g store.ClientGrant, before, after []string) error {
	g.Scopes = access.Changed(before, after)
	return a.may(access.GrantPower(Scopes(), g))
}

func createGrant(ctx context.Context, o *schema.Object) func(*act) (store.ClientGrant, error) {
	return func(a *act) (store.ClientGrant, error) {
		g, err := a.newGrant(ctx, o)
		if err != nil {
			return g, err
		}
		if err := a.mayGrant(g, nil, g.Scopes); err != nil {
			return g, err
		}
		return a.CreateClientGrant(ctx, g)
	}
}

func updateGrant(ctx context.Context, a *act, id string, o *schema.Object) (store.ClientGrant, error) {
	scopes := strs(o.List("scope"))
	return a.UpdateClientGrant(ctx, id, func(g *store.ClientGrant) error {
		of, err := a.APIByID(ctx, g.APIID)
		if err != nil {
			return err
		}
		if ps := unknownScopes(o, of); len(ps) > 0 {
			return api.InvalidBody(ps...)
		}
		if err := a.mayGrant(*g, g.Scopes, scopes); err != nil {
			return err
		}
		g.Scopes = scopes
		return nil
	})
}

func removeGrant(c *api.Call, a *act) error {
	g, err := a.ClientGrantByID(c.Context(), c.ID())
	if err != nil {
		return err
	}
	if err := a.mayGrant(g, g.Scopes, nil); err != nil {
		return err
	}
	return a.DeleteClientGrant(c.Context(), c.ID())
}
