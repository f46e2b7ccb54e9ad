package admin

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/schema"
)

// visit is a person's page with a server that keeps rows in memory and answers like the real one.
type visit struct {
	*Page
	t      *testing.T
	scopes string
	rows   map[string][]*schema.Object // by path of the list, below root
	asked  []string                    // method and path of each request, and the body
	mu     sync.Mutex
	// before answers instead of the server; with status 0 the server answers.
	before func(method, path, q string) (status int, body string)
}

const everything = "read:clients create:clients update:clients delete:clients read:users create:users update:users delete:users " +
	"read:roles create:roles update:roles delete:roles read:resource_servers create:resource_servers update:resource_servers " +
	"read:client_grants create:client_grants read:logs create:user_tickets update:client_keys"

func newVisit(t *testing.T, at string) *visit {
	t.Helper()
	v := &visit{Page: New(), t: t, scopes: everything, rows: map[string][]*schema.Object{}}
	v.client = client.New(uitest.Server(v.answer))
	v.at = placeOf(at)
	v.show = v.follow // as go-app does when the address changes
	return v
}

// add adds rows of a list; each is a JSON object.
func (v *visit) add(path string, rows ...string) {
	for _, text := range rows {
		v.rows[path] = append(v.rows[path], object(v.t, text))
	}
}

// people adds n people.
func (v *visit) people(n int) {
	for i := range n {
		v.add("users", fmt.Sprintf(`{"user_id":"u%02d","name":"Person %02d","email":"p%02d@x.test","email_verified":true}`, i, i, i))
	}
}

