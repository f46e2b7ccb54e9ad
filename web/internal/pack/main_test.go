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
	src := []byte(strings.Repeat("the same again and again, ", 4000))
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
	if got := out.String(); !strings.HasPrefix(got, "app.wasm 104000 bytes") || !strings.Contains(got, "\nconsole.wasm 104000 bytes") {
		t.Errorf("printed %q", out.String())
	}
	if err := pack(t.Context(), filepath.Join(dir, "none"), dir, &out); err == nil {
		t.Error("a missing app must be an error")
	}
}
