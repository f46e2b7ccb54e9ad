package account

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// title is what a sign-in is known by: the browser or application, and what it runs on.
func (s place) title() string {
	name := s.program
	if name == "" {
		name = "A browser or application"
	}
	if s.platform == "" {
		return name
	}
	return fmt.Sprintf("%s on %s", name, s.platform)
}

// came says when somebody signed in there, and from which network address. One of the machine itself is left out:
// it is that of a proxy, or tells nothing.
func (s place) came(now time.Time) string {
	ago := kit.Ago(s.since, now)
	if ip, err := netip.ParseAddr(s.ip); err == nil && !ip.IsLoopback() {
		return fmt.Sprintf("Signed in %s from %s", ago, ip)
	}
	return fmt.Sprintf("Signed in %s", ago)
}
