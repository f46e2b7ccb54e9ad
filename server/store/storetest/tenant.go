package storetest

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/server/store"
)

func equal(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("row differs (-want +got):\n%s", d)
	}
}

func clients(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Client(ctx, "c")
	mustBe(t, "Client of nothing", err, store.ErrNotFound)
	c := store.Client{
		ID: "c", Name: "Editor", SecretHash: []byte{1, 2}, FirstParty: true, Global: true,
		GrantTypes: []string{"authorization_code", "refresh_token"}, Callbacks: []string{"http://a/cb"},
		LogoutURLs: []string{"http://a/", "http://a/forms"}, Created: noon(), SecretSince: noon(),
		BackchannelURI: "http://a/bc", RequirePushed: true,
		AllowedOrigins: []string{"https://a", "https://b"}, WebOrigins: []string{"https://b", "https://c"},
	}
	must(t, s.CreateClient(ctx, c))
	got, err := s.Client(ctx, "c")
	must(t, err)
	equal(t, got, c)

	mustBe(t, "CreateClient again", s.CreateClient(ctx, c), store.ErrConflict)
	next := store.Client{ID: "c", Name: "Other", Public: true, RequireDPoP: true}
	kept, err := s.UpdateClient(ctx, "c", func(row *store.Client) error { *row = next; row.ID = "x"; return nil })
	must(t, err)
	next.Created, next.Global, next.SecretHash, next.SecretSince = c.Created, c.Global, c.SecretHash, c.SecretSince
	equal(t, kept, next)
	got, err = s.Client(ctx, "c")
	must(t, err)
	equal(t, got, next)
	must(t, s.SetClientSecret(ctx, "c", []byte{3}, noon().Add(time.Hour)))
	must(t, s.SetClientGlobal(ctx, "c", false))
	next.Global, next.SecretHash, next.SecretSince = false, []byte{3}, noon().Add(time.Hour)
	got, err = s.Client(ctx, "c")
	must(t, err)
	equal(t, got, next)
}

// An origin is found as long as some client lists it, in one list or the other.
func origins(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	listed := func(want string) {
		t.Helper()
		var got strings.Builder
		for _, name := range []string{"a", "b", "c"} {
			ok, err := s.OriginListed(ctx, "https://"+name)
			must(t, err)
			if ok {
				got.WriteString(name)
			}
		}
		if got.String() != want {
			t.Errorf("listed origins = %q, want %q", got.String(), want)
		}
	}
	listed("")
	must(t, s.CreateClient(ctx, store.Client{
		ID: "x", AllowedOrigins: []string{"https://a", "https://a"},
		WebOrigins: []string{"https://a", "https://b"}, Created: noon(), SecretSince: noon(),
	}))
	listed("ab")
	must(t, s.CreateClient(ctx, store.Client{ID: "y", WebOrigins: []string{"https://b"}, Created: noon(), SecretSince: noon()}))
	_, err := s.UpdateClient(ctx, "x", func(c *store.Client) error { c.AllowedOrigins, c.WebOrigins = []string{"https://c"}, nil; return nil })
	must(t, err)
	listed("bc")
	fail := errors.New("no")
	err = s.InTx(ctx, func(rows store.Access) error {
		_, err := rows.UpdateClient(ctx, "x", func(c *store.Client) error { c.AllowedOrigins = []string{"https://a"}; return nil })
		must(t, err)
		ok, err := rows.OriginListed(ctx, "https://a")
		must(t, err)
		if !ok {
			t.Error("inside a transaction its own change is not seen")
		}
		return fail
	})
	mustBe(t, "InTx", err, fail)
	listed("bc")
	must(t, s.DeleteClient(ctx, "y"))
	listed("c")
	must(t, s.DeleteClient(ctx, "x"))
	listed("")
}

func api(id string) store.API {
	return store.API{
		ID: id, Identifier: "http://t/" + id, Name: "API", Scopes: []string{"read:forms", "update:forms"},
		UserPolicy: store.RequireClientGrant, ClientPolicy: store.DenyAll,
	}
}

