package sqlite

import (
	"context"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// logins implements store.Logins.
type logins struct{ *runner }

// Logins implements store.Logins.
func (d logins) Logins(ctx context.Context, userID string, now time.Time) ([]store.Login, error) {
	rows, err := d.read.QueryContext(ctx, `SELECT id, auth_time, expires, '' AS client, user_agent, ip
		FROM sign_ins WHERE user_id = ? AND expires > ?
		UNION ALL SELECT sign_in_id, auth_time, expires, client_id, user_agent, ip
		FROM families f WHERE user_id = ? AND revoked = 0 AND expires > ?
		AND EXISTS (SELECT 1 FROM refresh_tokens t WHERE t.family_id = f.id AND t.used = 0 AND t.expires > ?)
		ORDER BY auth_time DESC, 1, client`, userID, millis(now), userID, millis(now), millis(now))
	if err != nil {
		return nil, translate(err, "list logins")
	}
	defer rows.Close() //nolint:errcheck // Err reports everything that went wrong
	var out []store.Login
	for rows.Next() {
		var id, client string
		var auth, expires int64
		var device store.Device
		if err := rows.Scan(&id, &auth, &expires, &client, &device.UserAgent, &device.IP); err != nil {
			return nil, translate(err, "list logins")
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
	}
	return out, translate(rows.Err(), "list logins")
}

// EndLogin implements store.Logins.
func (d logins) EndLogin(ctx context.Context, userID, id string) error {
	return d.inTx(ctx, func(tx *runner) error {
		return tx.mustEither(ctx, "end login",
			`DELETE FROM sign_ins WHERE user_id = ? AND id = ?`,
			`UPDATE families SET revoked = 1 WHERE user_id = ? AND sign_in_id = ? AND revoked = 0`, userID, id)
	})
}

// EndLogins implements store.Logins.
func (d logins) EndLogins(ctx context.Context, userID string) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := tx.exec(ctx, "end logins", `DELETE FROM sign_ins WHERE user_id = ?`, userID); err != nil {
			return err
		}
		return tx.exec(ctx, "end logins", `UPDATE families SET revoked = 1 WHERE user_id = ?`, userID)
	})
}

// Authorizations implements store.Logins.
func (d logins) Authorizations(ctx context.Context, userID string, now time.Time) ([]store.Authorization, error) {
	rows, err := d.read.QueryContext(ctx, `SELECT client_id, audience, scope, auth_time AS since FROM families
		WHERE user_id = ? AND revoked = 0 AND expires > ?
		UNION ALL SELECT client_id, audience, scope, given FROM consents WHERE user_id = ?
		ORDER BY client_id, audience, since`, userID, millis(now), userID)
	if err != nil {
		return nil, translate(err, "list authorizations")
	}
	defer rows.Close() //nolint:errcheck // Err reports everything that went wrong
	var out []store.Authorization
	for rows.Next() {
		var a store.Authorization
		var since int64
		if err := rows.Scan(&a.ClientID, &a.Audience, (*words)(&a.Scope), &since); err != nil {
			return nil, translate(err, "list authorizations")
		}
		a.Since = instant(since)
		if n := len(out); n == 0 || out[n-1].ClientID != a.ClientID || out[n-1].Audience != a.Audience {
			slices.Sort(a.Scope)
			out = append(out, a)
			continue
		}
		last := &out[len(out)-1]
		last.Scope = append(last.Scope, a.Scope...)
		slices.Sort(last.Scope)
		last.Scope = slices.Compact(last.Scope)
	}
	return out, translate(rows.Err(), "list authorizations")
}

// EndAuthorizations implements store.Logins.
func (d logins) EndAuthorizations(ctx context.Context, userID, clientID string) error {
	return d.inTx(ctx, func(tx *runner) error {
		return tx.mustEither(ctx, "end authorizations",
			`DELETE FROM consents WHERE user_id = ? AND client_id = ?`,
			`UPDATE families SET revoked = 1 WHERE user_id = ? AND client_id = ? AND revoked = 0`, userID, clientID)
	})
}
