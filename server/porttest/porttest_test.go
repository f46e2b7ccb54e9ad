package porttest_test

import (
	"net"
	"testing"

	"github.com/formgraph/formgraph/server/porttest"
)

func TestAddress(t *testing.T) {
	seen := map[string]bool{}
	for range 50 {
		at := porttest.Address(t)
		if seen[at] {
			t.Errorf("%s a second time", at)
		}
		seen[at] = true
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		if port := l.Addr().(*net.TCPAddr).Port; port >= 32768 { //nolint:forcetypeassert // a TCP listener
			t.Errorf("port %d may be used by an outgoing connection", port)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// While a test uses an address, another process cannot take it, although no server listens.
func TestAddressIsTaken(t *testing.T) {
	at := porttest.Address(t)
	if c, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", at); err == nil {
		_ = c.Close()
		t.Errorf("%s is not taken", at)
	}
}
