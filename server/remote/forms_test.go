package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/server/remote"
	"github.com/formgraph/formgraph/server/upstream"
)

var ours = regexp.MustCompile(`^"fg-[A-Za-z0-9_-]{43}"$`)

// Forms have the same tag exactly if they have the same content.
func TestTags(t *testing.T) {
	of := func(body string) string {
		res := do(t, remote.NewForms(fixed(200, body), nil), request("GET", "", ""))
		return res.Header.Get("Etag")
	}
	const base = `{"id":"ap_1","name":"A","nodes":[{"id":"n","x":1,"y":"\u00e4","z":{"a":1,"b":2}}]}`
	want := of(base)
	if !ours.MatchString(want) {
		t.Fatalf("the tag is %s", want)
	}
	for name, body := range map[string]string{
		"order": `{"nodes":[{"z":{"b":2,"a":1},"y":"\u00e4","x":1,"id":"n"}],"name":"A","id":"ap_1"}`,
		"space": " {\n\"id\" : \"ap_1\",\t\"name\":\"A\", \"nodes\":[ {\"id\":\"n\",\"x\":1,\"y\":\"\u00e4\",\"z\":{\"a\":1,\"b\":2}} ] }\n",
		"1.0":   `{"id":"ap_1","name":"A","nodes":[{"id":"n","x":1.0,"y":"ä","z":{"a":1e0,"b":20e-1}}]}`,
		"volatile": base[:len(base)-1] + `,"updated_at":"2026","created_at":"2026","embedded_at":"1",` +
			`"submitted_at":2,"flow_count":7,"links":{"sdk":[]}}`,
		"name twice": `{"name":"A",` + base[1:],
	} {
		if got := of(body); (got == want) != (name != "name twice") {
			t.Errorf("%s: the tag is %s, want it compared with %s", name, got, want)
		}
	}
	for name, body := range map[string]string{
		"a text":           `{"id":"ap_1","name":"B","nodes":[{"id":"n","x":1,"y":"ä","z":{"a":1,"b":2}}]}`,
		"a number":         `{"id":"ap_1","name":"A","nodes":[{"id":"n","x":1.1,"y":"ä","z":{"a":1,"b":2}}]}`,
		"a date in a node": `{"id":"ap_1","name":"A","nodes":[{"id":"n","x":1,"y":"ä","z":{"a":1,"b":2},"updated_at":1}]}`,
		"a member":         `{"id":"ap_1","name":"A","nodes":[{"id":"n","x":1,"y":"ä","z":{"a":1,"b":2}}],"style":null}`,
	} {
		if of(body) == want {
			t.Errorf("%s: the tag stays", name)
		}
	}
	if of(`{"id":"ap_1","name":"A","n":9007199254740993}`) == of(`{"id":"ap_1","name":"A","n":9007199254740992}`) {
		t.Error("large numbers that differ have one tag")
	}
}

// fixed gives every call the same answer.
func fixed(status int, body string, headers ...string) answers {
	return func(upstream.Request) (*upstream.Response, error) {
		res := says(status, []byte(body))
		for i := 0; i < len(headers); i += 2 {
			res.Header.Set(headers[i], headers[i+1])
		}
		return res, nil
	}
}

type answers func(upstream.Request) (*upstream.Response, error)

func (f answers) Do(_ context.Context, r upstream.Request, _ upstream.TokenSource) (*upstream.Response, error) {
	return f(r)
}

