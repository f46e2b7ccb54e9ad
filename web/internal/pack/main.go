// Command pack makes what the server embeds out of what the compiler wrote: it
// compresses web/dist/app.wasm with brotli and gzip, copies the toolchain's
// wasm_exec.js beside it, and prints the sizes. `make wasm` runs it as
// `go run ./web/internal/pack` from the top of the repository.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
)

func main() {
	wasm := flag.String("wasm", filepath.Join("web", "dist", "app.wasm"), "the compiled app")
	dist := flag.String("dist", filepath.Join("web", "dist"), "folder to write to")
	overlay := flag.String("overlay", "", "write the overlay for building the app to this file, and nothing else")
	flag.Parse()
	if *overlay != "" {
		if err := writeOverlay(context.Background(), *overlay); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
		return
	}
	if err := pack(context.Background(), *wasm, *dist, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(ctx context.Context, wasm, dist string, out io.Writer) error {
	src, err := os.ReadFile(wasm) //nolint:gosec // the build names the file
	if err != nil {
		return fmt.Errorf("read the app: %w", err)
	}
	br, err := compress(src, func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterLevel(w, brotli.BestCompression), nil
	})
	if err != nil {
		return fmt.Errorf("compress with brotli: %w", err)
	}
	gz, err := compress(src, func(w io.Writer) (io.WriteCloser, error) {
		return gzip.NewWriterLevel(w, gzip.BestCompression)
	})
	if err != nil {
		return fmt.Errorf("compress with gzip: %w", err)
	}
	glue, err := wasmExec(ctx)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"app.wasm.br": br, "app.wasm.gz": gz, "wasm_exec.js": glue} {
		if err := write(filepath.Join(dist, name), content); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "app.wasm %d bytes, gzip %d, brotli %d\n", len(src), len(gz), len(br))
	return err
}

func compress(src []byte, open func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var out bytes.Buffer
	z, err := open(&out)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(src)
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// wasmExec reads the glue of the very toolchain that compiled the app: another
// version's may not run it.
func wasmExec(ctx context.Context) ([]byte, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find the toolchain: %w", err)
	}
	src, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("read the toolchain's wasm_exec.js: %w", err)
	}
	return src, nil
}

// write puts the file in place whole, so that a build that is stopped leaves the
// old one.
func write(name string, content []byte) error {
	tmp := name + ".new"
	if err := os.WriteFile(tmp, content, 0o644); err != nil { //nolint:gosec // these files are public
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Rename(tmp, name); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
