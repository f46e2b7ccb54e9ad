package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// listed is how many rows each list of the suite has. The texts of every row contain the word "Été", and rows in groups of three have the
// same time.
const listed = 7

// listing is one list of a store, and the rows in it.
type listing struct {
	name string
	read func(ctx context.Context, f store.Find, offset, limit int) (names, places []string, total int, err error)
	add  func(n int) error
	// remove removes the row with a name; nil if rows cannot be removed.
	remove func(name string) error
	// found is a search that finds one row.
	found string
}

// lists checks that every list can be continued from a place, and searched.
func lists(t *testing.T, open func(t *testing.T) store.Tenant) {
	t.Helper()
	ctx := t.Context()
	for _, of := range []func(ctx context.Context, s store.Tenant) listing{
		listedPeople, listedHolders, listedClients, listedGrants,
		listedAPIs, listedRoles, listedEvents,
	} {
		s := open(t)
		l := of(ctx, s)
		t.Run(l.name, func(t *testing.T) {
			for n := range listed {
				must(t, l.add(n))
			}
			searched(t, l)
			continued(t, l)
		})
	}
}

// searched checks that a search finds rows by all of its words, in any case, and counts them.
func searched(t *testing.T, l listing) {
	t.Helper()
	ctx := t.Context()
	for search, want := range map[string]int{
		l.found: 1, " ÉTÉ  " + l.found: 1, "t été": listed, "winter": 0, l.found + " winter": 0, "%": 0, "_t_": 0,
	} {
		names, _, total, err := l.read(ctx, store.Find{Search: search}, 0, 100)
		must(t, err)
		if len(names) != want || total != want {
			t.Errorf("search %q: got %q of %d, want %d", search, names, total, want)
		}
	}
	_, places, total, err := l.read(ctx, store.Find{Search: "été"}, 1, 2)
	must(t, err)
	equal(t, len(places), 2)
	equal(t, total, listed)
	rest, _, _, err := l.read(ctx, store.Find{Search: "été", After: places[1]}, 0, 100)
	must(t, err)
	equal(t, len(rest), listed-3)
}

// continued checks that places lead through a list, even from a row that has been removed.
func continued(t *testing.T, l listing) {
	t.Helper()
	ctx := t.Context()
	whole, places, total, err := l.read(ctx, store.Find{}, 0, 100)
	must(t, err)
	equal(t, len(whole), listed)
	equal(t, total, listed)
	var parts []string
	f := store.Find{}
	for range listed {
		part, at, _, err := l.read(ctx, f, 0, 2)
		must(t, err)
		if parts = append(parts, part...); len(part) < 2 {
			break
		}
		f.After = at[1]
	}
	equal(t, parts, whole)
	foreign := store.Client{ID: "c"}.Place()
	if l.name == "clients" {
		foreign = store.User{ID: "u"}.Place()
	}
	for _, after := range []string{"x", "!", "log_0000000000000000001", "eA", foreign} {
		if _, _, _, err := l.read(ctx, store.Find{After: after}, 0, 1); !errors.Is(err, store.ErrPlace) {
			t.Errorf("after %q: got %v, want ErrPlace", after, err)
		}
	}
	if l.remove != nil {
		must(t, l.remove(whole[0]))
		must(t, l.remove(whole[2]))
	}
	rest, _, _, err := l.read(ctx, store.Find{After: places[2]}, 0, 100)
	must(t, err)
	equal(t, rest, whole[3:])
	rest, _, _, err = l.read(ctx, store.Find{After: places[listed-1]}, 0, 100)
	must(t, err)
	equal(t, len(rest), 0)
}

// reader returns a function that reads a list as the names and places of its rows.
func reader[T interface{ Place() string }](
	read func(ctx context.Context, f store.Find, offset, limit int) ([]T, int, error), name func(T) string,
) func(ctx context.Context, f store.Find, offset, limit int) ([]string, []string, int, error) {
	return func(ctx context.Context, f store.Find, offset, limit int) (called, places []string, total int, err error) {
		page, total, err := read(ctx, f, offset, limit)
		for _, row := range page {
			called, places = append(called, name(row)), append(places, row.Place())
		}
		return called, places, total, err
	}
}

func row(n int) string           { return fmt.Sprintf("row%d", n) }
func grouped(n int) time.Time    { return noon().Add(time.Duration(n/3) * time.Hour) }
func userID(u store.User) string { return u.ID }

func listedPeople(ctx context.Context, s store.Tenant) listing {
	return listing{
		name: "people", found: "ROW3@example.com", read: reader(s.ListUsers, userID),
		add: func(n int) error {
			return s.CreateUser(ctx, store.User{ID: fmt.Sprint("u", listed-n), Name: "Été", Email: row(n) + "@example.com", Created: grouped(n)})
		},
		remove: func(id string) error { return s.DeleteUser(ctx, id) },
	}
}

