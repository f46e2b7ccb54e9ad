package postgres

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

const eventColumns = `seq, at, type, user_id, client_id, address, audience, scope, description`

// events implements store.Events.
type events struct{ *runner }

// foldedEvent returns the column folded.
func foldedEvent(e store.Event) string {
	return fold(e.Type, e.Address, e.Description, e.UserID, e.ClientID)
}

// AddEvent implements store.Events. The statement also deletes surplus and old events, except those that another transaction is
// deleting, so concurrent sign-ins do not wait for each other.
func (d events) AddEvent(ctx context.Context, e store.Event) error {
	return d.exec(ctx, "add event", `WITH added AS (
			INSERT INTO events (at, type, user_id, client_id, address, audience, scope, description, folded)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING seq),
		many AS (DELETE FROM events WHERE seq IN
			(SELECT seq FROM events WHERE seq <= (SELECT seq FROM added) - $10 FOR UPDATE SKIP LOCKED))
		DELETE FROM events WHERE seq IN (SELECT seq FROM events
			WHERE at < $11 AND seq > (SELECT seq FROM added) - $10 FOR UPDATE SKIP LOCKED)`,
		rows.Millis(e.At), e.Type, e.UserID, e.ClientID, e.Address, e.Audience, rows.Words(e.Scope), e.Description,
		foldedEvent(e), store.MaxEvents, rows.Millis(e.At.Add(-store.EventLife)))
}

func (d events) Event(ctx context.Context, id string) (store.Event, error) {
	seq, err := rows.EventNumber(id)
	if err != nil {
		return store.Event{}, translate(err, "get event")
	}
	return one(ctx, d.runner, "get event", rows.Event, `SELECT `+eventColumns+` FROM events WHERE seq = $1`, seq)
}

func (d events) ListEvents(ctx context.Context, f store.EventFilter, offset, limit int) ([]store.Event, int, error) {
	return list(ctx, d.runner, listing[store.Event]{
		name: store.ListOfEvents, scan: rows.Event, columns: eventColumns, from: `events`,
		where: `$1 IN ('', type) AND $2 IN ('', user_id) AND $3 IN ('', client_id)`,
		order: []string{"seq"}, newest: true, number: rows.EventNumber,
		search: `(folded || E'\n' || coalesce((SELECT u.folded FROM users u WHERE u.id = user_id), '') || E'\n' ||
			coalesce((SELECT c.folded_name FROM clients c WHERE c.id = client_id), ''))`,
	}, f.Find, offset, limit, f.Type, f.UserID, f.ClientID)
}
