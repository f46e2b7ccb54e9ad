package admission_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/admission"
)

// rule returns a rule by its option.
func rule(t *testing.T, option, value string) admission.Rule {
	t.Helper()
	parse := map[string]func(string) (admission.Rule, error){
		"email": admission.Email, "domain": admission.EmailDomain, "claim": admission.Claim, "subject": admission.Subject,
	}[option]
	r, err := parse(value)
	if err != nil {
		t.Fatalf("%s %q: %v", option, value, err)
	}
	return r
}

func claims(t *testing.T, text string) admission.Claims {
	t.Helper()
	c, err := admission.ParseClaims([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWhoIsLetIn(t *testing.T) {
	const ana = `"sub":"s1","email":"ana@example.com","email_verified":true`
	for _, tt := range []struct {
		name, option, value, claims string
		in                          bool
	}{
		{"verified e-mail", "email", "ana@example.com", `{` + ana + `}`, true},
		{"e-mail in another case", "email", "Ana@Example.COM", `{"email":"aNA@example.com","email_verified":true}`, true},
		{"another person's e-mail", "email", "ben@example.com", `{` + ana + `}`, false},
		{"unverified e-mail", "email", "ana@example.com", `{"email":"ana@example.com","email_verified":false}`, false},
		{"e-mail of unknown state", "email", "ana@example.com", `{"email":"ana@example.com"}`, false},
		{"verified as a string", "email", "ana@example.com", `{"email":"ana@example.com","email_verified":"true"}`, false},
		{"verified as a number", "email", "ana@example.com", `{"email":"ana@example.com","email_verified":1}`, false},
		{"e-mail with a space", "email", "ana@example.com", `{"email":" ana@example.com","email_verified":true}`, false},
		{"Kelvin sign", "email", "kim@example.com", "{\"email\":\"\u212aim@example.com\",\"email_verified\":true}", false},
		{"other letters in the same case", "email", "Änne@example.com", `{"email":"Änne@EXAMPLE.com","email_verified":true}`, true},
		{"other letters in another case", "email", "änne@example.com", `{"email":"Änne@example.com","email_verified":true}`, false},
		{"e-mail is a list", "email", "ana@example.com", `{"email":["ana@example.com"],"email_verified":true}`, false},
		{"no e-mail", "email", "ana@example.com", `{"email_verified":true}`, false},

		{"domain", "domain", "example.com", `{` + ana + `}`, true},
		{"domain in another case", "domain", "Example.Com", `{"email":"ana@EXAMPLE.com","email_verified":true}`, true},
		{"unverified e-mail of the domain", "domain", "example.com", `{"email":"ana@example.com","email_verified":false}`, false},
		{"subdomain", "domain", "example.com", `{"email":"ana@sub.example.com","email_verified":true}`, false},
		{"parent domain", "domain", "sub.example.com", `{"email":"ana@example.com","email_verified":true}`, false},
		{"domain that ends alike", "domain", "example.com", `{"email":"ana@badexample.com","email_verified":true}`, false},
		{"domain that begins alike", "domain", "example.com", `{"email":"ana@example.com.evil.test","email_verified":true}`, false},
		{"domain before the last @", "domain", "example.com", `{"email":"\"a@example.com\"@evil.test","email_verified":true}`, false},
		{"look-alike letters", "domain", "example.com", `{"email":"ana@ex\u0430mple.com","email_verified":true}`, false},
		{"Kelvin sign in the domain", "domain", "kiosk.example", "{\"email\":\"a@\u212aiosk.example\",\"email_verified\":true}", false},
		{"domain alone", "domain", "example.com", `{"email":"@example.com","email_verified":true}`, false},
		{"no @", "domain", "example.com", `{"email":"example.com","email_verified":true}`, false},

		{"string", "claim", "org=forms", `{"org":"forms"}`, true},
		{"string in another case", "claim", "org=forms", `{"org":"Forms"}`, false},
		{"part of a string", "claim", "org=forms", `{"org":"forms team"}`, false},
		{"element of a list", "claim", "groups=editors", `{"groups":["a","editors"]}`, true},
		{"no element of a list", "claim", "groups=editors", `{"groups":["a","b"]}`, false},
		{"list in a list", "claim", "groups=editors", `{"groups":[["editors"]]}`, false},
		{"empty list", "claim", "groups=editors", `{"groups":[]}`, false},
		{"namespaced name", "claim", "https://example.com/roles=editor", `{"https://example.com/roles":["editor"]}`, true},
		{"name without its namespace", "claim", "https://example.com/roles=editor", `{"roles":["editor"]}`, false},
		{"value with =", "claim", "groups=CN=forms,OU=x", `{"groups":["CN=forms,OU=x"]}`, true},
		{"name with =", "claim", "https://example.com/?a=b", `{"https://example.com/?a":"b"}`, true},
		{"number", "claim", "tenant=42", `{"tenant":42}`, true},
		{"large number", "claim", "tenant=12345678901234567890", `{"tenant":12345678901234567890}`, true},
		{"number in a list", "claim", "tenants=42", `{"tenants":[41,42]}`, true},
		{"number in another notation", "claim", "tenant=42", `{"tenant":42.0}`, false},
		{"true", "claim", "staff=true", `{"staff":true}`, true},
		{"false", "claim", "staff=true", `{"staff":false}`, false},
		{"null", "claim", "staff=null", `{"staff":null}`, false},
		{"object", "claim", "staff=true", `{"staff":{"true":true}}`, false},
		{"missing claim", "claim", "staff=true", `{}`, false},
		{"name in another case", "claim", "staff=true", `{"Staff":true}`, false},

		{"subject", "subject", "auth0|s1", `{"sub":"auth0|s1"}`, true},
		{"subject in another case", "subject", "auth0|s1", `{"sub":"auth0|S1"}`, false},
		{"longer subject", "subject", "auth0|s1", `{"sub":"auth0|s11"}`, false},
		{"subject with a comma", "subject", "a,b", `{"sub":"a,b"}`, true},
		{"subject is a number", "subject", "1", `{"sub":1}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, c := rule(t, tt.option, tt.value), claims(t, tt.claims)
			want := admission.None
			if tt.in {
				want = admission.Edit
			}
			rules := admission.Rules{Edit: []admission.Rule{r}}
			if got := rules.Level(c); got != want {
				t.Errorf("level = %v, want %v", got, want)
			}
			if got := rules.Level(rules.Needed(c)); got != want {
				t.Errorf("level by the needed claims = %v, want %v", got, want)
			}
			if got := (admission.Rules{View: []admission.Rule{r}}).Level(c); tt.in != (got == admission.View) {
				t.Errorf("level by a rule of viewers = %v", got)
			}
		})
	}
}

func TestEditBeatsView(t *testing.T) {
	r := admission.Rules{
		Edit: []admission.Rule{rule(t, "subject", "s1"), rule(t, "claim", "groups=editors")},
		View: []admission.Rule{rule(t, "domain", "example.com")},
	}
	for text, want := range map[string]admission.Level{
		`{"sub":"s1","email":"a@example.com","email_verified":true}`:                       admission.Edit,
		`{"sub":"s2","email":"a@example.com","email_verified":true,"groups":["editors"]}`:  admission.Edit,
		`{"sub":"s2","email":"a@example.com","email_verified":true,"groups":["managers"]}`: admission.View,
		`{"sub":"s2","email":"a@example.org","email_verified":true}`:                       admission.None,
		`{}`: admission.None,
	} {
		if got := r.Level(claims(t, text)); got != want {
			t.Errorf("%s: level = %v, want %v", text, got, want)
		}
	}
	if got := (admission.Rules{}).Level(claims(t, `{"sub":""}`)); got != admission.None {
		t.Errorf("without rules: level = %v", got)
	}
	if got := (admission.Rules{Edit: []admission.Rule{{}}}).Level(claims(t, `{"sub":""}`)); got != admission.None {
		t.Errorf("by the zero rule: level = %v", got)
	}
}

func TestNeededClaimsAreFew(t *testing.T) {
	var groups []string
	for i := range 5000 {
		groups = append(groups, fmt.Sprintf(`"group-%d"`, i))
	}
	c := claims(t, `{"sub":"s1","name":"Ana","groups":[`+strings.Join(groups, ",")+`],"other":"x"}`)
	r := admission.Rules{Edit: []admission.Rule{rule(t, "claim", "groups=group-77"), rule(t, "claim", "groups=group-4999")}}
	got, err := json.Marshal(r.Needed(c))
	if want := `{"groups":["group-77","group-4999"],"name":"Ana","sub":"s1"}`; err != nil || string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMalformedRules(t *testing.T) {
	for _, tt := range []struct {
		parse  func(string) (admission.Rule, error)
		values []string
	}{
		{admission.Email, []string{"", "ana", "@example.com", "ana@", "*@example.com", "*", "a b@example.com", "a@x.test,b@x.test", "a@x\n"}},
		{admission.EmailDomain, []string{
			"", "@example.com", "a@example.com", "https://example.com", "example.com/x", "*", "*.example.com",
			".example.com", "example.com.", "a b", "a.test,b.test",
		}},
		{admission.Claim, []string{"", "roles", "roles=", "=x", "roles=*", "*=x", "a b=c", "email=ana@example.com", "a=b\x00"}},
		{admission.Subject, []string{"", "*", "a\x7f"}},
	} {
		for _, v := range tt.values {
			if _, err := tt.parse(v); err == nil || !strings.HasPrefix(err.Error(), "must ") {
				t.Errorf("%q: error = %v", v, err)
			}
		}
	}
}

func TestClaimsAreOneObject(t *testing.T) {
	for _, text := range []string{``, `[]`, `null`, `"x"`, `{} {}`, `{"a":}`} {
		if c, err := admission.ParseClaims([]byte(text)); err == nil {
			t.Errorf("%q: %v", text, c)
		}
	}
}

func TestAddKeepsWhatIsThere(t *testing.T) {
	c := claims(t, `{"sub":"s1","email":null,"name":"Ana"}`)
	c.Add(claims(t, `{"sub":"s2","email":"x@example.com","groups":["a"]}`))
	got, err := json.Marshal(c)
	if want := `{"email":null,"groups":["a"],"name":"Ana","sub":"s1"}`; err != nil || string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
