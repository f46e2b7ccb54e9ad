package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/porttest"
)

const (
	// typists is how many people edit at once, each with a page and its stream of events.
	typists = 50
	// typistEdits is how many edits each of them makes in an operation of the benchmark.
	typistEdits = 10
	// typistPause is the shortest time between two edits of a page, and so how often it tells others of what its person types.
	typistPause = 150 * time.Millisecond
	// typistSecond is how much longer a page waits after each edit for which another page was faster.
	typistSecond = 10 * time.Millisecond
	// typistWait is how long the last edits of an operation may take to arrive.
	typistWait = time.Minute
	// streamLimit is how long a stream may take to begin.
	streamLimit = time.Minute
)

// BenchmarkTogether lets 50 people edit forms together at a server that is a process of its own and has one core (GOMAXPROCS=1). Each form has 12
// nodes. Ten forms of five people each are what an office does: few people work on one form at once. One form of all 50 is the worst case: every
// edit goes to everybody, and all of them ask for the next number. People edit once a second, or as often as a page can tell others.
//
// An operation is ten edits of each person. A delivery is the event of an edit at the page of somebody else. Its latency counts from the first
// request of the edit, so an edit that must be offered again because another was faster takes longer. The processor time is the server's whole.
func BenchmarkTogether(b *testing.B) {
	b.Setenv("GOMAXPROCS", "1")
	metrics := porttest.Address(b)
	s := startProcess(b, "--metrics-listen", metrics)
	people := s.people(typists)
	for _, forms := range []int{10, 1} {
		b.Run(fmt.Sprintf("forms=%d", forms), func(b *testing.B) {
			o := gather(b, people, forms, "http://"+metrics+"/metrics")
			defer o.leave()
			for _, every := range []time.Duration{time.Second, typistPause} {
				b.Run(fmt.Sprintf("every=%s", every), func(b *testing.B) { o.edit(b, every) })
			}
		})
	}
}

// office is the people who edit.
type office struct {
	people  []*typist
	metrics string // the address of the server's
	leave   func() // ends the streams

	mu      sync.Mutex
	sent    map[string]time.Time // by the text that an edit writes
	took    []time.Duration      // of each delivery
	offers  int                  // requests for edits
	awaited int                  // deliveries that are yet to come
	all     chan struct{}        // filled when none is
}

// typist is a person with a page.
type typist struct {
	*resident

	page, form string
	others     int // on the same form
	node       int // which the person renames
	room       string
	serial     int

	mu     sync.Mutex
	number int // of the last entry that the page knows
}

// gather lets people open forms, each as a page does: a stream in which the page is present, then the room of the form.
func gather(b *testing.B, people []*resident, forms int, metrics string) *office {
	b.Helper()
	ctx, leave := context.WithCancel(b.Context())
	o := &office{metrics: metrics, sent: map[string]time.Time{}, all: make(chan struct{}, 1)}
	var reading sync.WaitGroup
	o.leave = func() { leave(); reading.Wait() }
	for first := range forms {
		form := people[first].newFormOf(b, 12)
		for i := first; i < len(people); i += forms {
			p := &typist{resident: people[i], page: fmt.Sprintf("page-%d-%d", forms, i), form: form, others: len(people)/forms - 1, node: (i / forms) % 12}
			stream, err := p.open(ctx)
			must(b, err)
			reading.Go(func() { o.read(p, stream) })
			must(b, p.join(ctx, i == first))
			o.people = append(o.people, p)
		}
	}
	return o
}

// newFormOf makes a form of steps with five components each.
func (p *resident) newFormOf(tb testing.TB, steps int) string {
	tb.Helper()
	nodes := make([]any, steps)
	for i := range nodes {
		var parts []any
		for j, kind := range []string{"RICH_TEXT", "TEXT", "EMAIL", "DROPDOWN", "NEXT_BUTTON"} {
			parts = append(parts, model.NewComponent(model.KindOf(kind), model.SpecDialect, fmt.Sprintf("c%d_%d", i, j)))
		}
		nodes[i] = model.NewNode(model.StepNode, fmt.Sprintf("n%d", i), model.Point{X: 360 * i, Y: 120}).With("config",
			schema.NewObject(schema.Member{Key: "components", Value: parts}, schema.Member{Key: "next_node", Value: model.EndingID}))
	}
	body := schema.Encode(schema.NewObject(schema.Member{Key: "name", Value: "Together"}, schema.Member{Key: "nodes", Value: nodes}))
	text, err := p.app(tb.Context(), http.MethodPost, "/bff/api/forms", string(body), http.StatusCreated)
	must(tb, err)
	var made struct{ ID string }
	must(tb, json.Unmarshal([]byte(text), &made))
	return made.ID
}

