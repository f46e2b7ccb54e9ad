package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/management"
)

var clientTool = tool{
	name: "client",
	usage: []string{
		`add NAME [--type TYPE] [--callback URL,...] [--logout-url URL,...]
                            [--global] [--third-party] [--audience API [--scope SCOPE,...]]`,
		"list [--json]", "rotate-secret ID", "remove ID",
	},
	about: `Manages the clients of the embedded tenant: applications that request tokens from it.
A secret is printed once and cannot be read later.` + dataNote,
	options: []config.Option{
		option("type", "TYPE", "regular_web (default), spa, native or non_interactive"),
		words("callback", "URL", "addresses to return to after sign-in"),
		words("logout-url", "URL", "addresses to return to after sign-out"),
		option("global", "", "allow it to call the management API"),
		option("third-party", "", "ask people for their consent"),
		option("audience", "API", "an API that it may request tokens for; /api/v2/ is the management API"),
		words("scope", "SCOPE", "the scopes that it may request of that API (default all)"),
		option("json", "", "print one line of JSON for each client"),
		dataOption(), config.DatabaseOption(),
	},
}

// client is formgraph client: it manages clients from a shell on the data folder, as /clients of the management API does.
func client(ctx context.Context, p process, args []string) int {
	return onData(ctx, p, args, clientTool, true, []verb{
		{"add", addClient, 1}, {"list", listClients, 0}, {"rotate-secret", rotateSecret, 1}, {"remove", removeClient, 1},
	})
}

// clientBody returns the body of POST /clients for the arguments of client add.
func clientBody(a *config.Arguments) *schema.Object {
	body := schema.NewObject(
		schema.Member{Key: "name", Value: a.Words[0]}, schema.Member{Key: "global", Value: a.On("global")},
		schema.Member{Key: "is_first_party", Value: !a.On("third-party")},
		schema.Member{Key: "callbacks", Value: texts(list(a.Text("callback")))},
		schema.Member{Key: "allowed_logout_urls", Value: texts(list(a.Text("logout-url")))},
	)
	if kind := a.Text("type"); kind != "" {
		body = body.With("app_type", kind)
	}
	return body
}

func addClient(ctx context.Context, f folder) error {
	row, secret, err := management.NewClient(clientBody(f.args), f.now())
	if err != nil {
		return err
	}
	api, scopes, err := grantOf(ctx, f)
	if err != nil {
		return err
	}
	subject := store.SubjectUser
	if slices.Contains(row.GrantTypes, "client_credentials") {
		subject = store.SubjectClient
	}
	err = f.db.InTx(ctx, func(rows store.Access) error {
		if err := rows.CreateClient(ctx, row); err != nil || api.ID == "" {
			return err
		}
		_, err := rows.CreateClientGrant(ctx, store.ClientGrant{ClientID: row.ID, APIID: api.ID, Subject: subject, Scopes: scopes})
		return err
	})
	if err != nil {
		return err
	}
	f.audit(ctx, "client_created", "client", row.ID, "")
	f.p.print("client_id      %s\n", row.ID)
	if secret != "" {
		f.p.print("client_secret  %s\n", secret)
	}
	return nil
}

// grantOf returns the API that --audience names and the scopes of --scope, or an empty API without --audience.
func grantOf(ctx context.Context, f folder) (store.API, []string, error) {
	audience, scopes := f.args.Text("audience"), list(f.args.Text("scope"))
	if audience == "" {
		if len(scopes) > 0 {
			return store.API{}, nil, errWords{errors.New("--scope needs --audience")}
		}
		return store.API{}, nil, nil
	}
	api, err := f.db.API(ctx, audience)
	if audience == "/api/v2/" {
		api, err = f.db.APIByID(ctx, access.ManagementAPI)
	}
	if errors.Is(err, store.ErrNotFound) {
		return api, nil, errWords{fmt.Errorf("there is no API %s", audience)}
	}
	if err != nil {
		return api, nil, err
	}
	if api.ID == access.SelfServiceAPI && f.args.Text("type") == "non_interactive" {
		return api, nil, errWords{errors.New("the self-service API is for people only")}
	}
	for _, s := range scopes {
		if !slices.Contains(api.Scopes, s) {
			return api, nil, errWords{fmt.Errorf("%s has no scope %s; it has %s", api.Name, s, strings.Join(api.Scopes, ", "))}
		}
	}
	if len(scopes) == 0 {
		scopes = api.Scopes
	}
	return api, scopes, nil
}

// listedClient is a line of client list --json.
type listedClient struct {
	ID     string   `json:"client_id"`
	Name   string   `json:"name"`
	Type   string   `json:"app_type"`
	Global bool     `json:"global"`
	Public bool     `json:"public"`
	Grants []string `json:"grant_types"`
}

func listClients(ctx context.Context, f folder) error {
	all, err := every(ctx, f.db.ListClients)
	if err != nil {
		return err
	}
	rows := make([]listedClient, len(all))
	for i, c := range all {
		rows[i] = listedClient{c.ID, c.Name, c.AppType, c.Global, c.Public, c.GrantTypes}
	}
	yes := map[bool]string{true: "yes", false: "no"}
	return table(f, []string{"ID", "NAME", "GLOBAL", "SECRET", "GRANTS"}, rows, func(c listedClient) []string {
		return []string{c.ID, c.Name, yes[c.Global], yes[!c.Public], strings.Join(c.Grants, ", ")}
	})
}

// ownClient returns a client, but not the editor's, whose secret is derived from the keys.
func ownClient(ctx context.Context, f folder, id string) (store.Client, error) {
	if id == tenant.EditorClient {
		return store.Client{}, errors.New("the server manages the editor's client itself: run formgraph keys rotate --master to renew its secret")
	}
	c, err := f.db.Client(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return c, fmt.Errorf("there is no client %s", id)
	}
	return c, err
}

func rotateSecret(ctx context.Context, f folder) error {
	c, err := ownClient(ctx, f, f.args.Words[0])
	if err != nil {
		return err
	}
	var secret string
	err = f.db.InTx(ctx, func(rows store.Access) (err error) {
		c, secret, err = management.RotateSecret(ctx, rows, c.ID, f.now())
		return err
	})
	if errors.Is(err, management.ErrPublic) {
		return fmt.Errorf("client %s is public: it has no secret", c.ID)
	}
	if err != nil {
		return err
	}
	f.audit(ctx, "client_secret_rotated", "client", c.ID, "")
	f.p.print("client_id      %s\nclient_secret  %s\n", c.ID, secret)
	return nil
}

func removeClient(ctx context.Context, f folder) error {
	c, err := ownClient(ctx, f, f.args.Words[0])
	if err != nil {
		return err
	}
	if err := f.db.DeleteClient(ctx, c.ID); err != nil {
		return err
	}
	f.audit(ctx, "client_deleted", "client", c.ID, "")
	f.p.print("removed %s (%s)\n", c.ID, c.Name)
	return nil
}
