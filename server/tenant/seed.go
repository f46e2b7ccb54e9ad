package tenant

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/management"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// EditorClient is the ID of the editor's own client. It is no secret and the same everywhere, so that replicas and restarts agree on it.
const EditorClient = "formgraph-editor"

// The stable IDs of the tenant's own APIs, whose identifiers follow its address.
const (
	managementAPI  = access.ManagementAPI
	selfServiceAPI = access.SelfServiceAPI
)

// seededMark is set once the seed is complete. Its value is the version of the seed.
const seededMark = "seeded"

// Credentials are a client's ID and its secret in clear text, which is stored nowhere else.
type Credentials struct {
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
}

// Admin is the first user.
type Admin struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// First is what the first start publishes, and only once.
type First struct {
	Admin      Admin
	Management Credentials // machine client: global, every scope of the management API
}

// SeedConfig configures Seed.
type SeedConfig struct {
	Store  store.Tenant     // required
	Issuer string           // the tenant's public address, as for New
	Now    func() time.Time // nil means time.Now
	// AdminEmail and AdminPassword are the administrator's. If empty, Seed chooses them: the address admin@formgraph.local and
	// a random password.
	AdminEmail, AdminPassword string
	// Publish receives everything that was created, before the seed counts as done. If it fails, or the process ends during it, the next
	// start seeds again with new secrets. Required.
	Publish func(First) error
}

// defaultAdmin is an address that cannot receive mail.
const defaultAdmin = "admin@formgraph.local"

// Seed fills a new tenant with the initial roles, the administrator, the machine client, three example forms and the flows they name. It
// does nothing in a tenant that has been seeded. It reports whether it seeded.
func Seed(ctx context.Context, c SeedConfig) (bool, error) {
	if _, err := c.Store.Mark(ctx, seededMark); !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if err := putAPIs(ctx, c.Store, strings.TrimSuffix(c.Issuer, "/")); err != nil {
		return false, fmt.Errorf("seed: %w", err)
	}
	if err := syncSample(ctx, c.Store); err != nil {
		return false, fmt.Errorf("seed sample API: %w", err)
	}
	if err := syncRoles(ctx, c.Store, c.Now()); err != nil {
		return false, fmt.Errorf("seed roles: %w", err)
	}
	var first First
	var err error
	if first.Admin, err = seedAdmin(ctx, c); err != nil {
		return false, fmt.Errorf("seed administrator: %w", err)
	}
	if first.Management, err = seedMachine(ctx, c); err != nil {
		return false, fmt.Errorf("seed machine client: %w", err)
	}
	if err := putScopes(ctx, c.Store, managementAPI, management.Scopes()); err != nil {
		return false, fmt.Errorf("seed scopes: %w", err)
	}
	if err := seedExamples(ctx, c.Store, c.Now()); err != nil {
		return false, fmt.Errorf("seed examples: %w", err)
	}
	if err := c.Publish(first); err != nil {
		return false, fmt.Errorf("publish first start: %w", err)
	}
	if err := c.Store.PutMark(ctx, seededMark, "1"); err != nil {
		return false, fmt.Errorf("seed: %w", err)
	}
	return true, nil
}

// putAPIs stores the tenant's own APIs under its current address. The management API always requires a grant under both policies: only
// clients with a grant may call it. The self-service API starts with the policies of its activation, and activated, since the editor's
// account page needs it. Later changes by an administrator stay, except the policy for clients, which cannot be changed.
func putAPIs(ctx context.Context, s store.Tenant, issuer string) error {
	return s.InTx(ctx, func(rows store.Access) error {
		err := putAPI(ctx, rows, managementAPI, func(a *store.API) {
			*a = store.API{
				ID: managementAPI, Identifier: access.ManagementAudience(issuer), Name: "Management API", Scopes: management.Scopes(),
				UserPolicy: store.RequireClientGrant, ClientPolicy: store.RequireClientGrant,
			}
		})
		if err != nil {
			return err
		}
		return putAPI(ctx, rows, selfServiceAPI, func(me *store.API) {
			me.Identifier, me.Name, me.Scopes = access.SelfServiceAudience(issuer), "My account API", access.SelfServiceScopes()
			me.ClientPolicy = store.DenyAll
			if me.UserPolicy == "" {
				me.UserPolicy = store.RequireClientGrant
			}
		})
	})
}

