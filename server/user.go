package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/management"
)

const userHelp = `Usage: formgraph user add EMAIL [--name NAME] [--role NAME,...] [--password-stdin]
       formgraph user list [--json]
       formgraph user block EMAIL [--force]
       formgraph user unblock EMAIL
       formgraph user reset-password EMAIL [--password-stdin]
       formgraph user factors EMAIL [--json]
       formgraph user take-factor EMAIL ID|all [--force]

Manages the people of the embedded tenant. EMAIL may also be an id. add and
reset-password print a link with which the person sets a password, once and within
five days; block, and reset-password with --password-stdin, sign the person out
everywhere. factors lists passkeys, authenticator apps and recovery codes; take-factor
removes one of them, or all, and keeps the password and the sessions. block and
take-factor refuse to lock out the last administrator without --force.

  --name NAME       the name that the editor shows (default the address)
  --role NAME,...   roles, such as Editor or Administrator
  --force           allow locking out the last administrator
  --password-stdin  read the password from the first line of standard input
  --json            print one line of JSON for each person or factor` + "\n" + dataHelp

// userOptions are the options of formgraph user.
type userOptions struct {
	name, roles             string
	password, asJSON, force bool
}

// user is formgraph user: the administration of people from a shell on the data
// folder, as /users of the management API does it.
func user(ctx context.Context, p process, args []string) int {
	var o userOptions
	a := arguments{
		tool: "user", flags: map[string]*bool{"--password-stdin": &o.password, "--json": &o.asJSON, "--force": &o.force},
		texts: map[string]*string{"--name": &o.name, "--role": &o.roles},
	}
	return onData(ctx, p, args, a, userHelp, true, []verb{
		{"add", func(ctx context.Context, f folder, a *arguments) error { return addUser(ctx, f, a.files[0], o) }, 1, 1},
		{"list", func(ctx context.Context, f folder, _ *arguments) error { return listUsers(ctx, f, o.asJSON) }, 0, 0},
		{"block", func(ctx context.Context, f folder, a *arguments) error {
			return block(ctx, f, a.files[0], true, o.force)
		}, 1, 1},
		{"unblock", func(ctx context.Context, f folder, a *arguments) error {
			return block(ctx, f, a.files[0], false, o.force)
		}, 1, 1},
		{"reset-password", func(ctx context.Context, f folder, a *arguments) error {
			return resetPassword(ctx, f, a.files[0], o.password)
		}, 1, 1},
		{"factors", func(ctx context.Context, f folder, a *arguments) error {
			return listFactors(ctx, f, a.files[0], o.asJSON)
		}, 1, 1},
		{"take-factor", func(ctx context.Context, f folder, a *arguments) error {
			return takeFactor(ctx, f, a.files[0], a.files[1], o.force)
		}, 2, 2},
	})
}

// password reads a new password, "" when none is to be set.
func (f folder) password(wanted bool) (string, error) {
	if !wanted {
		return "", nil
	}
	p, err := f.line()
	if err != nil {
		return "", err
	}
	if err := password.Check(p); err != nil {
		return "", errWords{fmt.Errorf("the password %w", err)}
	}
	return p, nil
}

func addUser(ctx context.Context, f folder, email string, o userOptions) error {
	body := schema.NewObject(schema.Member{Key: "email", Value: email})
	if o.name != "" {
		body = body.With("name", o.name)
	}
	u, err := management.NewUser(body, f.now())
	if err != nil {
		return err
	}
	roles, err := f.roles(ctx, list(o.roles))
	if err != nil {
		return err
	}
	chosen, err := f.password(o.password)
	if err != nil {
		return err
	}
	if chosen != "" {
		u.PasswordHash = password.Hash(chosen)
	}
	switch err := f.db.CreateUser(ctx, u); {
	case errors.Is(err, store.ErrConflict):
		if other, err := f.db.UserByEmail(ctx, u.Email); err == nil && other.Unverified {
			return fmt.Errorf("add %s: somebody signed up with this address, as %s, and nobody confirmed it: confirm the address in /admin, or delete that account there first", u.Email, other.ID)
		}
		return fmt.Errorf("add %s: another person has this address already", u.Email)
	case err != nil:
		return err
	}
	if err := f.db.AddRoles(ctx, []string{u.ID}, roles); err != nil {
		return err
	}
	f.p.print("added %s as %s\n", u.Email, u.ID)
	if chosen != "" {
		return nil
	}
	return f.link(ctx, u)
}

