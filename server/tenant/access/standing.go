package access

import (
	"slices"

	"github.com/formgraph/formgraph/server/store"
)

// Still reports whether the tenant would now issue the caller a token with its scope. The loss of a role, permission, grant or consent
// therefore takes effect at once, and not only when the token expires. Like the token endpoint, Still decides by Granted.
func Still(c store.Caller, s store.Standing) bool {
	if s.API == nil {
		return false
	}
	f := Facts{API: s.API, Subject: store.SubjectClient, HasGrant: s.HasGrant, Grant: s.Grant, Wanted: []string{c.Scope}}
	if c.UserID != "" {
		f.Subject = store.SubjectUser
		f.Consent = Consent{Asked: !s.FirstParty, Scopes: s.Consent}
		if s.Held {
			f.Held = f.Wanted
		}
	}
	granted, _ := Granted(f)
	return slices.Contains(granted, c.Scope)
}
