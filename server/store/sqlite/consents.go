package sqlite

import (
	"context"
	"errors"

	"github.com/formgraph/formgraph/server/store"
)

const consentOf = `SELECT id, scope, given FROM consents WHERE user_id = ? AND client_id = ? AND audience = ?`

// consents implements store.Consents.
type consents struct{ *runner }

// scanConsent reads what consentOf finds for a person, a client and an audience.
func scanConsent(row scanner, c store.Consent) (store.Consent, error) {
	out := store.Consent{UserID: c.UserID, ClientID: c.ClientID, Audience: c.Audience}
	var given int64
	if err := row.Scan(&out.ID, (*words)(&out.Scope), &given); err != nil {
		return store.Consent{}, translate(err, "get consent")
	}
	out.Given = instant(given)
	return out, nil
}

func (d consents) Consent(ctx context.Context, userID, clientID, audience string) (store.Consent, error) {
	row := d.row(ctx, consentOf, userID, clientID, audience)
	return scanConsent(row, store.Consent{UserID: userID, ClientID: clientID, Audience: audience})
}

func (d consents) UpdateConsent(ctx context.Context, c store.Consent, change func(*store.Consent) error) error {
	return d.inTx(ctx, func(tx *runner) error {
		kept, err := scanConsent(tx.row(ctx, consentOf, c.UserID, c.ClientID, c.Audience), c)
		if errors.Is(err, store.ErrNotFound) {
			kept, err = store.Consent{ID: c.ID, UserID: c.UserID, ClientID: c.ClientID, Audience: c.Audience}, nil
		}
		if err != nil {
			return err
		}
		if err := change(&kept); err != nil {
			return err
		}
		return tx.exec(ctx, "update consent", `INSERT INTO consents (id, user_id, client_id, audience, scope, given) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (user_id, client_id, audience) DO UPDATE SET scope = excluded.scope, given = excluded.given`,
			c.ID, c.UserID, c.ClientID, c.Audience, words(kept.Scope), millis(kept.Given))
	})
}
