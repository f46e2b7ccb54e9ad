// Package logout notifies the clients of a tenant by back-channel that people have signed out. It does not know how people
// sign in, or pages.
package logout

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Bounds of the notices. OpenID Connect Back-Channel Logout 1.0, section 2.5 leaves them to us.
const (
	tellTime  = 5 * time.Second // of a whole call
	tellAtOne = 4               // calls at the same time
	maxTold   = 256             // calls that run or wait; more are dropped and logged
)

// Teller notifies clients that a person signed out, without delaying the request that signs out. It does not repeat a call
// that fails: the client's session ends with its tokens at the latest.
type Teller struct {
	client *http.Client
	log    *slog.Logger
	slots  chan struct{}
	stop   chan struct{} // closed when no further call may begin
	once   sync.Once
	open   atomic.Int32
	done   sync.WaitGroup
}

// newTeller returns a Teller that calls by transport; nil means a new one.
func newTeller(transport http.RoundTripper, log *slog.Logger) *Teller {
	if transport == nil {
		// No proxy from the environment: the notices are for the clients alone.
		transport = &http.Transport{TLSHandshakeTimeout: tellTime, MaxIdleConns: tellAtOne, IdleConnTimeout: time.Minute}
	}
	return &Teller{
		client: &http.Client{
			Transport: transport, Timeout: tellTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		log: log, slots: make(chan struct{}, tellAtOne), stop: make(chan struct{}),
	}
}

// tell sends a logout token to a client in the background. It never waits.
func (t *Teller) tell(clientID, address, token string) {
	if t.open.Add(1) > maxTold {
		t.open.Add(-1)
		t.lost(clientID, ": too many are waiting")
		return
	}
	t.done.Go(func() {
		defer t.open.Add(-1)
		select {
		case t.slots <- struct{}{}:
		case <-t.stop:
			t.lost(clientID, ": the tenant is stopping")
			return
		}
		defer func() { <-t.slots }()
		if err := t.post(address, token); err != nil {
			t.lost(clientID, "", slog.Any("error", err))
		}
	})
}

// lost logs a client that is not notified.
func (t *Teller) lost(clientID, why string, attrs ...slog.Attr) {
	attrs = append([]slog.Attr{slog.String("client", clientID)}, attrs...)
	t.log.LogAttrs(context.Background(), slog.LevelWarn, "client not notified of sign-out"+why, attrs...)
}

// post makes one call.
func (t *Teller) post(address, token string) error {
	ctx, cancel := context.WithTimeout(context.Background(), tellTime)
	defer cancel()
	body := strings.NewReader(url.Values{"logout_token": {token}}.Encode())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := t.client.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()                                     //nolint:errcheck // the body is not used
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4096)) // so that the connection can be reused
	if res.StatusCode/100 != 2 {
		return errors.New("client answers " + res.Status)
	}
	return nil
}

// Notifier notifies clients of sign-outs in the name of one address of the tenant. It is safe for concurrent use.
type Notifier struct {
	*Teller // one for all addresses

	rows   store.Recipients
	tokens *tokens.Tokens
}

// New returns the notifier of an address, which finds its clients in rows. transport carries the calls; nil means a new one.
func New(rows store.Recipients, t *tokens.Tokens, transport http.RoundTripper, log *slog.Logger) *Notifier {
	return &Notifier{newTeller(transport, log), rows, t}
}

// At returns the notifier of another address. Both share one queue, which Close of either ends.
func (n *Notifier) At(rows store.Recipients, t *tokens.Tokens) *Notifier {
	return &Notifier{n.Teller, rows, t}
}

// SignedOut notifies every client with a back-channel address that a sign-in of a person has ended, or all of them if
// signInID is empty: for sign-out, sign-out everywhere, and blocking. It returns when it has found the clients. They are
// notified in the background, within a time limit, once for each address of the tenant that the person signed in at and in
// the name of that address. SignedOut itself ends no sign-in. OpenID Connect Back-Channel Logout 1.0, section 2.5.
func (n *Notifier) SignedOut(ctx context.Context, userID, signInID string) error {
	tell, err := n.SigningOut(ctx, userID, signInID)
	if err == nil {
		tell()
	}
	return err
}

// SigningOut is SignedOut in two steps, for an action that may fail or removes the person. It finds the clients before the
// action, and tell notifies them afterwards.
func (n *Notifier) SigningOut(ctx context.Context, userID, signInID string) (tell func(), err error) {
	all, err := n.rows.Recipients(ctx, userID, signInID)
	if err != nil {
		return nil, err
	}
	type call struct{ clientID, uri, token string }
	var calls []call
	for _, c := range all {
		t := n.tokens
		if c.Issuer != "" {
			t = t.At(c.Issuer)
		}
		token, err := t.IssueLogout(userID, signInID, c.ClientID)
		if err != nil {
			return nil, err
		}
		calls = append(calls, call{c.ClientID, c.URI, token})
	}
	return func() {
		for _, c := range calls {
			n.tell(c.clientID, c.uri, c.token)
		}
	}, nil
}

// Wait returns once the calls for all sign-outs so far have ended.
func (t *Teller) Wait() { t.done.Wait() }

// Close waits for the calls that run, at most the time limit of a call, and drops those that wait. After Close no request
// may be served.
func (t *Teller) Close() error {
	t.once.Do(func() { close(t.stop) })
	t.Wait()
	t.client.CloseIdleConnections()
	return nil
}
