package servicetoken

import (
	"slices"
	"strings"
)

// Scopes returns what the service client needs. Nothing works without ReadForms. Without another one, people cannot do what it allows.
func Scopes() []string {
	return []string{ReadForms, "create:forms", "update:forms", "delete:forms", "read:flows"}
}

// ReadForms is the scope without which nothing works.
const ReadForms = "read:forms"

// readsCredentials lists the resources that the client must not even read, since they let a reader act as another client or person.
var readsCredentials = []string{"client_keys", "client_credentials", "signing_keys", "encryption_keys", "user_idp_tokens"}

// powers sorts the scopes that a token holds beyond those requested. dangerous ones change something other than forms and flows, or read
// credentials: everybody who may edit a form could reach them through a fault of this server. extra ones are harmless but unnecessary.
func powers(granted []string) (dangerous, extra []string) {
	for _, s := range granted {
		verb, family, ok := strings.Cut(s, ":")
		switch {
		case slices.Contains(Scopes(), s), slices.Contains(identityScopes, s):
		case ok && (family == "forms" || family == "flows"):
			extra = append(extra, s)
		case ok && verb == "read" && !slices.Contains(readsCredentials, family):
			extra = append(extra, s)
		default:
			dangerous = append(dangerous, s)
		}
	}
	return dangerous, extra
}

// identityScopes are about a person, and mean nothing in a client's own token.
var identityScopes = []string{"openid", "profile", "email", "address", "phone", "offline_access"}
