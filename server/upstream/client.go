package upstream

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/observe"
)

// callTimeout bounds a call as a whole, including retries.
const callTimeout = 30 * time.Second

// Errors of a call, in addition to those of its token source and its context.
var (
	// ErrUnreachable means that no answer arrived: the connection was refused, reset or cut.
	ErrUnreachable = errors.New("tenant cannot be reached")
	// ErrTimeout means that no answer arrived in time. The change may or may not have been made.
	ErrTimeout = errors.New("tenant did not answer in time")
	// ErrAnswer means that the answer cannot be one of a management API: it is a redirect, has another content type or broken JSON, or is
	// too large.
	ErrAnswer = errors.New("tenant gave an invalid answer")
	// ErrFailed means that the tenant answered with a status of 500 or more.
	ErrFailed = errors.New("tenant failed")
)

// What is known about a change whose call failed. One of them may be wrapped in addition to the errors above; without it, the change may or
// may not have been made.
var (
	// ErrNotSent means that the tenant has not received the change.
	ErrNotSent = errors.New("change was not sent")
	// ErrNotSaved means that the tenant was asked afterwards, and nothing has changed there.
	ErrNotSaved = errors.New("change was not saved")
)

// Config configures a Client.
type Config struct {
	// BaseURL is the base address of the management API, with or without a trailing slash.
	BaseURL string
	// Transport makes the calls. It must not follow redirects by itself.
	Transport http.RoundTripper
	// Shared says that all callers share one rate limit. Reads are then held back while nothing is left of it, first come, first served.
	Shared bool
	// Now is the clock by which calls wait for a rate limit. A tenant's own clock is read from its answers. Nil means
	// time.Now.
	Now func() time.Time
	// Wait sleeps; nil means a timer that ends with its context.
	Wait func(ctx context.Context, d time.Duration) error
	// Observe observes waits for a rate limit; may be nil.
	Observe observe.Func
}

// Client calls the management API. It is safe for concurrent use.
type Client struct {
	base   *url.URL
	http   *http.Client
	nonce  dpop.Nonce // of the API
	budget *budget    // nil if callers share none
	now    func() time.Time
	wait   func(ctx context.Context, d time.Duration) error

	observe observe.Func
}

// Request is one call. Method and path come from a table of routes, never from a browser, except for an ID that has been checked.
type Request struct {
	Method string
	// Path holds the segments below the base address, escaped.
	Path []string
	// Query is sent unchanged; nil for none.
	Query url.Values
	// IfMatch is the header If-Match; "" omits it.
	IfMatch string
	// Body is sent as application/json; nil for none.
	Body []byte
	// Summaries asks for the scalar members of a list's items only. Some tenants answer with whole forms, of which a list needs the names;
	// such an answer may then be much larger than any other, and is reduced while it is read.
	Summaries bool
	// Unparsed says that the caller parses the answer: application/json is then not checked to be valid.
	Unparsed bool
	// Retries are shared with other calls for the same purpose; nil gives the call its own.
	Retries *Retries
	// Asks says that the call only asks whether a change would be allowed: no tenant makes it.
	Asks bool
}

// Response is the whole answer. Body is JSON or empty, and not checked if the request is Unparsed. After a DELETE with a status of success
// it is empty if it was not JSON or could not be read.
type Response struct {
	Status int
	// RetryAfter is how long the tenant asks to wait, at most a minute; 0 if it does not say, or names a time that is past or unreadable.
	RetryAfter time.Duration
	// Held says that the call was not sent: it would have had to wait too long for the rate limit, and this 429 is what the tenant would
	// answer.
	Held bool
	// Text is the beginning of a refusal in plain text, at most 4 KiB.
	Text string
	// Before is the ETag of a form before the call changed it; "" if it is not known.
	Before string
	// StepUp reports that the API requires a more recent sign-in than the token's (RFC 9470, section 3).
	StepUp bool
	// ProofRefused reports that the API refuses the proofs of a bound token: its clock or its own address may differ from what this server
	// knows (RFC 9449, section 7.1).
	ProofRefused bool
	// Header holds the headers that may be relayed: ETag and the X-RateLimit headers.
	Header http.Header
	Body   []byte

	quota quota
	nonce string // for the next proof; "" if the answer has none
}

// OK reports whether the call succeeded.
func (r *Response) OK() bool { return r.Status >= 200 && r.Status < 300 }

