package bff

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"

	"github.com/formgraph/formgraph/server/httpx"
)

// draftKey is a key with which the browser encrypts one person's unsaved work.
type draftKey struct {
	// ID names the key. It reveals nothing about the key or the person, so it may be stored next to the encrypted data.
	ID  string `json:"id"`
	Key string `json:"key"` // 32 bytes for AES-256-GCM, base64url
}

// draftKeys answers with the keys of the signed-in user, newest first: the first encrypts, all of them decrypt. Several people may use one
// browser. Encryption makes a draft readable only while its author is signed in, and keeps the secrets of a form out of the browser's
// storage.
//
// The keys are derived from the master secrets, the issuer and the subject. Nothing is stored for them, and every replica
// derives the same ones.
func (u *profile) draftKeys(w http.ResponseWriter, r *http.Request) {
	ss, p := u.sessions.current(w, r)
	if p != nil {
		p.Write(w, r)
		return
	}
	subject, _ := ss.Values[keySubject].(string)
	derive := func(secret []byte, purpose string) []byte {
		m := hmac.New(sha256.New, secret)
		m.Write([]byte(purpose + "\n" + u.identity.c.Issuer + "\n" + subject))
		return m.Sum(nil)
	}
	answer := struct {
		Keys []draftKey `json:"keys"`
	}{[]draftKey{}}
	for _, secret := range u.drafts {
		answer.Keys = append(answer.Keys, draftKey{
			ID:  base64.RawURLEncoding.EncodeToString(derive(secret, "name")[:12]),
			Key: base64.RawURLEncoding.EncodeToString(derive(secret, "key")),
		})
	}
	if err := httpx.WriteJSON(w, http.StatusOK, answer); err != nil {
		u.log.fail(r.Context(), "write draft keys", err)
	}
}
