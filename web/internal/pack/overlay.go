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

// lean names the packages of the standard library that stand-ins replace while
// the browser's program is built; lean/http.go.in says why.
var lean = map[string]string{"net/http": "http.go.in", "net/http/httptest": "httptest.go.in"}

// writeOverlay writes the file that `go build -overlay` takes: one file of each
// package is replaced by the stand-in, the others are left out. A stand-in that
// lacks something fails the build; none is ever run.
func writeOverlay(ctx context.Context, name string) error {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("ask for GOROOT: %w", err)
	}
	here, err := filepath.Abs(filepath.Join("web", "internal", "pack", "lean"))
	if err != nil {
		return fmt.Errorf("find the stand-ins: %w", err)
	}
	replace := map[string]string{}
	for pkg, standIn := range lean {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "src", filepath.FromSlash(pkg), "*.go"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("find the sources of %s: none (%v)", pkg, err) //nolint:errorlint // the pattern is fixed: err is nil
		}
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				replace[f] = ""
			}
		}
		// Both packages have a server.go; which of the files it is does not matter.
		replace[filepath.Join(filepath.Dir(files[0]), "server.go")] = filepath.Join(here, standIn)
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "  ")
	if err != nil {
		return fmt.Errorf("write the overlay: %w", err)
	}
	return os.WriteFile(name, b, 0o600)
}
