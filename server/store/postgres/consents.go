package postgres

import (
	"context"
	"errors"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// consents implements store.Consents.
type consents struct{ *runner }

func (d consents) Consent(ctx context.Context, userID, clientID, audience string) (store.Consent, error) {
	return one(ctx, d.runner, "get consent", rows.Consent, `SELECT id, user_id, client_id, audience, scope, given FROM consents
		WHERE user_id = $1 AND client_id = $2 AND audience = $3`, userID, clientID, audience)
}

func (d consents) UpdateConsent(ctx context.Context, c store.Consent, change func(*store.Consent) error) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		kept, err := consents{tx}.Consent(ctx, c.UserID, c.ClientID, c.Audience)
		if errors.Is(err, store.ErrNotFound) {
			kept, err = store.Consent{ID: c.ID, UserID: c.UserID, ClientID: c.ClientID, Audience: c.Audience}, nil
		}
		if err != nil {
			return err
		}
		if err := change(&kept); err != nil {
			return err
		}
		return tx.exec(ctx, "update consent", `INSERT INTO consents (id, user_id, client_id, audience, scope, given)
			VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (user_id, client_id, audience) DO UPDATE SET scope = excluded.scope, given = excluded.given`,
			c.ID, c.UserID, c.ClientID, c.Audience, rows.Words(kept.Scope), rows.Millis(kept.Given))
	})
}
