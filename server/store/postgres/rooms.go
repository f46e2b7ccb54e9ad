package postgres

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
	return one(ctx, d.runner, "read room", rows.Room, `SELECT `+rows.RoomColumns+` FROM rooms WHERE tenant = $1 AND form = $2`, d.tenant, form)
}

func (d rooms) Head(ctx context.Context, form string) (string, int, error) {
	h, err := one(ctx, d.runner, "read room", rows.Head,
		`SELECT id, coalesce((SELECT max(number) FROM room_entries WHERE room = id), number) FROM rooms WHERE tenant = $1 AND form = $2`,
		d.tenant, form)
	return h.ID, h.Number, err
}

func (d rooms) Open(ctx context.Context, r store.Room, instead string) error {
	return d.inTx(ctx, free, func(tx *runner) error {
		there, err := one(ctx, tx, "read room", rows.Value[string], `SELECT id FROM rooms WHERE tenant = $1 AND form = $2 FOR UPDATE`, d.tenant, r.Form)
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
			VALUES ($1, $2, $3, $4, $5, $6, $7)`, rows.RoomValues(d.tenant, r)...)
	})
}

// Append implements store.Rooms. The row of the room makes those who add entries take turns, so that each sees the number before.
func (d rooms) Append(ctx context.Context, room string, e store.RoomEntry, now time.Time) error {
	return d.inTx(ctx, free, func(tx *runner) error {
		if err := tx.must(ctx, "use room", `UPDATE rooms SET used = $3 WHERE tenant = $1 AND id = $2`, d.tenant, room, rows.Millis(now)); err != nil {
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
		`SELECT number, body FROM room_entries WHERE room = (SELECT id FROM rooms WHERE tenant = $1 AND id = $2) AND number > $3
		ORDER BY number LIMIT $4`, d.tenant, room, after, limit)
}

func (d rooms) Compact(ctx context.Context, r store.Room, forget int) error {
	return d.inTx(ctx, free, func(tx *runner) error {
		n, err := tx.count(ctx, "compact room", `UPDATE rooms SET number = $3, body = $4, etag = $5
			WHERE tenant = $1 AND id = $2 AND number < $3`, d.tenant, r.ID, r.Number, r.Body, r.ETag)
		if err != nil || n == 0 {
			return err
		}
		return tx.exec(ctx, "forget entries", `DELETE FROM room_entries WHERE room = $1 AND number <= $2`, r.ID, forget)
	})
}

func (d rooms) Close(ctx context.Context, room string) error {
	return d.exec(ctx, "close room", `DELETE FROM rooms WHERE tenant = $1 AND id = $2`, d.tenant, room)
}

func (d rooms) Sweep(ctx context.Context, before time.Time) (int64, error) {
	return d.count(ctx, "sweep rooms", `DELETE FROM rooms WHERE used < $1`, rows.Millis(before))
}

// presences implements store.Presences.
type presences team

func (d presences) Enter(ctx context.Context, p store.Presence, present time.Time) error {
	n, err := d.count(ctx, "enter", `INSERT INTO presences AS p (tenant, `+rows.PresenceColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (tenant, form, page) DO UPDATE SET process = excluded.process, sub = excluded.sub, name = excluded.name, state = excluded.state,
			since = CASE WHEN p.owner = excluded.owner THEN p.since ELSE excluded.since END, seen = excluded.seen, owner = excluded.owner
		WHERE p.owner = excluded.owner OR p.seen < $11`, append(rows.PresenceValues(d.tenant, p), rows.Millis(present))...)
	if err == nil && n == 0 {
		err = translate(store.ErrConflict, "enter")
	}
	return err
}

func (d presences) Tell(ctx context.Context, form, page, owner string, state []byte) (bool, error) {
	n, err := d.count(ctx, "tell", `UPDATE presences SET state = $5 WHERE tenant = $1 AND form = $2 AND page = $3 AND owner = $4`,
		d.tenant, form, page, owner, state)
	return n > 0, err
}

func (d presences) Leave(ctx context.Context, form, page, owner, process string) (bool, error) {
	n, err := d.count(ctx, "leave", `DELETE FROM presences WHERE tenant = $1 AND form = $2 AND page = $3 AND owner = $4 AND process = $5`,
		d.tenant, form, page, owner, process)
	return n > 0, err
}

func (d presences) Owner(ctx context.Context, form, page string, since time.Time) (string, error) {
	return one(ctx, d.runner, "read presence", rows.Value[string], `SELECT owner FROM presences
		WHERE tenant = $1 AND form = $2 AND page = $3 AND seen >= $4`, d.tenant, form, page, rows.Millis(since))
}

func (d presences) List(ctx context.Context, form string, since time.Time) ([]store.Presence, error) {
	return all(ctx, d.runner, "list presences", rows.Presence,
		`SELECT `+rows.PresenceColumns+` FROM presences WHERE tenant = $1 AND form = $2 AND seen >= $3 ORDER BY since, page`,
		d.tenant, form, rows.Millis(since))
}

func (d presences) Beat(ctx context.Context, process string, now time.Time) error {
	return d.exec(ctx, "beat", `UPDATE presences SET seen = $3 WHERE tenant = $1 AND process = $2`, d.tenant, process, rows.Millis(now))
}

func (d presences) Sweep(ctx context.Context, before time.Time) ([]store.Presence, error) {
	return all(ctx, d.runner, "sweep presences", rows.Presence, `WITH gone AS (DELETE FROM presences WHERE seen < $2 RETURNING *)
		SELECT `+rows.PresenceColumns+` FROM gone WHERE tenant = $1`, d.tenant, rows.Millis(before))
}
