package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/server/config"
)

var formatTool = tool{
	name: "fmt", usage: []string{"[-w] [-l] [--check] [--patch] FILE..."},
	about: `Prints files of forms and of scenarios in canonical text: properties in the order of the reference,
indented by two spaces. The value stays the same. - reads standard input.`,
	options: []config.Option{
		option("w", "", "write the text back to the file instead of printing it"),
		option("l", "", "list the files whose text differs instead of printing them"),
		option("check", "", "like -l, and exit 1 when there are any: for hooks and CI"),
		option("patch", "", "the files are bodies of a PATCH"),
	},
}

// format prints the canonical text of form files, writes it back, or lists the files whose text differs. A file that is not one JSON value
// or has a duplicate property is left unchanged, and the exit code is 1. The exit code is 2 if a file cannot be read or written.
func format(_ context.Context, p process, args []string) int {
	a, code := p.files(formatTool, args)
	if a == nil {
		return code
	}
	write, list, check := a.On("w"), a.On("l"), a.On("check")
	canonical := envelope.Canonical
	if a.On("patch") {
		canonical = envelope.CanonicalUpdate
	}
	for _, name := range a.Words {
		src, err := p.read(name)
		if err != nil {
			code = max(code, p.fail(exitUnusable, err))
			continue
		}
		of := canonical
		if !a.On("patch") && scenario.Is(src) {
			of = scenario.Canonical
		}
		text, problems := of(src)
		if len(problems) > 0 {
			code = max(code, exitFailed)
			for _, f := range findings(src, problems) {
				_, _ = fmt.Fprintln(p.stderr, f.line(name)) // there is nowhere to report a failure
			}
			continue
		}
		differs := !bytes.Equal(src, text)
		if (list || check) && differs {
			p.print("%s\n", name)
		}
		if check && differs {
			code = max(code, exitFailed)
		}
		switch {
		case write && name != stdinName:
			if differs {
				err = replaceFile(name, text)
			}
		case !list && !check:
			_, err = p.stdout.Write(text)
		}
		if err != nil {
			code = max(code, p.fail(exitUnusable, fmt.Errorf("write form: %w", err)))
		}
	}
	return code
}

// replaceFile replaces a file atomically, since a full disk must not truncate somebody's form. The file keeps its mode, and a symbolic link
// stays a link.
func replaceFile(name string, text []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".tmp*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // gone when all went well
	if _, err = f.Write(text); err == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
