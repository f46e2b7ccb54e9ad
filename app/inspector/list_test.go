package inspector_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Elements of lists are appended with what their table requires, removed,
// moved, and edited in place.
func TestItems(t *testing.T) {
	field := func(typ, config string) string {
		return step(`{"id":"c","category":"FIELD","type":"` + typ + `","config":` + config + `}`)
	}
	for _, tt := range []struct {
		name, form, at, noun string
		sel                  editor.Selection
		fresh                string // what one new element is
		inner                string // a place in an element, and what it holds when x is typed
		typed                string
	}{
		{
			"options of choice", field("CHOICE", `{}`), one + ".config.options", "option", part("c"), `{"value":"","label":""}`, ".label",
			`{"value":"document","label":"DOCUMENT"}`,
		},
		{
			"options of dropdown", field("DROPDOWN", `{}`), one + ".config.options", "option", part("c"), `{"value":"","label":""}`, ".value",
			`{"value":"DOCUMENT","label":""}`,
		},
		{
			"options of cards", field("CARDS", `{}`), one + ".config.options", "option", part("c"), `{"value":"","label":"","image_url":""}`,
			".image_url", `{"value":"","label":"","image_url":"DOCUMENT"}`,
		},
		{"extensions", field("FILE", `{}`), one + ".config.extensions", "extension", part("c"), `""`, "", `"DOCUMENT"`},
		{
			"hidden fields", `{"name":"f"}`, "start.hidden_fields", "hidden field", editor.SelectNodes(model.StartID), `{"key":""}`, ".value",
			`{"key":"","value":"DOCUMENT"}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := edit(t, tt.form, tt.sel)
			r := row(t, e, tt.at)
			if r.Input != inspector.Items || r.Element.Noun != tt.noun || len(r.Rows) != 0 {
				t.Fatalf("the list is %v of %q with %d elements, want items of %q", r.Input, r.Element.Noun, len(r.Rows), tt.noun)
			}
			for range 3 {
				c, err := row(t, e, tt.at).List().Add("")
				if err != nil {
					t.Fatal(err)
				}
				run(t, e, c)
			}
			if got, want := value(t, e, tt.at), "["+tt.fresh+","+tt.fresh+","+tt.fresh+"]"; got != want {
				t.Fatalf("three were added: %s, want %s", got, want)
			}
			enter(t, e, tt.at+"[1]"+tt.inner, "DOCUMENT")
			if got, want := value(t, e, tt.at), "["+tt.fresh+","+tt.typed+","+tt.fresh+"]"; got != want {
				t.Errorf("the second was edited: %s, want %s", got, want)
			}
			run(t, e, row(t, e, tt.at).List().Move(1, 1))
			if got, want := value(t, e, tt.at), "["+tt.fresh+","+tt.fresh+","+tt.typed+"]"; got != want {
				t.Errorf("the second was moved down: %s, want %s", got, want)
			}
			run(t, e, row(t, e, tt.at).List().Move(2, -2))
			if got, want := value(t, e, tt.at), "["+tt.typed+","+tt.fresh+","+tt.fresh+"]"; got != want {
				t.Errorf("the third was moved up by two: %s, want %s", got, want)
			}
			for _, by := range []int{-1, 3} {
				if err := e.Can(row(t, e, tt.at).List().Move(0, by)); err == nil {
					t.Errorf("the first can be moved by %d, out of the list", by)
				}
			}
			run(t, e, row(t, e, tt.at).List().Remove(1))
			if got, want := value(t, e, tt.at), "["+tt.typed+","+tt.fresh+"]"; got != want {
				t.Errorf("the second was removed: %s, want %s", got, want)
			}
		})
	}
}

// Emptying an element does not remove it, so that the rows below do not move up
// under the cursor.
func TestEmptiedElementStays(t *testing.T) {
	e := edit(t, step(`{"id":"c","category":"FIELD","type":"FILE","config":{"extensions":[".a",".b"]}}`), part("c"))
	enter(t, e, one+".config.extensions[0]", "")
	if got := value(t, e, one+".config.extensions"); got != `["",".b"]` {
		t.Errorf("the list is %s", got)
	}
	e = edit(t, step(`{"id":"c","category":"FIELD","type":"CUSTOM","config":{"schema":{},"code":"x","params":{"k":"text"}}}`), part("c"))
	enter(t, e, one+".config.params.k", "")
	if got := value(t, e, one+".config.params"); got != `{"k":""}` {
		t.Errorf("the texts are %s", got)
	}
}

// Members of a map are added with a key, edited and removed.
func TestEntries(t *testing.T) {
	for _, tt := range []struct {
		form, at, noun string
		sel            editor.Selection
	}{
		{step(`{"id":"c","category":"FIELD","type":"CUSTOM","config":{"schema":{},"code":"x"}}`), one + ".config.params", "parameter", part("c")},
	} {
		t.Run(tt.at, func(t *testing.T) {
			e := edit(t, tt.form, tt.sel)
			if r := row(t, e, tt.at); r.Input != inspector.Entries || r.Element.Noun != tt.noun {
				t.Fatalf("the row is %v of %q, want entries of %q", r.Input, r.Element.Noun, tt.noun)
			}
			for _, key := range []string{"a", "de-DE", `q"uote`} {
				c, err := row(t, e, tt.at).List().Add(key)
				if err != nil {
					t.Fatal(err)
				}
				run(t, e, c)
			}
			if got, want := value(t, e, tt.at), `{"a":"","de-DE":"","q\"uote":""}`; got != want {
				t.Fatalf("three were added: %s, want %s", got, want)
			}
			enter(t, e, tt.at+`["de-DE"]`, "Hallo")
			before := dump(e.State())
			for _, key := range []string{"de-DE", ""} {
				if c, err := row(t, e, tt.at).List().Add(key); err == nil {
					t.Errorf("the key %q was added again: %v", key, c)
				}
			}
			if dump(e.State()) != before {
				t.Error("a refused key changed the form")
			}
			run(t, e, row(t, e, tt.at).List().Remove(0))
			if got, want := value(t, e, tt.at), `{"de-DE":"Hallo","q\"uote":""}`; got != want {
				t.Errorf("the first was removed: %s, want %s", got, want)
			}
		})
	}
}

