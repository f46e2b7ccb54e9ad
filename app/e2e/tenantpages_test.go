//go:build e2e && !js

package e2e

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tool runs a command of the program on a data folder.
func tool(t *testing.T, data string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), os.Getenv("FORMGRAPH_BIN"), append(args, "--data", data)...).CombinedOutput()
	if err != nil {
		t.Fatalf("formgraph %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// An invited person chooses a password through the link, signs in with it, and is
// asked for consent before a third-party application gets access. In both themes;
// FORMGRAPH_SHOTS saves screenshots.
func TestTenantPages(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := start(t, data)
	client := tool(t, data, "client", "add", "Newsletter", "--type", "spa", "--third-party", "--callback", s.Ready.Editor+"/healthz", "--audience", "/api/v2/", "--scope", "read:forms")
	id := regexp.MustCompile(`[A-Za-z0-9_-]{20,}`).FindString(client)
	for _, theme := range pictured() {
		p := browse(t)
		p.scheme(theme)
		email := theme + "@example.com"
		link := regexp.MustCompile(`http://\S+`).FindString(tool(t, data, "user", "add", email, "--role", "Editor"))
		p.open(link)
		p.wait(`document.querySelector("input[type=password]")`)
		p.shoot("new-password-" + theme)
		p.click("#password")
		p.key("short\r")
		p.wait(`document.querySelector("#password[aria-invalid=true]") && document.querySelector("#password + [role=alert]")?.textContent.includes("too short")`)
		p.wait(`getComputedStyle(document.querySelector("#password")).borderTopColor !== getComputedStyle(document.querySelector("#again")).borderTopColor`)
		p.shoot("new-password-short-" + theme)
		for _, field := range []string{"#password", "#again"} {
			p.click(field)
			p.key("long enough 1")
		}
		p.press("button", "Set password")
		p.wait(`!document.querySelector("input[type=password]")`)
		p.shoot("password-chosen-" + theme)
		p.press("button", "Sign in")
		p.wait(`document.querySelector("input[type=email]")`)
		p.click("input[type=email]")
		p.key(email)
		p.click("input[type=password]")
		p.key("long enough 1\r")
		p.wait(`location.href === ` + js(s.Ready.Editor+"/forms"))
		p.wait(find("button", "Account"))
		p.shoot("invited-" + theme)
		p.signOut()
		p.wait(`document.querySelector("[data-act=sign-in]")`)

		query := url.Values{
			"response_type": {"code"}, "client_id": {id}, "redirect_uri": {s.Ready.Editor + "/healthz"}, "scope": {"openid email read:forms"},
			"audience": {s.Ready.Tenant + "/api/v2/"}, "state": {"s"}, "code_challenge": {strings.Repeat("a", 43)}, "code_challenge_method": {"S256"},
		}
		p.open(s.Ready.Tenant + "/authorize?" + query.Encode())
		p.wait(`document.querySelector("input[type=password]")`)
		p.click("input[type=email]")
		p.key(email)
		p.click("input[type=password]")
		p.key("long enough 1\r")
		p.wait(`document.body.textContent.includes("Newsletter") && !document.querySelector("input[type=password]")`)
		p.shoot("consent-" + theme)
		for _, want := range []string{"See your e-mail address", "See forms", email} {
			if !eval[bool](p, `document.body.innerText.includes(`+js(want)+`)`) {
				t.Errorf("%s: the consent page does not say %q", theme, want)
			}
		}
		p.press("button", "Allow")
		p.wait(`location.pathname === "/healthz" && new URLSearchParams(location.search).get("code") && new URLSearchParams(location.search).get("state") === "s"`)
		// A person who agreed is not asked again.
		p.open(s.Ready.Tenant + "/authorize?" + query.Encode())
		p.wait(`location.pathname === "/healthz" && new URLSearchParams(location.search).get("code")`)
	}
}
