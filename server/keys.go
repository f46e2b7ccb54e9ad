package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/formgraph/formgraph/server/keys"
)

const keysHelp = `Usage: formgraph keys list [--json]
       formgraph keys rotate [--master]

The keys of a data folder. rotate makes a new key that signs tokens; the two before
it go on checking those that were signed with them, older ones are dropped. With
--master it makes a new master secret too, which also renews the secret of the
editor's client; old ones stay, since what is sealed with them must still open.

  --master     rotate the master secret, too
  --keys FILE  the keys file (default the file keys in the data folder; FORMGRAPH_KEYS)
  --json       one line of JSON a key` + "\n" + dataHelp

const (
	// keptSigning is how many keys check tokens. Tokens live minutes, so one old key
	// would do; two let somebody rotate twice in a row.
	keptSigning = 3
	// maxMaster is the largest id of a master secret.
	maxMaster = 255
)

// keysCommand is formgraph keys.
func keysCommand(ctx context.Context, p process, args []string) int {
	var master, asJSON bool
	var file string
	a := arguments{
		tool: "keys", flags: map[string]*bool{"--master": &master, "--json": &asJSON}, texts: map[string]*string{"--keys": &file},
	}
	if v, ok := p.lookup("FORMGRAPH_KEYS"); ok {
		file = v
	}
	in := func(f folder) string {
		if file != "" {
			return file
		}
		return filepath.Join(f.path, "keys")
	}
	return onData(ctx, p, args, a, keysHelp, false, []verb{
		{"list", func(_ context.Context, f folder, _ *arguments) error { return listKeys(f, in(f), asJSON) }, 0, 0},
		{"rotate", func(_ context.Context, f folder, _ *arguments) error { return rotateKeys(f, in(f), master) }, 0, 0},
	})
}

// loadKeys reads a keys file that exists; keys.Load alone would make one.
func loadKeys(f folder, file string) (*keys.Set, error) {
	set, err := openKeys(file, databaseFile(f.path), f.now())
	if err != nil {
		return nil, errWords{err}
	}
	return set, nil
}

// listedKey is a line of keys list --json. It holds nothing of the key itself.
type listedKey struct {
	Use     string `json:"use"` // signing or master
	ID      string `json:"id"`
	Newest  bool   `json:"newest"`
	Created string `json:"created,omitempty"`
}

func listKeys(f folder, file string, asJSON bool) error {
	set, err := loadKeys(f, file)
	if err != nil {
		return err
	}
	var rows []listedKey
	for i, k := range set.Signing {
		rows = append(rows, listedKey{"signing", k.ID, i == 0, k.Created.Format(time.RFC3339)})
	}
	for i, m := range set.Master {
		rows = append(rows, listedKey{"master", strconv.Itoa(int(m.ID)), i == 0, ""})
	}
	return table(f.p, asJSON, []string{"USE", "ID", "STATE", "CREATED"}, rows, func(k listedKey) []string {
		state := "old"
		if k.Newest {
			state = "in use"
		}
		return []string{k.Use, k.ID, state, k.Created}
	})
}

// rotated returns the set with a new signing key and, if asked, a new master secret.
func rotated(set *keys.Set, fresh *keys.Set, master bool) (*keys.Set, error) {
	next := &keys.Set{Signing: append(append([]keys.Signing{}, fresh.Signing...), set.Signing...), Master: set.Master}
	next.Signing = next.Signing[:min(len(next.Signing), keptSigning)]
	if !master {
		return next, nil
	}
	used := map[byte]bool{}
	for _, m := range set.Master {
		used[m.ID] = true
	}
	for id := 1; id <= maxMaster; id++ {
		if !used[byte(id)] {
			m := keys.Master{ID: byte(id), Secret: fresh.Master[0].Secret}
			next.Master = append([]keys.Master{m}, set.Master...)
			return next, nil
		}
	}
	return nil, errors.New("there are 255 master secrets already: remove one that seals nothing any more from the keys file")
}

// rotateKeys writes the file whole or not at all. Two that rotate at once leave the keys of the later one.
func rotateKeys(f folder, file string, master bool) error {
	set, err := loadKeys(f, file)
	if err != nil {
		return err
	}
	fresh, err := keys.New(f.now())
	if err != nil {
		return err
	}
	next, err := rotated(set, fresh, master)
	if err != nil {
		return err
	}
	text, err := next.Encode()
	if err != nil {
		return err
	}
	if err := replaceFile(file, text); err != nil {
		return fmt.Errorf("write keys file: %w", err)
	}
	f.p.print("signing key %s is in use as soon as the server has read the keys again\n", next.Signing[0].ID)
	if master {
		f.p.print("master secret %d is in use as soon as the server has read the keys again\n", next.Master[0].ID)
	}
	return nil
}
