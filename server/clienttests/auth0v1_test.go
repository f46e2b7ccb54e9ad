package clienttests

import (
	"net/http"
	"testing"

	"github.com/auth0/go-auth0"
	"github.com/auth0/go-auth0/management"
)

// go-auth0 v1.33.0, on which the Terraform provider is based: forms, flows and the administration.
func TestGoAuth0V1(t *testing.T) {
	s := start(t)
	ctx := t.Context()
	m, err := management.New(s.host(), management.WithInsecure(), management.WithClientCredentials(ctx, s.Client.ID, s.Client.Secret))
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	step := map[string]any{
		"id": "step_1", "type": "STEP", "coordinates": map[string]any{"x": 100, "y": 0},
		"config": map[string]any{
			"components": []any{map[string]any{"id": "next", "category": "BLOCK", "type": "NEXT_BUTTON", "config": map[string]any{"text": "Go on"}}},
			"next_node":  "$ending",
		},
	}
	form := &management.Form{
		Name: auth0.String("By a client"), Nodes: []any{step},
		Languages: &management.FormLanguages{Primary: auth0.String("en")},
		Start:     &map[string]any{"next_node": "step_1"},
	}
	must(m.Form.Create(ctx, form))
	got, err := m.Form.Read(ctx, form.GetID())
	must(err)
	if got.GetName() != "By a client" || len(got.Nodes) != 1 || got.Ending == nil || (*got.Ending)["resume_flow"] != true {
		t.Errorf("form = %v", got)
	}
	must(m.Form.Update(ctx, form.GetID(), &management.Form{Name: auth0.String("Another name")}))
	list, err := m.Form.List(ctx)
	must(err)
	if len(list.Forms) != 4 { // the three examples and this one
		t.Errorf("%d forms, want 4", len(list.Forms))
	}
	// A pointer to a node that does not exist is refused with an explanation.
	err = m.Form.Update(ctx, form.GetID(), &management.Form{Start: &map[string]any{"next_node": "nowhere"}})
	if e, ok := err.(management.Error); !ok || e.Status() != http.StatusBadRequest {
		t.Errorf("pointer to nowhere: %v, want status 400", err)
	}
	must(m.Form.Delete(ctx, form.GetID()))
	if _, err := m.Form.Read(ctx, form.GetID()); err == nil || err.(management.Error).Status() != http.StatusNotFound {
		t.Errorf("deleted: %v, want status 404", err)
	}

	flow := &management.Flow{Name: auth0.String("A flow"), Actions: []any{}}
	must(m.Flow.Create(ctx, flow))
	if _, err := m.Flow.Read(ctx, flow.GetID()); err != nil {
		t.Error(err)
	}
	flows, err := m.Flow.List(ctx)
	must(err)
	if len(flows.Flows) == 0 {
		t.Error("the flow is not listed")
	}
	must(m.Flow.Delete(ctx, flow.GetID()))

	api := &management.ResourceServer{
		Name: auth0.String("Orders"), Identifier: auth0.String("https://orders.example"),
		Scopes: &[]management.ResourceServerScope{{Value: auth0.String("read:orders"), Description: auth0.String("See orders")}},
	}
	must(m.ResourceServer.Create(ctx, api))
	app := &management.Client{
		Name: auth0.String("A machine"), AppType: auth0.String("non_interactive"), GrantTypes: &[]string{"client_credentials"},
	}
	must(m.Client.Create(ctx, app))
	if app.GetClientSecret() == "" {
		t.Error("the secret is not told")
	}
	grant := &management.ClientGrant{ClientID: app.ClientID, Audience: api.Identifier, Scope: &[]string{"read:orders"}}
	must(m.ClientGrant.Create(ctx, grant))
	must(m.Client.Update(ctx, app.GetClientID(), &management.Client{Name: auth0.String("A machine, renamed")}))
	renewed, err := m.Client.RotateSecret(ctx, app.GetClientID())
	must(err)
	if renewed.GetClientSecret() == app.GetClientSecret() {
		t.Error("the secret is the old one")
	}
	apps, err := m.Client.List(ctx, management.PerPage(50))
	must(err)
	if len(apps.Clients) < 2 {
		t.Errorf("%d clients", len(apps.Clients))
	}
	must(m.ClientGrant.Delete(ctx, grant.GetID()))
	must(m.Client.Delete(ctx, app.GetClientID()))

	role := &management.Role{Name: auth0.String("Clerk"), Description: auth0.String("Reads orders")}
	must(m.Role.Create(ctx, role))
	must(m.Role.AssociatePermissions(ctx, role.GetID(), []*management.Permission{
		{Name: auth0.String("read:orders"), ResourceServerIdentifier: api.Identifier},
	}))
	person := &management.User{
		Connection: auth0.String("Username-Password-Authentication"),
		Email:      auth0.String("bob@example.com"), Password: auth0.String("a long password"),
	}
	must(m.User.Create(ctx, person))
	must(m.User.AssignRoles(ctx, person.GetID(), []*management.Role{role}))
	roles, err := m.User.Roles(ctx, person.GetID())
	must(err)
	if len(roles.Roles) == 0 {
		t.Error("the person has no role")
	}
	must(m.User.Update(ctx, person.GetID(), &management.User{Blocked: auth0.Bool(true)}))
	found, err := m.User.List(ctx)
	must(err)
	if len(found.Users) != 2 {
		t.Errorf("%d people, want the administrator and Bob", len(found.Users))
	}
	must(m.User.Delete(ctx, person.GetID()))
	must(m.Role.Delete(ctx, role.GetID()))
	must(m.ResourceServer.Delete(ctx, api.GetID()))
	if _, err := m.Log.List(ctx); err != nil {
		t.Error(err)
	}
}
