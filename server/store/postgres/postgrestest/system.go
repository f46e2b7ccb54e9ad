package postgrestest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// errNoServer says what is missing.
var errNoServer = errors.New("the tests need a PostgreSQL server: install it (make tools, or apt-get install postgresql), or set " +
	environment + " to the URL of one")

// findPrograms returns the folder of the programs of the newest server: that of Debian's packages, which are not in the path, or else that
// which pg_config names, or else that in the path.
func findPrograms() (string, error) {
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is valid
	slices.SortFunc(folders, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	if out, err := exec.CommandContext(context.Background(), "pg_config", "--bindir").Output(); err == nil {
		folders = append(folders, strings.TrimSpace(string(out)))
	}
	if file, err := exec.LookPath("initdb"); err == nil {
		if file, err = filepath.EvalSymlinks(file); err == nil {
			folders = append(folders, filepath.Dir(file))
		}
	}
	for _, folder := range folders {
		_, err1 := os.Stat(filepath.Join(folder, "initdb"))
		_, err2 := os.Stat(filepath.Join(folder, "postgres"))
		if err1 == nil && err2 == nil {
			return folder, nil
		}
	}
	return "", errNoServer
}

// version returns the number in /usr/lib/postgresql/15/bin.
func version(folder string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder))) // 0 is the oldest
	return n
}

// owner returns the user who runs the server: PostgreSQL refuses to run as root.
func owner() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil //nolint:nilnil // the user of the test
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, fmt.Errorf("find a user to run PostgreSQL: %w", err)
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(err1, err2)
}

// watcher is a process that ends the server and removes its folder when the test binary ends. The binary may be killed, or have no
// TestMain, so it cannot do that itself.
type watcher struct {
	command *exec.Cmd
	alive   *os.File // open as long as the binary runs
}

// watchScript waits for the end of its input. Its argument is the folder of the server.
const watchScript = `cat >/dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null &&
	while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
rm -rf "$1"`

// watch starts the watcher of a folder.
func watch(folder string) (*watcher, error) {
	input, alive, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer input.Close()                                                                   //nolint:errcheck // the watcher has its own
	c := exec.CommandContext(context.Background(), "sh", "-c", watchScript, "sh", folder) //nolint:gosec // a folder of a test
	c.Stdin, c.SysProcAttr = input, &syscall.SysProcAttr{Setsid: true}
	return &watcher{c, alive}, c.Start()
}

// end lets the watcher do its work and waits for it.
func (w *watcher) end() error { return errors.Join(w.alive.Close(), w.command.Wait()) }
