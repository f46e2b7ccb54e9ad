package factor

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/formgraph/formgraph/server/store"
)

// ErrRefused is the error for every answer of an authenticator that proves nothing.
var ErrRefused = errors.New("the authenticator's answer is refused")

// ErrCloned is an ErrRefused for a signature counter that did not increase: a second authenticator may have the same key. WebAuthn Level 3,
// section 7.2, step 22.
var ErrCloned = fmt.Errorf("the signature counter did not increase: %w", ErrRefused)

// Life is how long a challenge can be answered.
const Life = 5 * time.Minute

// RelyingParty registers and verifies the passkeys of one tenant. It is safe for concurrent use.
type RelyingParty struct {
	id, name, origin string
}

// NewRelyingParty returns the relying party of an issuer, whose host is its RP ID. It returns nil if the host is an IP address, since
// passkeys can only be bound to a name; passkeys are then off. WebAuthn Level 3, section 5.1.3, RP ID.
func NewRelyingParty(issuer, name string) *RelyingParty {
	u, err := url.Parse(issuer)
	if err != nil || u.Hostname() == "" {
		return nil
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return nil
	}
	return &RelyingParty{id: strings.ToLower(u.Hostname()), name: name, origin: u.Scheme + "://" + strings.ToLower(u.Host)}
}

// ID returns the RP ID.
func (p *RelyingParty) ID() string { return p.id }

// Origins returns the origins at which a client may have asked an authenticator: the tenant itself, and the origins of the client's
// callbacks within the RP ID, but not those of other clients. WebAuthn Level 3, section 7.2, step 13. The use of the callbacks is our
// choice.
func (p *RelyingParty) Origins(c store.Client) []string {
	out := []string{p.origin}
	for _, address := range c.Callbacks {
		u, err := url.Parse(address)
		if err != nil {
			continue
		}
		host := strings.ToLower(u.Hostname())
		within := host == p.id || strings.HasSuffix(host, "."+p.id)
		// Browsers allow passkeys only over TLS and on localhost.
		safe := u.Scheme == "https" || u.Scheme == "http" && (host == "localhost" || strings.HasSuffix(host, ".localhost"))
		if o := u.Scheme + "://" + strings.ToLower(u.Host); within && safe && !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out
}

// Person is the owner of a new passkey.
type Person struct {
	ID       string // the user handle, at most 64 bytes; must not identify the person to others
	Email    string
	Name     string
	Passkeys []store.Method // existing ones, so that no authenticator creates a second one
}

// passkey is the Data of a passkey's store.Method.
type passkey struct {
	PublicKey      []byte   `json:"public_key"` // COSE
	Transports     []string `json:"transports,omitempty"`
	AAGUID         []byte   `json:"aaguid,omitempty"`
	BackupEligible bool     `json:"backup_eligible"` // never changes
	BackedUp       bool     `json:"backed_up"`
	// RP is the RP ID for which the passkey was created; "" for older passkeys, which did not record it.
	RP string `json:"rp_id,omitempty"`
}

// Passkey describes a passkey.
type Passkey struct {
	PublicKey  []byte // COSE
	Transports []string
	AAGUID     []byte
	Synced     bool // it may be on several devices
	BackedUp   bool // it is currently backed up
}

// ReadPasskey reads the Data of a passkey's method.
func ReadPasskey(data []byte) (Passkey, error) {
	var p passkey
	if err := json.Unmarshal(data, &p); err != nil {
		return Passkey{}, fmt.Errorf("read passkey: %w", err)
	}
	return Passkey{
		PublicKey: p.PublicKey, Transports: p.Transports, AAGUID: p.AAGUID, Synced: p.BackupEligible, BackedUp: p.BackedUp,
	}, nil
}

// Takes reports whether the passkey with this Data can be used at this relying party: authenticators offer a passkey only where it was
// created. A passkey that did not record where it was created counts as usable. A nil party accepts none.
func (p *RelyingParty) Takes(data []byte) bool {
	var k passkey
	return p != nil && json.Unmarshal(data, &k) == nil && (k.RP == "" || k.RP == p.id)
}

// party sets up the library for the origins of one client. Our callers handle expiry, since the library's clock cannot be set.
func (p *RelyingParty) party(origins []string) (*webauthn.WebAuthn, error) {
	yes := true
	return webauthn.New(&webauthn.Config{
		RPID: p.id, RPDisplayName: p.name, RPOrigins: origins, AttestationPreference: protocol.PreferNoAttestation,
		// A passkey is the only factor, so the device must verify its user.
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: &yes, UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: webauthn.TimeoutConfig{Timeout: Life}, Registration: webauthn.TimeoutConfig{Timeout: Life}},
	})
}

// account is a Person in the library's terms.
type account struct {
	Person

	credentials []webauthn.Credential
}

func (a account) WebAuthnID() []byte                         { return []byte(a.ID) }
func (a account) WebAuthnName() string                       { return a.Email }
func (a account) WebAuthnCredentials() []webauthn.Credential { return a.credentials }

func (a account) WebAuthnDisplayName() string {
	if a.Name == "" {
		return a.Email
	}
	return a.Name
}

func credential(m store.Method) (webauthn.Credential, error) {
	var p passkey
	if err := json.Unmarshal(m.Data, &p); err != nil {
		return webauthn.Credential{}, fmt.Errorf("read passkey: %w", err)
	}
	c := webauthn.Credential{ID: m.Key, PublicKey: p.PublicKey}
	for _, t := range p.Transports {
		c.Transport = append(c.Transport, protocol.AuthenticatorTransport(t))
	}
	c.Flags.BackupEligible, c.Flags.BackupState = p.BackupEligible, p.BackedUp
	c.Authenticator.AAGUID = p.AAGUID
	c.Authenticator.SignCount = uint32(m.Count) //nolint:gosec // it was stored from 32 bits
	return c, nil
}

