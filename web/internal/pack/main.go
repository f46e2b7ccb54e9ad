// Command pack builds the browser's programs and prepares them for embedding in the server. It compiles and compresses them with brotli and
// gzip into web/dist, copies the toolchain's wasm_exec.js there, and prints the sizes. `make wasm` runs it as `go run ./web/internal/pack`
// from the top of the repository, and `make release` with -best.
//
// A trick that makes the programs smaller must save 5 % of the compressed program. Joining the data segments that the linker leaves
// apart would save 4.7 %. Removing the files and lines of stack traces would save about 8 %, at their cost.
//
// The programs are built with an overlay of a stand-in for net/http (folder lean): go-app also has a server, and what a browser never runs
// would double them. A name that the stand-in lacks fails the build; add it there.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

func main() {
	best := flag.Bool("best", false, "compress as well as possible, for programs that travel; takes minutes")
	flag.Parse()
	quality := quick
	if *best {
		quality = smallest
	}
	if err := run(context.Background(), quality, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, q quality, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// What the server needs is downloaded while the programs are compiled.
	modules := exec.CommandContext(ctx, "go", "list", "-deps", "./server")
	if err := modules.Start(); err != nil {
		return fmt.Errorf("download what the server needs: %w", err)
	}
	const folder = "bin"
	err := build(ctx, folder, out)
	if err != nil {
		cancel()
	}
	_ = modules.Wait()
	if err != nil {
		return err
	}
	// Linking and compressing leave much of the machine idle. Meanwhile the server is compiled, whose build comes next and reports its errors.
	ahead := compiler(ctx, "list", "-export", "./server")
	if err := ahead.Start(); err != nil {
		return fmt.Errorf("compile the server: %w", err)
	}
	err = link(ctx, folder, out)
	if err == nil {
		err = pack(ctx, folder, filepath.Join("web", "dist"), q, out)
	}
	if err != nil {
		cancel()
	}
	_ = say(out, "compiling the server", ahead.Wait)
	return err
}

// programs are the programs that run in the browser: their names, and their packages.
var programs = []struct{ name, pkg string }{
	{"app", "./app"},
	{"console", "./app/console"},
	{"trial", "./app/trial/worker"},
	{"desk", "./app/desk/worker"},
}

// overlayFile is the name of the overlay in the folder of the programs.
const overlayFile = "overlay.json"

// build compiles the packages of the programs, and what they share once, without linking.
func build(ctx context.Context, folder string, out io.Writer) error {
	overlay := filepath.Join(folder, overlayFile)
	if err := writeOverlay(ctx, overlay); err != nil {
		return err
	}
	args := []string{"-export"}
	for _, p := range programs {
		args = append(args, p.pkg)
	}
	return say(out, "compiling the browser's programs", func() error { return compile(ctx, "list", overlay, args...) })
}

// link links the compiled programs into a folder, as NAME.wasm. A program that is up to date stays.
func link(ctx context.Context, folder string, out io.Writer) error {
	return say(out, "linking the browser's programs", func() error {
		var links errgroup.Group
		links.SetLimit(2) // a link needs a gigabyte
		for _, p := range programs {
			links.Go(func() error {
				return compile(ctx, "build", filepath.Join(folder, overlayFile), "-o", filepath.Join(folder, p.name+".wasm"), p.pkg)
			})
		}
		return links.Wait()
	})
}

// small makes the compiler inline no calls in the code of the pages and the model, and in what they use of the standard library. It is as fast
// without, also for what looks at a whole form, and the compressed program is 7 % smaller. What runs for each frame keeps its inlining: the canvas and the
// geometry.
// For a package, the last pattern that matches counts alone, so each has all flags, also those of the Makefile.
var small = []string{
	"-gcflags=encoding/json=-l -dwarf=false",
	"-gcflags=fmt=-l -dwarf=false",
	"-gcflags=net/url=-l -dwarf=false",
	"-gcflags=regexp/...=-l -dwarf=false",
	"-gcflags=strings=-l -dwarf=false",
	"-gcflags=sync=-l -dwarf=false",
	"-gcflags=time=-l -dwarf=false",
	"-gcflags=github.com/formgraph/formgraph/...=-l -dwarf=false",
	"-gcflags=github.com/formgraph/formgraph/app/graph=-dwarf=false",
	"-gcflags=github.com/formgraph/formgraph/app/ui/canvas=-dwarf=false",
}

// compile runs a go command for the browser. The linker leaves out what debuggers need; stack traces keep files and lines.
func compile(ctx context.Context, command, overlay string, args ...string) error {
	args = slices.Concat([]string{"-overlay", overlay, "-buildvcs=false", "-ldflags=-s -w"}, small, args)
	cmd := compiler(ctx, command, args...)
	cmd.Env = append(cmd.Env, "GOOS=js", "GOARCH=wasm")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, msg)
	}
	return nil
}

