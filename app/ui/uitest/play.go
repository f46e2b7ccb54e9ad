package uitest

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
)

// Play calls the steps one after the other with a page's context. After each step it runs the functions that
// the step dispatched and waits for its goroutines and timers, until nothing is left to do. Waiting takes no
// real time.
func Play(t *testing.T, steps ...func(ctx app.Context)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var page app.Context
		e := app.NewTestEngine()
		if err := e.Load(&component{ready: func(ctx app.Context) { page = ctx }}); err != nil {
			t.Fatal(err)
		}
		e.ConsumeAll()
		for _, step := range steps {
			step(page)
			e.ConsumeAll()
		}
	})
}

// Server answers the requests of a client.
type Server func(client.Request) (client.Response, error)

// Fetch implements client.Fetcher.
func (s Server) Fetch(_ context.Context, r client.Request) (client.Response, error) { return s(r) }

// Answer returns a server's answer. headers alternates names and values.
func Answer(status int, body string, headers ...string) client.Response {
	return client.Response{Status: status, Body: []byte(body), Header: func(name string) string {
		for i := 0; i < len(headers); i += 2 {
			if headers[i] == name {
				return headers[i+1]
			}
		}
		return ""
	}}
}
