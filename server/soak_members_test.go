package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
)

// ledger is what a person has written to a list: each edit adds a token of its own. Old ones are removed, so that the list stays short.
type ledger struct {
	prefix string
	last   int
	has    []string   // what is in the list
	may    [][]string // what may be there: edits without an answer
	edits  int        // that were accepted
}

const (
	// ledgerLong is how many tokens a list has before ledgerOld of them are removed.
	ledgerLong, ledgerOld = 40, 20
)

func newLedger(number int) ledger { return ledger{prefix: fmt.Sprintf("p%d_", number)} }

// next returns the list with another edit, whose token is the last.
func (l *ledger) next() []string {
	l.last++
	list := append(slices.Clone(l.has), fmt.Sprint(l.prefix, l.last))
	if len(list) > ledgerLong {
		list = list[ledgerOld:]
	}
	return list
}

// own returns the person's tokens in the list of a form.
func (l *ledger) own(form *schema.Object) (tokens []string) {
	for _, key := range tokensOf(form) {
		if strings.HasPrefix(key, l.prefix) {
			tokens = append(tokens, key)
		}
	}
	return tokens
}

// see compares the list of a form with what must be there: each token once, in order.
func (l *ledger) see(form *schema.Object) error {
	own := l.own(form)
	if slices.Equal(own, l.has) {
		return nil
	}
	for _, list := range l.may {
		if slices.Equal(own, list) {
			l.has, l.may = list, nil
			l.edits++
			return nil
		}
	}
	return fmt.Errorf("the list has %v, want %v or one of %v", own, l.has, l.may)
}

// tokensOf returns the list of a form to which edits append.
func tokensOf(form *schema.Object) (keys []string) {
	for _, v := range form.Object("start").List("hidden_fields") {
		o, _ := v.(*schema.Object)
		keys = append(keys, o.Text("key"))
	}
	return keys
}

// member is one of the five.
type member struct {
	*resident
	ledger

	watch      *stopwatch
	number     int
	comments   []string // those that are there
	commented  int
	saves      []string // the names that accepted saves gave a form
	maybe      []string // those of saves without an answer
	overtaken  int      // requests that were too late
	complaints int
}

// complain fails the test. One kind of fault is often found many times.
func (m *member) complain(format string, args ...any) {
	if m.complaints++; m.complaints <= 5 {
		m.s.t.Errorf("person %d: "+format, append([]any{m.number}, args...)...)
	}
}

// call sends a request of the editor's page and measures it. The status is 0 for no answer.
func (m *member) call(kind, method, path, body string, headers ...string) (status int, header http.Header, text string) {
	headers = append(headers, "X-CSRF", "1", "Origin", m.s.at.Editor, "Content-Type", "application/json")
	phase, began := m.watch.phase.Load(), time.Now()
	status, header, text, err := m.exchange(m.s.t.Context(), method, m.s.at.Editor+path, body, headers...)
	switch {
	case err != nil:
		m.watch.refuse(phase, kind, 0)
		return 0, nil, err.Error()
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		m.watch.refuse(phase, kind, status)
	case status < 300 || status == http.StatusPreconditionFailed:
		m.watch.add(phase, kind, time.Since(began))
	default:
		m.complain("%s %s is answered %d %.300s", method, path, status, text)
	}
	return status, header, text
}

func (m *member) get(kind, path string) (status int, header http.Header, text string) {
	return m.call(kind, http.MethodGet, path, "")
}

// objectOf returns the object in an answer.
func objectOf(text string) *schema.Object {
	tree, _ := schema.DecodeGrown([]byte(text))
	o, _ := tree.(*schema.Object)
	return o
}

// patch saves members of a form, with a new name by which the version is found.
func (m *member) patch(form, etag string, members ...schema.Member) (status int, header http.Header, name string) {
	name = fmt.Sprintf("%ssave_%d", m.prefix, len(m.saves)+len(m.maybe)+m.overtaken)
	body := schema.NewObject(append(members, schema.Member{Key: "name", Value: name})...)
	status, header, _ = m.call("save", http.MethodPatch, "/bff/api/forms/"+form, string(schema.Encode(body)), "If-Match", etag)
	switch status {
	case http.StatusOK:
		m.saves = append(m.saves, name)
	case http.StatusPreconditionFailed:
		m.overtaken++
	default:
		m.maybe = append(m.maybe, name)
	}
	return status, header, name
}

