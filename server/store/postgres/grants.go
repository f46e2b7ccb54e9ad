package postgres

import (
	"context"
	"strconv"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// familyColumns are the columns of a family that package rows reads, from a table named f.
const familyColumns = `f.id, f.client_id, f.user_id, f.sign_in_id, f.auth_time, f.acr, f.amr, f.audience, f.scope, f.expires, f.revoked,` +
	` f.issuer, f.user_agent, f.ip`

// grants implements store.Grants.
type grants struct{ *runner }

func (d grants) CreateCode(ctx context.Context, f store.Family, c store.Code) error {
	return d.inTx(ctx, beside, func(tx *runner) error {
		if err := (grants{tx}).insertFamily(ctx, f); err != nil {
			return err
		}
		return tx.exec(ctx, "create code", `INSERT INTO codes (hash, family_id, redirect_uri, challenge, nonce, dpop_key, expires)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`, c.Hash, f.ID, c.RedirectURI, c.Challenge, c.Nonce, c.Key, rows.Millis(c.Expires))
	})
}

func (d grants) CreateFamily(ctx context.Context, f store.Family) error {
	return d.inTx(ctx, beside, func(tx *runner) error { return grants{tx}.insertFamily(ctx, f) })
}

func (d grants) insertFamily(ctx context.Context, f store.Family) error {
	if err := checkBasis(ctx, d.runner, f.UserID, f.Basis); err != nil {
		return err
	}
	return d.exec(ctx, "create family", `INSERT INTO families (id, client_id, user_id, sign_in_id, auth_time, acr, amr, audience,
		scope, expires, issuer, user_agent, ip) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		f.ID, f.ClientID, f.UserID, f.SignInID, rows.Millis(f.AuthTime), f.ACR,
		rows.Words(f.AMR), f.Audience, rows.Words(f.Scope), rows.Millis(f.Expires), f.Issuer, f.Device.UserAgent, f.Device.IP)
}

// UseCode implements store.Grants. One statement counts the use and returns the count.
func (d grants) UseCode(ctx context.Context, hash []byte) (store.Code, store.Family, error) {
	used, err := one(ctx, d.runner, "use code", rows.Code, `WITH c AS (UPDATE codes SET uses = uses + 1 WHERE hash = $1
			RETURNING hash, family_id, redirect_uri, challenge, nonce, dpop_key, expires, uses)
		SELECT c.*, `+familyColumns+` FROM c JOIN families f ON f.id = c.family_id`, hash)
	return used.Code, used.Family, err
}

// CreateRefresh implements store.Grants. The index refresh_tokens_current refuses a second token.
func (d grants) CreateRefresh(ctx context.Context, r store.Refresh) error {
	n, err := d.count(ctx, "create refresh token", `INSERT INTO refresh_tokens (hash, family_id, dpop_key, expires)
		SELECT $1, id, $3, $4 FROM families WHERE id = $2 AND NOT revoked`, r.Hash, r.FamilyID, r.Key, rows.Millis(r.Expires))
	if err != nil || n > 0 {
		return err
	}
	return d.found(ctx, "create refresh token", `SELECT 1 FROM families WHERE id = $1`, r.FamilyID)
}

func (d grants) Refresh(ctx context.Context, hash []byte) (store.Refresh, store.Family, error) {
	r, err := one(ctx, d.runner, "get refresh token", rows.Refresh, `SELECT r.hash, r.family_id, r.dpop_key, r.expires, r.used, `+
		familyColumns+` FROM refresh_tokens r JOIN families f ON f.id = r.family_id WHERE r.hash = $1`, hash)
	return r.Refresh, r.Family, err
}

// Rotate implements store.Grants. One statement decides who wins and stores the next token. It names the family, so that a token cannot
// move to another.
func (d grants) Rotate(ctx context.Context, old []byte, next store.Refresh) error {
	n, err := d.count(ctx, "rotate refresh token", `WITH spent AS (
			UPDATE refresh_tokens SET used = true WHERE hash = $1 AND NOT used AND family_id = $2
			AND EXISTS (SELECT FROM families WHERE id = $2 AND NOT revoked) RETURNING family_id)
		INSERT INTO refresh_tokens (hash, family_id, dpop_key, expires) SELECT $3, family_id, $4, $5 FROM spent`,
		old, next.FamilyID, next.Hash, next.Key, rows.Millis(next.Expires))
	if err == nil && n == 0 {
		err = translate(store.ErrConflict, "rotate refresh token")
	}
	return err
}

func (d grants) FamilyLive(ctx context.Context, id string) (bool, error) {
	return one(ctx, d.runner, "get family", rows.Value[bool], `SELECT EXISTS (SELECT FROM families WHERE id = $1 AND NOT revoked)`, id)
}

func (d grants) RevokeFamily(ctx context.Context, id string) error {
	return d.exec(ctx, "revoke family", `UPDATE families SET revoked = true WHERE id = $1`, id)
}

// swept is how many rows one statement of a sweep deletes at most: a sweep that was not made for long takes several statements and no lock
// for long. Rows locked by other transactions are left to the next sweep.
const swept = 5000

// Sweep implements store.Grants. Foreign keys delete the codes and tokens of a family. Nothing relies on all of it being deleted as one.
func (d grants) Sweep(ctx context.Context, now time.Time) error {
	for _, of := range []struct {
		table, key, end string
		before          time.Time
	}{
		{"sign_ins", "hash", "expires", now},
		{"pushed_requests", "hash", "expires", now},
		{"proofs", "id", "ends", now.Add(-store.ProofMargin)},
		{"families", "id", "expires", now},
	} {
		_, err := d.sweep(ctx, of.table, of.key, of.end+` < $1`, rows.Millis(of.before))
		if err != nil {
			return err
		}
	}
	return nil
}

// sweep deletes the rows of a table that a condition selects, and returns their number. key is the column of the table's primary key.
func (d *runner) sweep(ctx context.Context, table, key, condition string, args ...any) (total int64, err error) {
	query := `DELETE FROM ` + table + ` WHERE ` + key + ` IN (SELECT ` + key + ` FROM ` + table + ` WHERE ` + condition +
		` LIMIT ` + strconv.Itoa(swept) + ` FOR UPDATE SKIP LOCKED)`
	for {
		n, err := d.count(ctx, "sweep "+table, query, args...)
		total += n
		if err != nil || n < swept {
			return total, err
		}
	}
}
