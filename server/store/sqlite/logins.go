package sqlite

import (
	"context"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// logins implements store.Logins.
type logins struct{ *runner }

func (d logins) Logins(ctx context.Context, userID string, now time.Time) ([]store.Login, error) {
	var out []store.Login
	err := d.each(ctx, "list logins", func(row scanner) error {
		var id, client string
		var auth, expires int64
		var device store.Device
		if err := row.Scan(&id, &auth, &expires, &client, &device.UserAgent, &device.IP); err != nil {
			return err
		}
		i := slices.IndexFunc(out, func(l store.Login) bool { return l.ID == id })
		if i < 0 {
			i, out = len(out), append(out, store.Login{ID: id, AuthTime: instant(auth), Device: device})
		}
		l := &out[i]
		if e := instant(expires); e.After(l.Expires) {
			l.Expires = e
		}
		if client == "" {
			l.Browser = true // the first row of its sign-in
		} else if !slices.Contains(l.ClientIDs, client) {
			l.ClientIDs = append(l.ClientIDs, client)
			slices.Sort(l.ClientIDs)
		}
		return nil
	}, `SELECT id, auth_time, expires, '' AS client, user_agent, ip FROM sign_ins WHERE user_id = ?1 AND expires > ?2
		UNION ALL SELECT sign_in_id, auth_time, expires, client_id, user_agent, ip
		FROM families f WHERE user_id = ?1 AND revoked = 0 AND expires > ?2
		AND EXISTS (SELECT 1 FROM refresh_tokens t WHERE t.family_id = f.id AND t.used = 0 AND t.expires > ?2)
		ORDER BY auth_time DESC, 1, client`, userID, millis(now))
	return out, err
}

func (d logins) EndLogin(ctx context.Context, userID, id string) error {
	return d.inTx(ctx, func(tx *runner) error {
		return tx.mustEither(ctx, "end login",
			`DELETE FROM sign_ins WHERE user_id = ? AND id = ?`,
			`UPDATE families SET revoked = 1 WHERE user_id = ? AND sign_in_id = ? AND revoked = 0`, userID, id)
	})
}

func (d logins) EndLogins(ctx context.Context, userID string) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := tx.exec(ctx, "end logins", `DELETE FROM sign_ins WHERE user_id = ?`, userID); err != nil {
			return err
		}
		return tx.exec(ctx, "end logins", `UPDATE families SET revoked = 1 WHERE user_id = ?`, userID)
	})
}

func (d logins) Authorizations(ctx context.Context, userID string, now time.Time) ([]store.Authorization, error) {
	var out []store.Authorization
	err := d.each(ctx, "list authorizations", func(row scanner) error {
		var a store.Authorization
		var since int64
		if err := row.Scan(&a.ClientID, &a.Audience, (*words)(&a.Scope), &since); err != nil {
			return err
		}
		a.Since = instant(since)
		if n := len(out); n == 0 || out[n-1].ClientID != a.ClientID || out[n-1].Audience != a.Audience {
			slices.Sort(a.Scope)
			out = append(out, a)
			return nil
		}
		last := &out[len(out)-1]
		last.Scope = append(last.Scope, a.Scope...)
		slices.Sort(last.Scope)
		last.Scope = slices.Compact(last.Scope)
		return nil
	}, `SELECT client_id, audience, scope, auth_time AS since FROM families WHERE user_id = ?1 AND revoked = 0 AND expires > ?2
		UNION ALL SELECT client_id, audience, scope, given FROM consents WHERE user_id = ?1
		ORDER BY client_id, audience, since`, userID, millis(now))
	return out, err
}

func (d logins) EndAuthorizations(ctx context.Context, userID, clientID string) error {
	return d.inTx(ctx, func(tx *runner) error {
		return tx.mustEither(ctx, "end authorizations",
			`DELETE FROM consents WHERE user_id = ? AND client_id = ?`,
			`UPDATE families SET revoked = 1 WHERE user_id = ? AND client_id = ? AND revoked = 0`, userID, clientID)
	})
}
