package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// lean names the packages of the standard library that stand-ins replace while the browser's program is
// built, each by one file of the folder lean, which says why.
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

// writeOverlay writes the file that `go build -overlay` takes: the files of each
// package are left out and the stand-in is added. A stand-in that
// lacks something fails the build; none is ever run.
func writeOverlay(ctx context.Context, name string) error {
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