func listedHolders(ctx context.Context, s store.Tenant) listing {
	l := listedPeople(ctx, s)
	role := s.CreateRole(ctx, store.Role{ID: "held", Name: "held", Preset: true, Created: noon()})
	l.name = "holders of a role"
	add := l.add
	l.add = func(n int) error { return errors.Join(role, add(n)) }
	l.read = reader(func(ctx context.Context, f store.Find, offset, limit int) ([]store.User, int, error) {
		return s.RoleUsers(ctx, "held", f, offset, limit)
	}, userID)
	return l
}

func listedClients(ctx context.Context, s store.Tenant) listing {
	return listing{
		name: "clients", found: "Row3", read: reader(s.ListClients, func(c store.Client) string { return c.ID }),
		add: func(n int) error {
			return s.CreateClient(ctx, store.Client{ID: fmt.Sprint("c", listed-n), Name: row(n), Description: "Été", Created: grouped(n)})
		},
		remove: func(id string) error { return s.DeleteClient(ctx, id) },
	}
}

func listedGrants(ctx context.Context, s store.Tenant) listing {
	return listing{
		name: "client grants", found: "urn:ROW3",
		read: reader(func(ctx context.Context, f store.Find, offset, limit int) ([]store.ClientGrant, int, error) {
			return s.ListClientGrants(ctx, store.GrantFilter{Find: f, Subject: store.SubjectUser}, offset, limit)
		}, func(g store.ClientGrant) string { return g.ID }),
		add: func(n int) error {
			client := fmt.Sprint("c", n/3)
			if n%3 == 0 {
				if err := s.CreateClient(ctx, store.Client{ID: client, Name: "Été", Created: noon()}); err != nil {
					return err
				}
			}
			if err := s.CreateAPI(ctx, store.API{ID: row(n), Identifier: "urn:" + row(n), Name: "an API"}); err != nil {
				return err
			}
			_, err := s.CreateClientGrant(ctx, store.ClientGrant{ClientID: client, APIID: row(n), Subject: store.SubjectClient})
			if err != nil {
				return err
			}
			_, err = s.CreateClientGrant(ctx, store.ClientGrant{ClientID: client, APIID: row(n), Subject: store.SubjectUser})
			return err
		},
		remove: func(id string) error { return s.DeleteClientGrant(ctx, id) },
	}
}

func listedAPIs(ctx context.Context, s store.Tenant) listing {
	return listing{
		name: "APIs", found: "urn:row3", read: reader(s.ListAPIs, func(a store.API) string { return a.ID }),
		add: func(n int) error {
			return s.CreateAPI(ctx, store.API{ID: fmt.Sprint("a", listed-n), Identifier: "urn:" + row(n), Name: fmt.Sprint("Été ", n/3)})
		},
		remove: func(id string) error { return s.DeleteAPI(ctx, id) },
	}
}

func listedRoles(ctx context.Context, s store.Tenant) listing {
	return listing{
		name: "roles", found: "row3", read: reader(s.ListRoles, func(r store.Role) string { return r.ID }),
		add: func(n int) error {
			return s.CreateRole(ctx, store.Role{ID: fmt.Sprint("r", listed-n), Name: row(n), Description: "Été", Created: grouped(n)})
		},
		remove: func(id string) error { return s.DeleteRole(ctx, id) },
	}
}

func listedEvents(ctx context.Context, s store.Tenant) listing {
	return listing{
		name: "events", found: "192.0.2.3",
		read: reader(func(ctx context.Context, f store.Find, offset, limit int) ([]store.Event, int, error) {
			return s.ListEvents(ctx, store.EventFilter{Find: f, Type: "s"}, offset, limit)
		}, func(e store.Event) string { return e.ID }),
		add: func(n int) error {
			if n == 0 {
				if err := s.CreateUser(ctx, store.User{ID: "u", Name: "Été", Email: "u@example.com", Created: noon()}); err != nil {
					return err
				}
			}
			if err := s.AddEvent(ctx, store.Event{At: grouped(n), Type: "fp", UserID: "u"}); err != nil {
				return err
			}
			return s.AddEvent(ctx, store.Event{At: grouped(n), Type: "s", UserID: "u", Address: fmt.Sprint("192.0.2.", n)})
		},
	}
}

// ContinuedLists returns functions that read each list of a store from a place, by the names of the lists.
func ContinuedLists(ctx context.Context, s store.Tenant) map[string]func() error {
	after := func(row interface{ Place() string }) store.Find { return store.Find{After: row.Place()} }
	return map[string]func() error{
		"users":   func() error { _, _, err := s.ListUsers(ctx, after(store.User{}), 0, 1); return err },
		"clients": func() error { _, _, err := s.ListClients(ctx, after(store.Client{}), 0, 1); return err },
		"APIs":    func() error { _, _, err := s.ListAPIs(ctx, after(store.API{}), 0, 1); return err },
		"roles":   func() error { _, _, err := s.ListRoles(ctx, after(store.Role{}), 0, 1); return err },
		"grants": func() error {
			_, _, err := s.ListClientGrants(ctx, store.GrantFilter{Find: after(store.ClientGrant{})}, 0, 1)
			return err
		},
		"events": func() error {
			_, _, err := s.ListEvents(ctx, store.EventFilter{Find: after(store.Event{ID: "log_0"})}, 0, 1)
			return err
		},
	}
}