// Choosing another kind of charge replaces the object by what the kind
// requires; choosing the same one changes nothing.
func TestCharge(t *testing.T) {
	e := edit(
		t,
		step(
			`{"id":"c","category":"FIELD","type":"PAYMENT","config":{"charge":{"type":"ONE_OFF","one_off":{"amount":"5","currency":"EUR"}},
"credentials":{"public_key":"a","private_key":"b"}}}`,
		),
		part("c"),
	)
	at := one + ".config.charge"
	before := e.State().Form
	if enter(t, e, at+".type", "ONE_OFF"); e.State().Form != before {
		t.Errorf("choosing the same kind gave %s", value(t, e, at))
	}
	enter(t, e, at+".type", "SUBSCRIPTION")
	if got, want := value(t, e, at), `{"type":"SUBSCRIPTION","subscription":{}}`; got != want {
		t.Errorf("the charge is %s, want %s", got, want)
	}
	if r := row(t, e, at+".subscription"); r.Input != inspector.JSON || !r.Required {
		t.Errorf("the subscription is row %+v, want required JSON", r)
	}
	if len(e.Found().Problems()) > 0 {
		t.Errorf("a subscription has problems: %v", e.Found().Problems())
	}
	e.Undo()
	if got := value(t, e, at+".one_off.amount"); got != `"5"` {
		t.Errorf("undo gave the amount %s", got)
	}
	e.Redo()
	enter(t, e, at+".type", "ONE_OFF")
	if got, want := value(t, e, at), `{"type":"ONE_OFF","one_off":{"amount":"","currency":"AUD"}}`; got != want {
		t.Errorf("the charge is %s, want %s", got, want)
	}
	// An amount is a number if the text is one, else a text.
	for _, tt := range []struct{ text, want string }{{"12.50", "12.50"}, {"{{fields.sum}}", `"{{fields.sum}}"`}, {"12.", `"12."`}, {
		"",
		`""`,
	}, {"0", "0"}} {
		if got := enter(t, e, at+".one_off.amount", tt.text); value(t, e, at+".one_off.amount") != tt.want || got.Text() != tt.text {
			t.Errorf("the amount %q is %s and shows as %q, want %s", tt.text, value(t, e, at+".one_off.amount"), got.Text(), tt.want)
		}
	}
}

