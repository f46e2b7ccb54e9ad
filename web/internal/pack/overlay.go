package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// lean lists the packages of the standard library that are replaced with stand-ins when the browser's
// programs are built. Each stand-in is a file in the folder lean, which gives the reason.
var lean = map[string]string{
	"net/http":          "http.go.in",
	"net/http/httptest": "httptest.go.in",
	"regexp":            "regexp.go.in",
	"crypto/aes":        "aes.go.in",
	"crypto/cipher":     "cipher.go.in",
	"crypto/md5":        "md5.go.in",
	"crypto/rand":       "rand.go.in",
	"crypto/sha1":       "sha1.go.in",
	"encoding/json":     "json.go.in",
	"internal/godebug":  "godebug.go.in",
}

// leanEditor lists further packages for the editor's program alone: the other programs use all of them.
var leanEditor = map[string]string{"net/netip": "netip.go.in"}

// writeOverlays writes the files for `go build -overlay` to a folder: overlay.json, and editor.json for the editor's program.
func writeOverlays(ctx context.Context, folder string) error {
	if err := writeOverlay(ctx, filepath.Join(folder, "overlay.json"), lean); err != nil {
		return err
	}
	both := maps.Clone(lean)
	maps.Copy(both, leanEditor)
	return writeOverlay(ctx, filepath.Join(folder, "editor.json"), both)
}

// writeOverlay writes an overlay that omits the files of each package and adds the stand-in. A stand-in that lacks a name fails the build.
func writeOverlay(ctx context.Context, name string, lean map[string]string) error {
	here, err := filepath.Abs(filepath.Join("web", "internal", "pack", "lean"))
	if err != nil {
		return fmt.Errorf("find the stand-ins: %w", err)
	}
	replace := map[string]string{}
	for pkg, standIn := range lean {
		out, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", pkg).Output() //nolint:gosec // the packages are those above
		if err != nil {
			return fmt.Errorf("ask for the folder of %s: %w", pkg, err)
		}
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "*.go"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("find the sources of %s: none (%v)", pkg, err) //nolint:errorlint // the pattern is fixed: err is nil
		}
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				replace[f] = ""
			}
		}
		replace[filepath.Join(filepath.Dir(files[0]), "lean.go")] = filepath.Join(here, standIn)
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "  ")
	if err != nil {
		return fmt.Errorf("write the overlay: %w", err)
	}
	return os.WriteFile(name, b, 0o600)
}
