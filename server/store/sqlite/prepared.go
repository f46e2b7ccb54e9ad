package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// hotReads and hotWrites return the statements that run for every request, token and save. They are prepared once: a write empties the page
// cache of the reading connections, so preparing a statement then reads the tables' definitions again, which took longer than running the
// statement.
func hotReads() []string {
	return []string{
		sessionByID, clientByID, userByID, apiByAudience, familyLive, holdsAll, originListed, scopesOfGrant, standingOf,
		headOfRoom, forms.get, flows.get,
	}
}

func hotWrites() []string {
	return []string{insertEvent, manyEvents, forgetEvents, forgetProofs, insertProof, insertAudit, insertVersion, insertRoomEntry, forms.put, flows.put}
}

// prepare prepares the statements. It needs the tables, so it must follow the migrations.
func prepare(ctx context.Context, read, write *sql.DB) (map[string]statement, error) {
	out := map[string]statement{}
	for _, text := range hotReads() {
		s, err := read.PrepareContext(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("prepare statements: %w", err)
		}
		out[text] = statement{read: s}
	}
	for _, text := range append(hotReads(), hotWrites()...) {
		s, err := write.PrepareContext(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("prepare statements: %w", err)
		}
		out[text] = statement{read: out[text].read, write: s}
	}
	return out, nil
}
