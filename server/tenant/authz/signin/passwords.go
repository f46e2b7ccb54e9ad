package signin

import (
	"context"
	"errors"
	"time"

	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/store"
)

// Passwords checks the passwords of people at one address of the tenant. All fields are required; Guesses and Verifier
// are the same for every address.
type Passwords struct {
	Users    store.Users
	Guesses  *Guesses
	Verifier *password.Verifier
}

// maxEmail bounds in bytes a text that is looked up as an address. The longest stored address has 320 characters.
const maxEmail = 1024

// Check returns the user with an address and a password, store.ErrNotFound if there is none, or how long to wait after too many wrong
// passwords. It takes the same time for known and unknown addresses. With ErrNotFound it returns the user with the address, if there is
// one, for the log only.
func (p *Passwords) Check(ctx context.Context, from Place, email, typed string) (store.User, time.Duration, error) {
	from, wait := p.Guesses.password(ctx, email, from)
	if wait > 0 {
		return store.User{}, wait, nil
	}
	if password.CheckMax(typed) != nil || len(email) > maxEmail {
		return store.User{}, 0, store.ErrNotFound
	}
	user, err := p.Users.UserByEmail(ctx, email)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return store.User{}, 0, err
	}
	ok, err := p.Verifier.Verify(ctx, user.PasswordHash, typed)
	if err != nil {
		return store.User{}, 0, err
	}
	if !ok {
		return user, 0, store.ErrNotFound
	}
	p.Guesses.right(ctx, email, from)
	return user, 0, nil
}
