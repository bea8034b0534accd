//go:build unix

package supply

import (
	"os/exec"
	"syscall"
)

// endWithChildren makes cancellation reach the client's own children: npm and
// pip are often scripts around the program that does the work.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
