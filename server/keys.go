package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/tenant"
)

var keysTool = tool{
	name: "keys", usage: []string{"list [--json]", "rotate [--master]", "create FILE", "editor"},
	about: `Manages the keys of a data folder. rotate creates a new key for signing tokens. A
running server publishes it within seconds and signs with it after five minutes, when
every client has seen it; the previous key verifies tokens for one more day. With
--master it also creates a new master secret, which takes effect at the next start and
renews the secret of the editor's client; older ones are kept, to decrypt what they
encrypted. create writes new keys to a file of your own, for replicas that share it;
it replaces no file and needs no data folder. editor prints the credentials of the editor's client, for a
serve --issuer that runs elsewhere.` + dataNote,
	options: []config.Option{
		option("master", "", "rotate the master secret as well"),
		keysOption(),
		option("json", "", "print one line of JSON for each key"),
		dataOption(),
	},
}

// keysOption returns the option that names the keys file.
func keysOption() config.Option {
	return config.Option{Name: "keys", Kind: config.Folder, Value: "FILE", Help: "the keys file (default the file keys in the data folder)"}
}

// keysFile returns the keys file of a data folder, unless the option names another.
func keysFile(a *config.Arguments) string {
	if file := a.Text("keys"); file != "" {
		return file
	}
	return filepath.Join(a.Text("data"), "keys")
}

// maxMaster is the largest ID of a master secret.
const maxMaster = 255

// keysCommand is formgraph keys.
func keysCommand(ctx context.Context, p process, args []string) int {
	return onData(ctx, p, args, keysTool, false, []verb{
		{"list", listKeys, 0}, {"rotate", rotateKeys, 0}, {"create", createKeys, 1}, {"editor", editorKey, 0},
	})
}

// loadKeys reads a keys file that exists; keys.Load alone would create one.
func loadKeys(f folder) (set *keys.Set, file string, err error) {
	file = keysFile(f.args)
	set, err = keys.Read(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !(database.Place{Folder: f.path}).Exists():
		return nil, "", errWords{f.missing()}
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", errWords{fmt.Errorf("%w: restore the keys, or name their file with --keys", err)}
	case err != nil:
		return nil, "", errWords{err}
	}
	return set, file, nil
}

// createKeys writes new keys to the file that the argument names.
func createKeys(_ context.Context, f folder) error {
	file := f.args.Words[0]
	if _, err := keys.Create(file, f.now()); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already: name a new file, or rotate its keys with formgraph keys rotate --keys %s", file, file)
	} else if err != nil {
		return err
	}
	f.p.print("%s has new keys: give it to every replica as --keys, and keep a copy\n", file)
	return nil
}

// editorKey prints the credentials of the editor's client.
func editorKey(_ context.Context, f folder) error {
	set, _, err := loadKeys(f)
	if err != nil {
		return err
	}
	c := tenant.EditorCredentials(set)
	f.p.print("client_id      %s\nclient_secret  %s\n", c.ID, c.Secret)
	return nil
}

// listedKey is a line of keys list --json. It contains no key material.
type listedKey struct {
	Use     string `json:"use"` // signing or master
	ID      string `json:"id"`
	Newest  bool   `json:"newest"`
	State   string `json:"state"` // next, in use or old
	Created string `json:"created,omitempty"`
}

func listKeys(_ context.Context, f folder) error {
	set, _, err := loadKeys(f)
	if err != nil {
		return err
	}
	var rows []listedKey
	const next, inUse, old = "next", "in use", "old"
	state := next
	for i, k := range set.Signing {
		if k.ID == set.Signer(f.now()).ID {
			state = inUse
		}
		rows = append(rows, listedKey{"signing", k.ID, i == 0, state, k.Created.Format(time.RFC3339)})
		if state == inUse {
			state = old
		}
	}
	state = inUse
	for i, m := range set.Master {
		rows = append(rows, listedKey{"master", strconv.Itoa(int(m.ID)), i == 0, state, ""})
		state = old
	}
	return table(f, []string{"USE", "ID", "STATE", "CREATED"}, rows, func(k listedKey) []string {
		return []string{k.Use, k.ID, k.State, k.Created}
	})
}

// withMaster returns the set with a new master secret in front.
func withMaster(set *keys.Set, now time.Time) (*keys.Set, error) {
	fresh, err := keys.New(now)
	if err != nil {
		return nil, err
	}
	used := map[byte]bool{}
	for _, m := range set.Master {
		used[m.ID] = true
	}
	for id := 1; id <= maxMaster; id++ {
		if !used[byte(id)] {
			m := keys.Master{ID: byte(id), Secret: fresh.Master[0].Secret}
			return &keys.Set{Signing: set.Signing, Master: append([]keys.Master{m}, set.Master...)}, nil
		}
	}
	return nil, errors.New("the keys file already holds 255 master secrets: remove one that is no longer needed")
}

// rotateKeys replaces the file atomically, once for each kind of key. If two processes rotate at once, the later one's keys remain.
func rotateKeys(_ context.Context, f folder) error {
	set, file, err := loadKeys(f)
	if err != nil {
		return err
	}
	if f.args.On("master") {
		if set, err = withMaster(set, f.now()); err != nil {
			return err
		}
		text, err := set.Encode()
		if err != nil {
			return err
		}
		if err := replaceFile(file, text); err != nil {
			return fmt.Errorf("write keys file: %w", err)
		}
		f.p.print("master secret %d takes effect at the next start\n", set.Master[0].ID)
	}
	k, err := keys.RotateSigning(file, f.now())
	if err != nil {
		return err
	}
	f.p.print("signing key %s takes effect at %s\n", k.ID, k.From.Format(time.RFC3339))
	return nil
}