// NewClient returns a Client.
func NewClient(c Config) (*Client, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("read management address: %w", err)
	}
	if base.Host == "" || base.User != nil || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, errors.New("read management address: must be http or https, with a host and without a user")
	}
	// JoinPath on an empty path would return a relative one.
	base.Path = strings.TrimRight(base.Path, "/") + "/"
	base.RawQuery, base.Fragment = "", ""
	now, wait := c.Now, c.Wait
	if now == nil {
		now = time.Now
	}
	if wait == nil {
		wait = sleep
	}
	var shared *budget
	if c.Shared {
		shared = newBudget()
	}
	return &Client{
		base: base, budget: shared, now: now, wait: wait, observe: c.Observe,
		http: &http.Client{
			Transport:     c.Transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Do makes the call. It repeats a 401 once with another token, unless the API requires a more recent sign-in, which a refresh does not
// provide, a refused proof once with a new one for each token, and a 429 once within ten seconds; in all these cases nothing was changed.
// After a timeout, a cut connection or a 5xx it does not repeat, since a change may have been made. It returns answers with any
// other status unchanged.
func (c *Client) Do(ctx context.Context, r Request, tokens TokenSource) (*Response, error) {
	call, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	credential, err := tokens.Token(call, "")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	var renewed, proved bool
	var nonce string // of the answer that refused the last proof; that of another call may be for that call only
	again := cmp.Or(r.Retries, &Retries{})
	for {
		res, err := c.limited(call, r, credential, nonce, again)
		if err != nil {
			return nil, c.explain(ctx, err)
		}
		nonce = ""
		switch {
		case res.Held:
			return res, nil
		case res.ProofRefused && !proved:
			proved, nonce = true, res.nonce
		case res.Status == http.StatusUnauthorized && !renewed && !res.StepUp && !res.ProofRefused:
			renewed, proved = true, false
			if credential, err = tokens.Token(call, credential.Token); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrNotSent, err)
			}
		case res.Status == http.StatusTooManyRequests:
			d, ok := again.next(res.RetryAfter)
			if !ok {
				return res, nil
			}
			if err := c.waited(call, "answered", d); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrNotSent, c.explain(ctx, err))
			}
		default:
			return res, nil
		}
	}
}

// waited waits for a rate limit, and reports the wait and its reason.
func (c *Client) waited(ctx context.Context, why string, d time.Duration) error {
	ctx, end := c.observe.Begin(ctx, observe.Wait, why)
	err := c.wait(ctx, d)
	if err != nil {
		end("canceled")
		return err
	}
	end("waited")
	return nil
}

// limited makes the call once when the rate limit allows that. A read that would have to wait too long is not sent.
func (c *Client) limited(ctx context.Context, r Request, credential Credential, nonce string, again *Retries) (*Response, error) {
	var call int
	switch {
	case c.budget == nil:
		return c.once(ctx, r, credential, nonce)
	case r.Method != http.MethodGet:
		call = c.budget.begin(c.now())
	default:
		began := c.now()
		var missing time.Duration
		var err error
		call, missing, err = c.budget.enter(ctx, c, maxWait-again.spent)
		again.spent += c.now().Sub(began)
		if missing > 0 && ctx.Err() == nil {
			return &Response{Status: http.StatusTooManyRequests, RetryAfter: missing, Held: true, Header: http.Header{}}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	res, err := c.once(ctx, r, credential, nonce)
	if err != nil {
		c.budget.end(call, quota{}, 0, c.now())
		return nil, err
	}
	c.budget.end(call, res.quota, res.Status, c.now())
	return res, nil
}

// once makes the call once. nonce is that of its proof; "" means the latest of the API.
func (c *Client) once(ctx context.Context, r Request, credential Credential, nonce string) (*Response, error) {
	to := c.base.JoinPath(r.Path...)
	to.RawQuery = r.Query.Encode()
	var body io.Reader
	if r.Body != nil {
		body = bytes.NewReader(r.Body)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, to.String(), body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if err := credential.Present(req, cmp.Or(nonce, c.nonce.Get()), c.now()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "formgraph")
	if r.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.IfMatch != "" {
		req.Header.Set("If-Match", r.IfMatch)
	}
	// If GetBody were set, the transport would send a PATCH again after a reset.
	req.GetBody = nil
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close() //nolint:errcheck // what was read decides
	bound := credential.Key != nil
	if bound {
		nonce = c.nonce.Learn(res.Header.Get("DPoP-Nonce"))
	}
	out, err := read(res, r, credential.Token, c.now())
	if out != nil && bound {
		out.nonce, out.ProofRefused = nonce, ProofRefused(out.Status, res.Header)
	}
	return out, err
}

// explain classifies the error of a call. The end of the caller's context takes precedence: nobody reads the answer then.
func (c *Client) explain(ctx context.Context, err error) error {
	var timeout interface{ Timeout() bool }
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrAnswer):
		return err
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		err = fmt.Errorf("%w: %w", ErrTimeout, err)
	default:
		err = fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if unconnected(err) {
		err = fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	return err
}

// unconnected reports whether a call failed before its request could be sent.
func unconnected(err error) bool {
	op, dialed := errors.AsType[*net.OpError](err)
	_, foreign := errors.AsType[*tls.CertificateVerificationError](err)
	return dialed && op.Op == "dial" || foreign
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
