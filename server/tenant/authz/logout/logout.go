// Package logout tells the clients of a tenant by back-channel that people have signed out. It knows nothing of
// how they sign in, nor of pages.
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

// Bounds of what is told to clients at sign-out. OpenID Connect Back-Channel Logout 1.0, section 2.5
// leaves them to us.
const (
	tellTime  = 5 * time.Second // one call, whole
	tellAtOne = 4               // calls at the same time
	maxTold   = 256             // calls that run or wait; further ones are dropped and logged
)

// Teller tells clients that a person signed out, off the path of the request that signs out. A call
// that fails is not made again: the client's session ends with its tokens at the latest.
type Teller struct {
	client *http.Client
	log    *slog.Logger
	slots  chan struct{}
	stop   chan struct{} // closed when no further call may begin
	once   sync.Once
	open   atomic.Int32
	done   sync.WaitGroup
}

// newTeller returns a Teller that calls by transport, nil for one of its own.
func newTeller(transport http.RoundTripper, log *slog.Logger) *Teller {
	if transport == nil {
		// No proxy from the environment: what is told is for the client alone.
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

// tell sends a logout token to a client, later. It never waits.
func (t *Teller) tell(clientID, address, token string) {
	if t.open.Add(1) > maxTold {
		t.open.Add(-1)
		t.log.LogAttrs(context.Background(), slog.LevelWarn, "client not notified of sign-out: too many are waiting", slog.String("client", clientID))
		return
	}
	t.done.Go(func() {
		defer t.open.Add(-1)
		select {
		case t.slots <- struct{}{}:
		case <-t.stop:
			t.log.LogAttrs(context.Background(), slog.LevelWarn, "client not notified of sign-out: the tenant is stopping", slog.String("client", clientID))
			return
		}
		defer func() { <-t.slots }()
		if err := t.post(address, token); err != nil {
			t.log.LogAttrs(context.Background(), slog.LevelWarn, "client not notified of sign-out", slog.String("client", clientID), slog.Any("error", err))
		}
	})
}

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
	defer res.Body.Close()                                     //nolint:errcheck // nothing of it is used
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4096)) // so that the connection can be used again
	if res.StatusCode/100 != 2 {
		return errors.New("client answers " + res.Status)
	}
	return nil
}

// Notifier tells clients of sign-outs in the name of one address of the tenant. It is safe for concurrent use.
type Notifier struct {
	*Teller // one for all addresses

	rows   store.Recipients
	tokens *tokens.Tokens
}

// New returns the notifier of an address, whose clients are found in rows. transport carries the calls; nil means
// one of its own.
func New(rows store.Recipients, t *tokens.Tokens, transport http.RoundTripper, log *slog.Logger) *Notifier {
	return &Notifier{newTeller(transport, log), rows, t}
}

// At returns the notifier of another address. Both call by one account: Close of either ends it.
func (n *Notifier) At(rows store.Recipients, t *tokens.Tokens) *Notifier {
	return &Notifier{n.Teller, rows, t}
}

// SignedOut tells every client with a back-channel address that a sign-in of a person has ended, or
// all of them when signInID is empty: for sign-out, sign-out everywhere, and blocking. It returns when
// the clients are found; they are told later, each once for each address of the tenant that the person
// signed in at, in the name of that address, and with a time limit. It ends nothing itself.
// OpenID Connect Back-Channel Logout 1.0, section 2.5.
func (n *Notifier) SignedOut(ctx context.Context, userID, signInID string) error {
	tell, err := n.SigningOut(ctx, userID, signInID)
	if err == nil {
		tell()
	}
	return err
}

// SigningOut is SignedOut in two steps, for an action that may fail or removes the person: it finds the clients
// before the action, and tell notifies them afterwards.
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

// Wait returns once every client has been told of the sign-outs so far, or was given up.
func (t *Teller) Wait() { t.done.Wait() }

// Close waits for clients that are being notified of a sign-out, at most the time limit of a call; those
// whose turn has not come are not told. No request may be served any more.
func (t *Teller) Close() error {
	t.once.Do(func() { close(t.stop) })
	t.Wait()
	t.client.CloseIdleConnections()
	return nil
}
