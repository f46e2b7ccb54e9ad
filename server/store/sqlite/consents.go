package sqlite

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
)

// Consent implements store.Consents.
func (d *DB) Consent(ctx context.Context, userID, clientID, audience string) (store.Consent, error) {
	c := store.Consent{UserID: userID, ClientID: clientID, Audience: audience}
	var given int64
	err := d.read.QueryRowContext(ctx, `SELECT id, scope, given FROM consents WHERE user_id = ? AND client_id = ? AND audience = ?`,
		userID, clientID, audience).Scan(&c.ID, (*words)(&c.Scope), &given)
	if err != nil {
		return store.Consent{}, translate(err, "get consent")
	}
	c.Given = instant(given)
	return c, nil
}

// PutConsent implements store.Consents.
func (d *DB) PutConsent(ctx context.Context, c store.Consent) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO consents (id, user_id, client_id, audience, scope, given) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (user_id, client_id, audience) DO UPDATE SET scope = excluded.scope, given = excluded.given`,
		c.ID, c.UserID, c.ClientID, c.Audience, words(c.Scope), millis(c.Given))
	return translate(err, "put consent")
}