func TestWhatGetsATag(t *testing.T) {
	const form = `{"id":"ap_1","name":"A"}`
	for _, x := range []struct {
		name   string
		next   caller
		r      upstream.Request
		want   string // "" none, "ours", or the tag
		status int
	}{
		{"GET", fixed(200, form), request("GET", "", ""), "ours", 200},
		{"POST", fixed(201, form), upstream.Request{Method: "POST", Path: []string{"forms"}}, "ours", 201},
		{"PATCH", fixed(200, form), request("PATCH", "", `{}`), "ours", 200},
		{"a tag of the tenant", fixed(200, form, "Etag", `"7"`), request("GET", "", ""), `"7"`, 200},
		{"a weak tag of the tenant", fixed(200, form, "Etag", `W/"7"`), request("GET", "", ""), "ours", 200},
		{"a tag without quotes", fixed(200, form, "Etag", "7"), request("GET", "", ""), "ours", 200},
		{"not found", fixed(404, `{}`), request("GET", "", ""), "", 404},
		{"an empty object", fixed(200, `{}`), request("GET", "", ""), "", 200},
		{"no form", fixed(200, `[1]`), request("GET", "", ""), "", 200},
		{"flows", fixed(200, form), upstream.Request{Method: "GET", Path: []string{"flows"}}, "", 200},
	} {
		res := do(t, remote.NewForms(x.next, nil), x.r)
		got := res.Header.Get("Etag")
		if x.want == "ours" && ours.MatchString(got) {
			got = "ours"
		}
		if got != x.want || res.Status != x.status {
			t.Errorf("%s: got %d with the tag %q, want %q", x.name, res.Status, got, x.want)
		}
	}
	listed := false
	_ = do(t, remote.NewForms(answers(func(r upstream.Request) (*upstream.Response, error) {
		listed = r.Summaries
		return says(200, []byte(`[]`)), nil
	}), nil), upstream.Request{Method: "GET", Path: []string{"forms"}})
	if !listed {
		t.Error("a list is not summarized")
	}
}

// A tenant with tags of its own decides about them, at the moment of the change. It is sent what it has written, not what a proxy made of it.
func TestTagsOfTheTenant(t *testing.T) {
	for _, x := range []struct {
		ifMatch string
		status  int
		calls   []string
	}{
		{`"7"`, 200, []string{`PATCH"7"`}},
		{`"8"`, 200, []string{`PATCH"8"`}}, // this one ignores it
		{`W/"7"`, 200, []string{"GET", `PATCH"7"`}},
		{`"8", W/"7-gzip"`, 200, []string{"GET", `PATCH"7"`}},
		{`"7";br`, 200, []string{"GET", `PATCH"7"`}},
		{`W/"8"`, 412, []string{"GET"}},
		{"*", 200, []string{"GET", "PATCH"}},
	} {
		tenant := newNaive()
		tenant.after = func(upstream.Request, int) (*upstream.Response, error) {
			return fixed(200, `{"id":"ap_1","name":"A"}`, "Etag", `"7"`)(upstream.Request{})
		}
		res := do(t, remote.NewForms(tenant, nil), request("PATCH", x.ifMatch, `{"y":1}`))
		if res.Status != x.status || !slices.Equal(tenant.calls, x.calls) {
			t.Errorf("%s: got %d after %q, want %d after %q", x.ifMatch, res.Status, tenant.calls, x.status, x.calls)
		}
	}
}

// A change is made only if the form has a tag that the change names. No tag of ours is sent to the tenant.
func TestIfMatch(t *testing.T) {
	for _, x := range []struct {
		name    string
		ifMatch func(current string) string
		edited  bool // by somebody else
		gone    bool
		status  int
		calls   []string
	}{
		{"current", func(c string) string { return c }, false, false, 200, []string{"GET", "PATCH"}},
		{"made weak by a proxy", func(c string) string { return "W/" + c }, false, false, 200, []string{"GET", "PATCH"}},
		{"one of several", func(c string) string { return `"other", ` + c + `, "fg-x"` }, false, false, 200, []string{"GET", "PATCH"}},
		{"old", func(c string) string { return c }, true, false, 412, []string{"GET"}},
		{"none of several", func(string) string { return `"fg-x", "fg-y"` }, false, false, 412, []string{"GET"}},
		{"malformed", func(string) string { return `"fg-x` }, false, false, 412, []string{"GET"}},
		{"any", func(string) string { return "*" }, true, false, 200, []string{"GET", "PATCH"}},
		{"any, gone", func(string) string { return "*" }, false, true, 404, []string{"GET"}},
		{"gone", func(c string) string { return c }, false, true, 404, []string{"GET"}},
		{"no condition", func(string) string { return "" }, true, false, 200, []string{"GET", "PATCH"}},
		{"no condition, gone", func(string) string { return "" }, false, true, 404, []string{"GET"}},
		{"with the coding of a proxy", func(c string) string { return c[:len(c)-1] + `;gzip"` }, false, false, 200, []string{"GET", "PATCH"}},
		{"tags of the tenant", func(string) string { return `"7", "8"` }, false, false, 200, []string{`PATCH"7", "8"`}},
		{"a tag that the tenant does not have", func(string) string { return `W/"7"` }, false, false, 412, []string{"GET"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			tenant := newNaive()
			f := remote.NewForms(tenant, nil)
			current := tag(t, f)
			if x.edited {
				tenant.edit(func(form map[string]any) { form["x"] = 5.0 })
			}
			if x.gone {
				tenant.forms = nil
			}
			tenant.calls = nil
			res := do(t, f, request("PATCH", x.ifMatch(current), `{"y":1}`))
			if res.Status != x.status || !slices.Equal(tenant.calls, x.calls) {
				t.Errorf("got %d after %q, want %d after %q", res.Status, tenant.calls, x.status, x.calls)
			}
			if res.Status != 200 {
				return
			}
			if next := tag(t, f); res.Header.Get("Etag") != next || next == current {
				t.Errorf("the new tag is %s, and %s when read; before it was %s", res.Header.Get("Etag"), next, current)
			}
			if len(x.calls) == 2 && !x.edited && res.Before != current {
				t.Errorf("before it was %s, got %s", current, res.Before)
			}
		})
	}
}

