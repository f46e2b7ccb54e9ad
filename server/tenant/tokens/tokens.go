// Package tokens issues and verifies the tenant's tokens. They are access tokens of type at+jwt, ID tokens, logout tokens, and opaque
// secrets that are stored as hashes. It defines the content of tokens, not who receives them.
package tokens

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/tenant/signer"
)

// Default lifetimes of tokens.
const (
	defaultAccessLife = 10 * time.Minute
	// idLife covers only the sign-in: a client reads its ID token at once.
	idLife = 10 * time.Minute
)

// leeway is the tolerated difference between two clocks. It is small, since tokens are verified where they are issued.
const leeway = 5 * time.Second

// maxBytes bounds a token to be verified. Ours are smaller than 2 KiB.
const maxBytes = 8 << 10

// Values of the header typ. RFC 9068, section 2.1.
const (
	accessType = "at+jwt"
	idType     = "JWT"
)

// ErrInvalid is the error for every token that must not be accepted.
var ErrInvalid = errors.New("invalid token")

// A fault is why a token is not accepted: a fixed text, plain ASCII without quotes, that repeats nothing from the token.
type fault string

func (f fault) Error() string { return ErrInvalid.Error() + ": " + string(f) }

// Unwrap returns ErrInvalid.
func (fault) Unwrap() error { return ErrInvalid }

// Tokens issues and verifies tokens. It is safe for concurrent use.
type Tokens struct {
	Issuer     string // claim iss
	Signer     *signer.Signer
	Now        func() time.Time
	AccessLife time.Duration // 0 means defaultAccessLife
	// NonceKeys generate the nonces that DPoP proofs must contain, newest first. Without keys, proofs need no nonce.
	NonceKeys [][]byte
	// Grants knows which authorizations were revoked, so that their access tokens are refused before they expire. If it is nil, tokens are
	// accepted until they expire.
	Grants Grants
	// Seen remembers proofs. If it is nil, this process remembers them, so that each replica accepts a proof once.
	Seen dpop.Seen

	seen dpop.Memory
	of   *Tokens // remembers proofs in place of seen; nil for none
}

// Grants looks up authorizations by Access.GrantID. It must be safe for concurrent use, and must notice at once when another process
// revokes one.
type Grants interface {
	// FamilyLive reports whether an authorization exists and is not revoked.
	FamilyLive(ctx context.Context, id string) (bool, error)
}

// At returns the Tokens of another address, with the same keys, clock and lifetimes. Both share one memory of proofs, so that two addresses
// need no more memory than one.
func (t *Tokens) At(issuer string) *Tokens {
	return &Tokens{Issuer: issuer, Signer: t.Signer, Now: t.Now, AccessLife: t.AccessLife, NonceKeys: t.NonceKeys, Grants: t.Grants, of: t}
}

func (t *Tokens) proofs() dpop.Seen {
	switch {
	case t.of != nil:
		return t.of.proofs()
	case t.Seen != nil:
		return t.Seen
	}
	return &t.seen
}

// Access is the content of an access token. RFC 9068, section 2.2.
type Access struct {
	ID       string // claim jti; made by Issue
	Subject  string // a user's id, or the client's own for client credentials
	ClientID string
	Audience string
	Scope    []string
	// AuthTime is when the person authenticated. SignInID names that sign-in, claim sid, which is ours. Both are zero
	// for client credentials. RFC 9068, section 2.2.1.
	AuthTime time.Time
	SignInID string
	// GrantID names the stored authorization that led to the token, claim grant_id, which is ours; "" for none.
	GrantID string
	Key     string    // claim cnf.jkt: thumbprint of the DPoP key to which it is bound; "" for a bearer token
	Issued  time.Time // set by Issue
	Expires time.Time // set by Issue
}

// accessClaims is the body of an access token.
type accessClaims struct {
	Issuer   string           `json:"iss"`
	Subject  string           `json:"sub"`
	Audience jwt.Audience     `json:"aud"`
	AZP      string           `json:"azp"` // read by clients of older libraries in place of client_id
	ClientID string           `json:"client_id"`
	Issued   *jwt.NumericDate `json:"iat"`
	Expires  *jwt.NumericDate `json:"exp"`
	NotYet   *jwt.NumericDate `json:"nbf,omitempty"`
	ID       string           `json:"jti"`
	Scope    string           `json:"scope"`
	AuthTime *jwt.NumericDate `json:"auth_time,omitempty"`
	SignInID string           `json:"sid,omitempty"`
	GrantID  string           `json:"grant_id,omitempty"`
	// Kept raw: whatever its content, the token is not a bearer token.
	Confirm json.RawMessage `json:"cnf,omitempty"`
}