// putAPI updates or creates an API. It must be called in a transaction.
func putAPI(ctx context.Context, rows store.Access, id string, change func(*store.API)) error {
	_, err := rows.APIByID(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		a := store.API{ID: id}
		change(&a)
		return rows.CreateAPI(ctx, a)
	}
	if err != nil {
		return err
	}
	_, err = rows.UpdateAPI(ctx, id, func(a *store.API) error { change(a); return nil })
	return err
}

func seedAdmin(ctx context.Context, c SeedConfig) (Admin, error) {
	a := Admin{Email: strings.ToLower(strings.TrimSpace(c.AdminEmail)), Password: c.AdminPassword}
	if a.Email == "" {
		a.Email = defaultAdmin
	}
	if !strings.Contains(a.Email, "@") {
		return Admin{}, errors.New("the e-mail address must contain an @")
	}
	if a.Password == "" {
		a.Password = tokens.NewSecret()[:20] // 120 bits, and still short enough to type
	}
	if err := password.Check(a.Password); err != nil {
		return Admin{}, fmt.Errorf("the password %w", err)
	}
	hash := password.Hash(a.Password)
	fresh := store.User{ID: "user_" + tokens.NewSecret()[:22], Email: a.Email, Name: "Administrator", PasswordHash: hash, Created: c.Now()}
	return a, c.Store.InTx(ctx, func(rows store.Access) error {
		u, err := rows.UserByEmail(ctx, a.Email)
		switch {
		case errors.Is(err, store.ErrNotFound):
			u, err = fresh, rows.CreateUser(ctx, fresh)
		case err == nil: // an earlier seed was interrupted
			err = rows.ResetPassword(ctx, u.ID, hash)
		}
		if err != nil {
			return err
		}
		return rows.AddRoles(ctx, []string{u.ID}, []string{AccountRole, AdministratorRole})
	})
}

func seedMachine(ctx context.Context, c SeedConfig) (Credentials, error) {
	m := Credentials{ID: "machine_" + tokens.NewSecret()[:22], Secret: tokens.NewSecret()}
	now := c.Now()
	row := store.Client{
		ID: m.ID, Name: "Management", AppType: "non_interactive", SecretHash: tokens.Hash(m.Secret), FirstParty: true, Global: true,
		GrantTypes: []string{"client_credentials"}, Created: now, SecretSince: now,
	}
	err := c.Store.InTx(ctx, func(rows store.Access) error {
		if err := rows.CreateClient(ctx, row); err != nil {
			return err
		}
		return setGrants(ctx, rows,
			store.ClientGrant{ClientID: m.ID, APIID: managementAPI, Subject: store.SubjectClient, Scopes: management.Scopes()},
			// This allows the sample API to be called at once.
			store.ClientGrant{ClientID: m.ID, APIID: sampleAPI, Subject: store.SubjectClient, Scopes: sampleScopes()},
		)
	})
	return m, err
}