// Before a form is deleted it is read, for the audit log. It is deleted even if that fails.
func TestDelete(t *testing.T) {
	tenant := newNaive()
	f := remote.NewForms(tenant, nil)
	current := tag(t, f)
	if res := do(t, f, request("DELETE", `"fg-old"`, "")); res.Status != 412 || res.Before != current {
		t.Errorf("with an old tag: got %+v", res)
	}
	if res := do(t, f, request("DELETE", current, "")); res.Status != 200 || len(res.Body) > 0 || res.Before != current {
		t.Errorf("got %+v", res)
	}
	if res := do(t, f, request("DELETE", "", "")); res.Status != 404 {
		t.Errorf("again: got %+v", res)
	}
	tenant = newNaive()
	tenant.before = func(r upstream.Request, _ int) (*upstream.Response, error) {
		if r.Method == http.MethodGet {
			return nil, upstream.ErrTimeout
		}
		return nil, nil
	}
	if res := do(t, remote.NewForms(tenant, nil), request("DELETE", "", "")); res.Status != 200 || len(tenant.forms) > 0 {
		t.Errorf("unread: got %+v", res)
	}
}

// A change without an answer is looked up, and its writer learns the outcome.
func TestLostAnswers(t *testing.T) {
	cut := func() (*upstream.Response, error) { return nil, upstream.ErrUnreachable }
	failed := func() (*upstream.Response, error) { return says(503, nil), nil }
	empty := func() (*upstream.Response, error) { return says(204, nil), nil }
	word := func() (*upstream.Response, error) { return says(200, []byte(`{"ok":true}`)), nil }
	broken := func() (*upstream.Response, error) { return says(200, []byte(`{"id":`)), nil }
	for _, x := range []struct {
		name    string
		method  string
		ifMatch bool
		answer  func() (*upstream.Response, error)
		made    bool                 // the change was made
		meddle  func(map[string]any) // then somebody changes the form
		blind   bool                 // the form cannot be read afterwards
		status  int
		err     error
	}{
		{"made", "PATCH", true, cut, true, nil, false, 200, nil},
		{"made, failed", "PATCH", true, failed, true, nil, false, 200, nil},
		{"made, empty", "PATCH", true, empty, true, nil, false, 200, nil},
		{"made, a word", "PATCH", true, word, true, nil, false, 200, nil},
		{"made, broken", "PATCH", true, broken, true, nil, false, 200, nil},
		{"not made, broken", "PATCH", true, broken, false, nil, false, 0, upstream.ErrNotSaved},
		{"made, unconditional", "PATCH", false, cut, true, nil, false, 200, nil},
		{"made and something else", "PATCH", true, cut, true, func(f map[string]any) { f["z"] = 1 }, false, 200, nil},
		{"made and undone", "PATCH", true, cut, true, func(f map[string]any) { f["x"] = 9.0 }, false, 412, nil},
		{"taken and bent", "PATCH", true, empty, true, func(f map[string]any) { f["x"] = 9.0 }, false, 200, nil},
		{"not made", "PATCH", true, cut, false, nil, false, 0, upstream.ErrNotSaved},
		{"not made, failed", "PATCH", true, failed, false, nil, false, 0, upstream.ErrNotSaved},
		{"not made, unconditional", "PATCH", false, cut, false, nil, false, 0, upstream.ErrNotSaved},
		{"not made, changed elsewhere", "PATCH", true, cut, false, func(f map[string]any) { f["z"] = 1 }, false, 412, nil},
		{"unknown", "PATCH", true, cut, true, nil, true, 0, upstream.ErrUnreachable},
		{"unknown, failed", "PATCH", true, failed, true, nil, true, 503, nil},
		{"taken, unread", "PATCH", true, empty, true, nil, true, 0, upstream.ErrAnswer},
		{"deleted", "DELETE", true, cut, true, nil, false, 204, nil},
		{"deleted, failed", "DELETE", false, failed, true, nil, false, 204, nil},
		{"not deleted", "DELETE", false, cut, false, nil, false, 0, upstream.ErrNotSaved},
		{"deletion unknown", "DELETE", false, cut, true, nil, true, 0, upstream.ErrUnreachable},
	} {
		t.Run(x.name, func(t *testing.T) {
			tenant := newNaive()
			f := remote.NewForms(tenant, nil)
			current := tag(t, f)
			asked := false
			lose := func(r upstream.Request, _ int) (*upstream.Response, error) {
				switch {
				case r.Method == http.MethodGet && asked && x.blind:
					return nil, upstream.ErrUnreachable
				case r.Method == http.MethodGet:
					return nil, nil
				}
				asked = true
				if x.meddle != nil {
					x.meddle(tenant.forms["ap_1"])
				}
				return x.answer()
			}
			if tenant.after = lose; !x.made {
				tenant.before, tenant.after = lose, nil
			}
			r := request(x.method, "", `{"x":1.0,"q":null}`)
			if x.ifMatch {
				r.IfMatch = current
			}
			res, err := f.Do(t.Context(), r, tokens("a"))
			if x.err != nil {
				if !errors.Is(err, x.err) || errors.Is(err, upstream.ErrNotSaved) != errors.Is(x.err, upstream.ErrNotSaved) {
					t.Errorf("got %+v, %v, want %v", res, err, x.err)
				}
				return
			}
			if err != nil || res.Status != x.status {
				t.Fatalf("got %+v, %v, want %d", res, err, x.status)
			}
			if x.status == 200 && (res.Header.Get("Etag") != tag(t, f) || len(res.Body) == 0) || x.status < 300 && res.Before != current {
				t.Errorf("got %v %s, before %s", res.Header, res.Body, res.Before)
			}
		})
	}
}