// confirmation is the claim cnf of a bound token. RFC 9449, section 6.1.
type confirmation struct {
	Key string `json:"jkt"`
}

// IssueAccess signs an access token and returns it with its lifetime.
func (t *Tokens) IssueAccess(a Access) (token string, life time.Duration, err error) {
	life = t.AccessLife
	if life == 0 {
		life = defaultAccessLife
	}
	now := t.Now()
	var auth *jwt.NumericDate
	if !a.AuthTime.IsZero() {
		auth = jwt.NewNumericDate(a.AuthTime)
	}
	var confirm json.RawMessage
	if a.Key != "" {
		if confirm, err = json.Marshal(confirmation{a.Key}); err != nil {
			return "", 0, fmt.Errorf("encode cnf: %w", err)
		}
	}
	token, err = t.Signer.Sign(accessType, accessClaims{
		Issuer: t.Issuer, Subject: a.Subject, Audience: jwt.Audience{a.Audience}, AZP: a.ClientID, ClientID: a.ClientID,
		Issued: jwt.NewNumericDate(now), Expires: jwt.NewNumericDate(now.Add(life)),
		ID: NewSecret(), Scope: strings.Join(a.Scope, " "), AuthTime: auth, SignInID: a.SignInID, GrantID: a.GrantID, Confirm: confirm,
	})
	return token, life, err
}

// VerifyAccess returns the content of a bearer token if it is ours, live and issued for audience. An empty audience accepts every token.
// VerifyAccess refuses a token that is bound to a key, since it has no proof (see VerifyRequest), and does not consult Grants. Every error
// is an ErrInvalid with its cause.
func (t *Tokens) VerifyAccess(token, audience string) (Access, error) {
	a, err := t.verify(token, audience)
	if err == nil && a.Key != "" {
		err = fault("it is bound to a key")
	}
	if err != nil {
		return Access{}, err
	}
	return a, nil
}

// verify checks a token, bound or not. For a token that we signed but do not accept, it returns only the client.
func (t *Tokens) verify(token, audience string) (Access, error) {
	var c accessClaims
	typ, err := t.open(token, &c)
	if err != nil {
		return Access{}, err
	}
	if typ = strings.TrimPrefix(strings.ToLower(typ), "application/"); typ != accessType {
		return Access{}, fault("typ is not " + accessType)
	}
	if c.Issuer != t.Issuer {
		return Access{}, fault("iss is another")
	}
	if err := t.accepts(c, audience); err != nil {
		return Access{ClientID: c.ClientID}, err
	}
	a := Access{
		ID: c.ID, Subject: c.Subject, ClientID: c.ClientID, Audience: c.Audience[0],
		Issued: c.Issued.Time(), Expires: c.Expires.Time(), SignInID: c.SignInID, GrantID: c.GrantID,
	}
	if c.AuthTime != nil {
		a.AuthTime = c.AuthTime.Time()
	}
	if c.Scope != "" {
		a.Scope = strings.Split(c.Scope, " ")
	}
	if len(c.Confirm) > 0 {
		var cnf confirmation
		if err := json.Unmarshal(c.Confirm, &cnf); err != nil || cnf.Key == "" {
			return Access{ClientID: c.ClientID}, fault("cnf names no key")
		}
		a.Key = cnf.Key
	}
	return a, nil
}

// accepts checks the claims of an access token that we signed.
func (t *Tokens) accepts(c accessClaims, audience string) error {
	now := t.Now()
	switch {
	case c.Expires == nil:
		return fault("exp is missing")
	case !now.Before(c.Expires.Time().Add(leeway)):
		return fault("exp is past")
	case c.Issued == nil || now.Add(leeway).Before(c.Issued.Time()):
		return fault("iat is missing or in the future")
	case c.NotYet != nil && now.Add(leeway).Before(c.NotYet.Time()):
		return fault("nbf is in the future")
	case len(c.Audience) == 0 || audience != "" && !c.Audience.Contains(audience):
		return fault("aud does not name this API")
	case c.Subject == "" || c.ClientID == "":
		return fault("sub or client_id is missing")
	}
	return nil
}

