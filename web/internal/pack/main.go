// Command pack prepares the compiler's output for embedding in the server: it
// joins the data segments of bin/*.wasm, removes the line numbers, compresses the programs with brotli
// and gzip into web/dist, copies the toolchain's wasm_exec.js there, and prints
// the sizes. `make wasm` runs it as `go run ./web/internal/pack` from the top
// of the repository.
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
	"golang.org/x/sync/errgroup"
)

func main() {
	from := flag.String("from", "bin", "folder of the compiled programs")
	dist := flag.String("dist", filepath.Join("web", "dist"), "folder to write to")
	overlays := flag.String("overlays", "", "write the overlays for building them to this folder, and nothing else")
	flag.Parse()
	if *overlays != "" {
		if err := writeOverlays(context.Background(), *overlays); err != nil {
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
var programs = []string{"app.wasm", "console.wasm", "trial.wasm", "desk.wasm"}

func pack(ctx context.Context, from, dist string, out io.Writer) error {
	lines := make([]string, len(programs))
	var both errgroup.Group // compressing is most of a build's time and uses a single core
	for i, name := range programs {
		both.Go(func() (err error) {
			lines[i], err = compressProgram(from, dist, name)
			return err
		})
	}
	if err := both.Wait(); err != nil {
		return err
	}
	if _, err := io.WriteString(out, strings.Join(lines, "")); err != nil {
		return err
	}
	glue, err := wasmExec(ctx)
	if err != nil {
		return err
	}
	return write(filepath.Join(dist, "wasm_exec.js"), glue)
}

// compressProgram writes the compressed forms of a program to dist and returns a line with their sizes. It keeps those that already contain
// the program.
func compressProgram(from, dist, name string) (string, error) {
	src, err := os.ReadFile(filepath.Join(from, name)) //nolint:gosec // the build names the folder
	if err != nil {
		return "", fmt.Errorf("read the compiled program: %w", err)
	}
	if src, err = joinData(src); err == nil {
		err = dropLines(src)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	br, err := compressed(filepath.Join(dist, name+".br"), src, func(r io.Reader) (io.Reader, error) {
		return brotli.NewReader(r), nil
	}, func(w io.Writer) (io.WriteCloser, error) {
		// A window of 16 MiB covers a whole program; RFC 7932, section 9.1.
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24}), nil
	})
	if err != nil {
		return "", fmt.Errorf("compress with brotli: %w", err)
	}
	gz, err := compressed(filepath.Join(dist, name+".gz"), src, func(r io.Reader) (io.Reader, error) {
		return gzip.NewReader(r)
	}, gzipped)
	if err != nil {
		return "", fmt.Errorf("compress with gzip: %w", err)
	}
	return fmt.Sprintf("%s %d bytes, gzip %d, brotli %d\n", name, len(src), gz, br), nil
}

func gzipped(w io.Writer) (io.WriteCloser, error) {
	return gzip.NewWriterLevel(w, gzip.BestCompression)
}

// compressed makes a file contain src in compressed form, and returns its size. It leaves a file that already does.
func compressed(name string, src []byte, expand func(io.Reader) (io.Reader, error), open func(io.Writer) (io.WriteCloser, error)) (int, error) {
	if old, err := os.ReadFile(name); err == nil { //nolint:gosec // the build names the folder
		if r, err := expand(bytes.NewReader(old)); err == nil {
			if had, err := io.ReadAll(r); err == nil && bytes.Equal(had, src) {
				return len(old), nil
			}
		}
	}
	content, err := compress(src, open)
	if err != nil {
		return 0, err
	}
	return len(content), write(name, content)
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
