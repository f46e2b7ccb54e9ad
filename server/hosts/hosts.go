// Package hosts decides which hosts a server may call, by name and by address.
package hosts

import (
	"errors"
	"net/netip"
	"strings"
)

// Loopback reports whether a host, given without a port, is this machine, by name or by address.
func Loopback(host string) bool {
	if host = strings.ToLower(host); host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// Errors of Callable.
var (
	errMetadataName = errors.New("must not be a metadata address")
	errMetadata     = errors.New("must not be a link-local or metadata address")
)

// Callable returns an error, whose text begins with a verb, for a host at which clouds hand out credentials to every process of a machine,
// and for an address that is not a single host's. A name may still resolve to such an address: a dialer must check CallableAddr too.
func Callable(host string) error {
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil && strings.EqualFold(strings.TrimSuffix(host, "."), "metadata.google.internal"):
		return errMetadataName
	case err == nil && !CallableAddr(ip):
		return errMetadata
	}
	return nil
}

// CallableAddr reports whether an address may be called; see Callable.
func CallableAddr(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	return !ip.IsLinkLocalUnicast() && !ip.IsUnspecified() && !ip.IsMulticast() && ip != netip.MustParseAddr("fd00:ec2::254")
}

// Plain reports whether a host, with or without a port, consists only of letters, digits and the punctuation of names and addresses.
// Parsers of addresses accept more.
func Plain(host string) bool {
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte(".-_:[]", c) >= 0:
		default:
			return false
		}
	}
	return host != ""
}
