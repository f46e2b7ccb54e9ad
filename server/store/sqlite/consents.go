package sqlite

import (
	"context"
	"database/sql"

	"github.com/formgraph/formgraph/server/store"
)

const consentColumns = `SELECT id, user_id, client_id, audience, scope, given FROM consents `

// scanConsent reads one row of consentColumns.
func scanConsent(scan func(into ...any) error) (store.Consent, error) {
	var c store.Consent
	var given int64
	err := scan(&c.ID, &c.UserID, &c.ClientID, &c.Audience, (*words)(&c.Scope), &given)
	c.Given = instant(given)
	return c, err
}

// Consent implements store.Consents.
func (d *DB) Consent(ctx context.Context, userID, clientID, audience string) (store.Consent, error) {
	c, err := scanConsent(d.read.QueryRowContext(ctx, consentColumns+`WHERE user_id = ? AND client_id = ? AND audience = ?`,
		userID, clientID, audience).Scan)
	if err != nil {
		return store.Consent{}, translate(err, "get consent")
	}
	return c, nil
}

// ConsentsOf implements store.Consents.
func (d *DB) ConsentsOf(ctx context.Context, userID string) ([]store.Consent, error) {
	rows, err := d.read.QueryContext(ctx, consentColumns+`WHERE user_id = ? ORDER BY given, id`, userID)
	if err != nil {
		return nil, translate(err, "list consents")
	}
	defer rows.Close() //nolint:errcheck // Err tells all that went wrong
	var all []store.Consent
	for rows.Next() {
		c, err := scanConsent(rows.Scan)
		if err != nil {
			return nil, translate(err, "list consents")
		}
		all = append(all, c)
	}
	return all, translate(rows.Err(), "list consents")
}

// PutConsent implements store.Consents.
func (d *DB) PutConsent(ctx context.Context, c store.Consent) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO consents (id, user_id, client_id, audience, scope, given) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (user_id, client_id, audience) DO UPDATE SET scope = excluded.scope, given = excluded.given`,
		c.ID, c.UserID, c.ClientID, c.Audience, words(c.Scope), millis(c.Given))
	return translate(err, "put consent")
}

// RevokeConsent implements store.Consents.
func (d *DB) RevokeConsent(ctx context.Context, userID, id string) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		var clientID string
		err := tx.QueryRowContext(ctx, `DELETE FROM consents WHERE user_id = ? AND id = ? RETURNING client_id`, userID, id).Scan(&clientID)
		if err != nil {
			return translate(err, "revoke consent")
		}
		_, err = tx.ExecContext(ctx, `UPDATE families SET revoked = 1 WHERE user_id = ? AND client_id = ?`, userID, clientID)
		return translate(err, "revoke consent")
	})
}
