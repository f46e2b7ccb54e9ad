package postgres

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// standingOf reads a whole standing in one statement, which is all that a request waits for.
const standingOf = `SELECT coalesce(c.global, false), coalesce(c.first_party, false), u.id IS NOT NULL AND NOT u.blocked,
	coalesce(a.id, ''), coalesce(a.scopes, '[]'), coalesce(a.user_policy, ''), coalesce(a.client_policy, ''), coalesce(a.inactive, false),
	g.id IS NOT NULL, coalesce(g.scopes, '[]'), coalesce(k.scope, '[]'),
	EXISTS (SELECT FROM permissions WHERE user_id = $2 AND api_id = a.id AND scope = $4)
		OR EXISTS (SELECT FROM user_roles r JOIN role_permissions p ON p.role_id = r.role_id
		WHERE r.user_id = $2 AND p.api_id = a.id AND p.scope = $4)
	FROM (SELECT) AS nothing
	LEFT JOIN clients c ON c.id = $1
	LEFT JOIN users u ON u.id = $2
	LEFT JOIN apis a ON a.identifier = $3
	LEFT JOIN client_grants g ON g.client_id = $1 AND g.api_id = a.id AND g.subject = $5
	LEFT JOIN consents k ON k.user_id = $2 AND k.client_id = $1 AND k.audience = $3`

// standings implements store.Standings.
type standings struct{ *runner }

func (d standings) Standing(ctx context.Context, c store.Caller) (store.Standing, error) {
	subject := store.SubjectClient
	if c.UserID != "" {
		subject = store.SubjectUser
	}
	return one(ctx, d.runner, "get standing", rows.Standing, standingOf, c.ClientID, c.UserID, c.Audience, c.Scope, string(subject))
}