func apis(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	must(t, s.CreateAPI(ctx, api("m")))
	got, err := s.API(ctx, "http://t/m")
	must(t, err)
	equal(t, got, api("m"))
	_, err = s.API(ctx, "m")
	mustBe(t, "API by its ID", err, store.ErrNotFound)

	moved := api("m")
	moved.Identifier = "http://t2/m"
	kept, err := s.UpdateAPI(ctx, "m", func(a *store.API) error { *a = moved; a.ID = "x"; return nil })
	must(t, err)
	equal(t, kept, moved)
	_, err = s.API(ctx, "http://t/m")
	mustBe(t, "API at its old identifier", err, store.ErrNotFound)
	got, err = s.API(ctx, "http://t2/m")
	must(t, err)
	equal(t, got, moved)

	other := api("n")
	other.Identifier = "http://t2/m"
	mustBe(t, "CreateAPI of a taken identifier", s.CreateAPI(ctx, other), store.ErrConflict)
	other.Identifier = "http://t/n"
	must(t, s.CreateAPI(ctx, other))
	_, err = s.UpdateAPI(ctx, "n", func(a *store.API) error { a.Identifier = "http://t2/m"; return nil })
	mustBe(t, "UpdateAPI to a taken identifier", err, store.ErrConflict)
}

func clientGrants(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	mustBe(t, "SetGrant of nothing", SetGrant(ctx, s, "c", "m", store.SubjectUser, nil), store.ErrNotFound)
	must(t, s.CreateClient(ctx, store.Client{ID: "c", Created: noon(), SecretSince: noon()}))
	must(t, s.CreateAPI(ctx, api("m")))
	must(t, SetGrant(ctx, s, "c", "m", store.SubjectUser, []string{"read:forms"}))
	_, err := s.ClientGrant(ctx, "c", "m", store.SubjectClient)
	mustBe(t, "ClientGrant of the other subject", err, store.ErrNotFound)
	got, err := s.ClientGrant(ctx, "c", "m", store.SubjectUser)
	must(t, err)
	equal(t, got, []string{"read:forms"})
	must(t, SetGrant(ctx, s, "c", "m", store.SubjectUser, nil))
	got, err = s.ClientGrant(ctx, "c", "m", store.SubjectUser)
	must(t, err)
	equal(t, got, []string(nil))
	// The grant outlives a change of client and API.
	_, err = s.UpdateClient(ctx, "c", func(c *store.Client) error { c.Name = "new"; return nil })
	must(t, err)
	_, err = s.UpdateAPI(ctx, "m", func(a *store.API) error { a.Name = "new"; return nil })
	must(t, err)
	_, err = s.ClientGrant(ctx, "c", "m", store.SubjectUser)
	must(t, err)
}

func ana() store.User {
	//nolint:gosec // the hash of nothing
	return store.User{ID: "u", Email: "ana@example.com", Name: "Ana", PasswordHash: "$argon2id$x", Created: noon()}
}

func users(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	_, err := s.User(ctx, "u")
	mustBe(t, "User of nothing", err, store.ErrNotFound)
	_, err = s.UserByEmail(ctx, "ana@example.com")
	mustBe(t, "UserByEmail of nothing", err, store.ErrNotFound)
	must(t, s.CreateUser(ctx, ana()))
	got, err := s.User(ctx, "u")
	must(t, err)
	equal(t, got, ana())
	got, err = s.UserByEmail(ctx, "ana@example.com")
	must(t, err)
	equal(t, got, ana())
	mustBe(t, "CreateUser of a taken address", s.CreateUser(ctx, store.User{ID: "v", Email: "ana@example.com"}), store.ErrConflict)
	mustBe(t, "CreateUser again", s.CreateUser(ctx, store.User{ID: "u", Email: "other@example.com"}), store.ErrConflict)
	next := ana()
	next.Name, next.Unverified = "Ann", true
	kept, err := s.UpdateUser(ctx, "u", func(u *store.User) error {
		//nolint:gosec // the hash of nothing
		*u = store.User{
			ID: "x", Email: u.Email, Name: "Ann", Unverified: true, PasswordHash: "$argon2id$y", Blocked: true, Created: noon().Add(time.Hour),
		}
		return nil
	})
	must(t, err)
	equal(t, kept, next)
	must(t, s.CreateUser(ctx, store.User{ID: "v", Email: "v@example.com", Created: noon()}))
	_, err = s.UpdateUser(ctx, "v", func(u *store.User) error { u.Email = "ana@example.com"; return nil })
	mustBe(t, "UpdateUser to a taken address", err, store.ErrConflict)
	got, err = s.User(ctx, "u")
	must(t, err)
	equal(t, got, next)
}

