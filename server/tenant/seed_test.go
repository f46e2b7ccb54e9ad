package tenant_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/keys/keystest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/templates"
	"github.com/formgraph/formgraph/server/tenant"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/management"
)

const issuer = "http://localhost:8081"

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func newKeys(tb testing.TB) *keys.Set {
	tb.Helper()
	return keystest.Set(tb, noon())
}

// seed seeds an empty store and returns what was published.
func seed(t *testing.T, c tenant.SeedConfig) tenant.First {
	t.Helper()
	var first tenant.First
	c.Issuer, c.Now = issuer, noon
	c.Publish = func(f tenant.First) error { first = f; return nil }
	if done, err := tenant.Seed(t.Context(), c); err != nil || !done {
		t.Fatalf("Seed = %v, %v, want true, nil", done, err)
	}
	return first
}

func TestSeed(t *testing.T) {
	s := sqlitetest.Open(t)
	first := seed(t, tenant.SeedConfig{Store: s})
	if first.Admin.Email != "admin@formgraph.local" || len(first.Admin.Password) < 16 {
		t.Errorf("administrator = %s with a password of %d characters, want the default with a random one", first.Admin.Email,
			len(first.Admin.Password))
	}
	c, err := s.Client(t.Context(), first.Management.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Global || !slices.Equal(c.GrantTypes, []string{"client_credentials"}) ||
		strings.Contains(string(c.SecretHash), first.Management.Secret) {
		t.Errorf("machine client = %+v, want a global one for client credentials with a hashed secret", c)
	}
	scopes, err := s.ClientGrant(t.Context(), c.ID, "management", store.SubjectClient)
	if err != nil || !slices.Equal(scopes, management.Scopes()) {
		t.Errorf("machine client's scopes = %v, %v, want all", scopes, err)
	}
	u, err := s.UserByEmail(t.Context(), first.Admin.Email)
	if err != nil {
		t.Fatal(err)
	}
	held, err := s.Held(t.Context(), u.ID, "management")
	if err != nil || len(held) != len(management.Scopes()) {
		t.Errorf("administrator's permissions = %v, %v, want all", held, err)
	}
	if direct, err := s.Permissions(t.Context(), u.ID, "management"); err != nil || len(direct) > 0 {
		t.Errorf("of these %v, %v are not of a role", direct, err)
	}

	again, err := tenant.Seed(t.Context(), tenant.SeedConfig{Store: s, Issuer: issuer, Publish: func(tenant.First) error {
		t.Error("Publish was called at the second start")
		return nil
	}})
	if again || err != nil {
		t.Errorf("second Seed = %v, %v, want false, nil", again, err)
	}
	other := seed(t, tenant.SeedConfig{Store: sqlitetest.Open(t)})
	if other.Admin.Password == first.Admin.Password || other.Management == first.Management {
		t.Error("two tenants have the same secrets")
	}
}

func TestSeedChosenAdmin(t *testing.T) {
	first := seed(t, tenant.SeedConfig{Store: sqlitetest.Open(t), AdminEmail: " Ana@Example.com ", AdminPassword: "correct horse"})
	if want := (tenant.Admin{Email: "ana@example.com", Password: "correct horse"}); first.Admin != want {
		t.Errorf("administrator = %+v, want %+v", first.Admin, want)
	}
	for _, c := range []tenant.SeedConfig{
		{AdminEmail: "ana"},
		{AdminPassword: "short"},
		{AdminPassword: "éééé"}, // eight bytes, four characters
		{AdminPassword: strings.Repeat("x", 1025)},
	} {
		c.Store, c.Publish = sqlitetest.Open(t), func(tenant.First) error { return nil }
		if _, err := tenant.Seed(t.Context(), c); err == nil {
			t.Errorf("Seed of %q with a password of %d bytes = nil, want an error", c.AdminEmail, len(c.AdminPassword))
		}
	}
}

func TestSeedCutShort(t *testing.T) {
	s := sqlitetest.Open(t)
	full := errors.New("disk full")
	_, err := tenant.Seed(t.Context(), tenant.SeedConfig{Store: s, Issuer: issuer, Publish: func(tenant.First) error { return full }})
	if !errors.Is(err, full) {
		t.Fatalf("Seed = %v, want the error of Publish", err)
	}
	seed(t, tenant.SeedConfig{Store: s})
	if _, n, err := s.Forms().List(t.Context(), 0, 1); err != nil || n != 3 {
		t.Errorf("forms after the second try = %d, %v, want 3", n, err)
	}
}

func TestExamples(t *testing.T) {
	s := sqlitetest.Open(t)
	seed(t, tenant.SeedConfig{Store: s})
	flows, _, err := s.Flows().List(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	var targets []envelope.Target
	for _, f := range flows {
		ids[f.ID] = true
		targets = append(targets, envelope.Target{ID: f.ID, Name: f.Name})
	}
	// A form that is created from a template finds its flows by their names.
	list, err := templates.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range list {
		d, _, _ := envelope.Read(of.Envelope)
		mapping, _ := envelope.MatchFlows(d, targets)
		if _, left := envelope.ImportForm(d, mapping); len(left) > 0 {
			t.Errorf("%s: the tenant lacks the flows %v", of.ID, left)
		}
	}
	forms, _, err := s.Forms().List(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(forms) != 3 || len(flows) != 10 {
		t.Errorf("%d forms and %d flows, want 3 and 10", len(forms), len(flows))
	}
	kinds := map[string]bool{}
	for _, f := range forms {
		d, err := s.Forms().Get(t.Context(), f.ID)
		if err != nil {
			t.Fatal(err)
		}
		tree, ps := schema.Decode(d.Body)
		if len(ps) > 0 {
			t.Fatal(ps)
		}
		form := model.FromTree(tree.(*schema.Object))
		if ps := append(new(model.Checker).Check(form), model.Warnings(form)...); len(ps) > 0 {
			t.Errorf("%s: %v", f.Name, ps)
		}
		for _, n := range form.Nodes {
			kinds[string(n.Type)] = true
			if fc, ok := n.Config.(*model.Flow); ok && !ids[fc.FlowID] {
				t.Errorf("%s: node %s names the flow %s, which does not exist", f.Name, n.ID, fc.FlowID)
			}
			if st, ok := n.Config.(*model.Step); ok {
				for _, c := range st.Components {
					kinds[c.Type] = true
				}
			}
		}
	}
	for _, k := range []string{
		"ROUTER", "JUMP_BUTTON", "RESEND_BUTTON", "CARDS", "FILE", "TEL", "MAPS_ADDRESS", "RECAPTCHA", "HTML", "LEGAL",
		"DATE",
	} {
		if !kinds[k] {
			t.Errorf("no example shows a %s", k)
		}
	}
}

func TestSync(t *testing.T) {
	s, set := sqlitetest.Open(t), newKeys(t)
	seed(t, tenant.SeedConfig{Store: s})
	sync := func(tenantURL, editorURL string, set *keys.Set) tenant.Credentials {
		t.Helper()
		c, err := tenant.Sync(t.Context(), tenant.SyncConfig{Store: s, Keys: set, Issuer: tenantURL, EditorURL: editorURL, Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := sync(issuer, "http://localhost:8080", set)
	moved := sync("http://localhost:9001/", "http://localhost:9000/", set)
	if first != moved || first.ID != tenant.EditorClient || len(first.Secret) != 43 {
		t.Error("the editor's credentials changed with its address, want the same from the same keys")
	}
	if renewed := sync(issuer, "http://localhost:9000", newKeys(t)); renewed.Secret == first.Secret {
		t.Error("the editor's secret stayed with other keys, want another")
	}
	c, err := s.Client(t.Context(), tenant.EditorClient)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"http://localhost:9000/bff/callback"}; !slices.Equal(c.Callbacks, want) {
		t.Errorf("callbacks = %v, want %v", c.Callbacks, want)
	}
	if want := []string{"http://localhost:9000/", "http://localhost:9000/forms"}; !slices.Equal(c.LogoutURLs, want) {
		t.Errorf("logout URLs = %v, want %v", c.LogoutURLs, want)
	}
	if c.BackchannelURI != "http://localhost:9000/bff/backchannel" {
		t.Errorf("back-channel address = %q", c.BackchannelURI)
	}
	taken := []string{"read:forms"}
	if err := storetest.SetGrant(t.Context(), s, tenant.EditorClient, access.ManagementAPI, store.SubjectUser, taken); err != nil {
		t.Fatal(err)
	}
	sync("http://localhost:9001", "http://localhost:9002", set)
	if got, err := s.ClientGrant(t.Context(), tenant.EditorClient, access.ManagementAPI, store.SubjectUser); err != nil ||
		!slices.Equal(got, management.Scopes()) {
		t.Errorf("the editor's grant = %v, %v, want every scope", got, err)
	}
	if c, err := s.Client(t.Context(), tenant.EditorClient); err != nil || c.BackchannelURI != "http://localhost:9002/bff/backchannel" {
		t.Errorf("client = %+v, %v, want the new address", c, err)
	}
	sync("http://localhost:9001", "http://localhost:9000", set)
	if _, err := s.API(t.Context(), issuer+"/api/v2/"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("API at the old address = %v, want ErrNotFound", err)
	}
	if _, err := s.API(t.Context(), "http://localhost:9001/api/v2/"); err != nil {
		t.Errorf("API at the new address = %v, want nil", err)
	}
}
