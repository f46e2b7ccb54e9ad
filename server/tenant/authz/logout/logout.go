// Package logout notifies a tenant's clients by back-channel that people have signed out. It knows nothing of pages, or of how people sign
// in.
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

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Bounds of the notices. OpenID Connect Back-Channel Logout 1.0, section 2.5 leaves them to us.
const (
	callTime  = 5 * time.Second // of a whole call
	maxCalls  = 4               // calls at the same time
	maxQueued = 256             // calls that are running or waiting; more are dropped and logged
)

// Queue notifies clients that a person has signed out, without delaying the sign-out request. It does not retry a failed call: the client's
// session ends with its tokens at the latest.
type Queue struct {
	client *http.Client
	log    *slog.Logger
	slots  chan struct{}
	stop   chan struct{} // closed when no further call may begin
	once   sync.Once
	open   atomic.Int32
	done   sync.WaitGroup

	observe observe.Func
}

// newQueue returns a Queue that sends calls through transport, or through a new transport if it is nil, and reports them to f.
func newQueue(transport http.RoundTripper, log *slog.Logger, f observe.Func) *Queue {
	if transport == nil {
		// No proxy from the environment: the notices are for the clients alone.
		transport = &http.Transport{TLSHandshakeTimeout: callTime, MaxIdleConns: maxCalls, IdleConnTimeout: time.Minute}
	}
	return &Queue{
		client: &http.Client{
			Transport: transport, Timeout: callTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		log: log, slots: make(chan struct{}, maxCalls), stop: make(chan struct{}),
		observe: f,
	}
}

// send posts a logout token to a client in the background. It never waits.
func (q *Queue) send(clientID, address, token string) {
	_, end := q.observe.Begin(context.Background(), observe.Notice, "")
	if q.open.Add(1) > maxQueued {
		q.open.Add(-1)
		end("dropped")
		q.lost(clientID, ": too many are waiting")
		return
	}
	q.done.Go(func() {
		defer q.open.Add(-1)
		select {
		case q.slots <- struct{}{}:
		case <-q.stop:
			end("dropped")
			q.lost(clientID, ": the tenant is stopping")
			return
		}
		defer func() { <-q.slots }()
		if err := q.post(address, token); err != nil {
			end("failed")
			q.lost(clientID, "", slog.Any("error", err))
			return
		}
		end("sent")
	})
}

// lost logs that a client is not notified.
func (q *Queue) lost(clientID, why string, attrs ...slog.Attr) {
	attrs = append([]slog.Attr{slog.String("client", clientID)}, attrs...)
	q.log.LogAttrs(context.Background(), slog.LevelWarn, "client not notified of sign-out"+why, attrs...)
}

// post makes one call.
func (q *Queue) post(address, token string) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	body := strings.NewReader(url.Values{"logout_token": {token}}.Encode())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := q.client.Do(r)
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

// Notifier notifies clients of sign-outs in the name of one of the tenant's domains. It is safe for concurrent use.
type Notifier struct {
	*Queue // one for all domains

	rows   store.Recipients
	tokens *tokens.Tokens
}

// New returns the notifier of a domain, which finds its clients in rows. transport carries the calls; nil means a new one. f observes each
// call.
func New(rows store.Recipients, t *tokens.Tokens, transport http.RoundTripper, log *slog.Logger, f observe.Func) *Notifier {
	return &Notifier{newQueue(transport, log, f), rows, t}
}

// At returns the notifier of another domain. Both share one queue, which Close of either ends.
func (n *Notifier) At(rows store.Recipients, t *tokens.Tokens) *Notifier {
	return &Notifier{n.Queue, rows, t}
}

// SignedOut notifies every client with a back-channel address that a sign-in of a person has ended, or that all have if signInID is empty:
// for sign-out, sign-out everywhere, and blocking. It returns when it has found the clients. They are notified in the background, within a
// time limit, once for each address of the tenant at which the person signed in and in the name of that address. SignedOut itself ends no
// sign-in. OpenID Connect Back-Channel Logout 1.0, section 2.5.
func (n *Notifier) SignedOut(ctx context.Context, userID, signInID string) error {
	notify, err := n.SigningOut(ctx, userID, signInID)
	if err == nil {
		notify()
	}
	return err
}

// SigningOut is SignedOut in two steps, for an action that may fail or removes the person. It finds the clients before the
// action, and notify notifies them afterwards.
func (n *Notifier) SigningOut(ctx context.Context, userID, signInID string) (notify func(), err error) {
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
			n.send(c.clientID, c.uri, c.token)
		}
	}, nil
}

// Wait returns once the calls for all sign-outs so far have ended.
func (q *Queue) Wait() { q.done.Wait() }

// Close waits for running calls, at most the time limit of a call, and drops waiting ones. After Close no request may be served.
func (q *Queue) Close() error {
	q.once.Do(func() { close(q.stop) })
	q.Wait()
	q.client.CloseIdleConnections()
	return nil
}
