package sqlite

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

const eventColumns = `seq, at, type, user_id, client_id, address, audience, scope, description`

// These statements run for every token.
const (
	insertEvent  = `INSERT INTO events (at, type, user_id, client_id, address, audience, scope, description) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	manyEvents   = `DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ?`
	forgetEvents = `DELETE FROM events WHERE at < ?`
)

// events implements store.Events.
type events struct{ *runner }

func (d events) AddEvent(ctx context.Context, e store.Event) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := tx.exec(ctx, "add event", insertEvent,
			rows.Millis(e.At), e.Type, e.UserID, e.ClientID, e.Address, e.Audience, rows.Words(e.Scope), e.Description); err != nil {
			return err
		}
		if err := tx.exec(ctx, "sweep events", manyEvents, store.MaxEvents); err != nil {
			return err
		}
		return tx.exec(ctx, "sweep events", forgetEvents, rows.Millis(e.At.Add(-store.EventLife)))
	})
}

func (d events) Event(ctx context.Context, id string) (store.Event, error) {
	seq, err := rows.EventNumber(id)
	if err != nil {
		return store.Event{}, translate(err, "get event")
	}
	return one(ctx, d.runner, "get event", rows.Event, `SELECT `+eventColumns+` FROM events WHERE seq = ?`, seq)
}

func (d events) ListEvents(ctx context.Context, f store.EventFilter, offset, limit int) ([]store.Event, int, error) {
	return list(ctx, d.runner, listing[store.Event]{
		name: store.ListOfEvents, scan: rows.Event, columns: eventColumns, from: `events`,
		where: `?1 IN ('', type) AND ?2 IN ('', user_id) AND ?3 IN ('', client_id)`, order: []string{"seq"}, newest: true,
		mark: `CAST(substr(?, 5) AS INTEGER)`, // the number in the ID
		search: lines("type", "address", "description", "user_id", `(SELECT u.name || char(10) || u.email FROM users u WHERE u.id = user_id)`,
			"client_id", `(SELECT c.name FROM clients c WHERE c.id = client_id)`),
	}, f.Find, offset, limit, f.Type, f.UserID, f.ClientID)
}