// A charge of no known kind shows its problem and its properties, and can be
// fixed by choosing a kind.
func TestChargeThatFitsNothing(t *testing.T) {
	for _, charge := range []string{
		`{}`, `{"type":"GIFT"}`, `{"type":"ONE_OFF"}`, `{"type":"ONE_OFF","subscription":{}}`,
		`{"type":"ONE_OFF","one_off":{"amount":1,"currency":"EUR"},
"subscription":{}}`, `{"type":3,"one_off":{}}`, `{"type":"SUBSCRIPTION","subscription":7}`,
	} {
		t.Run(charge, func(t *testing.T) {
			e := edit(
				t,
				step(
					`{"id":"c","category":"FIELD","type":"PAYMENT","config":{"charge":`+charge+`,"credentials":{"public_key":"a","private_key":"b"}}}`,
				),
				part("c"),
			)
			if len(e.Found().Problems()) == 0 {
				t.Fatal("the charge has no problem")
			}
			panelLaw(t, e)
			for _, m := range decode(t, charge).(*schema.Object).Members() {
				own := m.Key == "type" || m.Key == "one_off" && strings.Contains(charge, `"ONE_OFF"`) ||
					m.Key == "subscription" && strings.Contains(charge, `"SUBSCRIPTION"`)
				if r := row(t, e, one+".config.charge."+m.Key); r.Required != own {
					t.Errorf("%s is required: %v, want %v", r.Path, r.Required, own)
				}
			}
			if value(t, e, one+".config.charge.type") != `"SUBSCRIPTION"` {
				enter(t, e, one+".config.charge.type", "SUBSCRIPTION")
			} else {
				enter(t, e, one+".config.charge.subscription", "{}")
			}
			if len(e.Found().Problems()) > 0 {
				t.Errorf("still has problems: %v", e.Found().Problems())
			}
		})
	}
}

// Where only true is allowed, off clears the property.
func TestSwitchThatMayOnlyBeOn(t *testing.T) {
	e := edit(t, step(`{"id":"c","category":"FIELD","type":"CHOICE","config":{"allow_other":{"enabled":true,"label":"Other"}}}`), part("c"))
	at := one + ".config.allow_other"
	run(t, e, row(t, e, at+".enabled").Turn(false))
	if got := value(t, e, at); got != `{"label":"Other"}` {
		t.Errorf("off gave %s", got)
	}
	run(t, e, row(t, e, at+".enabled").Turn(true))
	if r := row(t, e, at+".enabled"); !r.On() || value(t, e, at+".enabled") != "true" {
		t.Errorf("on gave %s", value(t, e, at))
	}
	e = edit(t, `{"name":"f","ending":{"resume_flow":true}}`, editor.SelectNodes(model.EndingID))
	run(t, e, row(t, e, "ending.resume_flow").Turn(false))
	if got := value(t, e, "ending"); got != `{}` {
		t.Errorf("off gave the ending %s", got)
	}
	// Where false is allowed, off writes it.
	e = edit(t, step(`{"id":"c","category":"FIELD","type":"CHOICE"}`), part("c"))
	run(t, e, row(t, e, one+".required").Turn(false))
	if got := value(t, e, one+".required"); got != "false" {
		t.Errorf("required is %q, want false", got)
	}
}
