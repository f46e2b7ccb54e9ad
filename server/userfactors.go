package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/management"
)

// listedFactor is a line of user factors --json.
type listedFactor struct {
	ID      string `json:"id"`
	Kind    string `json:"type"`
	Name    string `json:"name"`
	Created string `json:"created_at"`
	Used    string `json:"last_auth_at,omitempty"`
}

// listFactors prints a person's passkeys and second factors, without their secrets.
func listFactors(ctx context.Context, f folder) error {
	u, err := f.find(ctx, f.args.Words[0])
	if err != nil {
		return err
	}
	have, err := f.db.Methods(ctx, u.ID)
	if err != nil {
		return err
	}
	rows := make([]listedFactor, len(have))
	for i, m := range have {
		rows[i] = listedFactor{ID: m.ID, Kind: string(m.Type), Name: m.Name, Created: m.Created.UTC().Format(time.RFC3339)}
		if !m.Used.IsZero() {
			rows[i].Used = m.Used.UTC().Format(time.RFC3339)
		}
	}
	return table(f, []string{"ID", "KIND", "NAME", "ADDED", "LAST USED"}, rows, func(r listedFactor) []string {
		used := r.Used
		if used == "" {
			used = "never"
		}
		return []string{r.ID, r.Kind, r.Name, r.Created, used}
	})
}

// allFactors stands for all of a person's factors except the password, in place of an ID.
const allFactors = "all"

// takeFactor removes one of a person's factors, or all of them, as DELETE /users/{id}/authentication-methods does.
func takeFactor(ctx context.Context, f folder) error {
	id := f.args.Words[1]
	u, err := f.find(ctx, f.args.Words[0])
	if err != nil {
		return err
	}
	var taken []store.Method
	err = f.change(ctx, func(rows store.Access) (err error) {
		taken, err = rows.TakeMethods(ctx, u.ID, func(m store.Method) bool { return id == allFactors || m.ID == id })
		return err
	})
	if err != nil {
		return err
	}
	if len(taken) == 0 {
		return fmt.Errorf("%s has no factor %s; run formgraph user factors for a list", u.Email, id)
	}
	for _, m := range taken {
		err = errors.Join(err, f.db.AddEvent(ctx, store.Event{
			At: f.now(), Type: store.EventRemoved, UserID: u.ID, Description: management.TakenText(m, "formgraph user"),
		}))
		f.audit(ctx, "user_method_removed", "user", u.ID, m.ID)
		f.p.print("took %s from %s\n", m.ID, u.Email)
	}
	return err
}
