package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/childtest"
)

// asProgram is set in the environment of a child that shall be the program and
// not its tests.
const asProgram = "FORMGRAPH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	if os.Getenv(asAssault) != "" {
		if err := assail(os.Stdin, os.Stdout); err != nil {
			panic(err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// program returns the program as a process of its own. It is killed after some
// minutes: a test that waits longer has failed.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit(2*time.Minute))
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, self(t), args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	childtest.Tie(c, syscall.SIGKILL)
	return c
}

func self(tb testing.TB) string {
	tb.Helper()
	path, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// The first signal ends a tool, as it ends programs that catch none, so a shell sees 130 or 143.
func TestFirstSignalEndsTools(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, args := range [][]string{{"validate", "-"}, {"fmt", "-"}, {"diff", "-", os.DevNull}} {
			t.Run(signal.String()+" "+args[0], func(t *testing.T) {
				c := program(t, args...)
				in, err := c.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				// More than a pipe holds: when it is written, the program reads.
				if _, err := in.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
					t.Fatal(err)
				}
				if err := c.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				_ = c.Wait() // always an error here
				if s, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || !s.Signaled() || s.Signal() != signal {
					t.Errorf("ended with %v, want by the signal", c.ProcessState)
				}
			})
		}
	}
}

// After the first signal a server finishes by itself.
func TestFirstSignalDrainsServer(t *testing.T) {
	c := program(t, "sample", "--domain", "localhost:1", "--audience", "a", "--sample-listen", "127.0.0.1:0")
	var log bytes.Buffer
	c.Stderr = &log
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// It says where it listens when it does.
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatalf("%v %s", err, log.String())
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Error(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("ended with %v\n%s", err, log.String())
	}
}

func TestWords(t *testing.T) {
	for _, x := range []struct {
		args      []string
		code      int
		out, errs string
	}{
		{[]string{"--version"}, exitOK, "formgraph ", ""},
		{[]string{"version"}, exitOK, "formgraph ", ""},
		{[]string{"help", "version"}, exitOK, versionTool.help(), ""},
		{[]string{"--help"}, exitOK, "Usage: formgraph COMMAND", ""},
		{[]string{"help"}, exitOK, "validate", ""},
		{[]string{"help", "help"}, exitOK, helpTool.help(), ""},
		{[]string{"help", "validate"}, exitOK, validateTool.help(), ""},
		{[]string{"help", "diff"}, exitOK, diffTool.help(), ""},
		{[]string{"help", "serve"}, exitOK, "--listen", ""},
		{[]string{"help", "user", "add"}, exitOK, "user add", ""},
		{[]string{"help", "nothing"}, exitUnusable, "", `unknown command "nothing"`},
		{[]string{"nothing"}, exitUnusable, "", `unknown command "nothing"`},
	} {
		code, out, errs := inTool(t, "", x.args...)
		if code != x.code || !strings.Contains(out, x.out) || !strings.Contains(errs, x.errs) || x.errs == "" && errs != "" {
			t.Errorf("%v: got %d\n%s\n%s", x.args, code, out, errs)
		}
	}
}

// repository is a git repository in a folder of its own, with the program on PATH
// as formgraph.
type repository struct {
	t      *testing.T
	folder string
	env    []string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	bin := t.TempDir()
	script := "#!/bin/sh\n" + asProgram + "=1 exec '" + self(t) + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "formgraph"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	r := &repository{t: t, folder: t.TempDir()}
	// Nothing of the machine's own settings.
	r.env = []string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + bin, "GIT_CONFIG_NOSYSTEM=1", "TMPDIR=" + t.TempDir(),
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
	}
	r.must("init", "-q")
	return r
}

func (r *repository) git(args ...string) (string, error) {
	c := exec.CommandContext(r.t.Context(), "git", args...)
	c.Dir, c.Env = r.folder, r.env
	out, err := c.CombinedOutput()
	return string(out), err
}

func (r *repository) must(args ...string) string {
	r.t.Helper()
	out, err := r.git(args...)
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	write(r.t, path, text)
}

