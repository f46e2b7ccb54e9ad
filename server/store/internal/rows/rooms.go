package rows

import "github.com/formgraph/formgraph/server/store"

// RoomColumns are the columns of a room, without its tenant.
const RoomColumns = `form, id, number, body, etag, used`

// Room reads RoomColumns.
func Room(row Scanner) (r store.Room, err error) {
	var used int64
	err = row.Scan(&r.Form, &r.ID, &r.Number, &r.Body, &r.ETag, &used)
	r.Used = Instant(used)
	return r, err
}

// RoomValues returns a tenant and the values of RoomColumns.
func RoomValues(tenant string, r store.Room) []any {
	return []any{tenant, r.Form, r.ID, r.Number, r.Body, r.ETag, Millis(r.Used)}
}

// RoomHead is the ID of a room and the number of its present form.
type RoomHead struct {
	ID     string
	Number int
}

// Head reads a RoomHead.
func Head(row Scanner) (h RoomHead, err error) {
	err = row.Scan(&h.ID, &h.Number)
	return h, err
}

// RoomEntry reads the number and the body of an entry.
func RoomEntry(row Scanner) (e store.RoomEntry, err error) {
	err = row.Scan(&e.Number, &e.Body)
	return e, err
}

// PresenceColumns are the columns of a presence, without its tenant.
const PresenceColumns = `form, page, process, sub, name, state, since, seen, owner`

// Presence reads PresenceColumns.
func Presence(row Scanner) (p store.Presence, err error) {
	var since, seen int64
	err = row.Scan(&p.Form, &p.Page, &p.Process, &p.Sub, &p.Name, &p.State, &since, &seen, &p.Owner)
	p.Since, p.Seen = Instant(since), Instant(seen)
	return p, err
}

// PresenceValues returns a tenant and the values of PresenceColumns.
func PresenceValues(tenant string, p store.Presence) []any {
	return []any{tenant, p.Form, p.Page, p.Process, p.Sub, p.Name, p.State, Millis(p.Since), Millis(p.Seen), p.Owner}
}
