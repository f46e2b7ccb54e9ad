package clienttests

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// editorAt returns a free address for an editor: AuthHero must know it before the editor can know AuthHero.
func editorAt(t testing.TB) (listen, address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(l.Addr().String(), ":")
	return l.Addr().String(), "http://localhost:" + port
}

// AuthHero 9.6.1: people create, read, change, save and delete forms there, with the service client or with their own tokens.
func TestAuthHero(t *testing.T) {
	for name, args := range map[string]func(*authHero) []string{
		"service client": func(h *authHero) []string {
			return []string{
				"--management-auth", "client", "--management-client-id", h.Service.ID, "--management-client-secret", h.Service.Secret,
				"--allow-email-domain", "team.example",
			}
		},
		"people's own tokens": func(*authHero) []string { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			listen, address := editorAt(t)
			h := startAuthHero(t, address)
			s := run(t, append([]string{
				"--listen", listen, "--public-url", address, "--issuer", h.Issuer, "--client-id", h.Client.ID, "--client-secret", h.Client.Secret,
				"--audience", h.Audience, "--management-url", h.Management,
			}, args(h)...)...)
			b := browse(t)
			b.enterFrom(s, h)
			id := callsReach(t, b, h)
			editorSaves(t, b, s, h, id)
			deleted(t, b, h, id)
			signedOut(b, s)
		})
	}
}

// enterFrom signs in at AuthHero, on its pages, and waits for the list of forms.
func (b *tab) enterFrom(s *server, h *authHero) {
	b.t.Helper()
	b.open(s.Editor + "/bff/login?return_to=/forms")
	for _, field := range [][2]string{{"username", h.Person.Username}, {"password", h.Person.Password}} {
		input := fmt.Sprintf(`document.querySelector('input[name="%s"]')`, field[0])
		b.wait(input)
		b.leave(fmt.Sprintf(`%s.value = %q, document.querySelector("form button[type=submit]").click()`, input, field[1]))
	}
	b.wait(`location.pathname === "/forms" && document.querySelector("main, h1")`)
}

// heroForm is a form for AuthHero, with some of what it drops.
func heroForm() map[string]any {
	var form map[string]any
	err := json.Unmarshal([]byte(`{"name":"Contact","languages":{"primary":"en"},
		"messages":{"errors":{"ERR_REQUIRED_PROPERTY":"Please fill this in."}},"translations":{"de":{"components":{"mail":{"label":"E-Mail"}}}},
		"nodes":[
			{"id":"step_a","type":"STEP","alias":"First","coordinates":{"x":0,"y":0},"config":{"next_node":"router_a","components":[
				{"id":"mail","category":"FIELD","type":"EMAIL","label":"Work e-mail","required":true,"config":{"placeholder":"ana@example.com"}},
				{"id":"secret","category":"FIELD","type":"TEXT","label":"A hidden one","visible":false,"config":{"min_length":2,"max_length":6}},
				{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
			{"id":"router_a","type":"ROUTER","alias":"Which","coordinates":{"x":400,"y":0},"config":{"fallback":"$ending","rules":[
				{"id":"rule_a","alias":"Ours","next_node":"step_b","condition":{"operator":"AND","operands":[
					{"operator":"ENDS_WITH","operands":["{{fields.mail}}","@team.example"]}]}}]}},
			{"id":"step_b","type":"STEP","alias":"Second","coordinates":{"x":800,"y":0},"config":{"next_node":"$ending","components":[
				{"id":"back","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Back to the start","next_node":"step_a"}},
				{"id":"go_on","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Done"}}]}}],
		"start":{"next_node":"step_a","coordinates":{"x":-200,"y":0}},"ending":{"resume_flow":true,"coordinates":{"x":1200,"y":0}},
		"style":{"css":"h1 { color: teal }"}}`), &form)
	if err != nil {
		panic(err)
	}
	return form
}

// callsReach creates, lists, reads and changes a form through the editor's server.
func callsReach(t testing.TB, b *tab, h *authHero) (id string) {
	t.Helper()
	const forms = "/bff/api/forms"
	made := b.call(http.MethodPost, forms, "", heroForm()).form(t, http.StatusCreated)
	id, _ = made["id"].(string)
	var direct map[string]any
	h.json(t, http.MethodPost, h.Management+"/forms", heroForm(), http.StatusCreated, &direct)
	same(t, "created", made, direct)

	listed := b.call(http.MethodGet, forms, "", nil)
	if listed.Status != http.StatusOK || !strings.Contains(listed.Text, `"`+id+`"`) {
		t.Errorf("the list is %d %s", listed.Status, listed.Text)
	}
	first := b.call(http.MethodGet, forms+"/"+id, "", nil)
	same(t, "read", first.form(t, http.StatusOK), made)
	if first.ETag == "" {
		t.Error("a form has no ETag")
	}
	if got := at(made, "nodes", 0, "config", "components", 0, "visible"); got != true {
		t.Errorf("visible = %v, want AuthHero's default", got)
	}

	nodes, _ := first.form(t, http.StatusOK)["nodes"].([]any)
	at(nodes, 2).(map[string]any)["coordinates"] = map[string]any{"x": 800, "y": 160}
	at(nodes, 0, "config", "components", 0).(map[string]any)["label"] = "Private e-mail"
	saved := b.call(http.MethodPatch, forms+"/"+id, first.ETag, map[string]any{"nodes": nodes})
	h.json(t, http.MethodPatch, h.Management+"/forms/"+direct["id"].(string), map[string]any{"nodes": nodes}, http.StatusOK, &direct)
	same(t, "changed", saved.form(t, http.StatusOK), direct)
	again := b.call(http.MethodGet, forms+"/"+id, "", nil)
	same(t, "read again", again.form(t, http.StatusOK), direct)
	if again.ETag == first.ETag {
		t.Errorf("the ETag is still %s", again.ETag)
	}
	late := b.call(http.MethodPatch, forms+"/"+id, first.ETag, map[string]any{"name": "Too late"})
	if late.Status != http.StatusPreconditionFailed || !strings.Contains(late.Text, `"conflict"`) {
		t.Errorf("a save of an old version = %d %s, want 412 conflict", late.Status, late.Text)
	}
	return id
}

