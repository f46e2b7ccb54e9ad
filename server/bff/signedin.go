package bff

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
)

// Keys of the session's values, which identify the signed-in user.
const (
	keySubject = "sub"
	keyName    = "name"
	keyEmail   = "email"
	// keyClaims holds the claims of the sign-in as JSON, and keyIssuer their issuer; only where rules judge people.
	keyClaims = "claims"
	keyIssuer = "issuer"
)

// signedIn finds the session of a request, and determines the answer when there is none or its person may not use the editor.
type signedIn struct {
	*session.Store

	access access
	log    journal
}

// current returns the session, or else the problem to answer with. If nobody is signed in, the status is 401 and the cookie is dropped. If
// the session store cannot be reached, the status is 503 and the cookie stays. If no rule lets the person in, it is 403.
func (s signedIn) current(w http.ResponseWriter, r *http.Request) (*sessions.Session, *httpx.Problem) {
	ss, err := s.Of(r)
	if err != nil {
		return nil, s.storeDown(r.Context(), err)
	}
	if ss.IsNew {
		return nil, s.expired(w, r)
	}
	if p := s.access.admit(ss); p != nil {
		if p.Code == httpx.CodeSession {
			s.forget(w, r)
		}
		return nil, p
	}
	return ss, nil
}

// expired drops the cookie and returns the problem to answer with.
func (s signedIn) expired(w http.ResponseWriter, r *http.Request) *httpx.Problem {
	s.forget(w, r)
	return notSignedIn()
}

func notSignedIn() *httpx.Problem {
	return httpx.NewProblem(http.StatusUnauthorized, httpx.CodeSession, "You are not signed in, or your session has ended. Sign in again.")
}

// forget drops the session cookie if the request has one.
func (s signedIn) forget(w http.ResponseWriter, r *http.Request) {
	if len(r.CookiesNamed(s.CookieName())) > 0 {
		s.Forget(w)
	}
}

// retryLater is how soon a browser may repeat a request that failed on the server's side.
const retryLater = 5 * time.Second

// storeDown logs an error of the session store and returns the problem to answer with.
func (s signedIn) storeDown(ctx context.Context, err error) *httpx.Problem {
	if !errors.Is(err, context.Canceled) {
		s.log.fail(ctx, "session store", err)
	}
	p := &httpx.Problem{
		Status: http.StatusServiceUnavailable, Code: httpx.CodeStore,
		Detail: "The server cannot reach its session store right now. You stay signed in; try again.", RetryAfter: retryLater,
	}
	switch {
	case errors.Is(err, store.ErrFull):
		p.Detail, p.Remedy = "The server cannot store sessions: its disk is full.", remedyFull
	case errors.Is(err, store.ErrReadOnly):
		p.Detail, p.Remedy = "The server cannot store sessions: its database is read-only.", remedyReadOnly
	}
	return p
}
