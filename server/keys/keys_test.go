package keys_test

import (
	"bytes"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestLoadMakesAndReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "keys")
	made, err := keys.Load(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		fi, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := fi.Mode().Perm(); got != want {
			t.Errorf("mode of %s = %o, want %o", filepath.Base(name), got, want)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("folder holds %v (%v), want the keys file alone", left, err)
	}
	read, err := keys.Load(path, noon.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	got, want := read.Signing[0], made.Signing[0]
	if !got.Key.Equal(want.Key) || got.ID != want.ID || !got.Created.Equal(noon) {
		t.Errorf("signing key read = %s of %v, want %s of %v", got.ID, got.Created, want.ID, noon)
	}
	if !bytes.Equal(read.Master[0].Secret, made.Master[0].Secret) || read.Master[0].ID != 1 || len(read.Master[0].Secret) != keys.SecretBytes {
		t.Error("master secret read differs from the one made")
	}
	other, err := keys.Load(filepath.Join(t.TempDir(), "keys"), noon)
	if err != nil {
		t.Fatal(err)
	}
	if other.Signing[0].ID == made.Signing[0].ID || bytes.Equal(other.Master[0].Secret, made.Master[0].Secret) {
		t.Error("two first starts made the same keys")
	}
}

func TestLoadAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	ids := make([]string, 4)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			s, err := keys.Load(path, noon)
			if err != nil {
				t.Errorf("Load = %v, want nil", err)
				return
			}
			ids[i] = s.Signing[0].ID
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("starts at once have keys %v, want one key", ids)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	set, err := keys.New(noon)
	if err != nil {
		t.Fatal(err)
	}
	good, err := set.Encode()
	if err != nil {
		t.Fatal(err)
	}
	secret := base64.StdEncoding.EncodeToString(set.Master[0].Secret)
	change := func(old, repl string) string {
		if !strings.Contains(string(good), old) {
			t.Fatalf("keys file does not hold %q", old)
		}
		return strings.Replace(string(good), old, repl, 1)
	}
	for _, tt := range []struct {
		name, text string
		mode       os.FileMode
		want       string
	}{
		{"good", string(good), 0o600, ""},
		{"read only", string(good), 0o400, ""},
		{"read by group", string(good), 0o640, "chmod 600"},
		{"read by world", string(good), 0o604, "chmod 600"},
		{"empty", "", 0o600, "JSON"},
		{"text", secret, 0o600, "JSON"},
		{"huge", strings.Repeat(" ", 1<<20) + string(good), 0o600, "larger"},
		{"version", change(`"version": 1`, `"version": 2`), 0o600, "version 2"},
		{"no signing key", `{"version":1,"signing":[],"master":[{"id":1,"secret":"` + secret + `"}]}`, 0o600, "must hold a signing key"},
		{"kid of another", change(set.Signing[0].ID, "other"), 0o600, "signing[0]"},
		{"no PEM", change("-----BEGIN", "-----BEGUN"), 0o600, "PEM"},
		{"no key", change(`PRIVATE KEY-----\n`, `PRIVATE KEY-----\nAAAA`), 0o600, "signing[0]"},
		{"master id 0", change(`"id": 1`, `"id": 0`), 0o600, "master[0]"},
		{"short secret", change(secret, secret[:24]), 0o600, "master[0]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "keys")
			if err := os.WriteFile(path, []byte(tt.text), tt.mode); err != nil {
				t.Fatal(err)
			}
			_, err := keys.Load(path, noon)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("Load = %v, want nil", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("Load = %v, want an error with %q", err, tt.want)
			case err != nil && strings.Contains(err.Error(), secret[:16]):
				t.Errorf("error %v quotes a secret", err)
			}
		})
	}
	if _, err := keys.Load(t.TempDir(), noon); err == nil {
		t.Error("Load of a folder = nil, want an error")
	}
}

// A secret that Kubernetes mounts is a symbolic link to a file of root that the process's group may read.
func TestReadMountedSecret(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "..data", "keys")
	made, err := keys.Load(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "keys")
	if err := os.Symlink(filepath.Join("..data", "keys"), link); err != nil {
		t.Fatal(err)
	}
	read, err := keys.Read(link)
	if err != nil || read.Signing[0].ID != made.Signing[0].ID {
		t.Errorf("Read of a link = %v", err)
	}
	for _, x := range []struct {
		mode            os.FileMode
		ofRoot, private bool
	}{
		{0o600, false, true},
		{0o400, false, true},
		{0o440, false, false},
		{0o640, false, false},
		{0o604, false, false},
		{0o600, true, true},
		{0o440, true, true},
		{0o640, true, true},
		{0o660, true, false},
		{0o450, true, false},
		{0o444, true, false},
		{0o404, true, false},
		{0o402, true, false},
		{0o401, true, false},
	} {
		if got := keys.Private(x.mode, x.ofRoot); got != x.private {
			t.Errorf("mode %#o, file of root %v: private = %v", x.mode, x.ofRoot, got)
		}
	}
}

func TestCreateReplacesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	made, err := keys.Create(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := keys.Create(path, noon); !errors.Is(err, fs.ErrExist) || s != nil {
		t.Errorf("Create again = %v, %v", s, err)
	}
	read, err := keys.Read(path)
	if err != nil || read.Signing[0].ID != made.Signing[0].ID {
		t.Errorf("Read = %v", err)
	}
}

// The example key of RFC 7638, section 3.1.
func TestThumbprint(t *testing.T) {
	n, err := base64.RawURLEncoding.DecodeString("" +
		"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3ok" +
		"njhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu" +
		"6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8a" +
		"wapJzKnqDKgw")
	if err != nil {
		t.Fatal(err)
	}
	got := keys.Thumbprint(&rsa.PublicKey{N: new(big.Int).SetBytes(n), E: 65537})
	if want := "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"; got != want {
		t.Errorf("Thumbprint = %s, want %s", got, want)
	}
}

func TestDerive(t *testing.T) {
	m := keys.Master{ID: 1, Secret: bytes.Repeat([]byte{1}, keys.SecretBytes)}
	if !bytes.Equal(m.Derive("a", 32), m.Derive("a", 32)) {
		t.Error("Derive of one purpose differs")
	}
	if bytes.Equal(m.Derive("a", 32), m.Derive("b", 32)) {
		t.Error("Derive of two purposes is the same")
	}
	other := keys.Master{ID: 1, Secret: bytes.Repeat([]byte{2}, keys.SecretBytes)}
	if bytes.Equal(m.Derive("a", 32), other.Derive("a", 32)) {
		t.Error("Derive of two secrets is the same")
	}
}
