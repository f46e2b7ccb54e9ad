package postgrestest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/childtest"
)

// startTime bounds the start of a server, which also recovers what it was doing when it was killed.
func startTime() time.Duration { return waittest.Limit(time.Minute) }

// Server is a PostgreSQL server of a test.
type Server struct {
	programs, folder string
	durable          bool
	as               *syscall.Credential // nil for the user of the test
	watcher          *watcher
	process          *process // nil while the server does not run
}

// statusLine is the number of the line of postmaster.pid that has the state of the server.
const statusLine = 8

// process is a run of the server.
type process struct {
	command *exec.Cmd
	log     bytes.Buffer  // read it only after the end
	ended   chan struct{} // closed when the process and its children, which write to log, have ended
}

// Options configure a separate server.
type Options struct {
	// Durable makes the server wait for the disk at each commit, so that nothing is lost when the machine or the server is killed. It takes
	// longer.
	Durable bool
}

// Start starts a server for one test, which may kill and restart it. It stops when the test ends.
func Start(tb testing.TB, o Options) *Server {
	tb.Helper()
	s, err := start(o.Durable)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		// Its data is not needed any more, so it need not write it.
		if err := errors.Join(s.stop(syscall.SIGQUIT), s.watcher.end()); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// URL returns the URL of a new database without tables.
func (s *Server) URL(tb testing.TB) string {
	tb.Helper()
	c := &cluster{url: s.url("postgres")}
	name, err := c.create(tb.Context(), "template0")
	if err != nil {
		tb.Fatal(err)
	}
	return c.database(name)
}

// Kill ends the server at once, as a crash of the machine would, except that the disk keeps what it was given. It returns when all its
// processes have ended.
func (s *Server) Kill(tb testing.TB) {
	tb.Helper()
	if err := s.stop(syscall.SIGKILL); err != nil {
		tb.Fatal(err)
	}
}

// Stop shuts the server down and ends its connections.
func (s *Server) Stop(tb testing.TB) {
	tb.Helper()
	if err := s.stop(syscall.SIGINT); err != nil {
		tb.Fatal(err)
	}
}

// Restart stops the server, if it runs, and starts it with the same data at the same URL.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	if err := errors.Join(s.stop(syscall.SIGINT), s.run()); err != nil {
		tb.Fatal(err)
	}
}

// Resume starts the server again if it does not run, with the same data at the same URL.
func (s *Server) Resume(tb testing.TB) {
	tb.Helper()
	if s.process != nil {
		return
	}
	if err := s.run(); err != nil {
		tb.Fatal(err)
	}
}

// newServer returns a server with a new folder, without data.
func newServer() (*Server, error) {
	s := &Server{}
	var err error
	if s.programs, err = findPrograms(); err != nil {
		return nil, err
	}
	if s.as, err = owner(); err != nil {
		return nil, err
	}
	if s.folder, err = os.MkdirTemp("", "formgraph-postgres-"); err != nil {
		return nil, err
	}
	if s.watcher, err = watch(s.folder); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.folder))
	}
	if s.as != nil {
		if err := os.Chown(s.folder, int(s.as.Uid), int(s.as.Gid)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// initialized is a server that is never started. Its data takes much longer to make than to copy.
var initialized = sync.OnceValues(func() (*Server, error) {
	s, err := newServer()
	if err != nil {
		return nil, err
	}
	out, err := s.command(filepath.Join(s.programs, "initdb"), "--pgdata=data", "--username=postgres", "--auth=trust", "--encoding=UTF8",
		"--locale=C", "--no-sync", "--wal-segsize=1").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return s, nil
})

// start makes a folder of data and starts a server in it.
func start(durable bool) (*Server, error) {
	first, err := initialized()
	if err != nil {
		return nil, err
	}
	s, err := newServer()
	if err != nil {
		return nil, err
	}
	s.durable = durable
	if out, err := s.command("cp", "-R", filepath.Join(first.folder, "data"), "data").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("copy the data: %w\n%s", err, out)
	}
	if err := s.run(); err != nil {
		return nil, err
	}
	return s, nil
}

// command returns a program to run in the folder by its owner. It ignores signals to the test, such as Ctrl-C, and ends with the test.
func (s *Server) command(program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(context.Background(), program, args...) //nolint:gosec // programs of a test
	c.Dir = s.folder
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Setsid: true}
	childtest.Tie(c, syscall.SIGQUIT)
	return c
}

// run starts the server and waits until it accepts connections.
func (s *Server) run() error {
	args := []string{"-D", "data", "-k", s.folder, "-c", "listen_addresses=", "-c", "max_connections=200", "-c", "shared_buffers=32MB"}
	if !s.durable {
		args = append(args, "-c", "fsync=off", "-c", "full_page_writes=off")
	}
	p := &process{command: s.command(filepath.Join(s.programs, "postgres"), args...), ended: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = &p.log, &p.log
	if err := p.command.Start(); err != nil {
		return err
	}
	s.process = p
	go func() {
		_ = p.command.Wait() // the log has the reason
		close(p.ended)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), startTime())
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !s.ready(p.command.Process.Pid) {
		select {
		case <-again.C:
		case <-p.ended:
			return fmt.Errorf("the PostgreSQL server has ended:\n%s", p.log.String())
		case <-ctx.Done():
			return fmt.Errorf("the PostgreSQL server does not accept connections: %w", ctx.Err())
		}
	}
	return nil
}

// ready reports whether the server, whose process has the number pid, accepts connections. It reads this where pg_ctl does, in the lines of
// postmaster.pid: to try a connection makes the server start a process. A server that was killed has left that file.
func (s *Server) ready(pid int) bool {
	text, err := os.ReadFile(filepath.Join(s.folder, "data", "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	return err == nil && len(lines) >= statusLine && lines[0] == strconv.Itoa(pid) && strings.TrimSpace(lines[statusLine-1]) == "ready"
}

// stop sends a signal to the server and waits until it and its children have ended. SIGINT is a fast shutdown, which ends connections.
func (s *Server) stop(signal syscall.Signal) error {
	p := s.process
	if p == nil {
		return nil
	}
	if err := p.command.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.ended
	s.process = nil
	return nil
}

// url returns the URL of a database of the server.
func (s *Server) url(database string) string {
	q := url.Values{"host": {s.folder}, "port": {"5432"}}
	return (&url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/" + database, RawQuery: q.Encode()}).String()
}
