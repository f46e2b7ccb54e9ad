// Package childtest ends the processes that tests start, however the tests end.
package childtest

import (
	"os/exec"
	"syscall"
)

// Tie makes a command that is not yet started get a signal when this process ends, even if it is killed and its cleanup does not run. Only
// Linux can do that; on other systems a killed test leaves its children to themselves.
func Tie(c *exec.Cmd, signal syscall.Signal) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	tie(c.SysProcAttr, signal)
}