// Nothing is sent if the form cannot be compared, and the error says so.
func TestFailuresBeforeTheChange(t *testing.T) {
	for _, x := range []struct {
		name   string
		read   func() (*upstream.Response, error)
		status int
		err    error
	}{
		{"cut", func() (*upstream.Response, error) { return nil, upstream.ErrUnreachable }, 0, upstream.ErrUnreachable},
		{"failed", func() (*upstream.Response, error) { return says(500, nil), nil }, 0, upstream.ErrFailed},
		{"no form", func() (*upstream.Response, error) { return says(200, []byte(`[]`)), nil }, 0, upstream.ErrAnswer},
		{"broken", func() (*upstream.Response, error) { return says(200, []byte(`{"id":`)), nil }, 0, upstream.ErrAnswer},
		{"refused", func() (*upstream.Response, error) { return says(403, nil), nil }, 403, nil},
		{"too many", func() (*upstream.Response, error) { return says(429, nil), nil }, 429, nil},
		{"gone", func() (*upstream.Response, error) { return says(410, nil), nil }, 410, nil},
	} {
		tenant := newNaive()
		tenant.before = func(r upstream.Request, _ int) (*upstream.Response, error) {
			if r.Method == http.MethodGet {
				return x.read()
			}
			t.Errorf("%s: the change was sent", x.name)
			return nil, nil
		}
		res, err := remote.NewForms(tenant, nil).Do(t.Context(), request("PATCH", `"fg-x"`, `{}`), tokens("a"))
		switch {
		case x.err != nil && (!errors.Is(err, x.err) || !errors.Is(err, upstream.ErrNotSent)):
			t.Errorf("%s: got %+v, %v", x.name, res, err)
		case x.err == nil && (err != nil || res.Status != x.status):
			t.Errorf("%s: got %+v, %v", x.name, res, err)
		}
	}
	// A change that never left needs no look-up.
	tenant := newNaive()
	tenant.before = func(r upstream.Request, _ int) (*upstream.Response, error) {
		if r.Method == http.MethodPatch {
			return nil, upstream.ErrNotSent
		}
		return nil, nil
	}
	_, err := remote.NewForms(tenant, nil).Do(t.Context(), request("PATCH", "", `{}`), tokens("a"))
	if !errors.Is(err, upstream.ErrNotSent) || len(tenant.calls) != 2 {
		t.Errorf("got %v after %v", err, tenant.calls)
	}
}