// roles returns the ids of roles that are named by name or id.
func (f folder) roles(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	known, err := every(ctx, f.db.ListRoles)
	if err != nil {
		return nil, err
	}
	var ids, all []string
	for _, r := range known {
		all = append(all, r.Name)
	}
	for _, name := range names {
		n := len(ids)
		for _, r := range known {
			if r.ID == name || strings.EqualFold(r.Name, name) {
				ids = append(ids, r.ID)
			}
		}
		if len(ids) == n {
			return nil, errWords{fmt.Errorf("there is no role %q; the roles are %s", name, strings.Join(all, ", "))}
		}
	}
	return ids, nil
}

// link prints a one-time link for a person.
func (f folder) link(ctx context.Context, u store.User) error {
	issuer, err := f.issuer(ctx)
	if err != nil {
		return err
	}
	row, ticket := management.NewTicket(u.ID, f.now())
	if err := f.db.CreateTicket(ctx, row, f.now()); err != nil {
		return err
	}
	f.p.print("%s\n", signin.TicketURL(issuer, ticket))
	return nil
}

// find returns the person of an address or an id.
func (f folder) find(ctx context.Context, who string) (store.User, error) {
	u, err := f.db.UserByEmail(ctx, strings.ToLower(who))
	if errors.Is(err, store.ErrNotFound) {
		u, err = f.db.User(ctx, who)
	}
	if errors.Is(err, store.ErrNotFound) {
		return u, fmt.Errorf("nobody has the address or id %s", who)
	}
	return u, err
}

// listedUser is a line of user list --json.
type listedUser struct {
	ID      string   `json:"user_id"`
	Email   string   `json:"email"`
	Name    string   `json:"name"`
	Blocked bool     `json:"blocked"`
	Invited bool     `json:"invited"`
	Roles   []string `json:"roles"`
}

func listUsers(ctx context.Context, f folder, asJSON bool) error {
	people, err := every(ctx, f.db.ListUsers)
	if err != nil {
		return err
	}
	rows := make([]listedUser, len(people))
	for i, u := range people {
		rows[i] = listedUser{u.ID, u.Email, u.Name, u.Blocked, u.Invited(), []string{}}
		roles, err := f.db.UserRoles(ctx, u.ID)
		if err != nil {
			return err
		}
		for _, r := range roles {
			rows[i].Roles = append(rows[i].Roles, r.Name)
		}
	}
	return table(f.p, asJSON, []string{"ID", "E-MAIL", "NAME", "STATE", "ROLES"}, rows, func(u listedUser) []string {
		state := "active"
		switch {
		case u.Blocked:
			state = "blocked"
		case u.Invited:
			state = "invited"
		}
		return []string{u.ID, u.Email, u.Name, state, strings.Join(u.Roles, ", ")}
	})
}

func block(ctx context.Context, f folder, who string, blocked, force bool) error {
	u, err := f.find(ctx, who)
	if err != nil {
		return err
	}
	err = f.change(ctx, force, func(rows store.Access) error { return rows.SetBlocked(ctx, u.ID, blocked) })
	if err != nil {
		return err
	}
	state := "blocked"
	if !blocked {
		state = "unblocked"
	}
	f.p.print("%s is %s\n", u.Email, state)
	return nil
}

// change makes a change of people in one transaction. One that leaves nobody who can administer the tenant
// needs force.
func (f folder) change(ctx context.Context, force bool, do func(store.Access) error) error {
	return f.db.InTx(ctx, func(rows store.Access) error {
		err := management.KeepAdministrator(ctx, rows, func() error { return do(rows) })
		if !errors.Is(err, management.ErrLastAdministrator) {
			return err
		}
		if !force {
			return errors.New("this would leave the tenant without an administrator: make somebody else one first, or use --force")
		}
		return nil
	})
}

func resetPassword(ctx context.Context, f folder, who string, fromStdin bool) error {
	u, err := f.find(ctx, who)
	if err != nil {
		return err
	}
	if u.Blocked {
		return fmt.Errorf("%s is blocked: run formgraph user unblock first", u.Email)
	}
	chosen, err := f.password(fromStdin)
	if err != nil {
		return err
	}
	if chosen == "" {
		return f.link(ctx, u)
	}
	if err := f.db.ResetPassword(ctx, u.ID, password.Hash(chosen)); err != nil {
		return err
	}
	f.p.print("the password of %s is set\n", u.Email)
	return nil
}
