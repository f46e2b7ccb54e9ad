package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// familyColumns are the columns of a family that package rows reads, from a table named f.
const familyColumns = `f.id, f.client_id, f.user_id, f.sign_in_id, f.auth_time, f.acr, f.amr, f.audience, f.scope, f.expires, f.revoked,` +
	` f.issuer, f.user_agent, f.ip`

// familyLive runs for every request.
const familyLive = `SELECT EXISTS (SELECT 1 FROM families WHERE id = ? AND revoked = 0)`

// grants implements store.Grants.
type grants struct{ *runner }

func (d grants) CreateCode(ctx context.Context, f store.Family, c store.Code) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := (grants{tx}).insertFamily(ctx, f); err != nil {
			return err
		}
		return tx.exec(ctx, "create code", `INSERT INTO codes (hash, family_id, redirect_uri, challenge, nonce, dpop_key, expires)
			VALUES (?, ?, ?, ?, ?, ?, ?)`, c.Hash, f.ID, c.RedirectURI, c.Challenge, c.Nonce, c.Key, rows.Millis(c.Expires))
	})
}

func (d grants) CreateFamily(ctx context.Context, f store.Family) error {
	return d.inTx(ctx, func(tx *runner) error { return grants{tx}.insertFamily(ctx, f) })
}

func (d grants) insertFamily(ctx context.Context, f store.Family) error {
	if err := checkBasis(ctx, d.runner, f.UserID, f.Basis); err != nil {
		return err
	}
	return d.exec(ctx, "create family", `INSERT INTO families (id, client_id, user_id, sign_in_id, auth_time, acr, amr, audience,
		scope, expires, issuer, user_agent, ip) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		f.ID, f.ClientID, f.UserID, f.SignInID, rows.Millis(f.AuthTime), f.ACR,
		rows.Words(f.AMR), f.Audience, rows.Words(f.Scope), rows.Millis(f.Expires), f.Issuer, f.Device.UserAgent, f.Device.IP)
}

func (d grants) UseCode(ctx context.Context, hash []byte) (store.Code, store.Family, error) {
	var used rows.CodeFamily
	err := d.inTx(ctx, func(tx *runner) error {
		if err := tx.exec(ctx, "use code", `UPDATE codes SET uses = uses + 1 WHERE hash = ?`, hash); err != nil {
			return err
		}
		var err error
		used, err = one(ctx, tx, "use code", rows.Code, `SELECT c.hash, c.family_id, c.redirect_uri, c.challenge, c.nonce, c.dpop_key,
			c.expires, c.uses, `+familyColumns+` FROM codes c JOIN families f ON f.id = c.family_id WHERE c.hash = ?`, hash)
		return err
	})
	if err != nil {
		return store.Code{}, store.Family{}, err
	}
	return used.Code, used.Family, nil
}

func (d grants) CreateRefresh(ctx context.Context, r store.Refresh) error {
	return d.inTx(ctx, func(tx *runner) error {
		var revoked bool
		var tokens int
		err := tx.row(ctx, `SELECT revoked, (SELECT count(*) FROM refresh_tokens WHERE family_id = f.id)
			FROM families f WHERE id = ?`, r.FamilyID).Scan(&revoked, &tokens)
		if err != nil {
			return translate(err, "create refresh token")
		}
		if revoked || tokens > 0 {
			return fmt.Errorf("create refresh token: %w", store.ErrConflict)
		}
		return grants{tx}.insertRefresh(ctx, r)
	})
}

func (d grants) insertRefresh(ctx context.Context, r store.Refresh) error {
	return d.exec(ctx, "create refresh token", `INSERT INTO refresh_tokens (hash, family_id, dpop_key, expires) VALUES (?, ?, ?, ?)`,
		r.Hash, r.FamilyID, r.Key, rows.Millis(r.Expires))
}

func (d grants) Refresh(ctx context.Context, hash []byte) (store.Refresh, store.Family, error) {
	r, err := one(ctx, d.runner, "get refresh token", rows.Refresh, `SELECT r.hash, r.family_id, r.dpop_key, r.expires, r.used, `+
		familyColumns+` FROM refresh_tokens r JOIN families f ON f.id = r.family_id WHERE r.hash = ?`, hash)
	return r.Refresh, r.Family, err
}

func (d grants) Rotate(ctx context.Context, old []byte, next store.Refresh) error {
	return d.inTx(ctx, func(tx *runner) error {
		// A single statement decides who wins. It names the family, so that a token cannot move to another.
		n, err := tx.count(ctx, "rotate refresh token", `UPDATE refresh_tokens SET used = 1 WHERE hash = ? AND used = 0 AND family_id = ?
			AND EXISTS (SELECT 1 FROM families f WHERE f.id = refresh_tokens.family_id AND f.revoked = 0)`, old, next.FamilyID)
		if err == nil && n == 0 {
			err = translate(store.ErrConflict, "rotate refresh token")
		}
		if err != nil {
			return err
		}
		return grants{tx}.insertRefresh(ctx, next)
	})
}

func (d grants) FamilyLive(ctx context.Context, id string) (bool, error) {
	return one(ctx, d.runner, "get family", rows.Value[bool], familyLive, id)
}

func (d grants) RevokeFamily(ctx context.Context, id string) error {
	return d.exec(ctx, "revoke family", `UPDATE families SET revoked = 1 WHERE id = ?`, id)
}

// Sweep implements store.Grants. Foreign keys delete the codes and tokens of a family.
func (d grants) Sweep(ctx context.Context, now time.Time) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := tx.exec(ctx, "sweep sign-ins", `DELETE FROM sign_ins WHERE expires < ?`, rows.Millis(now)); err != nil {
			return err
		}
		if err := tx.exec(ctx, "sweep requests", `DELETE FROM pushed_requests WHERE expires < ?`, rows.Millis(now)); err != nil {
			return err
		}
		if err := tx.exec(ctx, "sweep proofs", `DELETE FROM proofs WHERE ends < ?`, rows.Millis(now.Add(-store.ProofMargin))); err != nil {
			return err
		}
		return tx.exec(ctx, "sweep families", `DELETE FROM families WHERE expires < ?`, rows.Millis(now))
	})
}
