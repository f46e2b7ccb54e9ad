package postgres

import "context"

// LockOfMigrations is the key of a lock.
const LockOfMigrations = lockOfMigrations

// For tests.
var (
	OpenTraced = open
	Parse      = parse
	Translate  = translate
)

// Setting returns a setting of the connections of d.
func (d *DB) Setting(ctx context.Context, name string) (value string, err error) {
	err = d.pool.QueryRow(ctx, `SELECT current_setting($1)`, name).Scan(&value)
	return value, err
}

// MaxConns returns the size of the pool of d.
func (d *DB) MaxConns() int32 { return d.pool.Config().MaxConns }

// ConnString returns the URL of d.
func (d *DB) ConnString() string { return d.pool.Config().ConnString() }

// PublishStatement is the statement of Publish.
const PublishStatement = publish
