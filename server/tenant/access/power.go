package access

import (
	"slices"

	"github.com/formgraph/formgraph/server/store"
)

// Missing implements the rule of administration: nobody gives or removes scopes that they do not hold, and nobody changes a person or a
// client that holds more than they do, since anybody who sets a password or rotates a secret can act as its owner. It compares scopes of
// the management API: held are the caller's, and each list in reached is one that a change gives, removes or controls. Missing returns the
// scopes that the caller lacks, sorted and without duplicates. The change is allowed if there are none.
func Missing(held []string, reached ...[]string) []string {
	var out []string
	for _, scope := range slices.Concat(reached...) {
		if !slices.Contains(held, scope) {
			out = append(out, scope)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Power returns the scopes of the management API among permissions, for Missing.
func Power(permissions []store.Permission) []string {
	var out []string
	for _, p := range permissions {
		if p.APIID == ManagementAPI {
			out = append(out, p.Scope)
		}
	}
	return out
}

// GrantPower returns the scopes for which client grants count in Missing; all are the scopes of the management API. A client with any scope
// of the self-service API acts in the account of everybody who signs in to it, and can add a way to sign in there, so it counts for all of
// them.
func GrantPower(all []string, grants ...store.ClientGrant) []string {
	var out []string
	for _, g := range grants {
		switch {
		case g.APIID == ManagementAPI:
			out = append(out, g.Scopes...)
		case g.APIID == SelfServiceAPI && len(g.Scopes) > 0:
			out = append(out, all...)
		}
	}
	return out
}

// Changed returns the words that are in only one of the lists: the scopes that a change gives and removes.
func Changed(before, after []string) []string {
	return append(except(after, before), except(before, after)...)
}

// except returns the words of a that are not in b.
func except(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}
