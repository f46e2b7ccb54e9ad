package access

import (
	"context"
	"errors"
	"slices"

	"github.com/formgraph/formgraph/server/store"
)

// Standing is what Still reads.
type Standing interface {
	API(ctx context.Context, audience string) (store.API, error)
	ClientGrant(ctx context.Context, clientID, apiID string, subject store.SubjectType) ([]string, error)
	Holds(ctx context.Context, userID, apiID, scope string) (bool, error)
	Consent(ctx context.Context, userID, clientID, audience string) (store.Consent, error)
}

// Still reports whether a client would be given a scope of an audience now that a token of it holds: a role,
// permission, grant or consent that was taken away ends at once and not with the token. userID is empty for a
// client that acts for itself. It asks Granted, as those do who issue tokens.
func Still(ctx context.Context, s Standing, c store.Client, userID, audience, scope string) (bool, error) {
	api, err := s.API(ctx, audience)
	if err != nil {
		return false, unlessMissing(err)
	}
	f := Facts{API: &api, Subject: store.SubjectClient, Wanted: []string{scope}}
	if userID != "" {
		f.Subject = store.SubjectUser
	}
	f.Grant, err = s.ClientGrant(ctx, c.ID, api.ID, f.Subject)
	if f.HasGrant = err == nil; unlessMissing(err) != nil {
		return false, err
	}
	if userID != "" {
		held, err := s.Holds(ctx, userID, api.ID, scope)
		if err != nil || !held {
			return false, err
		}
		f.Held = f.Wanted
		if !c.FirstParty {
			given, err := s.Consent(ctx, userID, c.ID, audience)
			if err != nil {
				return false, unlessMissing(err)
			}
			f.Consent = Consent{Asked: true, Scopes: given.Scope}
		}
	}
	granted, _ := Granted(f)
	return slices.Contains(granted, scope), nil
}

// unlessMissing returns an error other than that a row does not exist.
func unlessMissing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
