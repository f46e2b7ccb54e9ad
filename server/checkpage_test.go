package main

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/foreigntest"
)

// TestCheckPage opens /check of a real server, in front of a foreign tenant.
func TestCheckPage(t *testing.T) {
	for name, x := range map[string]struct {
		service bool
		traits  foreigntest.Traits
		want    []string
	}{
		"people":  {false, foreigntest.Traits{}, []string{"Not tried", "needs a signed-in person"}},
		"service": {true, foreigntest.Traits{PeopleAreStrangers: true, NoFlows: true}, []string{"the token lacks read:flows", "Warning"}},
	} {
		t.Run(name, func(t *testing.T) {
			tenant := foreigntest.Start(t, x.traits)
			r := start(t, newData(t), append(with(tenant, x.service), "--listen", "127.0.0.1:0")...)
			p := r.person()
			_, _, page := p.send("GET", r.at.Editor+"/check", "", "Accept", "text/html")
			action := regexp.MustCompile(`action="([^"]*)"`).FindStringSubmatch(page)
			if action == nil {
				t.Fatalf("a visitor is not sent to sign in: %s", page)
			}
			to := html.UnescapeString(action[1])
			if strings.HasPrefix(to, "/") {
				to = tenant.URL + to
			}
			status, h, page := p.send("POST", to, "person=0", "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
			want := append([]string{
				"<h1 class=\"shell-name\">Configuration check</h1>", r.at.Editor + "/bff/callback", "discovery", "the browser sends fg<",
				"Run again", "Nothing failed",
			}, x.want...)
			if status != http.StatusOK || !strings.HasPrefix(h.Get("Content-Type"), "text/html") || h.Get("Cache-Control") != "no-store" {
				t.Errorf("got %d %v", status, h)
			}
			for _, word := range want {
				if !strings.Contains(page, word) {
					t.Errorf("the page lacks %s: %s", word, page)
				}
			}
			if strings.Contains(page, foreigntest.Secret) || strings.Contains(r.log.String(), foreigntest.Secret) {
				t.Error("a secret is shown")
			}
			before := len(tenant.Calls())
			if p.send("GET", r.at.Editor+"/check", "", "Accept", "text/html"); len(tenant.Calls()) != before {
				t.Error("the results are not kept")
			}
		})
	}
	r := start(t, newData(t))
	if status, _, _ := r.person().send("GET", r.at.Editor+"/check", ""); status != http.StatusNotFound {
		t.Errorf("beside the embedded tenant: %d", status)
	}
}