// open opens the stream of the page, which may be in a room already, and waits until it begins. The stream then ends with ctx.
func (p *typist) open(ctx context.Context) (*bufio.Scanner, error) {
	ctx, end := context.WithCancelCause(ctx)
	late := time.AfterFunc(waittest.Limit(streamLimit), func() { end(fmt.Errorf("the stream of %s takes too long to begin", p.page)) })
	defer late.Stop()
	lines, err := p.begin(ctx)
	if err != nil {
		err = cmp.Or(context.Cause(ctx), err)
		end(err)
	}
	return lines, err
}

// begin is open without a limit.
func (p *typist) begin(ctx context.Context) (*bufio.Scanner, error) {
	client := &http.Client{Jar: p.client.Jar, Transport: p.client.Transport} // without a timeout
	query := url.Values{"form": {p.form}}
	for name, value := range map[string]string{"page": p.page, "room": p.room} {
		if value != "" {
			query.Set(name, value)
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.s.at.Editor+"/bff/events?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	res, err := client.Do(req) //nolint:bodyclose // it ends with ctx
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the stream of %s is answered %d", p.page, res.StatusCode)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() == "event: hello" {
			return lines, nil
		}
	}
	return nil, fmt.Errorf("the stream of %s has no beginning: %w", p.page, lines.Err())
}

// roomPart is what the server answers about a room.
type roomPart struct {
	Room             string
	Number           int
	Accepted, Closed bool
}

// share makes a request about the room of the form.
func (p *typist) share(ctx context.Context, method, body string) (part roomPart, err error) {
	status, text, err := p.send(ctx, method, p.s.at.Editor+"/bff/api/forms/"+p.form+"/live", body, "X-CSRF", "1", "Origin", p.s.at.Editor,
		"Content-Type", "application/json", "X-Tab", p.page)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s of %s is answered %d: %.300s", method, p.page, status, text)
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &part)
	}
	if err == nil && part.Closed {
		err = fmt.Errorf("the room of %s is closed", p.page)
	}
	return part, err
}

// join opens the room of the form, or joins it.
func (p *typist) join(ctx context.Context, first bool) error {
	method, body := http.MethodGet, ""
	if first {
		_, header, text, err := p.exchange(ctx, http.MethodGet, p.s.at.Editor+"/bff/api/forms/"+p.form, "", "X-CSRF", "1")
		if err != nil {
			return err
		}
		method, body = http.MethodPost, fmt.Sprintf(`{"saved":%s,"etag":%q}`, text, header.Get("ETag"))
	}
	part, err := p.share(ctx, method, body)
	p.room = part.Room
	p.know(part.Number)
	return err
}

// know records that the page has an entry, and returns the last one that it has.
func (p *typist) know(number int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.number = max(p.number, number)
	return p.number
}

// read reads the stream of a page until it ends.
func (o *office) read(p *typist, lines *bufio.Scanner) {
	edit := false
	for lines.Scan() {
		line := lines.Text()
		if kind, ok := strings.CutPrefix(line, "event: "); ok {
			edit = kind == "edit"
		}
		_, after, ok := strings.Cut(line, `"to":"`)
		if !edit || !ok {
			continue
		}
		now := time.Now()
		text, _, _ := strings.Cut(after, `"`)
		_, after, _ = strings.Cut(line, `"number":`)
		number, _, _ := strings.Cut(after, ",")
		n, _ := strconv.Atoi(number)
		p.know(n)
		if !strings.HasPrefix(text, p.page+" ") {
			o.arrived(text, now)
		}
	}
}

