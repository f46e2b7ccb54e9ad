package clienttests

import (
	"errors"
	"net/http"
	"testing"

	"github.com/auth0/go-auth0/v3/management"
	"github.com/auth0/go-auth0/v3/management/client"
	"github.com/auth0/go-auth0/v3/management/core"
	"github.com/auth0/go-auth0/v3/management/option"
)

// go-auth0 v3.0.0. Its node types lose the content of steps and routers, so forms are created without nodes.
func TestGoAuth0V3(t *testing.T) {
	s := start(t)
	ctx := t.Context()
	m, err := client.New(s.host(), option.WithInsecure(), option.WithClientCredentials(ctx, s.Client.ID, s.Client.Secret))
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	made, err := m.Forms.Create(ctx, &management.CreateFormRequestContent{Name: "By a client"})
	must(err)
	name := "Another name"
	_, err = m.Forms.Update(ctx, made.ID, &management.UpdateFormRequestContent{Name: &name})
	must(err)
	got, err := m.Forms.Get(ctx, made.ID, &management.GetFormRequestParameters{})
	must(err)
	if got.Name != name || !got.UpdatedAt.After(made.UpdatedAt) {
		t.Errorf("form = %v, made at %v", got, made.UpdatedAt)
	}
	// It requests pages until one is empty.
	page, err := m.Forms.List(ctx, &management.ListFormsRequestParameters{PerPage: management.Int(2)})
	must(err)
	count, it := 0, page.Iterator()
	for it.Next(ctx) {
		count++
	}
	must(it.Err())
	if count != 4 { // the three examples and this one
		t.Errorf("%d forms, want 4", count)
	}
	must(m.Forms.Delete(ctx, made.ID))
	_, err = m.Forms.Get(ctx, made.ID, &management.GetFormRequestParameters{})
	if e, ok := errors.AsType[*management.NotFoundError](err); !ok || e.StatusCode != http.StatusNotFound {
		if e, ok := errors.AsType[*core.APIError](err); !ok || e.StatusCode != http.StatusNotFound {
			t.Errorf("deleted: %v, want status 404", err)
		}
	}

	flow, err := m.Flows.Create(ctx, &management.CreateFlowRequestContent{Name: "A flow"})
	must(err)
	must(m.Flows.Delete(ctx, flow.ID))
	app, err := m.Clients.Create(ctx, &management.CreateClientRequestContent{
		Name: "A machine", AppType: management.ClientAppTypeEnumNonInteractive.Ptr(), GrantTypes: []string{"client_credentials"},
	})
	must(err)
	if app.GetClientSecret() == "" {
		t.Error("the secret is not told")
	}
	must(m.Clients.Delete(ctx, app.GetClientID()))
	yes, channel := true, "https://shop.example.com/bc"
	app, err = m.Clients.Create(ctx, &management.CreateClientRequestContent{
		Name: "A shop", RequirePushedAuthorizationRequests: &yes, RequireProofOfPossession: &yes,
		OidcLogout: &management.ClientOidcBackchannelLogoutSettings{BackchannelLogoutURLs: []string{channel}},
	})
	must(err)
	if got := app.GetOidcLogout(); len(got.GetBackchannelLogoutURLs()) != 1 || got.GetBackchannelLogoutURLs()[0] != channel ||
		!app.GetRequireProofOfPossession() || !app.GetRequirePushedAuthorizationRequests() {
		t.Errorf("client = %v", app)
	}
	must(m.Clients.Delete(ctx, app.GetClientID()))

	person, err := m.Users.Create(ctx, &management.CreateUserRequestContent{Email: management.String("ana@example.com"), Connection: "any"})
	must(err)
	factors, err := m.Users.AuthenticationMethods.List(ctx, person.GetUserID(), &management.ListUserAuthenticationMethodsRequestParameters{})
	must(err)
	if len(factors.Results) != 0 {
		t.Errorf("methods = %v, want none", factors.Results)
	}
	must(m.Users.AuthenticationMethods.DeleteAll(ctx, person.GetUserID()))
	must(m.Users.Authenticators.DeleteAll(ctx, person.GetUserID()))
	err = m.Users.AuthenticationMethods.Delete(ctx, person.GetUserID(), "totp|none")
	if e, ok := errors.AsType[*core.APIError](err); ok && e.StatusCode != http.StatusNotFound || err == nil {
		t.Errorf("delete of nothing: %v, want status 404", err)
	}
	role, err := m.Roles.Create(ctx, &management.CreateRoleRequestContent{Name: "Clerk"})
	must(err)
	must(m.Roles.Delete(ctx, role.GetID()))
}
