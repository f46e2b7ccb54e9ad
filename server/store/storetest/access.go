package storetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func names[T any](rows []T, name func(T) string) []string {
	var out []string
	for _, r := range rows {
		out = append(out, name(r))
	}
	return out
}

func clientLists(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	id := func(c store.Client) string { return c.ID }
	for i, name := range []string{"c", "a", "b"} {
		c := store.Client{
			ID: name, Name: name, Description: "d", AppType: "spa", AuthMethod: "none", Created: noon().Add(time.Duration(i) * time.Hour),
			SecretSince: noon(),
		}
		must(t, s.CreateClient(ctx, c))
		got, err := s.Client(ctx, name)
		must(t, err)
		equal(t, got, c)
	}
	page, total, err := s.ListClients(ctx, store.Find{}, 1, 1)
	must(t, err)
	equal(t, names(page, id), []string{"a"})
	equal(t, total, 3)
	page, total, err = s.ListClients(ctx, store.Find{}, 5, 1)
	must(t, err)
	equal(t, len(page), 0)
	equal(t, total, 3)

	must(t, s.CreateUser(ctx, ana()))
	must(t, s.CreateAPI(ctx, api("m")))
	must(t, SetGrant(ctx, s, "c", "m", store.SubjectUser, nil))
	must(t, s.CreateCode(ctx, family(), code()))
	must(t, s.CreateRefresh(ctx, store.Refresh{Hash: []byte{9}, FamilyID: "f", Expires: noon().Add(time.Hour)}))
	must(t, s.DeleteClient(ctx, "c"))
	mustBe(t, "DeleteClient again", s.DeleteClient(ctx, "c"), store.ErrNotFound)
	_, err = s.ClientGrant(ctx, "c", "m", store.SubjectUser)
	mustBe(t, "grant of a deleted client", err, store.ErrNotFound)
	_, _, err = s.Refresh(ctx, []byte{9})
	mustBe(t, "refresh token of a deleted client", err, store.ErrNotFound)
}

func grantsByName(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	g := store.ClientGrant{ClientID: "c", APIID: "m", Subject: store.SubjectUser, Scopes: []string{"read:forms"}}
	_, err := s.CreateClientGrant(ctx, g)
	mustBe(t, "CreateClientGrant of nothing", err, store.ErrNotFound)
	for _, c := range []string{"c", "d"} {
		must(t, s.CreateClient(ctx, store.Client{ID: c, Created: noon(), SecretSince: noon()}))
		must(t, s.CreateAPI(ctx, api("m"+c)))
	}
	g.APIID = "mc"
	made, err := s.CreateClientGrant(ctx, g)
	must(t, err)
	if made.ID == "" || len(made.ID) > 30 {
		t.Errorf("grant is called %q, want a name of 1 to 30 characters", made.ID)
	}
	_, err = s.CreateClientGrant(ctx, g)
	mustBe(t, "CreateClientGrant again", err, store.ErrConflict)
	must(t, SetGrant(ctx, s, "c", "mc", store.SubjectUser, []string{"update:forms"}))
	made.Scopes = []string{"update:forms"} // the ID stays
	got, err := s.ClientGrantByID(ctx, made.ID)
	must(t, err)
	equal(t, got, made)
	must(t, SetGrant(ctx, s, "c", "mc", store.SubjectClient, nil))
	must(t, SetGrant(ctx, s, "d", "mc", store.SubjectUser, nil))
	must(t, SetGrant(ctx, s, "d", "md", store.SubjectUser, nil))
	for _, x := range []struct {
		filter store.GrantFilter
		want   []string
	}{
		{store.GrantFilter{}, []string{"c mc client", "c mc user", "d mc user", "d md user"}},
		{store.GrantFilter{ClientID: "d"}, []string{"d mc user", "d md user"}},
		{store.GrantFilter{APIID: "mc"}, []string{"c mc client", "c mc user", "d mc user"}},
		{store.GrantFilter{APIID: "mc", Subject: store.SubjectUser}, []string{"c mc user", "d mc user"}},
		{store.GrantFilter{ClientID: "none"}, nil},
	} {
		page, total, err := s.ListClientGrants(ctx, x.filter, 0, 10)
		must(t, err)
		equal(t, names(page, func(g store.ClientGrant) string { return fmt.Sprint(g.ClientID, " ", g.APIID, " ", g.Subject) }), x.want)
		equal(t, total, len(x.want))
	}
	page, total, err := s.ListClientGrants(ctx, store.GrantFilter{ClientID: "c"}, 1, 1)
	must(t, err)
	if len(page) != 1 || page[0].ID != made.ID || total != 2 {
		t.Errorf("second grant of c = %v of %d, want %s of 2", page, total, made.ID)
	}
	must(t, s.DeleteClientGrant(ctx, made.ID))
	mustBe(t, "DeleteClientGrant again", s.DeleteClientGrant(ctx, made.ID), store.ErrNotFound)
	_, err = s.ClientGrantByID(ctx, made.ID)
	mustBe(t, "ClientGrantByID of nothing", err, store.ErrNotFound)
}

func apiLists(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	for i, id := range []string{"b", "a"} {
		a := api(id)
		a.Name, a.Inactive, a.ScopeTexts = id, i == 0, map[string]string{"read:forms": "Read <forms>"}
		must(t, s.CreateAPI(ctx, a))
		got, err := s.APIByID(ctx, id)
		must(t, err)
		equal(t, got, a)
	}
	page, total, err := s.ListAPIs(ctx, store.Find{}, 0, 1)
	must(t, err)
	equal(t, names(page, func(a store.API) string { return a.ID }), []string{"a"})
	equal(t, total, 2)
	must(t, s.CreateUser(ctx, ana()))
	must(t, SetPermissions(ctx, s, "u", "a", []string{"read:forms"}))
	must(t, s.DeleteAPI(ctx, "a"))
	mustBe(t, "DeleteAPI again", s.DeleteAPI(ctx, "a"), store.ErrNotFound)
	_, err = s.APIByID(ctx, "a")
	mustBe(t, "APIByID of nothing", err, store.ErrNotFound)
	got, err := s.Permissions(ctx, "u", "a")
	must(t, err)
	equal(t, got, []string(nil))
}

