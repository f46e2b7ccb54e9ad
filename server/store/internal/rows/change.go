package rows

import (
	"bytes"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// ChangeDocument calls change with a copy of a stored document and returns the document to store, as store.Documents.Update describes it.
// changed is false if nothing is to be written.
func ChangeDocument(old store.Document, now time.Time, change func(store.Document) (store.Document, error)) (
	next store.Document, changed bool, err error,
) {
	// change gets its own copy of the body, so that writing into it cannot hide a change.
	given := old
	given.Body = bytes.Clone(old.Body)
	if given, err = change(given); err != nil {
		return store.Document{}, false, err
	}
	if given.Name == old.Name && bytes.Equal(given.Body, old.Body) {
		return old, false, nil
	}
	next = old
	next.Name, next.Body, next.Updated = given.Name, given.Body, store.After(old.Updated, now)
	return next, true, nil
}

// KeepClient sets what an update of a client does not change.
func KeepClient(old store.Client, c *store.Client) {
	c.ID, c.Created, c.Global, c.SecretHash, c.SecretSince = old.ID, old.Created, old.Global, old.SecretHash, old.SecretSince
}

// KeepClientGrant sets what an update of a client grant does not change.
func KeepClientGrant(old store.ClientGrant, g *store.ClientGrant) {
	g.ID, g.ClientID, g.APIID, g.Subject = old.ID, old.ClientID, old.APIID, old.Subject
}

// KeepAPI sets what an update of an API does not change.
func KeepAPI(old store.API, a *store.API) { a.ID = old.ID }

// KeepUser sets what an update of a user does not change.
func KeepUser(old store.User, u *store.User) {
	email, name, unverified := u.Email, u.Name, u.Unverified
	*u = old
	u.Email, u.Name, u.Unverified = email, name, unverified
}

// KeepRole sets what an update of a role does not change.
func KeepRole(old store.Role, r *store.Role) { r.ID, r.Created = old.ID, old.Created }
