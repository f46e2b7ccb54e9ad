//go:build e2e && !js

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// jwt matches the tokens that the tenant issues.
var jwt = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}`)

// No token reaches the page, the browser's storage or the log.
func TestNoTokenInTheBrowser(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"), "--log-level", "debug")
	id := s.create(threeNodes)
	p := fresh(t)
	p.editor(s, id)
	p.choose("step_a")
	p.fill("nodes[0].alias", "Other")
	p.press("button", "Save")
	p.saveState("saved")
	stored := evalAsync[string](p, `(async () => {
	  const out = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, document.documentElement.outerHTML, location.href];
	  for (const d of await indexedDB.databases()) out.push(d.name);
	  for (const k of await caches.keys()) out.push(k);
	  for (const path of ["/bff/user", "/bff/api/forms", "/bff/api/forms/`+id+`"]) {
	    const r = await fetch(path, {headers: {"X-CSRF": "1"}});
	    out.push(JSON.stringify([...r.headers]), await r.text());
	  }
	  return out.join("\n");
	})()`)
	if !strings.Contains(stored, s.First.Admin.Email) {
		t.Fatal("the answers were not read: the check would be meaningless")
	}
	if found := jwt.FindString(stored); found != "" {
		t.Errorf("the browser stores a token: %.40s…", found)
	}
	log := s.log.String()
	if !strings.Contains(log, "PATCH") {
		t.Fatal("the log does not show the requests: the check would be meaningless")
	}
	for name, secret := range map[string]string{"password": s.First.Admin.Password, "client secret": s.First.Client.Secret} {
		if strings.Contains(afterReady(log), secret) {
			t.Errorf("the log contains the %s", name)
		}
	}
	if found := jwt.FindString(log); found != "" {
		t.Errorf("the log contains a token: %.40s…", found)
	}
	if db, err := os.ReadFile(filepath.Join(s.data, "formgraph.db")); err != nil || jwt.Match(db) {
		t.Errorf("the database contains a token in clear text (%v)", err)
	}
}

// afterReady omits the output that the first start prints once.
func afterReady(log string) string {
	_, rest, _ := strings.Cut(log, `"editor_url"`)
	return rest
}