// compiler returns a go command that compiles as many packages at a time as the machine has processors, each with few threads. On two
// processors, this takes an eighth less than packages that share all threads. The compiler collects its garbage less often than it would by
// itself: on two processors, that takes a seventh less, and up to 1.4 GB of memory. Linking takes more.
func compiler(ctx context.Context, command string, args ...string) *exec.Cmd {
	cores := runtime.NumCPU()
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{command, fmt.Sprintf("-p=%d", cores)}, args)...) //nolint:gosec // the build names the packages
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", max(1, cores/4)), "GOGC=400")
	return cmd
}

// pack compresses the programs of a folder into dist.
func pack(ctx context.Context, from, dist string, q quality, out io.Writer) error {
	lines := make([]string, len(programs))
	err := say(out, "compressing the browser's programs", func() error {
		var all errgroup.Group
		for i, p := range programs {
			all.Go(func() (err error) {
				lines[i], err = packProgram(from, dist, p.name+".wasm", q)
				return err
			})
		}
		return all.Wait()
	})
	if err != nil {
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

// packProgram writes the compressed forms of a program to dist and returns a line with their sizes.
func packProgram(from, dist, name string, q quality) (string, error) {
	src, err := os.ReadFile(filepath.Join(from, name)) //nolint:gosec // the build names the folder
	if err != nil {
		return "", fmt.Errorf("read the compiled program: %w", err)
	}
	sizes := map[string]int{}
	for _, c := range []coding{q.brotli, q.gzip} {
		content, err := c.compressed(filepath.Join(from, "packed"), src)
		if err == nil {
			sizes[c.extension] = len(content)
			err = write(filepath.Join(dist, name+c.extension), content)
		}
		if err != nil {
			return "", fmt.Errorf("compress %s: %w", name, err)
		}
	}
	return fmt.Sprintf("%s %d bytes, gzip %d, brotli %d\n", name, len(src), sizes[".gz"], sizes[".br"]), nil
}

// sayAfter is the time after which a step of the build says what it does, and how often it says it again.
const sayAfter = 10 * time.Second

// say runs a step, and says what it does if it takes long.
func say(out io.Writer, what string, do func() error) error {
	begun := time.Now()
	end := make(chan struct{})
	said := make(chan struct{})
	go func() {
		defer close(said)
		tick := time.NewTicker(sayAfter)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				_, _ = fmt.Fprintf(out, "%s, %d s\n", what, int(time.Since(begun).Seconds()))
			}
		}
	}()
	err := do()
	close(end)
	<-said
	return err
}

// wasmExec reads the wasm_exec.js of the toolchain that compiled the programs:
// that of another version may not work.
func wasmExec(ctx context.Context) ([]byte, error) {
	root, err := goroot(ctx)
	if err != nil {
		return nil, err
	}
	src, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js")) //nolint:gosec // a file of the toolchain
	if err != nil {
		return nil, fmt.Errorf("read the toolchain's wasm_exec.js: %w", err)
	}
	return src, nil
}
