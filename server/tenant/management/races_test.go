package management_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

var (
	rounds     = flag.Int("rounds", 0, "how often each pair of administrative changes races")
	engineName = flag.String("engine", "", "the only engine on which they race: sqlite or postgres")
)

// subject is the rows of one round. Its mark is part of every ID and word that must differ from those of other subjects, and is removed
// before rows are compared.
type subject struct {
	id, mark, grant string

	mutex sync.Mutex
	made  map[string]string // who made a secret or a link, by the hash that is kept of it
}

func newSubject(i int) *subject {
	mark := fmt.Sprintf("n%dn", i)
	return &subject{id: "raced" + mark, mark: mark, made: map[string]string{string(tokens.Hash("first" + mark)): "first"}}
}

// plain removes the mark from a word.
func (s *subject) plain(word string) string { return strings.ReplaceAll(word, s.mark, "") }

// create makes the rows of the initial state.
func (s *subject) create(ctx context.Context, rows store.Access, now time.Time) error {
	first := tokens.Hash("first" + s.mark)
	may := []store.Permission{{APIID: s.id, Scope: "a"}}
	err := errors.Join(
		rows.CreateUser(ctx, store.User{ID: s.id, Email: "eve" + s.mark + "@example.com", Name: "Eve", PasswordHash: "first", Created: now}),
		rows.CreateClient(ctx, store.Client{ID: s.id, Name: "App", SecretHash: first, Global: true, Created: now, SecretSince: now}),
		rows.CreateRole(ctx, store.Role{ID: s.id, Name: "Role" + s.mark, Created: now}),
		rows.CreateAPI(ctx, store.API{
			ID: s.id, Identifier: "https://" + s.id, Name: "API", Scopes: []string{"a", "b"}, UserPolicy: store.AllowAll,
			ClientPolicy: store.AllowAll,
		}),
		rows.CreateTicket(ctx, store.Ticket{Hash: first, UserID: s.id, Expires: now.Add(time.Hour)}, now),
		rows.AddRoles(ctx, []string{s.id}, []string{s.id}),
		rows.ChangeUserPermissions(ctx, s.id, may, nil),
		rows.ChangeRolePermissions(ctx, s.id, may, nil),
	)
	if err != nil {
		return err
	}
	g, err := rows.CreateClientGrant(ctx, store.ClientGrant{ClientID: s.id, APIID: s.id, Subject: store.SubjectClient, Scopes: []string{"a"}})
	s.grant = g.ID
	return err
}

// do makes one change and returns the status of its answer.
func (s *subject) do(f *fixture, c change, by string) int {
	if c.method == "" {
		_, err := f.store.RedeemTicket(f.t.Context(), tokens.Hash("first"+s.mark), f.now, "by link "+by)
		if errors.Is(err, store.ErrNotFound) {
			return 404
		}
		if err != nil {
			f.t.Error(err)
		}
		return 200
	}
	fill := strings.NewReplacer("{grant}", s.grant, "raced", s.id, "%s", by+s.mark)
	a := f.send(c.method, "/api/v2"+fill.Replace(c.path), fill.Replace(c.body))
	var made struct {
		Secret string `json:"client_secret"`
		Ticket string
	}
	if json.Unmarshal([]byte(a.body), &made) == nil {
		_, ticket, _ := strings.Cut(made.Ticket, "ticket=")
		s.mutex.Lock()
		defer s.mutex.Unlock()
		for _, secret := range []string{made.Secret, ticket} {
			if secret != "" {
				s.made[string(tokens.Hash(secret))] = by
			}
		}
	}
	return a.StatusCode
}

// tables is the content of a database, by the IDs of subjects.
type tables struct {
	users   map[string]store.User
	clients map[string]store.Client
	roles   map[string]store.Role
	apis    map[string]store.API
	grants  map[string]store.ClientGrant // by their own ids
}

// readTables reads all rows that have a list. One read per subject would cost more than the changes.
func readTables(f *fixture) tables {
	f.t.Helper()
	ctx := f.t.Context()
	const all = 1 << 20
	users, _, err1 := f.store.ListUsers(ctx, store.Find{}, 0, all)
	clients, _, err2 := f.store.ListClients(ctx, store.Find{}, 0, all)
	roles, _, err3 := f.store.ListRoles(ctx, store.Find{}, 0, all)
	apis, _, err4 := f.store.ListAPIs(ctx, store.Find{}, 0, all)
	grants, _, err5 := f.store.ListClientGrants(ctx, store.GrantFilter{}, 0, all)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		f.t.Fatal(err)
	}
	return tables{
		byID(users, func(u store.User) string { return u.ID }), byID(clients, func(c store.Client) string { return c.ID }),
		byID(roles, func(r store.Role) string { return r.ID }), byID(apis, func(a store.API) string { return a.ID }),
		byID(grants, func(g store.ClientGrant) string { return g.ID }),
	}
}