// setGrants creates the grants of a client that the tenant maintains, or sets their scopes. It must be called in a transaction.
func setGrants(ctx context.Context, rows store.Access, grants ...store.ClientGrant) error {
	for _, g := range grants {
		kept, _, err := rows.ListClientGrants(ctx, store.GrantFilter{ClientID: g.ClientID, APIID: g.APIID, Subject: g.Subject}, 0, 1)
		switch {
		case err != nil:
		case len(kept) == 0:
			_, err = rows.CreateClientGrant(ctx, g)
		default:
			_, err = rows.UpdateClientGrant(ctx, kept[0].ID, func(kept *store.ClientGrant) error { kept.Scopes = g.Scopes; return nil })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// SyncConfig configures Sync.
type SyncConfig struct {
	Store     store.Tenant     // required
	Keys      *keys.Set        // required
	Issuer    string           // the tenant's public address, as for New
	EditorURL string           // the editor's public address; a trailing slash is dropped
	Now       func() time.Time // nil means time.Now
}

// Sync runs at every start, after Seed. It updates everything that depends on addresses, keys and the program's version: the identifiers
// and scopes of the tenant's own APIs, the holders of new scopes, the initial roles, and the editor's client with its callbacks and its
// address for sign-out notices. It returns the editor's credentials. Their secret is derived from the newest master secret, so it needs no
// file of its own, replicas with the same keys agree on it, and a new master secret replaces it.
func Sync(ctx context.Context, c SyncConfig) (Credentials, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if err := putAPIs(ctx, c.Store, strings.TrimSuffix(c.Issuer, "/")); err != nil {
		return Credentials{}, fmt.Errorf("sync APIs: %w", err)
	}
	if err := growScopes(ctx, c.Store); err != nil {
		return Credentials{}, fmt.Errorf("sync scopes: %w", err)
	}
	if err := syncRoles(ctx, c.Store, c.Now()); err != nil {
		return Credentials{}, fmt.Errorf("sync roles: %w", err)
	}
	if err := syncSample(ctx, c.Store); err != nil {
		return Credentials{}, fmt.Errorf("sync sample API: %w", err)
	}
	editor := strings.TrimSuffix(c.EditorURL, "/")
	credentials := EditorCredentials(c.Keys)
	now := c.Now()
	err := c.Store.InTx(ctx, func(rows store.Access) error {
		err := putClient(ctx, rows, store.Client{
			ID: EditorClient, Name: "Formgraph editor", AppType: "regular_web", SecretHash: tokens.Hash(credentials.Secret), FirstParty: true,
			Global:     true,
			GrantTypes: []string{"authorization_code", "refresh_token"},
			Callbacks:  []string{editor + callbackPath},
			LogoutURLs: []string{editor + "/", editor + "/forms"}, BackchannelURI: editor + "/bff/backchannel",
			Created: now, SecretSince: now,
		})
		if err != nil {
			return err
		}
		return setGrants(ctx, rows,
			store.ClientGrant{ClientID: EditorClient, APIID: managementAPI, Subject: store.SubjectUser, Scopes: management.Scopes()},
			store.ClientGrant{ClientID: EditorClient, APIID: selfServiceAPI, Subject: store.SubjectUser, Scopes: access.SelfServiceScopes()},
		)
	})
	if err != nil {
		return Credentials{}, fmt.Errorf("sync editor client: %w", err)
	}
	return credentials, nil
}

// putClient stores a client as given, but keeps the creation date of an existing one. It must be called in a transaction.
func putClient(ctx context.Context, rows store.Access, c store.Client) error {
	_, err := rows.Client(ctx, c.ID)
	if errors.Is(err, store.ErrNotFound) {
		return rows.CreateClient(ctx, c)
	}
	if err != nil {
		return err
	}
	if _, err := rows.UpdateClient(ctx, c.ID, func(kept *store.Client) error { *kept = c; return nil }); err != nil {
		return err
	}
	if err := rows.SetClientSecret(ctx, c.ID, c.SecretHash, c.SecretSince); err != nil {
		return err
	}
	return rows.SetClientGlobal(ctx, c.ID, c.Global)
}

// Paths of the editor: its callback, and the start of a sign-in.
const (
	callbackPath = "/bff/callback"
	loginPath    = "/bff/login?return_to=/forms"
)

// signInAt returns a function that returns the address where a person starts to sign in to the editor, as stored by Sync.
func signInAt(s store.Clients) func(context.Context) *url.URL {
	return func(ctx context.Context) *url.URL {
		c, err := s.Client(ctx, EditorClient)
		if err != nil || len(c.Callbacks) == 0 {
			return nil // the page works without the button
		}
		at, err := url.Parse(strings.TrimSuffix(c.Callbacks[0], callbackPath) + loginPath)
		if err != nil {
			return nil
		}
		return at
	}
}

// EditorCredentials returns the credentials of the editor's client that Sync derives from a set of keys.
func EditorCredentials(set *keys.Set) Credentials {
	secret := base64.RawURLEncoding.EncodeToString(set.Master[0].Derive("editor client secret", 32))
	return Credentials{ID: EditorClient, Secret: secret}
}
