package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/keys/keystest"
	"github.com/formgraph/formgraph/server/porttest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// The size of TestReplicasLoseNothing, which `make soak` can raise.
var (
	soakDuration = flag.Duration("replicas.duration", time.Minute, "how long people edit while replicas and the database are restarted")
	soakEditors  = flag.Int("replicas.people", 20, "how many people edit")
	soakForms    = flag.Int("replicas.forms", 8, "how many forms they edit")
)

// TestReplicasLoseNothing lets people edit the same forms through two replicas behind a balancer, while the replicas and the database are
// restarted. Each edit appends its own token to a list. No acknowledged edit may be lost, none may be made twice, nobody may be signed out,
// and no request may fail except while the database is down.
func TestReplicasLoseNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("TestKilledReplicasLoseNothing kills replicas, which is worse, and TestDrainAcceptsRequests ends one")
	}
	t.Parallel()
	f := startFleet(t, 2)
	s := &soak{t: t, at: f.at, first: f.first}
	people := s.people(*soakEditors)
	var forms []string
	for range *soakForms {
		forms = append(forms, people[0].newForm())
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	editors := make([]*editor, len(people))
	var wg sync.WaitGroup
	for i, p := range people {
		editors[i] = &editor{resident: p, number: i, forms: forms}
		wg.Go(func() { editors[i].run(ctx) })
	}
	for end := time.Now().Add(*soakDuration); ; {
		if f.disturb(editors); !time.Now().Before(end) {
			break
		}
	}
	stop()
	wg.Wait()
	f.judge(editors)
	found := readTokens(t, people[0], forms)
	var total work
	for _, e := range editors {
		total.add(&e.work)
		e.judge(found)
	}
	t.Logf("%d edits acknowledged, %d unknown, %d conflicts, %d waits, %d sign-ins, %d reads of sessions; %d failures while the database was "+
		"away; %d restarts of replicas", len(total.acknowledged), len(total.unknown), total.conflicts, total.waits, total.signIns, total.lists,
		f.excused, f.restarts)
	if len(total.acknowledged) < len(editors) || f.restarts < 2 {
		t.Error("too little happened")
	}
}

// fleet is some replicas as processes, on their own database server, behind a load balancer.
type fleet struct {
	t        *testing.T
	server   *postgrestest.Server // nil for SQLite
	database string               // its URL
	args     [][]string           // of each replica
	folders  []string
	replicas []*child
	listen   []string // of the editor of each replica
	at       addresses
	first    firstStart

	away     [][2]time.Time // when the database was stopped, and when all replicas were ready again
	restarts int
	excused  int // failures while the database was away
}

// startFleet starts n replicas on their own database server.
func startFleet(t *testing.T, n int) *fleet {
	t.Helper()
	return startFleetOn(t, n, postgrestest.Start(t, postgrestest.Options{Durable: true}))
}

// startFleetOn starts n replicas on a database server; with nil, one that uses SQLite. The first creates the administrator.
func startFleetOn(t *testing.T, n int, server *postgrestest.Server) *fleet {
	t.Helper()
	f := &fleet{t: t, server: server}
	folder := t.TempDir()
	if server != nil {
		f.database = server.URL(t)
	}
	keystest.Put(t, filepath.Join(folder, "keys"))
	var editors, tenants []string
	for range n {
		editors, tenants = append(editors, porttest.Address(t)), append(tenants, porttest.Address(t))
	}
	f.listen = editors
	f.at = addresses{Editor: newBalancer(t, editors, editors).url, Tenant: newBalancer(t, tenants, editors).url}
	for i := range n {
		var shared []string
		if server != nil {
			shared = []string{"--database", f.database}
		}
		f.folders = append(f.folders, filepath.Join(folder, strconv.Itoa(i)))
		f.args = append(f.args, append(shared,
			"--keys", filepath.Join(folder, "keys"), "--public-url", f.at.Editor, "--tenant-url", f.at.Tenant,
			"--listen", editors[i], "--tenant-listen", tenants[i], "--trusted-proxy", "127.0.0.1",
			// So long that the balancer notices it.
			"--drain-seconds", strconv.Itoa(int(waittest.Limit(time.Second)/time.Second)),
		))
		f.replicas = append(f.replicas, launch(t, f.folders[i], f.args[i]...))
	}
	f.first = f.replicas[0].first(t)
	return f
}