func byID[T any](rows []T, id func(T) string) map[string]T {
	out := make(map[string]T, len(rows))
	for _, r := range rows {
		out[id(r)] = r
	}
	return out
}

// look reads the state of a subject.
func (s *subject) look(f *fixture, all tables) state {
	f.t.Helper()
	ctx := f.t.Context()
	var out state
	if u, ok := all.users[s.id]; ok {
		out.User = &userState{Name: s.plain(u.Name), Email: s.plain(u.Email), Password: s.plain(u.PasswordHash), Blocked: u.Blocked}
		for hash, by := range s.made {
			if _, err := f.store.Ticket(ctx, []byte(hash), f.now); err == nil {
				out.User.Link = by
			}
		}
	}
	if c, ok := all.clients[s.id]; ok {
		out.Client = &clientState{Name: s.plain(c.Name), Callback: s.plain(strings.Join(c.Callbacks, " ")), Global: c.Global, Public: c.Public}
		if len(c.SecretHash) > 0 {
			out.Client.Secret = cmp.Or(s.made[string(c.SecretHash)], "unknown")
		}
	}
	if r, ok := all.roles[s.id]; ok {
		out.Role = &roleState{s.plain(r.Name), s.plain(r.Description)}
	}
	if a, ok := all.apis[s.id]; ok {
		out.API = &apiState{s.plain(a.Name), fmt.Sprint(!a.Inactive)}
	}
	if g, ok := all.grants[s.grant]; ok {
		out.Grant = &grantState{strings.Join(g.Scopes, " ")}
	}
	roles, err1 := f.store.UserRoles(ctx, s.id)
	may, err2 := f.store.UserPermissions(ctx, s.id)
	gives, err3 := f.store.RolePermissions(ctx, s.id)
	if err := errors.Join(err1, err2, err3); err != nil {
		f.t.Fatal(err)
	}
	out.Has, out.May, out.Gives = len(roles) > 0, len(may) > 0, len(gives) > 0
	return out
}

// outcome is the result of a round.
type outcome struct {
	First, Second int // statuses
	State         state
}

// inOrder returns the outcome of two changes in sequence; swapped runs the second first.
func inOrder(a, b change, swapped bool) outcome {
	s := initial()
	var out outcome
	run := func(c change, by string) int {
		status := c.does(&s, by)
		s.settle()
		return status
	}
	if swapped {
		out.Second = run(b, "second")
		out.First = run(a, "first-of-two")
	} else {
		out.First = run(a, "first-of-two")
		out.Second = run(b, "second")
	}
	out.State = s
	return out
}

// pair is two changes that race.
type pair struct{ a, b change }

// pairs yields every pair of changes that are near each other in the list, rounds times: those change the same kind of row.
func pairs(rounds, near int) iter.Seq[pair] {
	return func(yield func(pair) bool) {
		all := changes()
		for i, a := range all {
			for j := i; j < min(i+near, len(all)); j++ {
				for range rounds {
					if !yield(pair{a, all[j]}) {
						return
					}
				}
			}
		}
	}
}

// check fails unless the outcome of a round equals that of the changes in sequence.
func (p pair) check(t *testing.T, got outcome) {
	t.Helper()
	one, other := inOrder(p.a, p.b, false), inOrder(p.a, p.b, true)
	if !reflect.DeepEqual(got, one) && !reflect.DeepEqual(got, other) {
		t.Fatalf("%s with %s: neither order leads here (-first before second +got):\n%s\n(-second before first +got):\n%s",
			p.a.name, p.b.name, gocmp.Diff(one, got), gocmp.Diff(other, got))
	}
}

