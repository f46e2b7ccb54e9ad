package clienttests

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"testing"
)

// What AuthHero 9.6.1 does differently from the vendor's tenant, each as it was observed. Remove a line that fails at a later version:
// the fault is gone.
//
// It keeps of a component only the properties that it knows, and silently drops the others: it knows neither min_length of a text,
// nor hash, complexity, nist and strength_meter of a password, nor country_picker and strings of a telephone number, nor secret_key of a
// captcha, nor next_node and style of a jump button, nor any property of a resend button that the vendor documents. It adds visible to
// every component. It refuses a payload without naming the property, has neither ETags nor If-Match, and cannot remove a property.
func TestAuthHeroFaults(t *testing.T) {
	_, address := editorAt(t)
	h := startAuthHero(t, address)
	text, err := os.ReadFile("../templates/files/1-sign-up.json")
	if err != nil {
		t.Fatal(err)
	}
	var example struct{ Form map[string]any }
	if err := json.Unmarshal(text, &example); err != nil {
		t.Fatal(err)
	}
	var stored map[string]any
	h.json(t, http.MethodPost, h.Management+"/forms", example.Form, http.StatusCreated, &stored)
	dropped := map[string]bool{}
	for _, path := range differences("", example.Form, stored) {
		dropped[regexp.MustCompile(`^.*components\[\d+\]\.config\.`).ReplaceAllString(path, "")] = true
	}
	want := []string{
		"active_text", "button_text", "complexity", "country_picker", "flow_id", "hash", "max_attempts", "min_length", "next_node", "nist",
		"secret_key", "strength_meter", "strings.filter_placeholder", "style.background_color", "text_alignment", "waiting_text", "waiting_time",
	}
	if got := slices.Sorted(maps.Keys(dropped)); !slices.Equal(got, want) {
		t.Errorf("AuthHero drops %q, want %q", got, want)
	}

	id, _ := stored["id"].(string)
	oddAnswers(t, h, id)
}

// oddAnswers sends requests about a form that AuthHero answers differently, and deletes the form.
func oddAnswers(t *testing.T, h *authHero, id string) {
	t.Helper()
	const refused = `^\{"statusCode":400,"error":"Bad Request","message":"Payload validation error","errorCode":"invalid_body"\}$`
	component := func(text string) string {
		return `{"nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[` + text + `]}}]}`
	}
	for _, tt := range []struct {
		fault, method, path, body string
		status                    int
		answer                    string
	}{
		{"null does not remove a property", http.MethodPatch, id, `{"translations":null}`, 400, refused},
		{"an unknown property is no fault", http.MethodPatch, id, `{"unknown":1}`, 200, `"id":"` + id},
		{"a name may be empty", http.MethodPatch, id, `{"name":""}`, 200, `"name":""`},
		{"a hidden field needs a value", http.MethodPatch, id, `{"start":{"hidden_fields":[{"key":"case_id"}]}}`, 400, refused},
		{
			"the default of a number is a text", http.MethodPatch, id,
			component(`{"id":"n","type":"NUMBER","config":{"default_value":2}}`), 400, refused,
		},
		{
			"a jump leads nowhere", http.MethodPatch, id,
			component(`{"id":"j","type":"JUMP_BUTTON","config":{"next_node":"a"}}`), 200, `"config":\{\}`,
		},
		{"deletion has an answer", http.MethodDelete, id, `{}`, 200, "^OK$"},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			status, answer := h.ask(t, tt.method, h.Management+"/forms/"+tt.path, json.RawMessage(tt.body))
			if status != tt.status || !matches(t, tt.answer, string(answer)) {
				t.Errorf("%s %s = %d %s, want %d %s", tt.method, tt.body, status, answer, tt.status, tt.answer)
			}
		})
	}
	t.Run("a token that is not valid is forbidden", func(t *testing.T) {
		stranger := *h
		stranger.token = "not a token"
		if status, answer := stranger.ask(t, http.MethodGet, h.Management+"/forms", nil); status != http.StatusForbidden {
			t.Errorf("%d %s, want 403 where RFC 6750 has 401", status, answer)
		}
	})
}
