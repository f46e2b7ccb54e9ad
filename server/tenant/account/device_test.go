package account_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/account"
)

// Browsers of today by how they call themselves.
func TestDevices(t *testing.T) {
	for agent, want := range map[string][2]string{
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/141.0.0.0 Safari/537.36": {"Chrome", "Linux"},
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0": {"Edge", "Windows"},
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"Version/18.6 Safari/605.1.15": {"Safari", "macOS"},
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 " +
			"Safari/604.1": {"Safari", "iPhone"},
		"Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0": {"Firefox", "Android"},
		"curl/8.11.1":                       {"curl", ""},
		"(":                                 {},
		strings.Repeat("long", 60) + "/1.0": {},
		"\xff\x00;;((/":                     {},
	} {
		if d := account.ReadDevice(store.Device{UserAgent: agent}); d.Name != want[0] || d.On != want[1] || d.Agent != agent {
			t.Errorf("%.60q is %+v, want %v", agent, d, want)
		}
	}
	if d := account.ReadDevice(store.Device{}); d != nil {
		t.Errorf("nothing is %+v", d)
	}
}

func TestSessionDevice(t *testing.T) {
	f := newFixture(t)
	agent := "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"
	err := f.store.CreateSignIn(t.Context(), store.SignIn{
		Hash: []byte{1}, ID: "s1", UserID: "ana", AuthTime: f.clock(), Expires: f.clock().Add(time.Hour),
		Device: store.Device{UserAgent: agent, IP: "192.0.2.1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Sessions []struct{ Device map[string]string }
	}
	a := f.do(f.token(), http.MethodGet, "/sessions", nil)
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || len(got.Sessions) != 1 {
		t.Fatalf("sessions = %s, %v", a.body, err)
	}
	d := got.Sessions[0].Device
	if len(d) != 4 || d["initial_user_agent"] != agent || d["initial_ip"] != "192.0.2.1" || d["name"] != "Chrome" || d["platform"] != "Linux" {
		t.Errorf("device = %v", d)
	}
}

// Any name that a program gives itself is accepted.
func FuzzDevice(f *testing.F) {
	f.Add("Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0.0.0")
	f.Add("(((;;;)))///")
	f.Fuzz(func(t *testing.T, agent string) {
		d := account.ReadDevice(store.Device{UserAgent: agent, IP: "192.0.2.1"})
		if utf8.RuneCountInString(d.Name) > 40 || utf8.RuneCountInString(d.On) > 40 {
			t.Errorf("%q is %+v", agent, d)
		}
	})
}