// TestChangesRace makes pairs of administrative changes at once, in the large form all pairs, on one row and on related rows. It uses the real
// handlers on a real database; with PostgreSQL, two replicas. Rows and answers must be those of the changes in sequence: no acknowledged
// change is undone, and nothing that was deleted comes back. A round has rows of its own, so that many rounds share the creation and reading of a database.
func TestChangesRace(t *testing.T) {
	for _, e := range engines() {
		if *engineName == "" || *engineName == e.name {
			t.Run(e.name, func(t *testing.T) { raceOn(t, e) })
		}
	}
}

// engine is a store on which changes race.
type engine struct {
	name string
	near int // of the pairs in the small form
	many int // rounds of the large form
	// template lets fill write to an empty database, and returns a function that calls use with the stores of both sides on a copy of it.
	template func(t *testing.T, fill func(store.Tenant)) func(use func(one, other store.Tenant))
}

// engines returns SQLite, where both sides are in one process, and PostgreSQL, where each is a separate replica.
func engines() []engine {
	return []engine{
		{"sqlite", 8, 20, func(t *testing.T, fill func(store.Tenant)) func(use func(one, other store.Tenant)) {
			t.Helper()
			template := sqlitetest.Template(t, func(db *sqlite.DB) { fill(db) })
			return func(use func(one, other store.Tenant)) { template(func(db *sqlite.DB) { use(db, db) }) }
		}},
		{"postgres", 4, 5, func(t *testing.T, fill func(store.Tenant)) func(use func(one, other store.Tenant)) {
			t.Helper()
			template := postgrestest.Template(t, func(db *postgres.DB) { fill(db) })
			return func(use func(one, other store.Tenant)) {
				template(2, func(dbs []*postgres.DB) { use(dbs[0], dbs[1]) })
			}
		}},
	}
}

// raceOn makes every pair of changes at once on an engine.
func raceOn(t *testing.T, e engine) {
	t.Helper()
	const unlimited = 1 << 30
	raced := make([]*subject, subjects)
	template := e.template(t, func(db store.Tenant) {
		f := newFixtureOn(t, db, unlimited, unlimited)
		f.seed()
		err := db.InTx(t.Context(), func(rows store.Access) error {
			for i := range raced {
				raced[i] = newSubject(i)
				if err := raced[i].create(t.Context(), rows, f.now); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	begun, done, overlaps := time.Now(), 0, 0
	near := sizetest.Of(0, e.near, len(changes()))
	if *rounds > 0 {
		near = len(changes())
	}
	for batch := range chunks(pairs(sizetest.Of(*rounds, 1, e.many), near), subjects) {
		template(func(one, other store.Tenant) {
			f, g := newFixtureOn(t, one, unlimited, unlimited), newFixtureOn(t, other, unlimited, unlimited)
			f.Log, g.Log = slog.New(slog.DiscardHandler), slog.New(slog.DiscardHandler)
			got := make([]outcome, len(batch))
			for i, p := range batch {
				clear(raced[i].made)
				raced[i].made[string(tokens.Hash("first"+raced[i].mark))] = "first"
				var together bool
				got[i], together = raced[i].race(f, g, p)
				if done++; together {
					overlaps++
				}
			}
			all := readTables(f)
			for i, p := range batch {
				got[i].State = raced[i].look(f, all)
				p.check(t, got[i])
			}
		})
	}
	took := time.Since(begun)
	t.Logf("%d rounds in %s, %s each; in %d %% the changes overlapped",
		done, took.Round(time.Millisecond), (took / time.Duration(done)).Round(time.Microsecond), 100*overlaps/done)
}

// race makes the changes of a pair at once, one by f and the other by g. It reports whether each began before the other had ended.
func (s *subject) race(f, g *fixture, p pair) (got outcome, overlapped bool) {
	var running atomic.Int32
	var together atomic.Bool
	var wait sync.WaitGroup
	do := func(f *fixture, c change, by string, status *int) {
		if running.Add(1) == 2 {
			together.Store(true)
		}
		*status = s.do(f, c, by)
		running.Add(-1)
	}
	wait.Go(func() { do(f, p.a, "first-of-two", &got.First) })
	wait.Go(func() { do(g, p.b, "second", &got.Second) })
	wait.Wait()
	return got, together.Load()
}

// chunks yields up to n values at a time.
func chunks[T any](seq iter.Seq[T], n int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		var chunk []T
		for v := range seq {
			if chunk = append(chunk, v); len(chunk) == n {
				if !yield(chunk) {
					return
				}
				chunk = chunk[:0]
			}
		}
		if len(chunk) > 0 {
			yield(chunk)
		}
	}
}
