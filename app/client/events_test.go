package client_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/client"
)

func TestEventsAreRead(t *testing.T) {
	got, ok := client.ReadEvent("saved", `{"form":"ap_1","etag":"\"v3\"","name":"Ana","sub":"u","tab":"t","new":1}`)
	want := client.FormEvent{Kind: client.Saved, ETag: `"v3"`, Name: "Ana", Sub: "u", Tab: "t", Data: got.Data}
	if !ok || got != want {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
	if got, ok := client.ReadEvent("hello", `{"missed":true}`); !ok || !got.Missed || got.ETag != "" {
		t.Errorf("hello is %+v, %v", got, ok)
	}
	if got, ok := client.ReadEvent("settings", `{"name":"Ana","settings":{"save_as_you_go":true}}`); !ok || !got.AsYouGo || got.Name != "Ana" {
		t.Errorf("settings are %+v, %v", got, ok)
	}
	for _, data := range []string{"", "[]", "{", `"x"`} {
		if got, ok := client.ReadEvent("saved", data); ok {
			t.Errorf("%q is read as %+v", data, got)
		}
	}
	for want, s := range map[string]client.Stream{
		"/bff/events?form=a+b%26c":                       {Form: "a b&c"},
		"/bff/events?form=ap_1&after=7":                  {Form: "ap_1", After: "7"},
		"/bff/events?form=ap_1&after=7&page=p&room=r%26": {Form: "ap_1", After: "7", Page: "p", Room: "r&"},
	} {
		if got := s.Address(); got != want {
			t.Errorf("the address is %s, want %s", got, want)
		}
	}
}

func TestWhyAStreamEnds(t *testing.T) {
	if got, ok := client.ReadEvent("end", `{"reason":"rights"}`); !ok || got.Reason != client.EndRights {
		t.Errorf("end is %+v", got)
	}
	for status, want := range map[int]string{401: client.EndSession, 403: client.EndRights, 404: client.EndDeleted, 429: "", 503: "", 0: ""} {
		if got := client.EndOf(fmt.Errorf("open: %w", &client.Error{Status: status})); got != want {
			t.Errorf("%d: %q, want %q", status, got, want)
		}
	}
	if got := client.EndOf(nil); got != "" {
		t.Errorf("no error: %q", got)
	}
}

// A change names its tab, and a read does not.
func TestChangesNameTheirTab(t *testing.T) {
	var sent []client.Request
	c := client.New(fetch(func(r client.Request) client.Response {
		sent = append(sent, r)
		return client.Response{Status: 200, Body: []byte("{}"), Header: func(string) string { return "" }}
	}))
	c.Tab = "tab-1"
	for _, method := range []string{"PATCH", "DELETE", "GET"} {
		if _, _, err := c.Do(t.Context(), client.Request{Method: method, Path: "/bff/api/forms/ap_1"}); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"tab-1", "tab-1", ""} {
		if got := sent[i].Header["X-Tab"]; got != want {
			t.Errorf("%s names the tab %q, want %q", sent[i].Method, got, want)
		}
	}
}

// fetch is a Fetcher that always gets an answer.
type fetch func(client.Request) client.Response

func (f fetch) Fetch(_ context.Context, r client.Request) (client.Response, error) { return f(r), nil }

// A stream is open while the page is visible and for a minute after, and never without a network or a session.
func TestLink(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var l client.Link
	open := false
	step := func(what string, want bool, wait time.Duration) {
		t.Helper()
		got, rest := l.Next(open, now)
		if got != want || rest != wait {
			t.Errorf("%s: %v for %v, want %v for %v", what, got, rest, want, wait)
		}
		open = got
	}
	step("before the page is seen", false, 0)
	l.See(false, true, now)
	step("a page that was never visible", false, 0)
	l.See(true, true, now)
	step("visible", true, 0)
	l.See(false, true, now)
	step("hidden", true, time.Minute)
	now = now.Add(59 * time.Second)
	l.See(false, true, now)
	step("hidden for less than a minute", true, time.Second)
	now = now.Add(time.Second)
	step("hidden for a minute", false, 0)
	l.See(true, true, now)
	step("visible again", true, 0)
	l.See(true, false, now)
	step("offline", false, 0)
	l.See(true, true, now)
	step("online", true, 0)
	l.End()
	step("without a session", false, 0)
	l.See(false, false, now)
	l.See(true, true, now)
	step("still without a session", false, 0)
	l.Again()
	step("signed in again", true, 0)
}

// A stream that fails is opened again, each time after a longer pause, until it has lasted.
func TestLinkRetries(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var l client.Link
	l.See(true, true, now)
	most := func() float64 { return 1 }
	for i, want := range []time.Duration{2, 4, 8, 16, 32, 64, 120, 120} {
		l.Opened(now)
		l.Failed(now, most)
		if open, wait := l.Next(false, now); open || wait != want*time.Second {
			t.Errorf("failure %d: %v after %v, want after %v", i+1, open, wait, want*time.Second)
		}
		now = now.Add(want * time.Second)
		if open, _ := l.Next(false, now); !open {
			t.Errorf("failure %d: no new try", i+1)
		}
	}
	l.Opened(now)
	now = now.Add(30 * time.Second)
	l.Failed(now, func() float64 { return 0 })
	if _, wait := l.Next(false, now); wait != time.Second {
		t.Errorf("after a stream that lasted: %v, want a second", wait)
	}
	l.See(false, true, now)
	l.See(true, true, now)
	if open, _ := l.Next(false, now); !open {
		t.Error("a page that becomes visible does not try at once")
	}
}