// algorithms returns the accepted signature algorithms, the best first: EdDSA, ES256, RS256.
func algorithms() []protocol.CredentialParameter {
	var out []protocol.CredentialParameter
	for _, a := range []webauthncose.COSEAlgorithmIdentifier{webauthncose.AlgEdDSA, webauthncose.AlgES256, webauthncose.AlgRS256} {
		out = append(out, protocol.CredentialParameter{Type: protocol.PublicKeyCredentialType, Algorithm: a})
	}
	return out
}

// BeginRegistration returns the options for a new passkey, to send as JSON, and the state for FinishRegistration.
func (p *RelyingParty) BeginRegistration(who Person) (options any, state []byte, err error) {
	lib, err := p.party([]string{p.origin})
	if err != nil {
		return nil, nil, fmt.Errorf("begin registration: %w", err)
	}
	a := account{Person: who}
	var have []protocol.CredentialDescriptor
	for _, m := range who.Passkeys {
		c, err := credential(m)
		if err != nil {
			return nil, nil, err
		}
		have = append(have, c.Descriptor())
	}
	creation, session, err := lib.BeginRegistration(a, webauthn.WithExclusions(have), webauthn.WithCredentialParameters(algorithms()))
	if err != nil {
		return nil, nil, fmt.Errorf("begin registration: %w", err)
	}
	state, err = json.Marshal(session)
	return creation.Response, state, err
}

// FinishRegistration verifies the answer to BeginRegistration and returns the passkey: UserID, Key, Data and Count of its method. origins
// are those of the client that asked. The error for an invalid answer is an ErrRefused with its cause.
func (p *RelyingParty) FinishRegistration(state []byte, userID string, origins []string, response []byte) (store.Method, error) {
	lib, session, err := p.resume(state, origins)
	if err != nil {
		return store.Method{}, fmt.Errorf("finish registration: %w", err)
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(response)
	if err != nil {
		return store.Method{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	c, err := lib.CreateCredential(account{Person: Person{ID: userID}}, session, parsed)
	if err != nil {
		return store.Method{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	kept := passkey{
		PublicKey: c.PublicKey, AAGUID: c.Authenticator.AAGUID, BackupEligible: c.Flags.BackupEligible, BackedUp: c.Flags.BackupState,
		RP: p.id,
	}
	for _, t := range c.Transport[:min(len(c.Transport), 8)] {
		if len(t) <= 32 {
			kept.Transports = append(kept.Transports, string(t))
		}
	}
	data, err := json.Marshal(kept)
	return store.Method{Type: store.MethodPasskey, UserID: userID, Key: c.ID, Data: data, Count: int64(c.Authenticator.SignCount)}, err
}

// BeginAssertion returns the options for signing in a person who is not known yet, to send as JSON, and the state for FinishAssertion.
func (p *RelyingParty) BeginAssertion() (options any, state []byte, err error) {
	lib, err := p.party([]string{p.origin})
	if err != nil {
		return nil, nil, fmt.Errorf("begin assertion: %w", err)
	}
	assertion, session, err := lib.BeginDiscoverableLogin()
	if err != nil {
		return nil, nil, fmt.Errorf("begin assertion: %w", err)
	}
	state, err = json.Marshal(session)
	return assertion.Response, state, err
}

// Use is a proven passkey, with the arguments for Methods.UseMethod.
type Use struct {
	Method store.Method
	To     int64 // the new Count
	Data   []byte
}

// FinishAssertion verifies the answer to BeginAssertion. find returns the method with a credential ID, as Methods.MethodByKey does. Its
// errors are returned unchanged, except store.ErrNotFound. The error for an invalid answer is an ErrCloned, or an ErrRefused with its
// cause.
func (p *RelyingParty) FinishAssertion(
	state []byte, origins []string, response []byte, find func(key []byte) (store.Method, error),
) (Use, error) {
	lib, session, err := p.resume(state, origins)
	if err != nil {
		return Use{}, fmt.Errorf("finish assertion: %w", err)
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return Use{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	m, err := find(parsed.RawID)
	if errors.Is(err, store.ErrNotFound) || err == nil && m.Type != store.MethodPasskey {
		return Use{}, fmt.Errorf("unknown passkey: %w", ErrRefused)
	}
	if err != nil {
		return Use{}, err
	}
	known, err := credential(m)
	if err != nil {
		return Use{}, err
	}
	owner := account{Person: Person{ID: m.UserID}, credentials: []webauthn.Credential{known}}
	c, err := lib.ValidateDiscoverableLogin(func([]byte, []byte) (webauthn.User, error) { return owner, nil }, session, parsed)
	if err != nil {
		return Use{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	// The library only reports it.
	if c.Authenticator.CloneWarning {
		return Use{Method: m}, ErrCloned
	}
	var kept passkey
	if err := json.Unmarshal(m.Data, &kept); err != nil {
		return Use{}, fmt.Errorf("read passkey: %w", err)
	}
	kept.BackedUp = c.Flags.BackupState
	data, err := json.Marshal(kept)
	return Use{Method: m, To: int64(c.Authenticator.SignCount), Data: data}, err
}

func (p *RelyingParty) resume(state []byte, origins []string) (*webauthn.WebAuthn, webauthn.SessionData, error) {
	var s webauthn.SessionData
	if err := json.Unmarshal(state, &s); err != nil {
		return nil, s, fmt.Errorf("read state: %w", err)
	}
	lib, err := p.party(origins)
	return lib, s, err
}