const (
	goodForm   = "{\n  \"name\": \"f\"\n}\n"
	brokenForm = "{\n  \"name\": \"\"\n}\n"
)

// The hook of the README checks what is staged, not the files in the working tree.
func TestReadmeHook(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, hook, found := strings.Cut(string(readme), "```sh\n#!/bin/sh\n")
	hook, _, closed := strings.Cut(hook, "```")
	if !found || !closed {
		t.Fatal("README has no hook")
	}
	const odd = "forms/Prüfung – zwei.json"
	for _, x := range []struct {
		name  string
		stage func(r *repository)
		want  string // of what git says; "" for a commit that is made
	}{
		{"good", func(r *repository) { r.write(odd, goodForm); r.must("add", ".") }, ""},
		{"nothing of ours", func(r *repository) { r.write("other.json", "{"); r.must("add", ".") }, ""},
		{"broken", func(r *repository) { r.write(odd, brokenForm); r.must("add", ".") }, "must not be empty [length]"},
		{"not canonical", func(r *repository) { r.write(odd, `{"name":"f"}`); r.must("add", ".") }, "zwei.json"},
		{"broken in the index only", func(r *repository) { r.write(odd, brokenForm); r.must("add", "."); r.write(odd, goodForm) }, "[length]"},
		{"broken beside the index only", func(r *repository) { r.write(odd, goodForm); r.must("add", "."); r.write(odd, brokenForm) }, ""},
		{"renamed and broken", func(r *repository) {
			r.write("forms/old.json", goodForm)
			r.must("add", ".")
			r.must("commit", "-q", "-m", "old")
			r.must("mv", "forms/old.json", odd)
			r.write(odd, goodForm+"x")
			r.must("add", ".")
		}, "[syntax]"},
		{"deleted", func(r *repository) {
			r.write(odd, goodForm)
			r.must("add", ".")
			r.must("commit", "-q", "-m", "old")
			r.must("rm", "-q", odd)
		}, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := newRepository(t)
			r.write(".git/hooks/pre-commit", "#!/bin/sh\n"+hook)
			if err := os.Chmod(filepath.Join(r.folder, ".git/hooks/pre-commit"), 0o700); err != nil {
				t.Fatal(err)
			}
			x.stage(r)
			out, err := r.git("commit", "-m", "forms")
			if (err == nil) != (x.want == "") || !strings.Contains(out, x.want) {
				t.Errorf("got %v\n%s", err, out)
			}
		})
	}
}

// As the command of a git diff driver, diff shows forms that were changed, added, removed or renamed. A broken one does not
// keep others from being shown.
func TestGitDiffDriver(t *testing.T) {
	r := newRepository(t)
	r.write(".gitattributes", "*.json diff=form\n")
	r.must("config", "diff.form.command", "formgraph diff")
	for _, name := range []string{"a changed.json", "gone.json", "broken.json"} {
		r.write(name, `{"name":"`+name+`"}`)
	}
	// Enough alike for git to see that it was renamed.
	css := "\n" + strings.Repeat(`"a{}",`+"\n", 20)
	r.write("moved.json", `{"name":"moved.json","style":[`+css+`"b{}"]}`)
	r.must("add", ".")
	r.must("commit", "-q", "-m", "old")
	r.write("a changed.json", `{"name":"other"}`)
	r.write("broken.json", `{`)
	r.write("new.json", `{"name":"new"}`)
	r.must("mv", "moved.json", "renamed.json")
	r.write("renamed.json", `{"name":"moved.json","nodes":[],"style":[`+css+`"b{}"]}`)
	r.must("rm", "-q", "gone.json")
	r.must("add", ".")
	got := r.must("diff", "--cached", "--ext-diff", "-M")
	for _, want := range []string{
		"a changed.json\nform: name changed from \"a changed.json\" to \"other\"\n", "broken.json: cannot be compared: ",
		"gone.json\nform \"gone.json\" removed, nodes: 0\n",
		"new.json\nform \"new\" added, nodes: 0\n", "moved.json\nform: nodes added\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}
