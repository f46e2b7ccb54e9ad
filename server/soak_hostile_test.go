package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// hostileTime is how long TestHostilePeople lasts on each engine, which `make soak` can raise.
var hostileTime = flag.Duration("hostile.duration", 0, "how long people edit on each engine beside hostile ones")

const (
	// siegeMemory and siegeDisk bound what the server uses at most, in bytes: its resident memory, and what its database grows by.
	siegeMemory, siegeDisk = 600 << 20, 200 << 20
	// siegeRatio is how many times longer 95 of 100 requests may take than without hostile people. It is a measurement, and asserted only in a run
	// of siegeLong or longer, which has the machine for itself.
	siegeRatio = 2
	siegeLong  = 10 * time.Minute
	// siegeLate is from how many requests of a kind on the ratio is asserted.
	siegeLate = 100
)

// TestHostilePeople starts the server as a process. Five people edit: three the same form together, and two a form each. They first do so
// alone, then while one editor and one viewer attack other forms by all that they may and may not do, and then while the two attack the form of
// the three. Every accepted edit and save must be there once, all copies of the shared form must be the same, the server must not need too much
// memory or disk, and it must end by SIGTERM while the attacks go on. It prints how much longer each request takes, as the five see it: with all that
// they wait for, the server, its database and this process, but not with the processors that the attacks themselves need, see assault.
func TestHostilePeople(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes longer than a minute; TestHostileTraffic, and tests of each limit, are in the gate")
	}
	total := sizetest.Of(*hostileTime, 0, 45*time.Second)
	t.Run("SQLite", func(t *testing.T) {
		folder := newData(t)
		besiege(t, total, folder, func() int64 { return sizeOf(t, folder) })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		database := postgrestest.Empty(t)
		conn, err := pgx.Connect(t.Context(), database)
		must(t, err)
		defer conn.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // it only reads
		besiege(t, total, newData(t), func() (size int64) {
			must(t, conn.QueryRow(t.Context(), "SELECT pg_database_size(current_database())").Scan(&size))
			return size
		}, "--database", database)
	})
}

// sizeOf returns the bytes of the files in a folder.
func sizeOf(t *testing.T, folder string) (size int64) {
	t.Helper()
	must(t, filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if os.IsNotExist(err) { // it was removed meanwhile
			return nil
		}
		if err == nil {
			size += info.Size()
		}
		return err
	}))
	return size
}

// The phases of a siege.
const (
	atPeace = iota
	elsewhere
	onTheSame
	afterwards // the hostile ones have stopped
	phases
)

// siege is five people and two hostile ones at a server.
type siege struct {
	*soak

	watch  *stopwatch
	shared string // the form of the three
	pages  []*page
	loners []*loner
	editor *resident // who is hostile
	viewer *resident // who is hostile, too
}

// besiege runs the whole on an engine; disk returns what the database takes.
func besiege(t *testing.T, total time.Duration, folder string, disk func() int64, args ...string) { //nolint:thelper // it is the test
	c := launch(t, folder, append([]string{"--listen", "127.0.0.1:0", "--tenant-listen", "127.0.0.1:0"}, args...)...)
	s := newSiege(&soak{t: t, at: c.at, first: c.first(t)})
	streams, leave := context.WithCancel(t.Context())
	defer leave()
	var following sync.WaitGroup
	for _, p := range s.pages {
		p.all = s.pages
		opened := make(chan struct{})
		following.Go(func() { p.follow(streams, sync.OnceFunc(func() { close(opened) })) })
		select {
		case <-opened:
		case <-time.After(waittest.Limit(2 * streamLimit)): // so that the page tells why
			leave()
			following.Wait()
			t.Fatalf("the stream of page %s does not begin: %v", p.name, p.refused)
		}
		p.join()
	}
	foes := s.assailants()
	began, most := disk(), int64(0)
	for phase, d := range []time.Duration{total / 4, total * 3 / 8, total * 3 / 8} {
		s.watch.phase.Store(int32(phase))
		least := 1
		switch phase {
		case atPeace:
			least = kindsOfRounds // everything is done once
		case elsewhere:
			foes.order(assaultOrder{Target: s.editor.newForm()})
		case onTheSame:
			foes.order(assaultOrder{Target: s.shared})
		}
		most = max(most, s.work(d, least, disk))
		foes.order(assaultOrder{Stop: true})
		t.Logf("phase %d: at most %d MiB of memory, and %d MiB of disk more than at the beginning", phase, memoryOf(t, c)>>20, (most-began)>>20)
	}
	s.watch.phase.Store(afterwards)
	s.judge()
	leave() // the end of the server would look as if it refused the streams of people
	following.Wait()
	foes.order(assaultOrder{Target: s.shared})
	before := foes.sent()
	waittest.Until(t, "the attacks go on", func() bool { return foes.sent() > before+100 })
	memory := memoryOf(t, c)
	if err := c.drain(); err != nil {
		t.Errorf("SIGTERM under load: %v", err)
	}
	foes.order(assaultOrder{Stop: true})
	s.watch.tell(t, total >= siegeLong)
	tellAttacks(t, foes.all)
	if grown := most - began; memory > siegeMemory || grown > siegeDisk {
		t.Errorf("the server took up to %d MiB of memory and %d MiB of disk, want at most %d and %d", memory>>20, grown>>20, siegeMemory>>20, siegeDisk>>20)
	}
}

