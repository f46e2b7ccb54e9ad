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
		name = a.SomeDevice
	}
	if s.platform == "" {
		return name
	}
	return fmt.Sprintf(a.DeviceOn, name, s.platform)
}

// story says when somebody signed in there, from which network address, and in what it lives on. An address of
// the machine itself is left out: it is that of a proxy, or tells nothing.
func (p *profile) story(s place, now time.Time) string {
	text := fmt.Sprintf(a.SignedIn, kit.Ago(s.since, now))
	if ip, err := netip.ParseAddr(s.ip); err == nil && !ip.IsLoopback() {
		text = fmt.Sprintf(a.SignedInFrom, kit.Ago(s.since, now), ip)
	}
	return text + " · " + p.where(s)
}
