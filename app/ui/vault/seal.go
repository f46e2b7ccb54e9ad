package vault

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
)

// ivBytes is the length of the random initialization vector before each sealed
// text; NIST SP 800-38D, section 8.2.
const ivBytes = 12

// sealer encrypts texts with the first of a person's keys and decrypts them with
// any of the keys. Each text is bound to its place: a text that was copied
// elsewhere cannot be decrypted.
type sealer struct {
	names []string
	keys  []app.Value // CryptoKey, not extractable
}

func newSealer(keys []client.DraftKey) (*sealer, error) {
	subtle := app.Window().Get("crypto").Get("subtle")
	if !subtle.Truthy() {
		return nil, errors.New("the browser cannot encrypt drafts at this address: it needs https or localhost")
	}
	s := &sealer{}
	for _, k := range keys {
		raw, err := base64.RawURLEncoding.DecodeString(k.Key)
		if err != nil {
			return nil, fmt.Errorf("read draft key: %w", err)
		}
		key, err := wait(subtle.Call("importKey", "raw", arrayOf(raw), "AES-GCM", false, []any{"encrypt", "decrypt"}))
		if err != nil {
			return nil, fmt.Errorf("read draft key: %w", err)
		}
		s.names, s.keys = append(s.names, k.ID), append(s.keys, key)
	}
	if len(s.keys) == 0 {
		return nil, errors.New("the server sent no draft key")
	}
	return s, nil
}

// has reports whether the person has a key with the given name.
func (s *sealer) has(name string) bool { return s.key(name).Truthy() }

func (s *sealer) key(name string) app.Value {
	for i, n := range s.names {
		if n == name {
			return s.keys[i]
		}
	}
	return app.Undefined()
}

// seal returns the encrypted text of a place and the name of the key.
func (s *sealer) seal(place string, text []byte) (app.Value, string, error) {
	iv := app.Window().Get("crypto").Call("getRandomValues", app.Window().Get("Uint8Array").New(ivBytes))
	sealed, err := wait(app.Window().Get("crypto").Get("subtle").Call("encrypt", parameters(iv, place), s.keys[0], arrayOf(text)))
	if err != nil {
		return app.Undefined(), "", fmt.Errorf("seal draft: %w", err)
	}
	out := app.Window().Get("Uint8Array").New(ivBytes + sealed.Get("byteLength").Int())
	out.Call("set", iv, 0)
	out.Call("set", app.Window().Get("Uint8Array").New(sealed), ivBytes)
	return out, s.names[0], nil
}

// open returns the decrypted text of a place.
func (s *sealer) open(name, place string, sealed app.Value) ([]byte, error) {
	if !s.has(name) || sealed.Length() < ivBytes {
		return nil, errors.New("open draft: no key for it")
	}
	iv, rest := sealed.Call("slice", 0, ivBytes), sealed.Call("slice", ivBytes)
	text, err := wait(app.Window().Get("crypto").Get("subtle").Call("decrypt", parameters(iv, place), s.key(name), rest))
	if err != nil {
		return nil, errors.New("open draft: it was changed or damaged")
	}
	return bytesOf(text), nil
}

func parameters(iv app.Value, place string) map[string]any {
	return map[string]any{"name": "AES-GCM", "iv": iv, "additionalData": arrayOf([]byte(place))}
}
