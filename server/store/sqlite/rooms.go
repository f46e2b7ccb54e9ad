package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// rooms implements store.Rooms.
type rooms team

func (d rooms) Room(ctx context.Context, form string) (store.Room, error) {
	return one(ctx, d.runner, "read room", rows.Room, `SELECT `+rows.RoomColumns+` FROM rooms WHERE tenant = ? AND form = ?`, d.tenant, form)
}

// headOfRoom is read for every edit and every save.
const headOfRoom = `SELECT id, coalesce((SELECT max(number) FROM room_entries WHERE room = id), number) FROM rooms
	WHERE tenant = ? AND form = ?`

func (d rooms) Head(ctx context.Context, form string) (string, int, error) {
	h, err := one(ctx, d.runner, "read room", rows.Head, headOfRoom, d.tenant, form)
	return h.ID, h.Number, err
}

func (d rooms) Open(ctx context.Context, r store.Room, instead string) error {
	return d.inTx(ctx, func(tx *runner) error {
		there, err := one(ctx, tx, "read room", rows.Value[string], `SELECT id FROM rooms WHERE tenant = ? AND form = ?`, d.tenant, r.Form)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if there != instead {
			return translate(store.ErrConflict, "open room")
		}
		if err := (rooms{tx, d.tenant}).Close(ctx, instead); err != nil {
			return err
		}
		return tx.exec(ctx, "open room", `INSERT INTO rooms (tenant, `+rows.RoomColumns+`)
			VALUES (?, ?, ?, ?, ?, ?, ?)`, rows.RoomValues(d.tenant, r)...)
	})
}

// insertRoomEntry is executed several times a second while people type.
const insertRoomEntry = `INSERT INTO room_entries (room, number, body) SELECT ?1, ?2, ?3
	WHERE EXISTS (SELECT 1 FROM room_entries WHERE room = ?1 AND number = ?2 - 1) OR EXISTS (SELECT 1 FROM rooms WHERE id = ?1 AND number = ?2 - 1)
	ON CONFLICT DO NOTHING`

func (d rooms) Append(ctx context.Context, room string, e store.RoomEntry, now time.Time) error {
	return d.inTx(ctx, func(tx *runner) error {
		if _, err := one(ctx, tx, "read room", rows.Value[int], `SELECT 1 FROM rooms WHERE tenant = ? AND id = ?`, d.tenant, room); err != nil {
			return err
		}
		n, err := tx.count(ctx, "add entry", insertRoomEntry, room, e.Number, e.Body)
		if err == nil && n == 0 {
			err = translate(store.ErrConflict, "add entry")
		}
		if err != nil {
			return err
		}
		return tx.exec(ctx, "use room", `UPDATE rooms SET used = ?2 WHERE id = ?1`, room, rows.Millis(now))
	})
}

func (d rooms) Entries(ctx context.Context, room string, after, limit int) ([]store.RoomEntry, error) {
	return all(ctx, d.runner, "read entries", rows.RoomEntry,
		`SELECT number, body FROM room_entries WHERE room = (SELECT id FROM rooms WHERE tenant = ? AND id = ?) AND number > ? ORDER BY number LIMIT ?`,
		d.tenant, room, after, limit)
}

func (d rooms) Compact(ctx context.Context, r store.Room, forget int) error {
	return d.inTx(ctx, func(tx *runner) error {
		n, err := tx.count(ctx, "compact room", `UPDATE rooms SET number = ?3, body = ?4, etag = ?5
			WHERE tenant = ?1 AND id = ?2 AND number < ?3`, d.tenant, r.ID, r.Number, r.Body, r.ETag)
		if err != nil || n == 0 {
			return err
		}
		return tx.exec(ctx, "forget entries", `DELETE FROM room_entries WHERE room = ? AND number <= ?`, r.ID, forget)
	})
}

func (d rooms) Close(ctx context.Context, room string) error {
	return d.inTx(ctx, func(tx *runner) error {
		n, err := tx.count(ctx, "close room", `DELETE FROM rooms WHERE tenant = ? AND id = ?`, d.tenant, room)
		if err != nil || n == 0 {
			return err
		}
		return tx.exec(ctx, "forget entries", `DELETE FROM room_entries WHERE room = ?`, room)
	})
}

func (d rooms) Sweep(ctx context.Context, before time.Time) (n int64, err error) {
	err = d.inTx(ctx, func(tx *runner) error {
		if n, err = tx.count(ctx, "sweep rooms", `DELETE FROM rooms WHERE used < ?`, rows.Millis(before)); err != nil {
			return err
		}
		return tx.exec(ctx, "forget entries", `DELETE FROM room_entries WHERE room NOT IN (SELECT id FROM rooms)`)
	})
	return n, err
}

// presences implements store.Presences.
type presences team

func (d presences) Enter(ctx context.Context, p store.Presence, present time.Time) error {
	n, err := d.count(ctx, "enter", `INSERT INTO presences (tenant, `+rows.PresenceColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (tenant, form, page) DO UPDATE SET process = excluded.process, sub = excluded.sub, name = excluded.name, state = excluded.state,
			since = CASE WHEN owner = excluded.owner THEN since ELSE excluded.since END, seen = excluded.seen, owner = excluded.owner
		WHERE owner = excluded.owner OR seen < ?`, append(rows.PresenceValues(d.tenant, p), rows.Millis(present))...)
	if err == nil && n == 0 {
		err = translate(store.ErrConflict, "enter")
	}
	return err
}

func (d presences) Tell(ctx context.Context, form, page, owner string, state []byte) (bool, error) {
	n, err := d.count(ctx, "tell", `UPDATE presences SET state = ?5 WHERE tenant = ?1 AND form = ?2 AND page = ?3 AND owner = ?4`,
		d.tenant, form, page, owner, state)
	return n > 0, err
}

func (d presences) Leave(ctx context.Context, form, page, owner, process string) (bool, error) {
	n, err := d.count(ctx, "leave", `DELETE FROM presences WHERE tenant = ? AND form = ? AND page = ? AND owner = ? AND process = ?`,
		d.tenant, form, page, owner, process)
	return n > 0, err
}

func (d presences) Owner(ctx context.Context, form, page string, since time.Time) (string, error) {
	return one(ctx, d.runner, "read presence", rows.Value[string], `SELECT owner FROM presences
		WHERE tenant = ? AND form = ? AND page = ? AND seen >= ?`, d.tenant, form, page, rows.Millis(since))
}

func (d presences) List(ctx context.Context, form string, since time.Time) ([]store.Presence, error) {
	return all(ctx, d.runner, "list presences", rows.Presence,
		`SELECT `+rows.PresenceColumns+` FROM presences WHERE tenant = ? AND form = ? AND seen >= ? ORDER BY since, page`,
		d.tenant, form, rows.Millis(since))
}

func (d presences) Beat(ctx context.Context, process string, now time.Time) error {
	return d.exec(ctx, "beat", `UPDATE presences SET seen = ?3 WHERE tenant = ?1 AND process = ?2`, d.tenant, process, rows.Millis(now))
}

func (d presences) Sweep(ctx context.Context, before time.Time) (gone []store.Presence, err error) {
	err = d.inTx(ctx, func(tx *runner) error {
		gone, err = all(ctx, tx, "sweep presences", rows.Presence, `SELECT `+rows.PresenceColumns+` FROM presences WHERE tenant = ? AND seen < ?`,
			d.tenant, rows.Millis(before))
		if err != nil {
			return err
		}
		return tx.exec(ctx, "sweep presences", `DELETE FROM presences WHERE seen < ?`, rows.Millis(before))
	})
	return gone, err
}