func (t *Tokens) open(token string, claims any) (typ string, err error) {
	if len(token) > maxBytes {
		return "", fault("it is longer than " + strconv.Itoa(maxBytes) + " bytes")
	}
	if typ, err = t.Signer.Verify(token, claims); err != nil {
		return "", fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return typ, nil
}

// ID is the content of an ID token. OpenID Connect Core, section 2.
type ID struct {
	Subject     string
	ClientID    string // claim aud
	Nonce       string // "" if the request had none, and at refresh
	AuthTime    time.Time
	ACR         string   // the level of authentication; "" for none
	AMR         []string // how the person authenticated, RFC 8176; nil if unknown
	SignInID    string   // claim sid
	AccessToken string   // its hash becomes claim at_hash
	Name        string   // "" without scope profile
	Email       string   // "" without scope email
	Unverified  bool     // Email is not confirmed
}

type idClaims struct {
	Issuer        string           `json:"iss"`
	Subject       string           `json:"sub"`
	Audience      jwt.Audience     `json:"aud"`
	AZP           string           `json:"azp"`
	Issued        *jwt.NumericDate `json:"iat"`
	Expires       *jwt.NumericDate `json:"exp"`
	AuthTime      *jwt.NumericDate `json:"auth_time"`
	ACR           string           `json:"acr,omitempty"`
	AMR           []string         `json:"amr,omitempty"`
	Nonce         string           `json:"nonce,omitempty"`
	SignInID      string           `json:"sid"`
	AccessHash    string           `json:"at_hash,omitempty"`
	Name          string           `json:"name,omitempty"`
	Email         string           `json:"email,omitempty"`
	EmailVerified *bool            `json:"email_verified,omitempty"`
}

// IssueID signs an ID token.
func (t *Tokens) IssueID(i ID) (string, error) {
	now := t.Now()
	c := idClaims{
		Issuer: t.Issuer, Subject: i.Subject, Audience: jwt.Audience{i.ClientID}, AZP: i.ClientID,
		Issued: jwt.NewNumericDate(now), Expires: jwt.NewNumericDate(now.Add(idLife)),
		AuthTime: jwt.NewNumericDate(i.AuthTime), ACR: i.ACR, AMR: i.AMR, Nonce: i.Nonce, SignInID: i.SignInID, Name: i.Name, Email: i.Email,
	}
	if i.AccessToken != "" {
		sum := sha256.Sum256([]byte(i.AccessToken))
		c.AccessHash = base64.RawURLEncoding.EncodeToString(sum[:len(sum)/2])
	}
	if i.Email != "" {
		verified := !i.Unverified
		c.EmailVerified = &verified
	}
	return t.Signer.Sign(idType, c)
}

// VerifyHint returns the client and the sign-in of an ID token of ours that is used as a hint, even if it has expired. Every error is an
// ErrInvalid. OpenID Connect RP-Initiated Logout, section 2.
func (t *Tokens) VerifyHint(token string) (clientID, signInID string, err error) {
	var c idClaims
	typ, err := t.open(token, &c)
	if err != nil {
		return "", "", err
	}
	// The type keeps an access token from passing as an ID token.
	if typ != idType || c.Issuer != t.Issuer || len(c.Audience) != 1 || c.SignInID == "" {
		return "", "", fault("it is not an ID token of this tenant")
	}
	return c.Audience[0], c.SignInID, nil
}

// logoutLife is how long a logout token is valid. It is sent at once. OpenID Connect Back-Channel Logout 1.0, section 2.4 recommends two
// minutes.
const logoutLife = 2 * time.Minute

// logoutType is explicit, so that no other token of ours passes as a logout token. OpenID Connect Back-Channel Logout 1.0,
// section 2.4.
const logoutType = "logout+jwt"

type logoutClaims struct {
	Issuer   string              `json:"iss"`
	Subject  string              `json:"sub"`
	Audience jwt.Audience        `json:"aud"`
	Issued   *jwt.NumericDate    `json:"iat"`
	Expires  *jwt.NumericDate    `json:"exp"`
	ID       string              `json:"jti"`
	SignInID string              `json:"sid,omitempty"`
	Events   map[string]struct{} `json:"events"`
}

// IssueLogout signs a logout token, which states that a sign-in of a person has ended, or all of them if signInID is empty. OpenID Connect
// Back-Channel Logout 1.0, section 2.4.
func (t *Tokens) IssueLogout(subject, signInID, clientID string) (string, error) {
	now := t.Now()
	return t.Signer.Sign(logoutType, logoutClaims{
		Issuer: t.Issuer, Subject: subject, Audience: jwt.Audience{clientID}, Issued: jwt.NewNumericDate(now),
		Expires: jwt.NewNumericDate(now.Add(logoutLife)), ID: NewSecret(), SignInID: signInID,
		Events: map[string]struct{}{"http://schemas.openid.net/event/backchannel-logout": {}},
	})
}

// secretBytes is the length of every code, token and secret. They are too long to guess, so a plain SHA-256 is a safe hash.
const secretBytes = 32

// NewSecret returns a random opaque secret of 43 URL-safe characters.
func NewSecret() string {
	b := make([]byte, secretBytes)
	rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Hash returns the hash under which an opaque secret is stored.
func Hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
