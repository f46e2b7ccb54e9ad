package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/formgraph/formgraph/server/childtest"
)

// child is `formgraph serve` as a separate process.
type child struct {
	at     addresses
	folder string
	log    *safeBuffer // standard error
	cmd    *exec.Cmd
	ended  chan struct{} // closed when the process has ended
}

// launch starts a server with a data folder and waits until it is ready. A process that still runs is killed when the test ends.
func launch(tb testing.TB, folder string, args ...string) *child {
	tb.Helper()
	c := &child{folder: folder, log: &safeBuffer{}, ended: make(chan struct{})}
	args = append([]string{"serve", "--data", folder, "--print-ready", "--log-level", "error", "--sample-listen", "127.0.0.1:0"}, args...)
	c.cmd = exec.CommandContext(context.WithoutCancel(tb.Context()), self(tb), args...)
	c.cmd.Env = append(os.Environ(), asProgram+"=1")
	c.cmd.Stderr = c.log
	childtest.Tie(c.cmd, syscall.SIGKILL)
	out, in, err := os.Pipe()
	must(tb, err)
	defer out.Close() //nolint:errcheck // it was read
	c.cmd.Stdout = in
	must(tb, c.cmd.Start())
	must(tb, in.Close())
	go func() {
		_ = c.cmd.Wait() // end reports how it ended
		close(c.ended)
	}()
	tb.Cleanup(func() {
		_ = c.cmd.Process.Kill() // it may have ended
		<-c.ended
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(line, &c.at); err != nil {
		tb.Fatalf("no ready line: %v\n%s", err, c.log)
	}
	return c
}

// first reads what the first start has left in the folder.
func (c *child) first(tb testing.TB) firstStart {
	tb.Helper()
	return readFirst(tb, c.folder)
}

// drain ends the process by SIGTERM, and returns an error unless it exits with 0.
func (c *child) drain() error {
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	<-c.ended
	if code := c.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("the server ends with %v: %s", c.cmd.ProcessState, c.log)
	}
	return nil
}

// kill ends the process at once.
func (c *child) kill() {
	_ = c.cmd.Process.Kill() // it may have ended
	<-c.ended
}
