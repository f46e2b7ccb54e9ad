package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/certs"
	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/dpop"
)

var callTool = tool{
	name: "sample call", usage: []string{"[--data DIR] [--url URL] [--dpop] [--scope SCOPE,...] [PATH]"},
	about: `Requests a token for the sample API by client credentials and calls a path of the API
with it, /api/private by default. server/samplecall.go is an example of a client.
Addresses and credentials come from first-start.json of the data folder of a running server.`,
	options: []config.Option{
		option("url", "URL", "address of the sample API (default the one beside the tenant)"),
		option("dpop", "", "bind the token to a new key and prove its possession (DPoP)"),
		words("scope", "SCOPE", "scopes of the token (default all that the client may have)"),
		dataOption(),
	},
}

// Limits of a call.
const (
	callTime  = 10 * time.Second
	maxAnswer = 1 << 20
)

// caller is an example client of a protected API.
type caller struct {
	http  *http.Client
	first firstStart
	key   *dpop.Key // nil without --dpop
}

func callCommand(ctx context.Context, p process, args []string) int {
	a, code := p.arguments(callTool, args)
	if a == nil {
		return code
	}
	if len(a.Words) > 1 {
		return p.fail(exitUnusable, errors.New("sample call takes one path; see --help"))
	}
	path := "/api/private"
	if len(a.Words) == 1 {
		path = a.Words[0]
	}
	if !strings.HasPrefix(path, "/") {
		return p.fail(exitUnusable, fmt.Errorf("the path %q must begin with a slash", path))
	}
	data := a.Text("data")
	c, err := newCaller(data, a.On("dpop"))
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	if at := a.Text("url"); at != "" {
		c.first.Sample = strings.TrimSuffix(at, "/")
	}
	if c.first.Sample == "" {
		return p.fail(exitUnusable, fmt.Errorf("the tenant of %s has no sample API beside it: give the address of one with --url", data))
	}
	token, err := c.token(ctx, strings.ReplaceAll(a.Text("scope"), ",", " "))
	if err != nil {
		return p.fail(exitFailed, err)
	}
	answer, err := c.call(ctx, path, token)
	if err != nil {
		return p.fail(exitFailed, err)
	}
	p.print("%s\n", answer)
	return exitOK
}

// newCaller reads credentials and addresses from the file of the first start.
func newCaller(data string, bound bool) (*caller, error) {
	c := &caller{http: &http.Client{Timeout: callTime}}
	text, err := os.ReadFile(firstStartFile(data))
	if err != nil {
		return nil, fmt.Errorf("read first start: %w; name the data folder with --data", err)
	}
	if err := json.Unmarshal(text, &c.first); err != nil {
		return nil, fmt.Errorf("read first start: %w", err)
	}
	pool, err := certs.Trust(filepath.Join(data, "local-ca.pem"))
	if err == nil {
		c.http.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if bound {
		if c.key, err = dpop.NewKey(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// token requests an access token (RFC 6749, section 4.4), bound to the key if there is one (RFC 9449, section 5).
func (c *caller) token(ctx context.Context, scope string) (string, error) {
	at := c.first.Tenant + "/oauth/token"
	form := url.Values{
		"grant_type": {"client_credentials"}, "audience": {sampleAudience},
		"client_id": {c.first.Management.ID}, "client_secret": {c.first.Management.Secret},
	}
	if scope != "" {
		form.Set("scope", scope)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, strings.NewReader(form.Encode()))
	if err != nil {
		return "", fmt.Errorf("ask for a token: %w", err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if err := c.prove(r, ""); err != nil {
		return "", err
	}
	status, text, err := c.do(r)
	if err != nil {
		return "", fmt.Errorf("ask for a token: %w", err)
	}
	var answer struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Token == "" {
		return "", fmt.Errorf("ask for a token: the tenant answered %d: %s", status, text)
	}
	return answer.Token, nil
}

// call calls the API with a token: as Bearer, or bound to the key.
func (c *caller) call(ctx context.Context, path, token string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.first.Sample+path, nil)
	if err != nil {
		return "", fmt.Errorf("call the API: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if c.key != nil {
		r.Header.Set("Authorization", "DPoP "+token)
	}
	if err := c.prove(r, token); err != nil {
		return "", err
	}
	status, text, err := c.do(r)
	if err != nil {
		return "", fmt.Errorf("call the API: %w", err)
	}
	return fmt.Sprintf("%d %s\n%s", status, http.StatusText(status), bytes.TrimSpace(text)), nil
}

// prove adds a DPoP proof to a request that is sent with token. Without a key it does nothing. RFC 9449, section 4.2.
func (c *caller) prove(r *http.Request, token string) error {
	if c.key == nil {
		return nil
	}
	proof, err := c.key.Proof(r.Method, r.URL.String(), token, "", time.Now())
	if err != nil {
		return err
	}
	r.Header.Set("DPoP", proof)
	return nil
}

func (c *caller) do(r *http.Request) (int, []byte, error) {
	res, err := c.http.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close() //nolint:errcheck // what was read decides
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	return res.StatusCode, text, err
}
