//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package keys

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByRoot reports whether a file belongs to root, and this process to another user.
func ownedByRoot(fi fs.FileInfo) bool {
	s, ok := fi.Sys().(*syscall.Stat_t)
	return ok && s.Uid == 0 && os.Geteuid() != 0
}
