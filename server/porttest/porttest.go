// Package porttest provides TCP addresses for tests that must know an address before a server listens on it, or restart a server there.
package porttest

import (
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"testing"
)

// first and last are the bounds of the port range. Linux, macOS and Windows allocate the local ports of outgoing connections from 32768
// upwards, so a lower port stays free while no server listens on it. A port that the system chooses for a listener is above 32768, and may
// be taken between two servers.
const (
	first = 10000
	last  = 32767
	tries = 100
)

var (
	mu   sync.Mutex
	used = map[int]bool{}
)

// Address returns an address on 127.0.0.1 on which nothing is listening. It returns each address at most once per process. Until the test
// ends, no other process that runs tests gets it: a UDP socket on the same port, which a TCP server does not need, says that it is taken.
func Address(tb testing.TB) string {
	tb.Helper()
	mu.Lock()
	defer mu.Unlock()
	for range tries {
		port := first + rand.N(last-first+1) //nolint:gosec // no secret
		if used[port] {
			continue
		}
		at := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		taken, err := (&net.ListenConfig{}).ListenPacket(tb.Context(), "udp", at)
		if err != nil {
			continue
		}
		tb.Cleanup(func() { _ = taken.Close() })
		l, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", at)
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			tb.Fatalf("close %s: %v", at, err)
		}
		used[port] = true
		return at
	}
	tb.Fatalf("no free port from %d to %d", first, last)
	return ""
}