// A new form whose answer does not show it may have been made.
func TestNewForm(t *testing.T) {
	broken := remote.NewForms(fixed(200, `{"id":`), nil)
	if _, err := broken.Do(t.Context(), request("GET", "", ""), tokens("a")); !errors.Is(err, upstream.ErrAnswer) {
		t.Errorf("broken JSON: got %v", err)
	}
	for _, body := range []string{``, `{"ok":true}`, `[]`, `{"id":`} {
		r := upstream.Request{Method: "POST", Path: []string{"forms"}}
		if _, err := remote.NewForms(fixed(201, body), nil).Do(t.Context(), r, tokens("a")); !errors.Is(err, upstream.ErrAnswer) {
			t.Errorf("%q: got %v", body, err)
		}
	}
}

// slow waits for the end of a call's time.
type slow struct{ ended []error }

func (s *slow) Do(ctx context.Context, r upstream.Request, _ upstream.TokenSource) (*upstream.Response, error) {
	if r.Method == http.MethodGet && len(s.ended) == 0 && r.Body == nil {
		<-time.After(14 * time.Second)
		s.ended = append(s.ended, nil)
		return says(200, []byte(`{"id":"ap_1","name":"A"}`)), nil
	}
	<-ctx.Done()
	s.ended = append(s.ended, ctx.Err())
	return nil, ctx.Err()
}

// All steps of a change together end before the listener and the editor give up.
func TestTimeOfAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := &slow{}
		_, err := remote.NewForms(s, nil).Do(t.Context(), request("PATCH", "", `{}`), tokens("a"))
		if !errors.Is(err, upstream.ErrTimeout) || len(s.ended) != 3 || time.Since(began) > 50*time.Second {
			t.Errorf("got %v after %v, %v", err, time.Since(began), s.ended)
		}
	})
}

// A change that waits too long for another, or whose browser disconnects, sends no request and does not block others.
func TestWaitingForAnotherChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tenant := newNaive()
		hold := make(chan struct{})
		f := remote.NewForms(answers(func(r upstream.Request) (*upstream.Response, error) {
			if string(r.Body) == `{"first":1}` {
				<-hold
			}
			return tenant.Do(t.Context(), r, tokens("a"))
		}), nil)
		var wait sync.WaitGroup
		wait.Go(func() { do(t, f, request("PATCH", "", `{"first":1}`)) })
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		wait.Go(func() {
			if _, err := f.Do(ctx, request("PATCH", "", `{"left":1}`), tokens("a")); !errors.Is(err, context.Canceled) {
				t.Errorf("the one that leaves: got %v", err)
			}
		})
		synctest.Wait()
		cancel()
		began := time.Now()
		_, err := f.Do(t.Context(), request("PATCH", "", `{"late":1}`), tokens("a"))
		if !errors.Is(err, upstream.ErrTimeout) || !errors.Is(err, upstream.ErrNotSent) || time.Since(began) != 15*time.Second {
			t.Errorf("the one that waits: got %v after %v", err, time.Since(began))
		}
		// Another form is not held up.
		r := request("PATCH", "", `{}`)
		r.Path = []string{"forms", "ap_2"}
		if res := do(t, f, r); res.Status != 404 {
			t.Errorf("another form: got %+v", res)
		}
		close(hold)
		wait.Wait()
		if got := tenant.forms["ap_1"]; got["late"] != nil || got["left"] != nil || got["first"] == nil {
			t.Errorf("the form is %v", got)
		}
	})
}

