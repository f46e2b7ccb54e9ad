package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/management"
)

var userTool = tool{
	name: "user",
	usage: []string{
		"add EMAIL [--name NAME] [--role NAME,...] [--password-stdin]", "list [--json]", "block EMAIL [--force]", "unblock EMAIL",
		"reset-password EMAIL [--password-stdin]", "factors EMAIL [--json]", "take-factor EMAIL ID|all [--force]",
	},
	about: `Manages the people of the embedded tenant. EMAIL may also be an id. add and
reset-password print a link with which the person sets a password, once and within
five days; block, and reset-password with --password-stdin, sign the person out
everywhere. factors lists passkeys, authenticator apps and recovery codes; take-factor
removes one of them, or all, and keeps the password and the sessions. block and
take-factor refuse to lock out the last administrator without --force.` + dataNote,
	options: []config.Option{
		option("name", "NAME", "the name that the editor shows (default the address)"),
		words("role", "NAME", "roles, such as Editor or Administrator"),
		option("force", "", "allow locking out the last administrator"),
		option("password-stdin", "", "read the password from the first line of standard input"),
		option("json", "", "print one line of JSON for each person or factor"),
		dataOption(), config.DatabaseOption(),
	},
}

// user is formgraph user: it manages people from a shell on the data folder, as /users of the management API does.
func user(ctx context.Context, p process, args []string) int {
	return onData(ctx, p, args, userTool, true, []verb{
		{"add", addUser, 1},
		{"list", listUsers, 0},
		{"block", func(ctx context.Context, f folder) error { return block(ctx, f, true) }, 1},
		{"unblock", func(ctx context.Context, f folder) error { return block(ctx, f, false) }, 1},
		{"reset-password", resetPassword, 1},
		{"factors", listFactors, 1},
		{"take-factor", takeFactor, 2},
	})
}

// password reads a new password from standard input. It returns "" without --password-stdin.
func (f folder) password() (string, error) {
	if !f.args.On("password-stdin") {
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

func addUser(ctx context.Context, f folder) error {
	body := schema.NewObject(schema.Member{Key: "email", Value: f.args.Words[0]})
	if name := f.args.Text("name"); name != "" {
		body = body.With("name", name)
	}
	u, err := management.NewUser(body, f.now())
	if err != nil {
		return err
	}
	roles, err := f.roles(ctx, list(f.args.Text("role")))
	if err != nil {
		return err
	}
	chosen, err := f.password()
	if err != nil {
		return err
	}
	if chosen != "" {
		u.PasswordHash = password.Hash(chosen)
	}
	switch err := f.db.CreateUser(ctx, u); {
	case errors.Is(err, store.ErrConflict):
		if other, err := f.db.UserByEmail(ctx, u.Email); err == nil && other.Unverified {
			return fmt.Errorf("add %s: somebody signed up with this address, as %s, and nobody confirmed it: confirm the address in /admin, or "+
				"delete that account there first", u.Email, other.ID)
		}
		return fmt.Errorf("add %s: another person has this address already", u.Email)
	case err != nil:
		return err
	}
	if err := f.db.AddRoles(ctx, []string{u.ID}, roles); err != nil {
		return err
	}
	f.audit(ctx, "user_created", "user", u.ID, strings.Join(roles, ", "))
	f.p.print("added %s as %s\n", u.Email, u.ID)
	if chosen != "" {
		return nil
	}
	return f.link(ctx, u)
}

// roles returns the IDs of roles given by name or ID.
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
	f.audit(ctx, "user_ticket_created", "user", u.ID, "")
	f.p.print("%s\n", signin.TicketURL(issuer, ticket))
	return nil
}

// find returns the person with an e-mail address or ID.
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

func listUsers(ctx context.Context, f folder) error {
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
	return table(f, []string{"ID", "E-MAIL", "NAME", "STATE", "ROLES"}, rows, func(u listedUser) []string {
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

func block(ctx context.Context, f folder, blocked bool) error {
	u, err := f.find(ctx, f.args.Words[0])
	if err != nil {
		return err
	}
	err = f.change(ctx, func(rows store.Access) error { return rows.SetBlocked(ctx, u.ID, blocked) })
	if err != nil {
		return err
	}
	state := "blocked"
	if !blocked {
		state = "unblocked"
	}
	f.audit(ctx, "user_"+state, "user", u.ID, "")
	f.p.print("%s is %s\n", u.Email, state)
	return nil
}

// change runs a change to people in one transaction. A change that leaves the tenant without an administrator needs --force.
func (f folder) change(ctx context.Context, do func(store.Access) error) error {
	return f.db.InTx(ctx, func(rows store.Access) error {
		err := management.KeepAdministrator(ctx, rows, func() error { return do(rows) })
		if !errors.Is(err, management.ErrLastAdministrator) {
			return err
		}
		if !f.args.On("force") {
			return errors.New("this would leave the tenant without an administrator: make somebody else one first, or use --force")
		}
		return nil
	})
}

func resetPassword(ctx context.Context, f folder) error {
	u, err := f.find(ctx, f.args.Words[0])
	if err != nil {
		return err
	}
	if u.Blocked {
		return fmt.Errorf("%s is blocked: run formgraph user unblock first", u.Email)
	}
	chosen, err := f.password()
	if err != nil {
		return err
	}
	if chosen == "" {
		return f.link(ctx, u)
	}
	if err := f.db.ResetPassword(ctx, u.ID, password.Hash(chosen)); err != nil {
		return err
	}
	f.audit(ctx, "user_password_set", "user", u.ID, "")
	f.p.print("the password of %s is set\n", u.Email)
	return nil
}
