package hosts_test

import (
	"testing"

	"github.com/formgraph/formgraph/server/hosts"
)

func TestCallable(t *testing.T) {
	for host, want := range map[string]bool{
		"tenant.example": true, "localhost": true, "127.0.0.1": true, "10.0.0.1": true, "fd00:ec2::255": true,
		"169.254.169.254": false, "::ffff:169.254.169.254": false, "fe80::1": false, "fe80::1%eth0": false, "fd00:ec2::254": false,
		"0.0.0.0": false, "::": false, "224.0.0.1": false, "metadata.google.internal": false, "Metadata.Google.Internal.": false,
	} {
		if err := hosts.Callable(host); (err == nil) != want {
			t.Errorf("%s: %v, want callable %v", host, err, want)
		}
	}
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOGIN.localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true,
		"0.0.0.0": false, "localhost.example": false, "10.0.0.1": false, "": false,
	} {
		if got := hosts.Loopback(host); got != want {
			t.Errorf("%s: %v, want %v", host, got, want)
		}
	}
}
