package clienttests

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// authHero is a running AuthHero with its data in memory.
type authHero struct {
	Issuer     string
	Audience   string
	Management string `json:"management_url"`
	Person     struct{ Email, Username, Password string }
	Client     credentials
	Service    credentials

	token string
}

type credentials struct {
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
}

// startAuthHero runs AuthHero until the test ends, for an editor at an address. FORMGRAPH_AUTHHERO names the folder of its packages.
func startAuthHero(t testing.TB, editor string) *authHero {
	t.Helper()
	folder := os.Getenv("FORMGRAPH_AUTHHERO")
	if folder == "" {
		t.Fatal("FORMGRAPH_AUTHHERO names no folder: run make test-clients")
	}
	script := filepath.Join(copied(t, folder, "authhero.mjs"), "authhero.mjs")
	cmd := exec.CommandContext(t.Context(), "node", script, editor+"/bff/callback", editor+"/")
	// It ends with its input, also when this process is killed.
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = input.Close() })
	h := &authHero{}
	firstLine(t, cmd, h)
	var granted struct {
		Token string `json:"access_token"`
	}
	h.json(t, http.MethodPost, h.Issuer+"oauth/token", map[string]any{
		"grant_type": "client_credentials", "client_id": h.Service.ID, "client_secret": h.Service.Secret, "audience": h.Audience,
	}, http.StatusOK, &granted)
	h.token = granted.Token
	return h
}

// ask sends a request to AuthHero as the service client.
func (h *authHero) ask(t testing.TB, method, address string, body any) (status int, answer []byte) {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if h.token != "" {
		req.Header.Set("Authorization", "Bearer "+h.token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err = io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, answer
}

// json is like ask for a request that must succeed.
func (h *authHero) json(t testing.TB, method, address string, body any, want int, into any) {
	t.Helper()
	status, answer := h.ask(t, method, address, body)
	if status != want {
		t.Fatalf("%s %s = %d %s, want %d", method, address, status, answer, want)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		t.Fatal(err)
	}
}
