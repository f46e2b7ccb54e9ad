package kit

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/app/client"
)

// sessions answers GET /bff/user with 401 for the first calls.
type sessions struct{ calls, until int }

func (s *sessions) Fetch(context.Context, client.Request) (client.Response, error) {
	none := func(string) string { return "" }
	if s.calls++; s.calls < s.until {
		return client.Response{Status: 401, Header: none}, nil
	}
	return client.Response{Status: 200, Body: []byte(`{"sub":"ana"}`), Header: none}, nil
}

func TestSignInIsAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sessions{until: 4}
		began := time.Now()
		user, ok := poll(context.Background(), client.New(s))
		if !ok || user.Sub != "ana" || s.calls != 4 || time.Since(began) != 4*signInPoll {
			t.Errorf("%+v, %t after %d calls and %v", user, ok, s.calls, time.Since(began))
		}
	})
}

func TestWaitForASignInEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sessions{until: 1 << 30}
		ctx, cancel := context.WithTimeout(context.Background(), signInTime)
		defer cancel()
		if user, ok := poll(ctx, client.New(s)); ok || s.calls > int(signInTime/signInPoll) {
			t.Errorf("%+v, %t after %d calls", user, ok, s.calls)
		}
	})
}

func TestLifeEndsItsCalls(t *testing.T) {
	Life{}.End() // it never began
	l := NewLife()
	if l.Over() || l.Context().Err() != nil {
		t.Error("a life is over when it begins")
	}
	l.End()
	if l.End(); !l.Over() || l.Context().Err() == nil {
		t.Error("a life goes on after its end")
	}
}

func TestElementsThatTakeText(t *testing.T) {
	for _, test := range []struct {
		tag, kind string
		want      bool
	}{
		{"TEXTAREA", "textarea", true},
		{"SELECT", "select-one", true},
		{"INPUT", "text", true},
		{"INPUT", "search", true},
		{"INPUT", "checkbox", false},
		{"BUTTON", "button", false},
		{"BODY", "", false},
	} {
		if got := TakesText(test.tag, test.kind); got != test.want {
			t.Errorf("%s %s: %t", test.tag, test.kind, got)
		}
	}
}