func permissions(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	mustBe(t, "SetPermissions of nothing", SetPermissions(ctx, s, "u", "m", nil), store.ErrNotFound)
	must(t, s.CreateUser(ctx, ana()))
	must(t, s.CreateAPI(ctx, api("m")))
	must(t, SetPermissions(ctx, s, "u", "m", []string{"update:forms", "read:forms", "read:forms"}))
	got, err := s.Permissions(ctx, "u", "m")
	must(t, err)
	equal(t, got, []string{"read:forms", "update:forms"})
	got, err = s.Permissions(ctx, "u", "other")
	must(t, err)
	equal(t, got, []string(nil))
	must(t, SetPermissions(ctx, s, "u", "m", []string{"read:forms"}))
	// A user and an API that change keep them.
	_, err = s.UpdateUser(ctx, "u", func(u *store.User) error { u.Name = "Ann"; return nil })
	must(t, err)
	_, err = s.UpdateAPI(ctx, "m", func(a *store.API) error { a.Name = "new"; return nil })
	must(t, err)
	got, err = s.Permissions(ctx, "u", "m")
	must(t, err)
	equal(t, got, []string{"read:forms"})
}

func signIns(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	must(t, s.CreateUser(ctx, ana()))
	_, err := s.SignIn(ctx, []byte{1})
	mustBe(t, "SignIn of nothing", err, store.ErrNotFound)
	row := store.SignIn{
		Hash: []byte{1}, ID: "sid", UserID: "u", AuthTime: noon(), AMR: []string{"pwd", "otp"}, Expires: noon().Add(time.Hour),
		Issuer: "http://login.t", Device: store.Device{UserAgent: "a browser", IP: "192.0.2.1"},
	}
	must(t, s.CreateSignIn(ctx, row))
	got, err := s.SignIn(ctx, []byte{1})
	must(t, err)
	equal(t, got, row)
	mustBe(t, "CreateSignIn again", s.CreateSignIn(ctx, row), store.ErrConflict)
	must(t, s.DeleteSignIn(ctx, []byte{1}))
	must(t, s.DeleteSignIn(ctx, []byte{1}))
	_, err = s.SignIn(ctx, []byte{1})
	mustBe(t, "SignIn after DeleteSignIn", err, store.ErrNotFound)
}

func marks(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Mark(ctx, "seeded")
	mustBe(t, "Mark of nothing", err, store.ErrNotFound)
	for _, v := range []string{"1", "2"} {
		must(t, s.PutMark(ctx, "seeded", v))
		got, err := s.Mark(ctx, "seeded")
		must(t, err)
		equal(t, got, v)
	}
}

// longKeys checks that the longest texts by which the tenant finds rows can be stored. They have as many characters as the tenant accepts,
// each of four bytes, and cannot be compressed.
func longKeys(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // no secret
	long := func(characters int) string {
		out := make([]rune, characters)
		for i := range out {
			out[i] = '\U00010000' + rnd.Int32N(0x10000)
		}
		return string(out)
	}
	id := strings.Repeat("x", 30)
	a := store.API{ID: id, Identifier: long(600), Name: long(200)}
	u := store.User{ID: id, Email: long(320), Name: long(300), Created: noon()}
	r := store.Role{ID: id, Name: long(100), Description: long(500), Created: noon()}
	c := store.Client{ID: id, Name: long(150), AllowedOrigins: []string{long(300)}, Created: noon(), SecretSince: noon()}
	must(t, errors.Join(s.CreateAPI(ctx, a), s.CreateUser(ctx, u), s.CreateRole(ctx, r), s.CreateClient(ctx, c)))
	must(t, s.ChangeUserPermissions(ctx, id, []store.Permission{{APIID: id, Scope: long(280)}}, nil))
	SetConsent(t, s, store.Consent{ID: id, UserID: id, ClientID: id, Audience: a.Identifier, Given: noon()})
	got, err := s.API(ctx, a.Identifier)
	must(t, err)
	equal(t, got, a)
	person, err := s.UserByEmail(ctx, u.Email)
	must(t, err)
	equal(t, person, u)
	listed, err := s.OriginListed(ctx, c.AllowedOrigins[0])
	must(t, err)
	equal(t, listed, true)
}
