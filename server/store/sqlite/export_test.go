package sqlite

import (
	"context"
	"fmt"
	"time"
)

// Pragma sets a pragma on the writing connection.
func (d *DB) Pragma(ctx context.Context, name string, value int) error {
	_, err := d.pools.write.ExecContext(ctx, fmt.Sprintf("PRAGMA %s = %d", name, value))
	return err
}

// SetPatience sets how long a write waits for its turn.
func (d *DB) SetPatience(t time.Duration) { d.patience = t }
