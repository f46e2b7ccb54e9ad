package keys

import (
	"context"
	"log/slog"
	"time"

	"github.com/formgraph/formgraph/server/watch"
)

// lookEvery is the minimum time between two checks of the file. Lead is much longer.
const lookEvery = 5 * time.Second

// Watch reads an existing keys file and follows it. If the file is missing or wrong later, the keys read last stay in use, and the reason
// is logged once per change.
func Watch(path string, now func() time.Time, log *slog.Logger) (*watch.Files[Set], error) {
	return watch.Follow(watch.Source[Set]{
		Paths: []string{path}, Every: lookEvery, Now: now,
		Read: func() (*Set, error) { return Read(path) },
		Changed: func(s *Set, err error) {
			if err != nil {
				log.LogAttrs(context.Background(), slog.LevelError, "keys file cannot be read, keeping the current keys", slog.Any("error", err))
				return
			}
			log.LogAttrs(context.Background(), slog.LevelInfo, "keys file read again",
				slog.Int("signing_keys", len(s.Signing)), slog.String("signs", s.Signer(now()).ID))
		},
	})
}
