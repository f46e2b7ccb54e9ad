package account

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

func object(t *testing.T, text string) *schema.Object {
	t.Helper()
	tree, problems := schema.Decode([]byte(text))
	o, ok := tree.(*schema.Object)
	if !ok {
		t.Fatalf("no object: %v", problems)
	}
	return o
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const methodsText = `{"authentication_methods":[
	{"id":"password|own","type":"password","usage":["primary"],"confirmed":true},
	{"id":"passkey|a","type":"passkey","name":"Laptop","created_at":"2026-02-27T12:00:00.000Z","last_auth_at":"2026-03-01T11:00:00.000Z",
	"credential_device_type":"single_device"},
	{"id":"passkey|b","type":"passkey","created_at":"2026-03-01T11:59:30.000Z","credential_device_type":"multi_device"},
	{"id":"totp|c","type":"totp","created_at":"2026-03-01T09:00:00.000Z"},
	{"id":"recovery-code|d","type":"recovery-code","created_at":"2025-03-01T09:00:00.000Z"},
	{"id":"phone|e","type":"phone","created_at":"2025-03-01T09:00:00.000Z"}, 7]}`

// Ways to sign in that the tenant does not offer are left out, unless the
// person already has one.
func TestWays(t *testing.T) {
	for _, x := range []struct{ name, factors, methods, want string }{
		{
			"today's tenant", `{"factors":[{"type":"password"},{"type":"passkey"}]}`,
			`{"authentication_methods":[{"id":"password|own","type":"password"}]}`, "password+:1 passkey+:0",
		},
		{
			"second factors too", `{"factors":[{"type":"password"},{"type":"passkey"},{"type":"totp"},{"type":"recovery-code"}]}`, `{}`,
			"password+:0 passkey+:0 totp+:0 recovery-code+:0",
		},
		{
			"in another order", `{"factors":[{"type":"recovery-code"},{"type":"totp"},{"type":"passkey"},{"type":"phone"}]}`, methodsText,
			"password:1 passkey+:2 totp+:1 recovery-code+:1",
		},
		{"no longer offered", `{"factors":[]}`, methodsText, "password:1 passkey:2 totp:1 recovery-code:1"},
		{"nothing at all", `{"factors":"x"}`, `{}`, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := profile{offered: readOffered(object(t, x.factors)), methods: readMethods(object(t, x.methods))}
			var got []string
			for _, w := range p.ways() {
				text := w.kind
				if w.offered {
					text += "+"
				}
				got = append(got, text+":"+string(rune('0'+len(w.methods))))
			}
			if d := cmp.Diff(strings.Join(got, " "), x.want); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestMethodsAreDescribed(t *testing.T) {
	p := profile{methods: readMethods(object(t, methodsText))}
	var got []string
	for _, m := range p.methods {
		got = append(got, m.Title()+" – "+m.story(noon))
	}
	want := []string{
		"Password – ",
		"Laptop – Added 2 days ago · last used 1 hour ago · on one device",
		"Passkey – Added just now · never used · on all your devices",
		"Authenticator app – Added 3 hours ago · never used",
		"Recovery code – Added 1 March 2025 · never used",
		"phone – Added 1 March 2025 · never used",
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Error(d)
	}
	if m, ok := p.method("totp|c"); !ok || m.Kind != totp {
		t.Errorf("method = %v, %v", m, ok)
	}
	if _, ok := p.method("totp|x"); ok {
		t.Error("found a missing item")
	}
}

func TestPlaces(t *testing.T) {
	p := profile{
		places: readPlaces(object(t, `{"sessions":[
			{"id":"new","authenticated_at":"2026-03-01T11:00:00.000Z","browser":true,"clients":["editor"],"current":false},
			{"id":"old","authenticated_at":"2026-02-01T11:00:00.000Z","browser":false,"clients":["editor","cli"],"current":false},
			{"id":"me","authenticated_at":"2026-02-20T11:00:00.000Z","browser":true,"clients":["editor"],"current":true},
			{"id":"tenant","authenticated_at":"2026-02-10T11:00:00.000Z","browser":true,"clients":[],"current":false}]}`)),
		consents: readConsents(object(t,
			`{"consents":[{"id":"editor","client_name":"Formgraph editor","created_at":"2026-02-01T11:00:00.000Z","grants":[]},{"id":"cli",
				"client_name":""}]}`)),
	}
	var got []string
	for _, s := range p.places {
		got = append(got, s.id+": "+p.where(s))
	}
	want := []string{
		"me: In Formgraph editor", "new: In Formgraph editor", "tenant: In a browser, without an application",
		"old: Only in Formgraph editor, cli",
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Error(d)
	}
	if s, ok := p.place("me"); !ok || !s.current || !s.browser || s.since.Day() != 20 {
		t.Errorf("place = %+v, %v", s, ok)
	}
}

func TestPlaceTitles(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "A browser or application", `{"device":{"name":"Chrome","platform":"Linux","initial_ip":"192.0.2.7"}}`: "Chrome on Linux",
		`{"device":{"name":"curl"}}`: "curl", `{"device":{"platform":"Android"}}`: "A browser or application on Android",
		`{"device":7}`: "A browser or application",
	} {
		if got := readPlaces(object(t, `{"sessions":[`+text+`]}`))[0].title(); got != want {
			t.Errorf("%s is called %q, want %q", text, got, want)
		}
	}
}

func TestPlaceOrigin(t *testing.T) {
	for ip, want := range map[string]string{
		"192.0.2.7": "Signed in 1 hour ago from 192.0.2.7", "2001:db8::1": "Signed in 1 hour ago from 2001:db8::1",
		"127.0.0.1": "Signed in 1 hour ago", "::1": "Signed in 1 hour ago", "": "Signed in 1 hour ago", "x": "Signed in 1 hour ago",
	} {
		if got := (place{since: noon.Add(-time.Hour), ip: ip}).came(noon); got != want {
			t.Errorf("%q: %q, want %q", ip, got, want)
		}
	}
}

func TestScopeDescriptions(t *testing.T) {
	cs := readConsents(object(t, `{"consents":[{"id":"c","client_name":"C","created_at":"2026-02-01T11:00:00.000Z","grants":[
		{"audience":"a","scopes":["openid","read:forms","email","update:forms","delete:forms"]},
		{"audience":"b","scopes":["openid","read:me:authentication_methods","read:reports_of_others:all","odd","run:jobs","read:forms"]}]}]}`))
	if len(cs) != 1 || cs[0].name != "C" || cs[0].since.Month() != time.February || slices.Index(cs[0].scopes, "openid") != 0 ||
		len(cs[0].scopes) != 9 {
		t.Fatalf("consents = %+v", cs)
	}
	want := []string{
		"Know who you are", "Forms: see, change, delete", "See your e-mail address",
		"Your ways to sign in: see", "Reports of others all: see", "odd", "run:jobs",
	}
	if d := cmp.Diff(may(cs[0].scopes), want); d != "" {
		t.Error(d)
	}
}

// Every scope of the tenant's own APIs has a description.
func TestScopesHaveDescriptions(t *testing.T) {
	for s := range strings.FieldsSeq(`openid profile email offline_access read:forms create:forms read:flows read:clients update:client_keys
		read:client_grants read:authentication_methods read:resource_servers read:users create:user_tickets read:roles read:logs read:me:factors
		create:me:authentication_methods read:me:consents delete:me:sessions`) {
		line := may([]string{s})[0]
		if strings.ContainsAny(line, "_") || strings.HasPrefix(line, s) || strings.ToUpper(line[:1]) != line[:1] {
			t.Errorf("%s is shown as %q", s, line)
		}
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{"": "No name", "Ana": "Ana"} {
		p := profile{user: client.User{Name: name, Email: "ana@example.org"}}
		if got := p.name(); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
}

func TestInFours(t *testing.T) {
	for in, want := range map[string]string{"": "", "ABCD": "ABCD", "ABCDE": "ABCD E", "ABCD EFGH IJ": "ABCD EFGH IJ"} {
		if got := inFours(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
