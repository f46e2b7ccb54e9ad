// Package factortest provides a software authenticator and an authenticator app for tests. The authenticator answers challenges of package
// factor as a browser with a passkey does, or wrongly if a test wants it to. Only tests import it.
package factortest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
)

// Flags of authenticator data. WebAuthn Level 3, section 6.1.
const (
	UserPresent    = 0x01
	UserVerified   = 0x04
	BackupEligible = 0x08
	BackedUp       = 0x10
	attested       = 0x40
)

// Authenticator holds one passkey. Its fields are the claims of its next answer.
type Authenticator struct {
	RPID, Origin string
	UserHandle   []byte
	ID           []byte
	Counter      uint32
	Flags        byte
	// CrossOrigin claims that another site framed the page. Bogus makes the next signature invalid.
	CrossOrigin, Bogus bool

	key *ecdsa.PrivateKey
}

// New returns an authenticator with a new key that has verified its user.
func New(tb testing.TB, rpID, origin string, userHandle string) *Authenticator {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	id := make([]byte, 16)
	rand.Read(id) // never fails
	return &Authenticator{RPID: rpID, Origin: origin, UserHandle: []byte(userHandle), ID: id, Flags: UserPresent | UserVerified, key: key}
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func (a *Authenticator) clientData(kind, challenge string) []byte {
	b, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.Origin, "crossOrigin": a.CrossOrigin})
	if err != nil {
		panic(err) // of strings and a bool
	}
	return b
}

func (a *Authenticator) data(flags byte) []byte {
	sum := sha256.Sum256([]byte(a.RPID))
	return binary.BigEndian.AppendUint32(append(sum[:], flags), a.Counter)
}

// Register answers a challenge for a new passkey.
func (a *Authenticator) Register(challenge string) map[string]any {
	auth := append(a.data(a.Flags|attested), make([]byte, 16)...) // AAGUID of nobody
	auth = binary.BigEndian.AppendUint16(auth, uint16(len(a.ID))) //nolint:gosec // 16 bytes
	auth = append(auth, a.ID...)
	point, err := a.key.PublicKey.Bytes()
	if err != nil {
		panic(err) // of a key of our own
	}
	// COSE_Key, in CBOR by hand: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. RFC 9053, section 7.1.
	auth = append(auth, 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20)
	auth = append(auth, point[1:33]...)
	auth = append(auth, 0x22, 0x58, 0x20)
	auth = append(auth, point[33:]...)
	// {"fmt": "none", "attStmt": {}, "authData": bytes}
	object := append([]byte{0xa3, 0x63}, "fmt"...)
	object = append(append(object, 0x64), "none"...)
	object = append(append(object, 0x67), "attStmt"...)
	object = append(append(object, 0xa0, 0x68), "authData"...)
	object = binary.BigEndian.AppendUint16(append(object, 0x59), uint16(len(auth))) //nolint:gosec // some hundred bytes
	object = append(object, auth...)
	return a.answer(map[string]any{
		"clientDataJSON": b64(a.clientData("webauthn.create", challenge)), "attestationObject": b64(object), "transports": []string{"internal"},
	})
}

// Assert answers a challenge for the passkey.
func (a *Authenticator) Assert(challenge string) map[string]any {
	client, auth := a.clientData("webauthn.get", challenge), a.data(a.Flags)
	sum := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte{}, auth...), sum[:]...))
	if a.Bogus {
		digest[0] ^= 1
	}
	sig, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		panic(err) // of a key of our own
	}
	return a.answer(map[string]any{
		"clientDataJSON": b64(client), "authenticatorData": b64(auth), "signature": b64(sig), "userHandle": b64(a.UserHandle),
	})
}

func (a *Authenticator) answer(response map[string]any) map[string]any {
	return map[string]any{
		"id": b64(a.ID), "rawId": b64(a.ID), "type": "public-key", "authenticatorAttachment": "platform",
		"response": response, "clientExtensionResults": map[string]any{},
	}
}
