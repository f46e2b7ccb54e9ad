package authz

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
)

// Bounds of what is told to clients at sign-out. OpenID Connect Back-Channel Logout 1.0, section 2.5
// leaves them to us.
const (
	tellTime  = 5 * time.Second // one call, whole
	tellAtOne = 4               // calls at the same time
	maxTold   = 256             // calls that run or wait; further ones are dropped and logged
)

// teller tells clients that a person signed out, off the path of the request that signs out. A call
// that fails is not made again: the client's session ends with its tokens at the latest.
type teller struct {
	client *http.Client
	log    *slog.Logger
	slots  chan struct{}
	stop   chan struct{} // closed when no further call may begin
	once   sync.Once
	open   atomic.Int32
	done   sync.WaitGroup
}

func newTeller(transport http.RoundTripper, log *slog.Logger) *teller {
	if transport == nil {
		// No proxy from the environment: what is told is for the client alone.
		transport = &http.Transport{TLSHandshakeTimeout: tellTime, MaxIdleConns: tellAtOne, IdleConnTimeout: time.Minute}
	}
	return &teller{
		client: &http.Client{
			Transport: transport, Timeout: tellTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		log: log, slots: make(chan struct{}, tellAtOne), stop: make(chan struct{}),
	}
}

// tell sends a logout token to a client, later. It never waits.
func (t *teller) tell(clientID, address, token string) {
	if t.open.Add(1) > maxTold {
		t.open.Add(-1)
		t.log.LogAttrs(context.Background(), slog.LevelWarn, "sign-out not told, too many wait", slog.String("client", clientID))
		return
	}
	t.done.Go(func() {
		defer t.open.Add(-1)
		select {
		case t.slots <- struct{}{}:
		case <-t.stop:
			t.log.LogAttrs(context.Background(), slog.LevelWarn, "sign-out not told, the tenant stops", slog.String("client", clientID))
			return
		}
		defer func() { <-t.slots }()
		if err := t.post(address, token); err != nil {
			t.log.LogAttrs(context.Background(), slog.LevelWarn, "sign-out not told", slog.String("client", clientID), slog.Any("error", err))
		}
	})
}

func (t *teller) post(address, token string) error {
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

// SignedOut tells every client with a back-channel address that a sign-in of a person has ended, or
// all of them when signInID is empty: for sign-out, sign-out everywhere, and blocking. It returns when
// the clients are found; they are told later, each once for each address of the tenant that the person
// signed in at, in the name of that address, and with a time limit. It ends nothing itself.
// OpenID Connect Back-Channel Logout 1.0, section 2.5.
func (h *Handler) SignedOut(ctx context.Context, userID, signInID string) error {
	tell, err := h.SigningOut(ctx, userID, signInID)
	if err == nil {
		tell()
	}
	return err
}

// SigningOut is SignedOut in two steps, for an action that may fail or removes the person: it finds the clients
// before the action, and tell notifies them afterwards.
func (h *Handler) SigningOut(ctx context.Context, userID, signInID string) (tell func(), err error) {
	all, err := h.Store.Recipients(ctx, userID, signInID)
	if err != nil {
		return nil, err
	}
	type call struct{ clientID, uri, token string }
	var calls []call
	for _, c := range all {
		t := h.Tokens
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
			h.teller.tell(c.clientID, c.uri, c.token)
		}
	}, nil
}

// Close waits for clients that are being notified of a sign-out, at most the time limit of a call; those
// whose turn has not come are not told. No request may be served any more.
func (h *Handler) Close() error {
	h.teller.once.Do(func() { close(h.teller.stop) })
	h.teller.done.Wait()
	h.teller.client.CloseIdleConnections()
	return nil
}
