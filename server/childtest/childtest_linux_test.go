package childtest_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/formgraph/formgraph/server/childtest"
)

// parent is set in the process that TestTie kills.
const parent = "CHILDTEST_PARENT"

// A child ends with its parent, even if that is killed.
func TestTie(t *testing.T) {
	if os.Getenv(parent) != "" {
		c := exec.Command("cat") // it ends by a signal alone: it has the other end of its input itself
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c.Stdin, c.Stdout, c.ExtraFiles = in, os.Stdout, []*os.File{out}
		childtest.Tie(c, syscall.SIGKILL)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintln(os.Stdout, "started")
		select {} // until it is killed
	}
	c := exec.Command(os.Args[0], "-test.run=^TestTie$")
	c.Env = append(os.Environ(), parent+"=1")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "started\n" {
		t.Fatalf("the parent says %q, %v", line, err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// The output is open as long as the child runs.
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Error(err)
	}
	_ = c.Wait() // killed
}
