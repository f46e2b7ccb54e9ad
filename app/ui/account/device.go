package account

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// title is the name of a sign-in: the browser or application, and its platform.
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

// came returns the time of the sign-in and its network address. A loopback address is left out: it is that of a
// proxy, or of no interest.
func (s place) came(now time.Time) string {
	ago := kit.Ago(s.since, now)
	if ip, err := netip.ParseAddr(s.ip); err == nil && !ip.IsLoopback() {
		return fmt.Sprintf("Signed in %s from %s", ago, ip)
	}
	return fmt.Sprintf("Signed in %s", ago)
}