func (o *office) arrived(text string, at time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.took = append(o.took, at.Sub(o.sent[text]))
	if o.awaited--; o.awaited == 0 {
		select {
		case o.all <- struct{}{}:
		default:
		}
	}
}

// edit lets all people make edits, and waits until each is delivered to all others.
func (o *office) edit(b *testing.B, every time.Duration) {
	b.Helper()
	each := typistEdits * b.N
	o.took, o.offers, o.awaited = nil, 0, 1
	for _, p := range o.people {
		o.awaited += each * p.others
	}
	before := o.measured(b)
	began := time.Now()
	b.ResetTimer()
	failures := make(chan error, len(o.people))
	var wg sync.WaitGroup
	for i, p := range o.people {
		wg.Go(func() {
			<-time.After(every * time.Duration(i) / typists) // they do not all begin at once
			failures <- o.typing(b.Context(), p, each, every)
		})
	}
	wg.Wait()
	close(failures)
	for err := range failures {
		must(b, err)
	}
	o.await(b)
	b.StopTimer()
	took := time.Since(began)
	after := o.measured(b)
	edits, cpu := each*len(o.people), after.cpu-before.cpu
	slices.Sort(o.took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(edits)/took.Seconds(), "edits/s")
	b.ReportMetric(float64(len(o.took))/took.Seconds(), "deliveries/s")
	b.ReportMetric(float64(o.offers)/float64(edits), "offers/edit")
	b.ReportMetric(milliseconds(o.took[len(o.took)/2]), "p50-ms")
	b.ReportMetric(milliseconds(o.took[len(o.took)*95/100]), "p95-ms")
	b.ReportMetric(cpu/took.Seconds(), "cores")
	b.ReportMetric(cpu*1e6/float64(len(o.took)), "cpu-µs/delivery")
	b.ReportMetric(after.memory/1e6, "MB")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// await waits until all deliveries have come.
func (o *office) await(b *testing.B) {
	b.Helper()
	o.mu.Lock()
	o.awaited-- // the one that kept the last from ending the wait
	left := o.awaited
	o.mu.Unlock()
	if left == 0 {
		return
	}
	select {
	case <-o.all:
	case <-time.After(typistWait):
		o.mu.Lock()
		defer o.mu.Unlock()
		b.Fatalf("%d deliveries do not arrive", o.awaited)
	}
}

// typing makes edits of a person. If another page was faster, this one offers its edit again as pages do: at once, then after growing pauses.
func (o *office) typing(ctx context.Context, p *typist, edits int, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for range edits {
		p.serial++
		text := p.page + " " + strconv.Itoa(p.serial)
		o.mu.Lock()
		o.sent[text] = time.Now()
		o.mu.Unlock()
		for second, accepted := time.Duration(0), false; !accepted; second++ {
			<-time.After(min(typistPause, max(0, second-1)*typistSecond))
			o.mu.Lock()
			o.offers++
			o.mu.Unlock()
			part, err := p.share(ctx, http.MethodPost, fmt.Sprintf(
				`{"room":%q,"entry":{"number":%d,"serial":%d,"edits":[{"at":"nodes[%d].alias","to":%q}]}}`, p.room, p.know(0)+1, p.serial, p.node, text))
			if err != nil {
				return err
			}
			p.know(part.Number)
			accepted = part.Accepted
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// use is what the server has used: processor time in seconds, and memory in bytes.
type use struct{ cpu, memory float64 }

// measured asks the server.
func (o *office) measured(b *testing.B) (u use) {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, o.metrics, nil)
	must(b, err)
	res, err := http.DefaultClient.Do(req)
	must(b, err)
	defer func() { _ = res.Body.Close() }()
	found := 0
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		to := map[string]*float64{"process_cpu_seconds_total": &u.cpu, "process_resident_memory_bytes": &u.memory}[name]
		if to == nil {
			continue
		}
		found++
		*to, err = strconv.ParseFloat(value, 64)
		must(b, err)
	}
	if found != 2 {
		must(b, errors.New("the server does not measure itself"))
	}
	return u
}
