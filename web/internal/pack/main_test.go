package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func TestPack(t *testing.T) {
	dir := t.TempDir()
	src := custom(strings.Repeat("the same again and again, ", 4000))
	for _, name := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := pack(t.Context(), dir, dir, &out); err != nil {
		t.Fatal(err)
	}
	open := func(name string) *os.File {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	z, err := gzip.NewReader(open("console.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]io.Reader{"gzip": z, "brotli": brotli.NewReader(open("app.wasm.br"))} {
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, src) {
			t.Errorf("%s does not unpack to the app: %v", name, err)
		}
	}
	glue, err := io.ReadAll(open("wasm_exec.js"))
	if err != nil || !bytes.Contains(glue, []byte("globalThis.Go")) {
		t.Errorf("wasm_exec.js is not the toolchain's: %v", err)
	}
	if got := out.String(); !strings.HasPrefix(got, "app.wasm 104012 bytes") || !strings.Contains(got, "\nconsole.wasm 104012 bytes") {
		t.Errorf("printed %q", out.String())
	}
	if err := pack(t.Context(), filepath.Join(dir, "none"), dir, &out); err == nil {
		t.Error("a missing app must be an error")
	}
}

// A file that already contains the program is kept, because compressing takes most of a build's time. Any other is replaced.
func TestPackKeepsWhatIsUpToDate(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stat := func(name string) os.FileInfo {
		t.Helper()
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	run := func() {
		t.Helper()
		if err := pack(t.Context(), dir, dir, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range programs {
		write(name, string(custom(strings.Repeat("first ", 1000))))
	}
	run()
	kept, replaced, damaged := stat("app.wasm.br"), stat("console.wasm.br"), stat("app.wasm.gz")
	write("console.wasm", string(custom(strings.Repeat("second ", 1000))))
	write("app.wasm.gz", "damaged")
	run()
	if !os.SameFile(stat("app.wasm.br"), kept) {
		t.Error("a file that is up to date was written again")
	}
	if os.SameFile(stat("console.wasm.br"), replaced) || os.SameFile(stat("app.wasm.gz"), damaged) {
		t.Error("a file with another content was kept")
	}
	f, err := os.Open(filepath.Join(dir, "console.wasm.br"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if got, err := io.ReadAll(brotli.NewReader(f)); err != nil || !bytes.Contains(got, []byte("second ")) {
		t.Errorf("the new program is not in the file: %v", err)
	}
}