func (v *visit) answer(r client.Request) (client.Response, error) {
	if r.Path == "/bff/user" {
		if v.scopes == "" {
			return uitest.Answer(401, `{"code":"session_expired","detail":"sign in"}`), nil
		}
		return uitest.Answer(200, `{"sub":"me","name":"Ana","scopes":"`+v.scopes+`"}`), nil
	}
	u, err := url.Parse(r.Path)
	if err != nil {
		return client.Response{}, err
	}
	path, q := strings.TrimPrefix(u.Path, root), u.Query()
	v.mu.Lock()
	v.asked = append(v.asked, strings.TrimSpace(r.Method+" "+strings.TrimPrefix(r.Path, root)+" "+string(r.Body)))
	v.mu.Unlock()
	if v.before != nil {
		if status, body := v.before(r.Method, path, q.Get("q")); status != 0 {
			return uitest.Answer(status, body), nil
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	list, id, one := strings.Cut(path, "/")
	if !one || strings.Contains(id, "/") {
		return v.listed(path, r, q)
	}
	i := slices.IndexFunc(v.rows[list], func(o *schema.Object) bool { return named(o) == id })
	if i < 0 {
		return uitest.Answer(404, `{"code":"not_found","detail":"there is none"}`), nil
	}
	switch r.Method {
	case "DELETE":
		v.rows[list] = slices.Delete(slices.Clone(v.rows[list]), i, i+1)
		return uitest.Answer(204, ""), nil
	case "PATCH":
		for _, m := range object(v.t, string(r.Body)).Members() {
			v.rows[list][i] = v.rows[list][i].With(m.Key, m.Value)
		}
	}
	return uitest.Answer(200, string(schema.Encode(v.rows[list][i]))), nil
}

// listed answers requests for lists, for sets of entries, and for new rows.
func (v *visit) listed(path string, r client.Request, q url.Values) (client.Response, error) {
	if r.Method == "POST" && !strings.Contains(path, "/") {
		made := object(v.t, string(r.Body)).With(map[string]string{"users": "user_id", "clients": "client_id"}[path], "made")
		v.rows[path] = append(v.rows[path], made)
		return uitest.Answer(201, string(schema.Encode(made))), nil
	}
	if r.Method != "GET" {
		return uitest.Answer(204, ""), nil
	}
	var found []string
	for _, o := range v.rows[path] {
		text := string(schema.Encode(o))
		if strings.Contains(strings.ToLower(text), strings.ToLower(q.Get("q"))) {
			found = append(found, text)
		}
	}
	if !q.Has("include_totals") {
		return uitest.Answer(200, "["+strings.Join(found, ",")+"]"), nil
	}
	from, _ := strconv.Atoi(q.Get("from"))
	size, _ := strconv.Atoi(q.Get("per_page") + q.Get("take"))
	end, next := min(from+size, len(found)), ""
	if end < len(found) {
		next = fmt.Sprintf(`,"next":"%d"`, end)
	}
	return uitest.Answer(200, fmt.Sprintf(`{"total":%d,"rows":[%s]%s}`, len(found), strings.Join(found[from:end], ","), next)), nil
}

// named returns the name of a row.
func named(o *schema.Object) string {
	for _, member := range []string{"user_id", "client_id", "id"} {
		if id := o.Text(member); id != "" {
			return id
		}
	}
	return ""
}

// play opens the page and runs the steps.
func (v *visit) play(steps ...func(ctx app.Context)) {
	v.t.Helper()
	uitest.Play(v.t, append([]func(app.Context){v.start}, steps...)...)
}

// press is a step that presses the control of an act.
func (v *visit) press(act, arg string) func(app.Context) {
	return func(ctx app.Context) { v.do(ctx, act, arg) }
}

// typing is a step that makes an input in a control.
func (v *visit) typing(in input) func(app.Context) {
	return func(ctx app.Context) { v.entries.onInput(ctx, in) }
}

// shows is a step that looks for texts in the drawn page; a text that begins with "!" must be absent.
func (v *visit) shows(texts ...string) func(app.Context) {
	return func(app.Context) {
		v.t.Helper()
		html := app.HTMLString(v.drawing.body()) + app.HTMLString(v.dialogs.draw())
		for _, text := range texts {
			want, absent := strings.CutPrefix(text, "!")
			if strings.Contains(html, want) == absent {
				v.t.Errorf("at %v the page shows %q: %t", v.at, want, absent)
			}
		}
	}
}

// asks is a step that compares the requests since the last such step, in any order: some are sent
// concurrently.
func (v *visit) asks(want ...string) func(app.Context) {
	return func(app.Context) {
		v.t.Helper()
		slices.Sort(v.asked)
		slices.Sort(want)
		if !slices.Equal(v.asked, want) {
			v.t.Errorf("asked for %q, want %q", v.asked, want)
		}
		v.asked = nil
	}
}

const firstPeople = "GET users?per_page=50&include_totals=true"

func TestListIsShownPageByPage(t *testing.T) {
	v := newVisit(t, "people")
	v.people(120)
	v.play(
		v.asks(firstPeople),
		v.shows("Person 00", "Person 49", "!Person 50", "50 of 120 shown", "Show more"),
		v.press("more", ""), v.asks("GET users?from=50&take=50&include_totals=true"), v.shows("Person 99", "100 of 120 shown"),
		func(app.Context) {
			for n, want := range map[int]string{50: `[data-row="u50"]`, 100: ""} { // the first new row, and none without one
				if got := rowAfter(v.list(v.section()), n); got != want {
					t.Errorf("after %d rows the focus moves to %q, want %q", n, got, want)
				}
			}
		},
		v.press("more", ""), v.shows("Person 119", "120 shown", "!Show more"),
		// The list is unchanged after a visit to another section.
		func(ctx app.Context) { v.asked = nil; v.show(ctx, place{section: rolesName}) },
		func(ctx app.Context) { v.show(ctx, place{section: peopleName}) },
		v.asks("GET roles?per_page=50&include_totals=true"), v.shows("120 shown"),
		v.press("reload", ""), v.asks(firstPeople), v.shows("50 of 120 shown"),
	)
}

func TestSearchIsSentToTheServer(t *testing.T) {
	v := newVisit(t, "people")
	v.people(120)
	v.play(
		v.asks(firstPeople),
		v.typing(input{id: "list-search", value: "person 11"}), v.asks(firstPeople+"&q=person+11"),
		v.shows("Person 11<", "Person 119", "11 found", "!Person 12<"),
		v.typing(input{id: "list-search", value: "nobody"}), v.shows("No results for “nobody”", "!<table"),
		v.typing(input{id: "list-search", value: ""}), v.shows("50 of 120 shown"),
	)
}

func TestLateAnswerOfASearchIsDropped(t *testing.T) {
	v := newVisit(t, "people")
	v.people(9)
	v.before = func(_, _, q string) (int, string) {
		if q == "person 01" {
			<-time.After(time.Minute)
		}
		return 0, ""
	}
	v.play(func(ctx app.Context) {
		v.list(v.section()).Query = "person 01"
		v.press("reload", "")(ctx)
		v.typing(input{id: "list-search", value: "person 02"})(ctx)
	}, v.shows("Person 02", "!Person 01", "1 found"))
}

func TestListStates(t *testing.T) {
	v := newVisit(t, "roles")
	if html := app.HTMLString(v.drawing.body()); !strings.Contains(html, "Loading the administration…") {
		t.Errorf("before the user is known the page shows %s", html)
	}
	v.before = func(string, string, string) (int, string) { return 502, `{"code":"x","detail":"the tenant is down"}` }
	v.play(
		v.shows("This could not be loaded", "The tenant is down.", `data-act="reload"`),
		func(ctx app.Context) {
			v.before = nil
			v.press("reload", "")(ctx)
			v.shows("Loading roles…", "!This could not be loaded")(ctx)
		},
		v.shows("No roles yet", "Create a role for each kind of work"),
		func(app.Context) { v.add("roles", `{"id":"r1","name":"Editor"}`) },
		v.press("reload", ""), v.shows("Editor", "1 shown", "!No roles yet"),
		func(ctx app.Context) {
			v.before = func(string, string, string) (int, string) { return 502, `{"code":"x","detail":"the tenant is down"}` }
			v.press("reload", "")(ctx)
		},
		v.shows("Editor", "The tenant is down."), // the rows stay
	)
}

func TestPageIsForAdministrators(t *testing.T) {
	v := newVisit(t, "people")
	v.scopes = "read:forms"
	v.play(v.shows("This page is for administrators", "!nav-item"), v.asks())

	v = newVisit(t, "people")
	v.scopes = ""
	v.play(v.shows("You are signed out", `data-act="sign-in"`), v.asks())

	// A person who may only read the log sees nothing else.
	v = newVisit(t, "")
	v.scopes = "read:logs"
	v.play(v.shows("Sign-in log", "!People<", "!New line"), v.asks("GET logs?per_page=50&include_totals=true"))

	// A person who may only read people cannot change any.
	v = newVisit(t, "people/u00")
	v.people(1)
	v.scopes = "read:users"
	v.play(v.shows("it lacks update:users", "it lacks delete:users", `!data-act="save"`, "p00@x.test", "!data-path"))
}

func TestLogIsFilteredByType(t *testing.T) {
	v := newVisit(t, "log")
	v.add("logs", `{"log_id":"l1","type":"s"}`)
	v.play(
		v.asks("GET logs?per_page=50&include_totals=true"), v.shows("Signed in", `!data-act="new"`),
		v.typing(input{id: "log-type", kind: "select-one", value: "fp"}), v.asks("GET logs?type=fp&per_page=50&include_totals=true"),
		v.typing(input{id: "list-search", value: "ana"}), v.asks("GET logs?type=fp&per_page=50&include_totals=true&q=ana"),
		v.typing(input{id: "log-type", kind: "select-one", value: nothing}), v.asks("GET logs?per_page=50&include_totals=true&q=ana"),
	)
}