func tickets(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	end := noon().Add(time.Hour)
	mustBe(t, "CreateTicket for nobody", s.CreateTicket(ctx, store.Ticket{Hash: []byte{2}, UserID: "u", Expires: end}, noon()),
		store.ErrNotFound)
	begun(t, s)
	got, err := s.Ticket(ctx, []byte{2}, end.Add(-time.Millisecond))
	must(t, err)
	equal(t, got, store.Ticket{Hash: []byte{2}, UserID: "u", Expires: end, Issuer: "http://login.t"})
	_, err = s.Ticket(ctx, []byte{2}, end)
	mustBe(t, "Ticket at its end", err, store.ErrNotFound)
	_, err = s.RedeemTicket(ctx, []byte{2}, end, "x")
	mustBe(t, "RedeemTicket at its end", err, store.ErrNotFound)
	_, err = s.RedeemTicket(ctx, []byte{8}, noon(), "x")
	mustBe(t, "RedeemTicket of nothing", err, store.ErrNotFound)
	id, err := s.RedeemTicket(ctx, []byte{2}, noon(), "$argon2id$new")
	must(t, err)
	equal(t, id, "u")
	u, err := s.User(ctx, "u")
	must(t, err)
	equal(t, u.PasswordHash, "$argon2id$new")
	ended(t, s, "RedeemTicket")
	_, err = s.RedeemTicket(ctx, []byte{2}, noon(), "x")
	mustBe(t, "RedeemTicket again", err, store.ErrNotFound)
	// Only the latest link works.
	must(t, s.CreateTicket(ctx, store.Ticket{Hash: []byte{3}, UserID: "u", Expires: end}, noon()))
	must(t, s.CreateTicket(ctx, store.Ticket{Hash: []byte{4}, UserID: "u", Expires: end}, noon()))
	_, err = s.Ticket(ctx, []byte{3}, noon())
	mustBe(t, "an older ticket", err, store.ErrNotFound)
	_, err = s.Ticket(ctx, []byte{4}, noon())
	must(t, err)
}

func oneTicketWins(t *testing.T, s store.Tenant) {
	t.Helper()
	must(t, s.CreateUser(t.Context(), ana()))
	must(t, s.CreateTicket(t.Context(), store.Ticket{Hash: []byte{2}, UserID: "u", Expires: noon().Add(time.Hour)}, noon()))
	var won atomic.Int32
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			if _, err := s.RedeemTicket(t.Context(), []byte{2}, noon(), fmt.Sprint(i)); err == nil {
				won.Add(1)
			}
		})
	}
	wait.Wait()
	if n := won.Load(); n != 1 {
		t.Errorf("%d redeemed one ticket, want 1", n)
	}
}

func events(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	e := store.Event{
		At: noon(), Type: "s", UserID: "u", ClientID: "c", Address: "::1", Audience: "http://t/m", Scope: []string{"a", "b"},
		Description: "d",
	}
	must(t, s.AddEvent(ctx, e)) // neither user nor client exists: the log outlives them
	must(t, s.AddEvent(ctx, store.Event{At: noon().Add(time.Second), Type: "fp", UserID: "u"}))
	must(t, s.AddEvent(ctx, store.Event{At: noon().Add(2 * time.Second), Type: "s", ClientID: "d"}))
	page, total, err := s.ListEvents(ctx, store.EventFilter{}, 0, 10)
	must(t, err)
	equal(t, total, 3)
	equal(t, names(page, func(e store.Event) string { return e.Type + e.ClientID }), []string{"sd", "fp", "sc"})
	if !slices.IsSortedFunc(page, func(a, b store.Event) int { return strings.Compare(b.ID, a.ID) }) || len(page[0].ID) > 30 {
		t.Errorf("ids %v do not sort as the events do", names(page, func(e store.Event) string { return e.ID }))
	}
	e.ID = page[2].ID
	got, err := s.Event(ctx, e.ID)
	must(t, err)
	equal(t, got, e)
	for _, id := range []string{"", "log_", "log_x", "log_99", "1", e.ID[4:]} {
		_, err := s.Event(ctx, id)
		mustBe(t, "Event "+id, err, store.ErrNotFound)
	}
	for _, x := range []struct {
		filter store.EventFilter
		want   int
	}{
		{store.EventFilter{Type: "s"}, 2},
		{store.EventFilter{UserID: "u"}, 2},
		{store.EventFilter{Type: "s", ClientID: "d"}, 1},
		{store.EventFilter{Type: "x"}, 0},
	} {
		page, total, err := s.ListEvents(ctx, x.filter, 0, 10)
		must(t, err)
		if len(page) != x.want || total != x.want {
			t.Errorf("%+v: %d of %d events, want %d", x.filter, len(page), total, x.want)
		}
	}
	// A month later the old ones are gone.
	must(t, s.AddEvent(ctx, store.Event{At: noon().Add(store.EventLife + time.Second), Type: "late"}))
	page, total, err = s.ListEvents(ctx, store.EventFilter{}, 0, 10)
	must(t, err)
	equal(t, names(page, func(e store.Event) string { return e.Type + e.ClientID }), []string{"late", "sd", "fp"})
	equal(t, total, 3)
}
