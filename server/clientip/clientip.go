// Package clientip finds the network address of a request's client behind trusted proxies. Rate limits, logs and the list of sign-ins use
// it.
package clientip

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of the proxies that are trusted to name a client's address.
type Proxies []netip.Prefix

// ParseProxies parses networks such as 10.0.0.0/8 and single addresses, separated by commas; "" returns nil.
func ParseProxies(list string) (Proxies, error) {
	var out Proxies
	for text := range strings.SplitSeq(list, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			a, single := netip.ParseAddr(text)
			if single != nil || a.Zone() != "" {
				return nil, fmt.Errorf("%q is not a network such as 10.0.0.0/8", text)
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		if p.Addr().Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

func (p Proxies) contain(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(a) })
}

type contextKey struct{}

// located is what Locate found.
type located struct {
	client, peer string
	trusted      bool
}

// Locate passes requests to next with the client's address as their RemoteAddr and in their context, for From. Of the addresses in
// Forwarded (RFC 7239) or X-Forwarded-For, the right-most one that is not a proxy's counts, since the client controls everything to the
// left of it. A value that is not an address ends the search at the proxy that sent it. If both headers exist and disagree, neither is
// used: most proxies write one of them and pass on the other unchanged from the client.
func Locate(p Proxies, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := p.client(r)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		peer, _ := parse(r.RemoteAddr) // which client has parsed
		found := located{a.String(), peer.String(), p.contain(peer)}
		r = r.WithContext(context.WithValue(r.Context(), contextKey{}, found))
		r.RemoteAddr = net.JoinHostPort(a.String(), "0")
		next.ServeHTTP(w, r)
	})
}

// From returns the address of the client whose request led to ctx, or "" without Locate. Calls within this process pass it on.
func From(ctx context.Context) string {
	found, _ := ctx.Value(contextKey{}).(located)
	return found.client
}

// Peer returns the address from which the connection of a request came, which may be a proxy's, and whether it is that of a trusted proxy.
// Without Locate it returns "".
func Peer(ctx context.Context) (address string, trusted bool) {
	found, _ := ctx.Value(contextKey{}).(located)
	return found.peer, found.trusted
}

// Of returns the address from which a request comes, without a port or zone. It returns an IPv4 address that is mapped into IPv6 as IPv4.
func Of(r *http.Request) string {
	if a, ok := parse(r.RemoteAddr); ok {
		return a.String()
	}
	return r.RemoteAddr
}

// Network returns the unit by which limits count a request: the IPv4 address, or the /64 network of an IPv6 address, the smallest that a
// provider gives to one customer.
func Network(r *http.Request) string {
	a, ok := parse(r.RemoteAddr)
	if !ok || a.Is4() {
		return Of(r)
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}

func (p Proxies) client(r *http.Request) (netip.Addr, bool) {
	peer, ok := parse(r.RemoteAddr)
	if !ok || !p.contain(peer) {
		return peer, ok
	}
	standard, named := r.Header["Forwarded"], r.Header["X-Forwarded-For"]
	switch {
	case len(standard) == 0:
		return p.walk(peer, list(named)), true
	case len(named) == 0:
		return p.walk(peer, forwarded(standard)), true
	}
	a, b := p.walk(peer, forwarded(standard)), p.walk(peer, list(named))
	if a != b {
		return peer, true
	}
	return a, true
}

// walk follows the hops, nearest first, as long as they are proxies.
func (p Proxies) walk(peer netip.Addr, hops []string) netip.Addr {
	at := peer
	for _, hop := range slices.Backward(hops) {
		a, ok := parse(hop)
		if !ok {
			return at
		}
		if at = a; !p.contain(a) {
			return at
		}
	}
	return at
}

// list splits the lines of X-Forwarded-For.
func list(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	return strings.Split(strings.Join(lines, ","), ",")
}

// forwarded returns the parameter for of each element of Forwarded, or "" for an element that has none or two. RFC 7239, section 4.
func forwarded(lines []string) []string {
	var hops []string
	for _, element := range split(strings.Join(lines, ","), ',') {
		hop, count := "", 0
		for _, pair := range split(element, ';') {
			name, value, _ := strings.Cut(pair, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "for") {
				continue
			}
			hop = unquoted(strings.TrimSpace(value))
			count++
		}
		if count > 1 {
			hop = ""
		}
		hops = append(hops, hop)
	}
	return hops
}

// split splits s at a byte that is not inside a quoted string.
func split(s string, at byte) []string {
	var out []string
	quoted, from := false, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == at && !quoted:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// unquoted removes the quotes from a value. No address needs an escape, so a value with one is not an address.
func unquoted(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// parse parses an address with or without a port, IPv6 with or without brackets.
func parse(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		if s, ok = strings.CutSuffix(inner, "]"); !ok {
			return netip.Addr{}, false
		}
	}
	a, err := netip.ParseAddr(s)
	return a.Unmap().WithZone(""), err == nil
}