// The next change begins after one whose browser has left.
func TestChangeOutlivesItsBrowser(t *testing.T) {
	tenant := newNaive()
	ctx, cancel := context.WithCancel(t.Context())
	f := remote.NewForms(ending{tenant, cancel}, nil)
	res, err := f.Do(ctx, request("PATCH", "", `{"x":2}`), tokens("a"))
	if err != nil || res.Status != 200 || tenant.forms["ap_1"]["x"] != 2.0 {
		t.Errorf("got %+v, %v, the form is %v", res, err, tenant.forms["ap_1"])
	}
	// So does the look-up, for the log.
	tenant.after = func(r upstream.Request, _ int) (*upstream.Response, error) {
		if r.Method == http.MethodPatch {
			return nil, upstream.ErrUnreachable
		}
		return nil, nil
	}
	ctx, cancel = context.WithCancel(t.Context())
	res, err = remote.NewForms(ending{tenant, cancel}, nil).Do(ctx, request("PATCH", "", `{"x":3}`), tokens("a"))
	if err != nil || res.Status != 200 {
		t.Errorf("lost: got %+v, %v", res, err)
	}
}

// The tag that the change named shows whether the form is unchanged.
func TestLostAnswerWithATagOfTheTenant(t *testing.T) {
	for tag, want := range map[string]error{`"7"`: upstream.ErrNotSaved, `"8"`: nil} {
		tenant := remote.NewForms(answers(func(r upstream.Request) (*upstream.Response, error) {
			if r.Method == http.MethodPatch {
				return nil, upstream.ErrTimeout
			}
			res := says(200, []byte(`{"id":"ap_1","name":"A"}`))
			res.Header.Set("Etag", tag)
			return res, nil
		}), nil)
		res, err := tenant.Do(t.Context(), request("PATCH", `"7"`, `{"name":"B"}`), tokens("a"))
		if !errors.Is(err, want) || want == nil && res.Status != 412 {
			t.Errorf("the form has %s: got %+v, %v", tag, res, err)
		}
	}
}

// ending ends the browser's context as soon as a change is sent.
type ending struct {
	*naive

	leave func()
}

func (e ending) Do(ctx context.Context, r upstream.Request, s upstream.TokenSource) (*upstream.Response, error) {
	if r.Method == http.MethodPatch {
		e.leave()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return e.naive.Do(ctx, r, s)
}

// Many writers edit lists of one form at once, at a tenant that loses updates. Each edit that was
// acknowledged is in the form at the end.
func TestNoAcknowledgedEditIsLost(t *testing.T) {
	const writers, edits = 16, 40
	tenant := newNaive()
	racy := answers(func(r upstream.Request) (*upstream.Response, error) {
		runtime.Gosched()
		res, err := tenant.Do(t.Context(), r, tokens("a"))
		runtime.Gosched()
		return res, err
	})
	f := remote.NewForms(racy, nil)
	var mu sync.Mutex
	var acknowledged []string
	conflicts := 0
	var wait sync.WaitGroup
	for writer := range writers {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(uint64(writer), 1))
			for i := range edits {
				res := do(t, f, request("GET", "", ""))
				var form map[string]any
				if err := json.Unmarshal(res.Body, &form); err != nil {
					t.Error(err)
					return
				}
				for range random.IntN(4) {
					runtime.Gosched()
				}
				property := fmt.Sprint("list", random.IntN(3))
				list, _ := form[property].([]any)
				name := fmt.Sprint(writer, ":", i)
				body, _ := json.Marshal(map[string]any{property: append(list, name)})
				saved := do(t, f, request("PATCH", res.Header.Get("Etag"), string(body)))
				mu.Lock()
				switch saved.Status {
				case 200:
					acknowledged = append(acknowledged, name)
				case 412:
					conflicts++
				default:
					t.Errorf("got %+v", saved)
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	var kept []string
	for i := range 3 {
		list, _ := tenant.forms["ap_1"][fmt.Sprint("list", i)].([]any)
		for _, name := range list {
			kept = append(kept, fmt.Sprint(name))
		}
	}
	slices.Sort(kept)
	slices.Sort(acknowledged)
	if !slices.Equal(kept, acknowledged) {
		t.Errorf("%d edits were acknowledged, %d are in the form", len(acknowledged), len(kept))
	}
	if conflicts == 0 || len(acknowledged) < edits {
		t.Errorf("%d conflicts, %d acknowledged: nothing was tried", conflicts, len(acknowledged))
	}
}