// editorSaves does the main job in the editor: open, drag a node, edit a label, save, reload. Only the two changes reach AuthHero.
func editorSaves(t testing.TB, b *tab, s *server, h *authHero, id string) {
	t.Helper()
	var before, after map[string]any
	h.json(t, http.MethodGet, h.Management+"/forms/"+id, nil, http.StatusOK, &before)
	b.open(s.Editor + "/forms/" + id)
	b.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	b.pressButton("Fit view")
	x, y := b.grip("step_b")
	b.drag(x, y, x, y-120)
	b.click(`document.querySelector('[data-node="step_a"] [data-component="mail"]')`)
	b.fill("nodes[0].config.components[0].label", "Another e-mail")
	b.wait(`document.querySelector('[data-node="step_a"]').textContent.includes("Another e-mail")`)
	b.pressButton("Save")
	b.wait(`document.querySelector("[data-save-state]").dataset.saveState === "saved"`)

	h.json(t, http.MethodGet, h.Management+"/forms/"+id, nil, http.StatusOK, &after)
	if y, _ := at(after, "nodes", 2, "coordinates", "y").(float64); y > 100 {
		t.Errorf("step_b is at y=%v, want above its old place at 160", y)
	}
	at(before, "nodes", 0, "config", "components", 0).(map[string]any)["label"] = "Another e-mail"
	at(before, "nodes", 2).(map[string]any)["coordinates"] = at(after, "nodes", 2, "coordinates")
	same(t, "saved by the editor", after, before)
	if got := at(after, "nodes", 0, "config", "components", 1, "visible"); got != false {
		t.Errorf("visible = %v, want the false that it was", got)
	}

	b.open(s.Editor + "/forms/" + id)
	b.wait(`document.querySelector('[data-node="step_a"]')?.textContent.includes("Another e-mail")`)
}

// deleted deletes the form through the editor's server.
func deleted(t testing.TB, b *tab, h *authHero, id string) {
	t.Helper()
	if got := b.call(http.MethodDelete, "/bff/api/forms/"+id, "", nil); got.Status/100 != 2 {
		t.Errorf("delete = %d %s", got.Status, got.Text)
	}
	if status, _ := h.ask(t, http.MethodGet, h.Management+"/forms/"+id, nil); status != http.StatusNotFound {
		t.Errorf("AuthHero answers %d for the deleted form", status)
	}
	if got := b.call(http.MethodGet, "/bff/api/forms/"+id, "", nil); got.Status != http.StatusNotFound {
		t.Errorf("the deleted form = %d %s", got.Status, got.Text)
	}
}

// signedOut signs out here and at AuthHero, which redirects to the editor's address; the editor then asks for a new sign-in.
func signedOut(b *tab, s *server) {
	b.t.Helper()
	out := b.call(http.MethodPost, "/bff/logout", "", nil).form(b.t, http.StatusOK)
	address, _ := out["logout_url"].(string)
	b.open(address)
	b.wait(fmt.Sprintf("location.origin === %q", s.Editor))
	b.open(s.Editor + "/bff/login?return_to=/forms")
	b.wait(`document.querySelector('input[name="username"]')`)
}

// same compares two forms apart from what differs in each form.
func same(t testing.TB, what string, got, want map[string]any) {
	t.Helper()
	got, want = maps.Clone(got), maps.Clone(want)
	for _, form := range []map[string]any{got, want} {
		for _, own := range []string{"id", "created_at", "updated_at"} {
			delete(form, own)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: differences at %v:\n%v\nwant\n%v", what, differences("", want, got), got, want)
	}
}

// at returns the value at a path of keys and indexes, or nil.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := v.(map[string]any)
			v = object[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

// differences returns the paths at which got does not have what sent has.
func differences(path string, sent, got any) []string {
	var out []string
	switch sent := sent.(type) {
	case map[string]any:
		object, _ := got.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(sent)) {
			out = append(out, differences(path+"."+key, sent[key], object[key])...)
		}
	case []any:
		list, _ := got.([]any)
		for i, v := range sent {
			out = append(out, differences(fmt.Sprintf("%s[%d]", path, i), v, at(list, i))...)
		}
	default:
		if !reflect.DeepEqual(sent, got) {
			out = append(out, strings.TrimPrefix(path, "."))
		}
	}
	return out
}
