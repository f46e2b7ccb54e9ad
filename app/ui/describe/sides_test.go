package describe

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
)

func TestSidesAreWords(t *testing.T) {
	const start = `{"name":"F","nodes":[
		{"id":"a","type":"STEP","alias":"First","config":{"components":[
			{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail","required":true},
			{"id":"pass","category":"FIELD","type":"PASSWORD","label":"Password","config":{"default_value":"hunter2"}},
			{"id":"pay","category":"FIELD","type":"PAYMENT","label":"Pay","config":{"provider":"STRIPE","credentials":{"private_key":"a"}}},
			{"id":"one","category":"FIELD","type":"TEXT","label":"One"}]}},
		{"id":"b","type":"STEP","alias":"Second","config":{"components":[]}},
		{"id":"c","type":"STEP","alias":"Third","config":{"components":[]}}]}`
	base := formtest.Parse(t, start)
	for _, c := range []struct {
		name, mine, theirs string // edits, as edited has them
		want               [2]string
	}{
		{"text", `"E-mail"|"My mail"`, `"E-mail"|"Their mail"`, [2]string{"My mail", "Their mail"}},
		{"unset", `"label":"One"|"label":""`, `,"label":"One"|`, [2]string{"Empty", "Removed"}},
		{"secret", `"private_key":"a"|"private_key":"b"`, `"private_key":"a"|"private_key":"c"`, [2]string{"A hidden value", "A hidden value"}},
		{"removed", `,
			{"id":"one","category":"FIELD","type":"TEXT","label":"One"}|`, `"One"|"Two"`, [2]string{"Removed", "Two"}},
	} {
		mine, theirs := formtest.Parse(t, edited(start, c.mine)), formtest.Parse(t, edited(start, c.theirs))
		f, conflicts := merge.Forms(base, mine, theirs)
		if len(conflicts) != 1 {
			t.Errorf("%s: conflicts %v", c.name, conflicts)
			continue
		}
		if m, o := Sides(f, conflicts[0]); m != c.want[0] || o != c.want[1] {
			t.Errorf("%s: %q and %q, want %q", c.name, m, o, c.want)
		}
	}
}

func TestDifferingCutsBetweenWords(t *testing.T) {
	for _, c := range []struct{ text, other, want string }{
		{"Your work email", "Your e-mail", "Your |work email|"},
		{"What is your name?", "What is your full name?", "What is your ||name?"},
		{"What is your full name?", "What is your name?", "What is your |full |name?"},
		{"Yes", "No", "Yes||"},
		{"same", "same", "same||"},
		{"", "x", "||"},
		{"Straße eins", "Straße zwei", "Straße |eins|"},
	} {
		a, b, e := Differing(c.text, c.other)
		if got := a + "|" + b + "|" + e; got != c.want || a+b+e != c.text {
			t.Errorf("%q beside %q: %q, want %q", c.text, c.other, got, c.want)
		}
	}
}

// edited replaces a part of a text, written as "old|new".
func edited(src, edit string) string {
	before, after, _ := strings.Cut(edit, "|")
	return strings.Replace(src, before, after, 1)
}
