package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// Counters counts requests and failures for all processes that share the database. It implements ratelimit.Store.
type Counters struct{ *runner }

// counted is a row after a statement that may have changed it.
type counted struct {
	changed bool
	level   int64
	ends    int64
}

func scanCounted(r rows.Scanner) (c counted, err error) {
	err = r.Scan(&c.changed, &c.level, &c.ends)
	return c, err
}

// The kinds of rows, which have keys of their own.
const bucket, failure = "bucket ", "failure "

// hashed returns the key of a row of a kind.
func hashed(kind, key string) []byte {
	sum := sha256.Sum256([]byte(kind + key))
	return sum[:]
}

// setback is how far the clock must be set back, beyond how far a count can reach ahead, for the count to be discarded. Otherwise counts
// dated in the future would cause refusals until that time. Clock readings of replicas differ by less.
const setback = time.Minute

// TakeToken implements ratelimit.Store. A bucket is stored as the time when it is full again: each token delays that by the time in which
// the bucket gains one.
func (d Counters) TakeToken(ctx context.Context, key string, perSecond, burst int, now time.Time) (taken bool, left float64, err error) {
	each := time.Second.Microseconds() / int64(perSecond)
	whole := each * int64(burst)
	at := now.UnixMicro()
	c, err := one(ctx, d.runner, "count request", scanCounted, `WITH changed AS (
			INSERT INTO counters AS c (key, level, ends) VALUES ($1, $2::bigint + $3, $2::bigint + $3)
			ON CONFLICT (key) DO UPDATE SET (level, ends) = (SELECT v, v FROM (
				SELECT CASE WHEN c.level > $2 + $4 + $5 THEN $2::bigint ELSE greatest(c.level, $2) END + $3 AS v) AS next)
			WHERE greatest(c.level, $2) + $3 - $2 <= $4 OR c.level > $2 + $4 + $5
			RETURNING level, ends)
		SELECT true, level, ends FROM changed
		UNION ALL SELECT false, level, ends FROM counters WHERE key = $1 AND NOT EXISTS (SELECT FROM changed)`,
		hashed(bucket, key), at, each, whole, setback.Microseconds())
	if errors.Is(err, store.ErrNotFound) {
		return false, 0, nil // another caller has just made the row, and the bucket is empty
	}
	if err != nil {
		return false, 0, err
	}
	return c.changed, max(0, float64(whole-(c.level-at))/float64(each)), nil
}

// TryFailure implements ratelimit.Store.
func (d Counters) TryFailure(ctx context.Context, key string, limit int, window time.Duration, now time.Time) (time.Duration, error) {
	at := now.UnixMicro()
	c, err := one(ctx, d.runner, "count failure", scanCounted, `WITH changed AS (
			INSERT INTO counters AS c (key, level, ends) VALUES ($1, 1, $2::bigint + $3)
			ON CONFLICT (key) DO UPDATE SET level = CASE WHEN c.ends <= $2 OR c.ends > $2 + $3 + $5 THEN 1 ELSE c.level + 1 END,
				ends = CASE WHEN c.ends <= $2 OR c.ends > $2 + $3 + $5 THEN $2 + $3 ELSE c.ends END
			WHERE c.ends <= $2 OR c.ends > $2 + $3 + $5 OR c.level < $4
			RETURNING level, ends)
		SELECT true, level, ends FROM changed
		UNION ALL SELECT false, level, ends FROM counters WHERE key = $1 AND NOT EXISTS (SELECT FROM changed)`,
		hashed(failure, key), at, window.Microseconds(), limit, setback.Microseconds())
	if errors.Is(err, store.ErrNotFound) {
		return window, nil // other callers have just made the row and used it up
	}
	if err != nil || c.changed {
		return 0, err
	}
	return max(time.Microsecond, time.Duration(c.ends-at)*time.Microsecond), nil
}

// Failures implements ratelimit.Store.
func (d Counters) Failures(ctx context.Context, key string, now time.Time) (int, error) {
	return one(ctx, d.runner, "read failures", rows.Value[int],
		`SELECT coalesce(max(level), 0) FROM counters WHERE key = $1 AND ends > $2`, hashed(failure, key), now.UnixMicro())
}

// ForgiveFailure implements ratelimit.Store.
func (d Counters) ForgiveFailure(ctx context.Context, key string) error {
	return d.exec(ctx, "forgive failure", `UPDATE counters SET level = level - 1 WHERE key = $1 AND level > 0`, hashed(failure, key))
}

// ForgetFailures implements ratelimit.Store.
func (d Counters) ForgetFailures(ctx context.Context, key string) error {
	return d.exec(ctx, "forget failures", `DELETE FROM counters WHERE key = $1`, hashed(failure, key))
}

// Sweep deletes expired counts.
func (d Counters) Sweep(ctx context.Context, now time.Time) error {
	return d.exec(ctx, "delete old counts", `DELETE FROM counters WHERE ends < $1`, now.UnixMicro())
}
