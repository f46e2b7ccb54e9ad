package signin

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/factor"
)

// Factors checks second factors at one address of the tenant. All fields but Party are required.
type Factors struct {
	Store  store.Methods
	Party  *factor.RelyingParty // nil if passkeys are off
	Master []keys.Master        // newest first
	Now    func() time.Time
}

// Second is what a person has in addition to the password.
type Second struct {
	apps     []store.Method // TOTP
	recovery []store.Method
	passkey  bool // one that can be used at this address
}

// Needed reports whether a password alone is not enough. A recovery code replaces an app: without an app it protects nothing, and it would
// lock the person out once it is used.
func (s Second) Needed() bool { return len(s.apps) > 0 }

// Of returns a person's second factors.
func (f *Factors) Of(ctx context.Context, userID string) (Second, error) {
	var s Second
	ms, err := f.Store.Methods(ctx, userID)
	for _, m := range ms {
		switch m.Type {
		case store.MethodTOTP:
			s.apps = append(s.apps, m)
		case store.MethodRecoveryCode:
			s.recovery = append(s.recovery, m)
		case store.MethodPasskey:
			s.passkey = s.passkey || f.Party.Takes(m.Data)
		}
	}
	return s, err
}

// useApp reports whether one of the apps shows a code, and uses up its step.
func (f *Factors) useApp(ctx context.Context, have Second, code string) (bool, error) {
	code = strings.NewReplacer(" ", "", "-", "").Replace(code) // apps show it in two groups
	for _, m := range have.apps {
		step, ok, err := factor.CheckMethod(f.Master, m, code, f.Now())
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		err = f.Store.UseMethod(ctx, m.ID, m.Count, step, nil, f.Now())
		if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) {
			continue // used at the same time, or removed
		}
		return err == nil, err
	}
	return false, nil
}

// useRecovery reports whether a code is the person's recovery code, and removes it. It is not replaced: a person without
// their app signs in once and then sets up both again.
func (f *Factors) useRecovery(ctx context.Context, have Second, code string) (bool, error) {
	for _, m := range have.recovery {
		if !factor.CheckRecoveryCode(m.Data, code) {
			continue
		}
		err := f.Store.DeleteMethod(ctx, m.UserID, m.ID, nil)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		return err == nil, err
	}
	return false, nil
}