func newSiege(s *soak) *siege {
	f := &siege{soak: s, watch: newStopwatch()}
	five := s.people(5)
	call := s.manager()
	var roles []struct{ ID, Name string }
	call("GET", "/roles", "", &roles)
	var reader struct{ ID string }
	call("POST", "/roles", `{"name":"Viewer"}`, &reader)
	call("POST", "/roles/"+reader.ID+"/permissions", fmt.Sprintf(
		`{"permissions":[{"resource_server_identifier":%q,"permission_name":"read:forms"}]}`, s.at.Tenant+"/api/v2/"), nil)
	i := slices.IndexFunc(roles, func(r struct{ ID, Name string }) bool { return r.Name == "Editor" })
	f.editor, f.viewer = s.resident(call, attacker, "Mallory", roles[i].ID), s.resident(call, nextAttacker, "Victor", reader.ID)
	f.shared = five[0].newFormOf(s.t, 12)
	for i, p := range five {
		m := &member{resident: p, watch: f.watch, number: i, ledger: newLedger(i)}
		if i < 3 {
			f.pages = append(f.pages, &page{member: m, form: f.shared, name: fmt.Sprintf("page-%d", i), begun: map[int]time.Time{}})
		} else {
			f.loners = append(f.loners, &loner{member: m, form: p.newFormOf(s.t, 12)})
		}
	}
	return f
}

// siegePace is the time between two rounds of a person.
const siegePace = 500 * time.Millisecond

// work lets the five make rounds for a time, and at least so many. It returns what the database takes at most.
func (s *siege) work(d time.Duration, least int, disk func() int64) (most int64) {
	end := time.Now().Add(d)
	var wg sync.WaitGroup
	rounds := func(i int, round func(n int)) {
		wg.Go(func() {
			<-time.After(time.Duration(i) * siegePace / 5) // they do not all come at once
			tick := time.NewTicker(siegePace)
			defer tick.Stop()
			for n := 0; (n < least || time.Now().Before(end)) && !s.t.Failed(); n++ {
				round(n)
				<-tick.C
			}
		})
	}
	for i, p := range s.pages {
		rounds(i, p.round)
	}
	for i, p := range s.loners {
		rounds(len(s.pages)+i, p.round)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); wg.Wait() }()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		most = max(most, disk())
		select {
		case <-ended:
			return max(most, disk())
		case <-tick.C:
		}
	}
}

// memoryOf returns the most resident memory that a process has had, in bytes; 0 if the system does not tell it.
func memoryOf(t *testing.T, c *child) int64 {
	t.Helper()
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(c.cmd.Process.Pid), "status"))
	if os.IsNotExist(err) {
		return 0
	}
	must(t, err)
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	text, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	kib, err := strconv.ParseInt(text, 10, 64)
	must(t, err)
	return kib << 10
}

// stopwatch keeps how long requests take, by phase and kind, and which were refused.
type stopwatch struct {
	phase atomic.Int32

	mu      sync.Mutex
	took    [phases]latencies
	refused [phases]map[string]int
}

func newStopwatch() *stopwatch {
	w := &stopwatch{}
	for i := range phases {
		w.took[i], w.refused[i] = latencies{}, map[string]int{}
	}
	return w
}

// add keeps a request that began in a phase.
func (w *stopwatch) add(phase int32, kind string, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.took[phase][kind] = append(w.took[phase][kind], d)
}

// refuse keeps a request that was refused because of others, or not answered.
func (w *stopwatch) refuse(phase int32, kind string, status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refused[phase][fmt.Sprintf("%s: %d", kind, status)]++
}

// tell prints the latencies, and asserts them if strict.
func (w *stopwatch) tell(t *testing.T, strict bool) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	t.Logf("%-16s %7s %10s %10s | %7s %10s %10s %6s | %7s %10s %10s %6s", "request", "alone", "p50", "p95", "beside", "p50", "p95", "ratio",
		"same", "p50", "p95", "ratio")
	for _, kind := range slices.Sorted(maps.Keys(w.took[atPeace])) {
		quiet := w.took[atPeace][kind]
		line := fmt.Sprintf("%-16s %7d %10v %10v", kind, len(quiet), at(quiet, 50), at(quiet, 95))
		for _, phase := range []int{elsewhere, onTheSame} {
			loud := w.took[phase][kind]
			if len(loud) == 0 {
				line += fmt.Sprintf(" | %7d %10s %10s %6s", 0, "", "", "")
				continue
			}
			times := ratio(quiet, loud, 95)
			line += fmt.Sprintf(" | %7d %10v %10v %6.2f", len(loud), at(loud, 50), at(loud, 95), times)
			if strict && times > siegeRatio && min(len(quiet), len(loud)) >= siegeLate {
				t.Errorf("%s takes %.2f times as long in phase %d as alone, want at most %d", kind, times, phase, siegeRatio)
			}
		}
		t.Log(line)
	}
	for phase, refused := range w.refused {
		t.Logf("refused in phase %d: %v", phase, refused)
		if strict && len(refused) > 0 {
			t.Errorf("people were refused in phase %d: %v", phase, refused)
		}
	}
}
