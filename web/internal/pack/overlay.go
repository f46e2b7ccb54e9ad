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

// lean lists the packages of the standard library that are replaced with stand-ins when the browser's programs are built. Each is a file in
// the folder lean, which gives the reason. A stand-in must save 5 % of the compressed program: those for encoding/json, regexp and the
// packages of crypto saved 3 %, 1 % and 2 %.
var lean = map[string]string{
	"net/http":          "http.go.in",
	"net/http/httptest": "httptest.go.in", // go-app imports it with net/http
}

// writeOverlay writes a file for `go build -overlay` that omits the files of each package of lean and adds the stand-in. A stand-in that
// lacks a name fails the build.
func writeOverlay(ctx context.Context, name string) error {
	here, err := filepath.Abs(filepath.Join("web", "internal", "pack", "lean"))
	if err != nil {
		return fmt.Errorf("find the stand-ins: %w", err)
	}
	root, err := goroot(ctx)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for pkg, standIn := range lean {
		folder := filepath.Join(root, "src", filepath.FromSlash(pkg))
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("find the sources of %s: none (%v)", pkg, err) //nolint:errorlint // the pattern is fixed: err is nil
		}
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				replace[f] = ""
			}
		}
		replace[filepath.Join(folder, "lean.go")] = filepath.Join(here, standIn)
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "  ")
	if err != nil {
		return fmt.Errorf("write the overlay: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return fmt.Errorf("write the overlay: %w", err)
	}
	return write(name, b)
}

// goroot returns the folder of the toolchain.
func goroot(ctx context.Context) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find the toolchain: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
}