// disturb restarts each replica and the database, one after the other, while people edit.
func (f *fleet) disturb(editors []*editor) {
	f.t.Helper()
	edits := func() {
		for _, e := range editors {
			n := e.done.Load()
			waittest.Until(f.t, "everybody edits", func() bool { return e.done.Load() >= n+2 })
		}
	}
	edits()
	for i := range f.replicas {
		f.restart(i)
		edits()
	}
	gone := time.Now()
	f.server.Restart(f.t)
	f.awaitReady()
	f.away = append(f.away, [2]time.Time{gone, time.Now()})
	edits()
}

// restart ends a replica by SIGTERM and starts it again.
func (f *fleet) restart(i int) {
	f.t.Helper()
	if err := f.replicas[i].drain(); err != nil {
		f.t.Error(err)
	}
	f.replicas[i] = launch(f.t, f.folders[i], f.args[i]...)
	f.restarts++
}

// awaitReady waits until all replicas are ready.
func (f *fleet) awaitReady() {
	f.t.Helper()
	for _, address := range f.listen {
		waittest.Until(f.t, "the replica at "+address+" is ready", func() bool { return isReady(f.t.Context(), address) })
	}
}

// judge reports failures that the restart of the database does not excuse.
func (f *fleet) judge(editors []*editor) {
	f.t.Helper()
	for _, e := range editors {
		for _, x := range e.failures {
			if slices.ContainsFunc(f.away, func(away [2]time.Time) bool { return x.ended.After(away[0]) && x.began.Before(away[1]) }) {
				f.excused++
				continue
			}
			f.t.Errorf("person %d from %s to %s, with the database away at %v: %s", e.number, x.began, x.ended, f.away, x.text)
		}
	}
}

// failure is a request that was not answered as it should be.
type failure struct {
	began, ended time.Time
	status       int // 0 for none
	text         string
}

// work is what people have done.
type work struct {
	acknowledged, unknown            []string // tokens
	conflicts, waits, signIns, lists int
}

func (w *work) add(o *work) {
	w.acknowledged, w.unknown = append(w.acknowledged, o.acknowledged...), append(w.unknown, o.unknown...)
	w.conflicts, w.waits = w.conflicts+o.conflicts, w.waits+o.waits
	w.signIns, w.lists = w.signIns+o.signIns, w.lists+o.lists
}

// editor is a person who edits forms.
type editor struct {
	*resident
	work

	number   int
	forms    []string
	failures []failure
	done     atomic.Int64 // edits that were tried
}

// editPace is the time between two edits of a person who need not wait for an answer.
const editPace = 300 * time.Millisecond

