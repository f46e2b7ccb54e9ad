package rows

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/server/store"
)

// Document reads id, name, created, updated and body.
func Document(row Scanner) (store.Document, error) {
	var o store.Document
	var created, updated int64
	err := row.Scan(&o.ID, &o.Name, &created, &updated, &o.Body)
	o.Created, o.Updated = Instant(created), Instant(updated)
	return o, err
}

// Session reads id, data, version, created and seen.
func Session(row Scanner) (store.Session, error) {
	var s store.Session
	var created, seen int64
	err := row.Scan(&s.ID, &s.Data, &s.Version, &created, &seen)
	s.Created, s.Seen = Instant(created), Instant(seen)
	return s, err
}

// eventPrefix begins the ID of an event. The row's number follows, padded so that IDs sort as rows do.
const eventPrefix = "log_"

// Event reads seq, at, type, user_id, client_id, address, audience, scope and description.
func Event(row Scanner) (store.Event, error) {
	var e store.Event
	var seq, at int64
	err := row.Scan(&seq, &at, &e.Type, &e.UserID, &e.ClientID, &e.Address, &e.Audience, (*Words)(&e.Scope), &e.Description)
	e.ID, e.At = fmt.Sprintf("%s%019d", eventPrefix, seq), Instant(at)
	return e, err
}

// EventNumber returns the number of the row with an event's ID, or store.ErrNotFound if it is not such an ID.
func EventNumber(id string) (int64, error) {
	digits, ok := strings.CutPrefix(id, eventPrefix)
	seq, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil {
		return 0, store.ErrNotFound
	}
	return seq, nil
}
