package authz

import (
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
)

// exchanges are the types of a token request by its grant: success and failure. A grant that is not
// here is logged under the pair of the empty name, which is ours.
func exchanges(grant string) (success, failure string) {
	switch grant {
	case "authorization_code":
		return "seacft", "feacft"
	case "refresh_token":
		return "sertft", "fertft"
	case "client_credentials":
		return "seccft", "feccft"
	case "password":
		return "sepft", "fepft"
	}
	return "seoft", "feoft"
}

// recordExchange logs a token request of a client that has proved itself. A failure of this server is not logged as the client's.
func (h *Handler) recordExchange(r *http.Request, c store.Client, grant string, a *answer, e *oauth.Error) {
	success, failure := exchanges(grant)
	switch {
	case e == nil:
		h.journal.Record(r, store.Event{Type: success, UserID: a.userID, ClientID: c.ID, Audience: a.audience, Scope: strings.Fields(a.Scope)})
	case e.Status != http.StatusServiceUnavailable:
		h.journal.Record(r, store.Event{Type: failure, ClientID: c.ID, Description: e.Code + ": " + e.Description})
	}
}
