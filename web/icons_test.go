package web

import (
	"net/url"
	"strings"
	"testing"
)

func TestCardIcons(t *testing.T) {
	css, err := cardIcons([]byte(ForIcons("mail", "step", "flow", "router", "start", "ending", "unknown", "warn", "plus")), []byte(ForTokens))
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]string{}
	for line := range strings.Lines(string(css)) {
		if selector, body, ok := strings.Cut(line, "{background-image:url(\"data:image/svg+xml,"); ok {
			plain, err := url.PathUnescape(strings.TrimSuffix(strings.TrimSpace(body), `")}`))
			if err != nil || strings.ContainsAny(plain, `"`) {
				t.Errorf("%s: %q: %v", selector, plain, err)
			}
			rules[selector] = plain
		}
	}
	for selector, colour := range map[string]string{
		".ci-mail": "#111", `[data-theme="dark"] .ci-mail`: "#eee", ".cv-kind>.ci-step": "#01f",
		`[data-theme="dark"] .cv-kind>.ci-ending`: "#a5f", ".cv-bad>.ci-warn": "#f00", `[data-theme="dark"] .cv-warn>.ci-warn`: "#ffa", ".cv-plus:hover>.ci-plus": "#fff", ".cv-kind>.ci-unknown": "#222",
	} {
		if got := rules[selector]; !strings.Contains(got, `stroke='`+colour+`'`) || !strings.Contains(got, `<path d='M1 1' fill='`+colour+`'/>`) {
			t.Errorf("%s: %s, want %s", selector, got, colour)
		}
	}
	if want := 2 * (9 + len(coloured)); len(rules) != want {
		t.Errorf("%d rules, want %d", len(rules), want)
	}
}

func TestCardIconsRefuse(t *testing.T) {
	whole := ForIcons("step", "flow", "router", "start", "ending", "unknown", "warn", "plus")
	for name, tt := range map[string]struct{ icons, tokens, want string }{
		"not XML":          {"<svg", ForTokens, "icons.svg"},
		"a missing icon":   {ForIcons("step"), ForTokens, "flow"},
		"no dark theme":    {whole, strings.Replace(ForTokens, "dark", "dusk", 1), "dark"},
		"no ink":           {whole, strings.ReplaceAll(ForTokens, "--ink-3", "--ink-4"), "ink-3"},
		"a missing colour": {whole, strings.Replace(ForTokens, "--router: #03f", "--router: red", 1), "router"},
	} {
		if _, err := cardIcons([]byte(tt.icons), []byte(tt.tokens)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, tt.want)
		}
	}
}
