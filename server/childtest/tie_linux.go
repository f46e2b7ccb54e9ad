package childtest

import "syscall"

func tie(a *syscall.SysProcAttr, signal syscall.Signal) { a.Pdeathsig = signal }
