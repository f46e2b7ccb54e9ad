//go:build !linux

package childtest

import "syscall"

func tie(*syscall.SysProcAttr, syscall.Signal) {}