func (e *editor) run(ctx context.Context) {
	tick := time.NewTicker(editPace)
	defer tick.Stop()
	for n := 0; ; n++ {
		e.edit(n)
		e.done.Add(1)
		if n%7 == 3 {
			e.signInAgain()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// call sends a request of the editor and keeps it if it fails. It waits as often as a limit asks it to.
func (e *editor) call(method, path, body string, headers ...string) (status int, header http.Header, text string) {
	for {
		began := time.Now()
		status, header, text, err := e.try(method, path, body, headers...)
		if status == http.StatusTooManyRequests {
			e.waits++
			<-time.After(200 * time.Millisecond)
			continue
		}
		if err != nil || status >= 300 && status != http.StatusPreconditionFailed {
			e.failures = append(e.failures, failure{began, time.Now(), status, fmt.Sprintf("%s %s: %d %.300s %v", method, path, status, text, err)})
		}
		return status, header, text
	}
}

// try sends one request of the editor.
func (e *editor) try(method, path, body string, headers ...string) (int, http.Header, string, error) {
	headers = append(headers, "X-CSRF", "1", "Origin", e.s.at.Editor, "Content-Type", "application/json")
	return e.exchange(e.s.t.Context(), method, e.s.at.Editor+path, body, headers...)
}

// hiddenField is an element of the list to which an edit appends.
type hiddenField struct {
	Key string `json:"key"`
}

// edited is a form as far as edits change it: its name is the last key of the list.
type edited struct {
	Name  string `json:"name"`
	Start struct {
		Fields []hiddenField `json:"hidden_fields"`
	} `json:"start"`
}

// edit appends a token to a form, and does that again after each conflict.
func (e *editor) edit(n int) {
	token := fmt.Sprintf("p%d_%d", e.number, n)
	path := "/bff/api/forms/" + e.forms[(e.number+n)%len(e.forms)]
	for {
		status, header, text := e.call("GET", path, "")
		var form edited
		if status != http.StatusOK || json.Unmarshal([]byte(text), &form) != nil {
			return // nothing was changed
		}
		form.Name, form.Start.Fields = token, append(form.Start.Fields, hiddenField{token})
		body, err := json.Marshal(form)
		if err != nil {
			e.s.t.Error(err)
			return
		}
		status, _, _ = e.call("PATCH", path, string(body), "If-Match", header.Get("ETag"))
		switch {
		case status == http.StatusOK:
			e.acknowledged = append(e.acknowledged, token)
			return
		case status != http.StatusPreconditionFailed:
			e.unknown = append(e.unknown, token)
			return
		}
		e.conflicts++
	}
}

// signInAgain starts a new session without a password, and gets a token for another API with it, which rotates the refresh token.
func (e *editor) signInAgain() {
	began := time.Now()
	status, _, text, err := e.exchange(e.s.t.Context(), "GET", e.s.at.Editor+"/bff/login", "", "Accept", "text/html")
	if err != nil || status != http.StatusOK || asksToSignIn(text) {
		e.failures = append(e.failures, failure{began, time.Now(), status, fmt.Sprintf("sign-in: %d %.300s %v", status, text, err)})
		return
	}
	e.signIns++
	if status, _, _ := e.call("GET", "/bff/api/me/sessions", ""); status == http.StatusOK {
		e.lists++
	}
}

// readTokens reads the tokens of all forms and how often each is there, and checks that no form is half changed.
func readTokens(t *testing.T, p *resident, forms []string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, id := range forms {
		text, err := p.app(t.Context(), "GET", "/bff/api/forms/"+id, "", http.StatusOK)
		must(t, err)
		var form edited
		must(t, json.Unmarshal([]byte(text), &form))
		for _, f := range form.Start.Fields {
			found[f.Key]++
		}
		if n := len(form.Start.Fields); n > 0 && form.Start.Fields[n-1].Key != form.Name {
			t.Errorf("form %s is half changed: its name is %q, but the last change made it %q", id, form.Name, form.Start.Fields[n-1].Key)
		}
	}
	return found
}

// judge compares what was acknowledged to a person with what is stored.
func (e *editor) judge(found map[string]int) {
	e.s.t.Helper()
	var mine int
	for token := range found {
		if strings.HasPrefix(token, fmt.Sprintf("p%d_", e.number)) {
			mine++
		}
	}
	for _, token := range e.acknowledged {
		if found[token] != 1 {
			e.s.t.Errorf("the acknowledged edit %s is there %d times", token, found[token])
		}
	}
	for _, token := range e.unknown {
		if found[token] > 1 {
			e.s.t.Errorf("the unacknowledged edit %s is there %d times", token, found[token])
		}
		if found[token] == 1 && !slices.Contains(e.acknowledged, token) {
			mine--
		}
	}
	if mine != len(e.acknowledged) {
		e.s.t.Errorf("person %d: %d edits are there that were made once, want %d", e.number, mine, len(e.acknowledged))
	}
}
