package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// rooms implements store.Rooms.
type rooms struct{ *runner }

// Rooms returns the shared forms.
func (d *DB) Rooms() store.Rooms { return rooms{d.runner} }

func (d rooms) Room(ctx context.Context, form string) (store.Room, error) {
	return one(ctx, d.runner, "read room", rows.Room, `SELECT `+rows.RoomColumns+` FROM rooms WHERE form = $1`, form)
}

func (d rooms) Head(ctx context.Context, form string) (string, int, error) {
	h, err := one(ctx, d.runner, "read room", rows.Head,
		`SELECT id, coalesce((SELECT max(number) FROM room_entries WHERE room = id), number) FROM rooms WHERE form = $1`, form)
	return h.ID, h.Number, err
}

func (d rooms) Open(ctx context.Context, r store.Room, instead string) error {
	return d.inTx(ctx, free, func(tx *runner) error {
		there, err := one(ctx, tx, "read room", rows.Value[string], `SELECT id FROM rooms WHERE form = $1 FOR UPDATE`, r.Form)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if there != instead {
			return translate(store.ErrConflict, "open room")
		}
		if err := (rooms{tx}).Close(ctx, instead); err != nil {
			return err
		}
		return tx.exec(ctx, "open room", `INSERT INTO rooms (`+rows.RoomColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`, rows.RoomValues(r)...)
	})
}

// Append implements store.Rooms. The row of the room makes those who add entries take turns, so that each sees the number before.
func (d rooms) Append(ctx context.Context, room string, e store.RoomEntry, now time.Time) error {
	return d.inTx(ctx, free, func(tx *runner) error {
		if err := tx.must(ctx, "use room", `UPDATE rooms SET used = $2 WHERE id = $1`, room, rows.Millis(now)); err != nil {
			return err
		}
		n, err := tx.count(ctx, "add entry", `INSERT INTO room_entries (room, number, body) SELECT $1::text, $2::bigint, $3::bytea
			WHERE EXISTS (SELECT 1 FROM room_entries WHERE room = $1 AND number = $2 - 1)
			OR EXISTS (SELECT 1 FROM rooms WHERE id = $1 AND number = $2 - 1) ON CONFLICT DO NOTHING`, room, e.Number, e.Body)
		if err == nil && n == 0 {
			err = translate(store.ErrConflict, "add entry")
		}
		return err
	})
}

func (d rooms) Entries(ctx context.Context, room string, after, limit int) ([]store.RoomEntry, error) {
	return all(ctx, d.runner, "read entries", rows.RoomEntry,
		`SELECT number, body FROM room_entries WHERE room = $1 AND number > $2 ORDER BY number LIMIT $3`, room, after, limit)
}

func (d rooms) Compact(ctx context.Context, r store.Room, forget int) error {
	return d.inTx(ctx, free, func(tx *runner) error {
		n, err := tx.count(ctx, "compact room", `UPDATE rooms SET number = $2, body = $3, etag = $4 WHERE id = $1 AND number < $2`,
			r.ID, r.Number, r.Body, r.ETag)
		if err != nil || n == 0 {
			return err
		}
		return tx.exec(ctx, "forget entries", `DELETE FROM room_entries WHERE room = $1 AND number <= $2`, r.ID, forget)
	})
}

func (d rooms) Close(ctx context.Context, room string) error {
	return d.exec(ctx, "close room", `DELETE FROM rooms WHERE id = $1`, room)
}

func (d rooms) Sweep(ctx context.Context, before time.Time) (int64, error) {
	return d.count(ctx, "sweep rooms", `DELETE FROM rooms WHERE used < $1`, rows.Millis(before))
}

// presences implements store.Presences.
type presences struct{ *runner }

// Presences returns who has which form open.
func (d *DB) Presences() store.Presences { return presences{d.runner} }

func (d presences) Enter(ctx context.Context, p store.Presence, present time.Time) error {
	n, err := d.count(ctx, "enter", `INSERT INTO presences AS p (`+rows.PresenceColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (form, page) DO UPDATE SET process = excluded.process, sub = excluded.sub, name = excluded.name, state = excluded.state,
			since = CASE WHEN p.owner = excluded.owner THEN p.since ELSE excluded.since END, seen = excluded.seen, owner = excluded.owner
		WHERE p.owner = excluded.owner OR p.seen < $10`, append(rows.PresenceValues(p), rows.Millis(present))...)
	if err == nil && n == 0 {
		err = translate(store.ErrConflict, "enter")
	}
	return err
}

func (d presences) Tell(ctx context.Context, form, page, owner string, state []byte) (bool, error) {
	n, err := d.count(ctx, "tell", `UPDATE presences SET state = $4 WHERE form = $1 AND page = $2 AND owner = $3`, form, page, owner, state)
	return n > 0, err
}

func (d presences) Leave(ctx context.Context, form, page, owner, process string) (bool, error) {
	n, err := d.count(ctx, "leave", `DELETE FROM presences WHERE form = $1 AND page = $2 AND owner = $3 AND process = $4`, form, page, owner, process)
	return n > 0, err
}

func (d presences) Owner(ctx context.Context, form, page string, since time.Time) (string, error) {
	return one(ctx, d.runner, "read presence", rows.Value[string], `SELECT owner FROM presences WHERE form = $1 AND page = $2 AND seen >= $3`,
		form, page, rows.Millis(since))
}

func (d presences) List(ctx context.Context, form string, since time.Time) ([]store.Presence, error) {
	return all(ctx, d.runner, "list presences", rows.Presence,
		`SELECT `+rows.PresenceColumns+` FROM presences WHERE form = $1 AND seen >= $2 ORDER BY since, page`, form, rows.Millis(since))
}

func (d presences) Beat(ctx context.Context, process string, now time.Time) error {
	return d.exec(ctx, "beat", `UPDATE presences SET seen = $2 WHERE process = $1`, process, rows.Millis(now))
}

func (d presences) Sweep(ctx context.Context, before time.Time) ([]store.Presence, error) {
	return all(ctx, d.runner, "sweep presences", rows.Presence, `DELETE FROM presences WHERE seen < $1 RETURNING `+rows.PresenceColumns, rows.Millis(before))
}
