package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// callTimeout bounds a call as a whole, including retries.
	callTimeout = 30 * time.Second
	// maxAnswer bounds an answer in bytes: twice the largest form.
	maxAnswer = 8 << 20
	// firstRead is how many bytes of memory are reserved for an answer before it arrives.
	firstRead = 1 << 20
	// maxWait is how long a call waits at most for a rate limit before its one retry; if the wait would be longer, the browser gets the
	// error.
	maxWait = 2 * time.Second
)

// Errors of a call, in addition to those of its token source and its context.
var (
	// ErrUnreachable means that no answer arrived: the connection was refused, reset or cut.
	ErrUnreachable = errors.New("tenant cannot be reached")
	// ErrTimeout means that no answer arrived in time. The change may or may not have been made.
	ErrTimeout = errors.New("tenant did not answer in time")
	// ErrAnswer means that the answer cannot be one of a management API: it is a redirect, has another content type or broken JSON, or is
	// too large.
	ErrAnswer = errors.New("tenant gave an invalid answer")
)

// relayed lists the headers of an answer that are passed on, in canonical form.
var relayed = [...]string{"Etag", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"}

// TokenSource supplies the access token for a call. refused is a token that the API has just refused, or "" at first; the source must not
// return it again.
type TokenSource interface {
	Token(ctx context.Context, refused string) (string, error)
}

// Config configures a Client.
type Config struct {
	// BaseURL is the base address of the management API, with or without a trailing slash.
	BaseURL string
	// Transport makes the calls. It must not follow redirects by itself.
	Transport http.RoundTripper
	// Now is the clock with which X-RateLimit-Reset is compared.
	Now func() time.Time
	// Wait sleeps; nil means a timer that ends with its context.
	Wait func(ctx context.Context, d time.Duration) error
}

// Client calls the management API. It is safe for concurrent use.
type Client struct {
	base *url.URL
	http *http.Client
	now  func() time.Time
	wait func(ctx context.Context, d time.Duration) error
}

// Request is one call. Method and path come from a table of routes, never from a browser, except for an ID that has been checked.
type Request struct {
	Method string
	// Path holds the segments below the base address.
	Path []string
	// Query is sent unchanged; nil for none.
	Query url.Values
	// IfMatch is the header If-Match; "" omits it.
	IfMatch string
	// Body is sent as application/json; nil for none.
	Body []byte
}

// Response is the whole answer. Body is JSON or empty.
type Response struct {
	Status int
	// Before is the ETag of a form before the call changed it; "" if it is not known.
	Before string
	// StepUp reports that the API requires a more recent sign-in than the token's (RFC 9470, section 3).
	StepUp bool
	// Header holds the headers that may be relayed: ETag and the X-RateLimit headers.
	Header http.Header
	Body   []byte
}

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
	wait := c.Wait
	if wait == nil {
		wait = sleep
	}
	return &Client{
		base: base, now: c.Now, wait: wait,
		http: &http.Client{
			Transport:     c.Transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Do makes the call. It retries a 401 once with another token, unless the API requires a more recent sign-in, which a refresh does not
// provide, and a 429 once if its limit resets within two seconds; in both cases nothing was changed. After a timeout, a cut connection or a
// 5xx it does not retry, since a change may have been made. It returns answers with any other status unchanged.
func (c *Client) Do(ctx context.Context, r Request, tokens TokenSource) (*Response, error) {
	call, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	token, err := tokens.Token(call, "")
	if err != nil {
		return nil, err
	}
	var renewed, waited bool
	for {
		res, err := c.once(call, r, token)
		if err != nil {
			return nil, c.explain(ctx, err)
		}
		switch {
		case res.Status == http.StatusUnauthorized && !renewed && !res.StepUp:
			renewed = true
			next, err := tokens.Token(call, token)
			if err != nil {
				return nil, err
			}
			token = next
		case res.Status == http.StatusTooManyRequests && !waited:
			left, ok := c.UntilReset(res.Header)
			if !ok || left > maxWait {
				return res, nil
			}
			waited = true
			if err := c.wait(call, left); err != nil {
				return nil, c.explain(ctx, err)
			}
		default:
			return res, nil
		}
	}
}

// UntilReset returns the time left until X-RateLimit-Reset (seconds since 1970). ok is false if the header is absent, is not a number, or
// lies in the past.
func (c *Client) UntilReset(h http.Header) (left time.Duration, ok bool) {
	at, err := strconv.ParseInt(h.Get("X-Ratelimit-Reset"), 10, 64)
	if err != nil {
		return 0, false
	}
	left = time.Unix(at, 0).Sub(c.now())
	return left, left > 0
}

func (c *Client) once(ctx context.Context, r Request, token string) (*Response, error) {
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
	req.Header.Set("Authorization", "Bearer "+token)
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
	return read(res, token)
}

func read(res *http.Response, token string) (*Response, error) {
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		return nil, fmt.Errorf("%w: redirect with status %d", ErrAnswer, res.StatusCode)
	}
	out := &Response{Status: res.StatusCode, Header: http.Header{}, StepUp: res.StatusCode == http.StatusUnauthorized && stepUp(res.Header)}
	for _, name := range relayed {
		if v := res.Header.Get(name); v != "" {
			out.Header.Set(name, v)
		}
	}
	var whole bytes.Buffer
	// The announced length avoids growing the buffer in steps, but only a part is allocated before the answer arrives.
	whole.Grow(int(min(max(res.ContentLength, 0), firstRead)) + bytes.MinRead)
	_, err := whole.ReadFrom(io.LimitReader(res.Body, maxAnswer+1))
	body := whole.Bytes()
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("%w: over %d bytes", ErrAnswer, maxAnswer)
	case len(body) == 0:
		return out, nil
	}
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	isJSON := err == nil && (kind == "application/json" || kind == "application/problem+json") && res.Header.Get("Content-Encoding") == ""
	switch {
	case !isJSON && res.StatusCode < 300:
		return nil, fmt.Errorf("%w: status %d with a body that is not JSON", ErrAnswer, res.StatusCode)
	case !isJSON:
		return out, nil // the status is enough, and the page is not passed on
	case res.StatusCode < 300 && !wholeJSON(body):
		return nil, fmt.Errorf("%w: status %d with invalid JSON", ErrAnswer, res.StatusCode)
	case bytes.Contains(body, []byte(token)):
		return nil, fmt.Errorf("%w: it holds the access token", ErrAnswer)
	}
	out.Body = body
	return out, nil
}

// wholeJSON reports whether an answer is one JSON value in UTF-8. The limits of a form do not apply, since a list contains several.
func wholeJSON(body []byte) bool {
	return utf8.Valid(body) && jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// stepUp reports whether the challenges of an answer contain RFC 9470's error. Tenants write it with or without quotes.
func stepUp(h http.Header) bool {
	for _, challenge := range h.Values("WWW-Authenticate") {
		if strings.Contains(strings.ReplaceAll(challenge, `"`, ""), "error=insufficient_user_authentication") {
			return true
		}
	}
	return false
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
		return fmt.Errorf("%w: %w", ErrTimeout, err)
	default:
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
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