// kindsOfRounds is how many kinds of rounds there are.
const kindsOfRounds = 6

// besides does what people do besides editing, something else in each round.
func (m *member) besides(n int, form string) {
	path := "/bff/api/forms/" + form
	switch n % kindsOfRounds {
	case 1:
		m.comment(path)
	case 2:
		m.get("versions", path+"/versions?per_page=10")
		m.get("blame", path+"/blame")
	case 3:
		m.get("overview", path+"/overview")
		m.get("list", "/bff/api/forms?per_page=20")
	case 4:
		m.open("stream opens", form)
	case 5:
		m.scenarios(path)
	}
}

// comment adds a comment. When there are some, it looks for all of them, and deletes the oldest.
func (m *member) comment(path string) {
	m.commented++
	status, _, text := m.call("comment", http.MethodPost, path+"/comments", fmt.Sprintf(`{"text":"%s comment %d"}`, m.prefix, m.commented))
	if status == http.StatusCreated {
		m.comments = append(m.comments, objectOf(text).Text("id"))
	}
	if len(m.comments) < 2 {
		return
	}
	m.findComments(path)
	if status, _, _ = m.call("comment", http.MethodDelete, path+"/comments/"+m.comments[0], ""); status == http.StatusNoContent {
		m.comments = m.comments[1:]
	}
}

func (m *member) findComments(path string) {
	status, _, text := m.get("read comments", path+"/comments")
	for _, id := range m.comments {
		if n := strings.Count(text, fmt.Sprintf(`"id":%q`, id)); status == http.StatusOK && n != 1 {
			m.complain("the comment %s is there %d times", id, n)
		}
	}
}

// scenarios replaces the scenarios of a form.
func (m *member) scenarios(path string) {
	status, header, _ := m.get("read scenarios", path+"/scenarios")
	if status != http.StatusOK {
		return
	}
	m.call("save scenarios", http.MethodPut, path+"/scenarios",
		fmt.Sprintf(`{"version":1,"scenarios":[{"name":"%s %d","steps":[],"expect":["n0"]}]}`, m.prefix, m.commented), "If-Match", header.Get("ETag"))
}

// open opens a stream of a form, measures how long that takes, and ends it.
func (m *member) open(kind, form string) {
	ctx, leave := context.WithCancel(m.s.t.Context())
	defer leave()
	phase, began := m.watch.phase.Load(), time.Now()
	if _, err := (&typist{resident: m.resident, form: form}).open(ctx); err != nil {
		m.watch.refuse(phase, kind, 0)
		return
	}
	m.watch.add(phase, kind, time.Since(began))
}

// loner edits a form alone, and saves each edit.
type loner struct {
	*member

	form string
}

func (p *loner) round(n int) {
	p.save()
	p.besides(n, p.form)
}

func (p *loner) save() {
	status, header, text := p.get("read form", "/bff/api/forms/"+p.form)
	if status != http.StatusOK {
		return
	}
	form := objectOf(text)
	if err := p.see(form); err != nil {
		p.complain("form %s: %v", p.form, err)
		return
	}
	list := p.next()
	fields := make([]any, len(list))
	for i, token := range list {
		fields[i] = schema.NewObject(schema.Member{Key: "key", Value: token})
	}
	status, _, _ = p.patch(p.form, header.Get("ETag"), schema.Member{Key: "start", Value: form.Object("start").With("hidden_fields", fields)})
	switch status {
	case http.StatusOK:
		p.has, p.may = list, nil
		p.edits++
	case http.StatusPreconditionFailed:
		if len(p.may) == 0 {
			p.complain("form %s was saved by somebody else", p.form)
		}
	default:
		p.may = append(p.may, list)
	}
}
