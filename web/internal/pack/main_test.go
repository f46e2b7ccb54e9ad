package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/andybalholm/brotli"
)

// builds is a folder of compiled programs, and the one for their compressed forms.
type builds struct {
	t          *testing.T
	from, dist string
}

func newBuilds(t *testing.T, text string) builds {
	t.Helper()
	b := builds{t, t.TempDir(), t.TempDir()}
	for _, p := range programs {
		b.set(p.name, text)
	}
	return b
}

// set replaces a compiled program.
func (b builds) set(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.from, name+".wasm"), []byte(strings.Repeat(text, 4000)), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b builds) pack(q quality) string {
	b.t.Helper()
	var out bytes.Buffer
	if err := pack(b.t.Context(), b.from, b.dist, q, &out); err != nil {
		b.t.Fatal(err)
	}
	return out.String()
}

// packed returns a file of dist, and what it is the compressed form of.
func (b builds) packed(name string) (info os.FileInfo, content []byte) {
	b.t.Helper()
	f, err := os.Open(filepath.Join(b.dist, name))
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var r io.Reader = brotli.NewReader(f)
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			b.t.Fatal(err)
		}
	}
	if content, err = io.ReadAll(r); err != nil {
		b.t.Fatal(err)
	}
	if info, err = f.Stat(); err != nil {
		b.t.Fatal(err)
	}
	return info, content
}

func TestPack(t *testing.T) {
	b := newBuilds(t, "the same again and again, ")
	out := b.pack(quick)
	for _, name := range []string{"console.wasm.gz", "app.wasm.br"} {
		if _, got := b.packed(name); !bytes.Equal(got, []byte(strings.Repeat("the same again and again, ", 4000))) {
			t.Errorf("%s does not contain the program", name)
		}
	}
	glue, err := os.ReadFile(filepath.Join(b.dist, "wasm_exec.js"))
	if err != nil || !bytes.Contains(glue, []byte("globalThis.Go")) {
		t.Errorf("wasm_exec.js is not the toolchain's: %v", err)
	}
	if !strings.HasPrefix(out, "app.wasm 104000 bytes") || !strings.Contains(out, "\nconsole.wasm 104000 bytes") {
		t.Errorf("printed %q", out)
	}
	if err := pack(t.Context(), filepath.Join(b.from, "none"), b.dist, quick, io.Discard); err == nil {
		t.Error("a missing program must be an error")
	}
}

// Nothing is compressed twice: a build whose programs are those of an earlier one takes their compressed forms from there, even if other
// programs or another quality came in between.
func TestPackKeeps(t *testing.T) {
	b := newBuilds(t, "first ")
	count := func() int {
		t.Helper()
		entries, err := os.ReadDir(filepath.Join(b.from, "packed"))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	b.pack(quick)
	kept, _ := b.packed("app.wasm.br")
	if count() != 2 {
		t.Fatalf("%d files are kept for one content in two codings", count())
	}
	b.set("console", "second ")
	b.pack(quick)
	if again, _ := b.packed("app.wasm.br"); !os.SameFile(kept, again) {
		t.Error("a file that is up to date was written again")
	}
	if _, got := b.packed("console.wasm.br"); !bytes.Contains(got, []byte("second ")) {
		t.Error("a file with another content was kept")
	}
	if count() != 4 {
		t.Errorf("%d files are kept for two contents in two codings", count())
	}
	b.pack(smallest)
	if small, _ := b.packed("app.wasm.br"); os.SameFile(kept, small) || count() != 8 {
		t.Errorf("another quality: the file is the same, or %d files are kept", count())
	}
	// What is kept is taken as it is: a mark in a kept file shows that it was.
	entries, err := filepath.Glob(filepath.Join(b.from, "packed", "*.gz"))
	if err != nil || len(entries) != 4 {
		t.Fatalf("%d kept files: %v", len(entries), err)
	}
	for _, name := range entries {
		content, err := os.ReadFile(name)
		if err == nil {
			content[4] = 'M' // RFC 1952: a part of the time, which no reader needs
			err = os.WriteFile(name, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	b.pack(quick)
	if content, err := os.ReadFile(filepath.Join(b.dist, "app.wasm.gz")); err != nil || content[4] != 'M' {
		t.Errorf("a kept program was compressed again: %v", err)
	}
	// A damaged file is made again.
	for _, name := range entries {
		if err := os.WriteFile(name, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.pack(quick)
	b.packed("app.wasm.gz")
}

// The folder of what is kept does not grow forever, and the newest files stay.
func TestPackForgets(t *testing.T) {
	folder := t.TempDir()
	for i := range maxKept + 10 {
		name := filepath.Join(folder, strings.Repeat("x", i+1))
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(1e9+int64(i), 0)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := forget(folder); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != maxKept || len(entries[0].Name()) != 11 {
		t.Errorf("%d files are left, the oldest of them %q: %v", len(entries), entries[0].Name(), err)
	}
}

// A step that takes long says what it does, and a short one says nothing.
func TestSay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			takes time.Duration
			want  string
		}{
			{sayAfter - 1, ""},
			{2*sayAfter + time.Second, "working, 10 s\nworking, 20 s\n"},
		} {
			var out bytes.Buffer
			err := say(&out, "working", func() error {
				time.Sleep(c.takes)
				return io.ErrNoProgress
			})
			if err != io.ErrNoProgress || out.String() != c.want { //nolint:errorlint // the same error, unwrapped
				t.Errorf("%v: said %q, %v", c.takes, out.String(), err)
			}
		}
	})
}

// A program that is compiled as the browser's are names files and lines when it ends in a panic.
func TestStackTrace(t *testing.T) {
	folder := t.TempDir()
	overlay, name := filepath.Join(folder, overlayFile), filepath.Join(folder, "program.wasm")
	if err := os.WriteFile(overlay, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := compile(t.Context(), "build", overlay, "-o", name, "./testdata/program"); err != nil {
		t.Fatal(err)
	}
	root, err := goroot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(root, "lib", "wasm", "go_js_wasm_exec"), name).CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		t.Fatalf("run: %v: %s", err, out)
	}
	if got := string(out); !strings.Contains(got, "panic: as asked") || !strings.Contains(got, "testdata/program/main.go:7") {
		t.Errorf("got %s", got)
	}
}
