// Command pack prepares the compiler's output for embedding in the server: it
// compresses bin/*.wasm with brotli and gzip into web/dist, copies the
// toolchain's wasm_exec.js there, and prints the sizes. `make wasm` runs it as
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
	from := flag.String("from", "bin", "folder of the compiled programs")
	dist := flag.String("dist", filepath.Join("web", "dist"), "folder to write to")
	overlay := flag.String("overlay", "", "write the overlay for building them to this file, and nothing else")
	flag.Parse()
	if *overlay != "" {
		if err := writeOverlay(context.Background(), *overlay); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
		return
	}
	if err := pack(context.Background(), *from, *dist, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// programs are the programs that run in the browser, by file name.
var programs = []string{"app.wasm", "console.wasm"}

func pack(ctx context.Context, from, dist string, out io.Writer) error {
	for _, name := range programs {
		src, err := os.ReadFile(filepath.Join(from, name)) //nolint:gosec // the build names the folder
		if err != nil {
			return fmt.Errorf("read the compiled program: %w", err)
		}
		br, err := compress(src, func(w io.Writer) (io.WriteCloser, error) {
			// A window of 16 MiB covers a whole program; RFC 7932, section 9.1.
			return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24}), nil
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
		err = errors.Join(write(filepath.Join(dist, name+".br"), br), write(filepath.Join(dist, name+".gz"), gz))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s %d bytes, gzip %d, brotli %d\n", name, len(src), len(gz), len(br)); err != nil {
			return err
		}
	}
	glue, err := wasmExec(ctx)
	if err != nil {
		return err
	}
	return write(filepath.Join(dist, "wasm_exec.js"), glue)
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

// wasmExec reads the wasm_exec.js of the toolchain that compiled the programs:
// that of another version may not work.
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

// write replaces a file atomically: an interrupted build leaves the old one.
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
