package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

const pleaseCheck = "This answer cannot be used here. Please check it."

func TestMessages(t *testing.T) {
	seen, used := map[Key]bool{}, map[Key]bool{}
	for _, k := range append(kinds, unknown) {
		for _, key := range k.faults {
			used[key] = true
		}
		for _, r := range k.rules {
			used[r.key] = true
		}
		for _, config := range []string{`{}`, `{"multiple":true}`} {
			used[k.absent(value(t, config).(*schema.Object))] = true
		}
	}
	for _, m := range Messages {
		if seen[m.Key] || !strings.HasPrefix(string(m.Key), "ERR_") || m.Text == "" {
			t.Errorf("message %+v", m)
		}
		seen[m.Key] = true
		if used[m.Key] == (m.Unused != "") {
			t.Errorf("%s is used: %v, but says %q", m.Key, used[m.Key], m.Unused)
		}
		params := map[string]string{}
		for _, name := range m.Params {
			params[name] = "X"
		}
		if text := fill(m.Text, params); strings.Contains(text, "{{") || strings.Count(text, "X") != len(m.Params) {
			t.Errorf("%s with its parameters is %q", m.Key, text)
		}
		delete(used, m.Key)
	}
	for key := range used {
		t.Errorf("%s has no message", key)
	}
	for _, k := range kinds {
		for _, r := range k.rules {
			i := slices.IndexFunc(Messages, func(m Message) bool { return m.Key == r.key })
			if r.param != "" && !slices.Contains(Messages[i].Params, r.param) {
				t.Errorf("%s: the message of %s has no %s", k.name, r.property, r.param)
			}
		}
	}
}

func TestTextsOfRefusals(t *testing.T) {
	f := formOf(t, translated)
	c, _, _ := f.Component("t")
	for _, tc := range []struct{ language, given, want string }{
		{"en", `""`, "Own"},
		{"de", `""`, "Bitte ausfüllen"},
		{"pt", `""`, "Own"},
		{"fr", `""`, "Own"},
		{"de", `"ab"`, "Own 3 {{vars.x}}"},
		{"de", `{}`, pleaseCheck},
	} {
		if _, refusal := Judge(c, value(t, tc.given), In(f, tc.language)); refusal.Text != tc.want {
			t.Errorf("%s given %s: %q, want %q", tc.language, tc.given, refusal.Text, tc.want)
		}
	}
	if got := In(f, "de").Error("ERR_NEW"); got != "ERR_NEW" {
		t.Errorf("an unknown key has the text %q", got)
	}
	for key, want := range map[string]string{"hi": "Hallo", "bye": "Bye", "none": ""} {
		if got, ok := In(f, "de").Custom(key); got != want || ok != (want != "") {
			t.Errorf("message %s: %q, %v", key, got, ok)
		}
	}
	if got, ok := (*Texts)(nil).Custom("hi"); ok {
		t.Errorf("without a form: %q", got)
	}
}
