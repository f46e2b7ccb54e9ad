package answer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

const required = "required"

// constraintCase is one constraint of a kind: a property of the config, required, or the key of a value of another form. accepted and
// refused are given values on both sides of it.
type constraintCase struct {
	kind, constraint, config string
	accepted, refused        []string
	key                      Key
	text                     string
}

func one(kind, constraint, config, accepted, refused string, key Key, text string) constraintCase {
	return constraintCase{kind, constraint, config, strings.Split(accepted, " | "), strings.Split(refused, " | "), key, text}
}

const (
	pleaseAnswer = "Please answer this question."
	ab           = `"options":[{"value":"a","label":"A","image_url":"https://x"},{"value":"b","label":"B","image_url":"https://x"}]`
	nothing      = `null | "" | "  "`
	chargeOf     = `{"charge":{"type":"ONE_OFF","one_off":{"amount":%s,"currency":"EUR"}}}`
)

func constraintCases() []constraintCase {
	all := []constraintCase{
		one("BOOLEAN", required, `{}`, `false | true | "false"`, nothing, Required, pleaseAnswer),
		one("BOOLEAN", string(BooleanExpected), `{}`, `true | "true"`, `"yes" | 0 | 1 | [] | {} | "TRUE"`, BooleanExpected,
			"Please answer yes or no."),
		one("CUSTOM", required, `{"schema":{}}`, `0 | false | [] | {} | "x"`, nothing, Required, pleaseAnswer),
		one("CUSTOM", "schema", `{"schema":{"type":"array","items":{"type":"string"},"minItems":2}}`, `["a","b"] | ["a","b","c"]`,
			`["a"] | ["a",1] | "x" | {}`, InvalidCustom, "This answer does not have the right form. Please check it."),
		one("DATE", required, `{}`, `"2024-02-29"`, nothing, Required, pleaseAnswer),
		one("DATE", string(DateExpected), `{"format":"DATE"}`, `"2024-02-29" | "1900-01-01" | "9999-12-31"`,
			`"2023-02-29" | "29.02.2024" | "2024-2-29" | "23:15" | 20240229 | {}`, DateExpected, "Please enter a date such as 2026-01-31."),
		one("DATE", string(TimeExpected), `{"format":"TIME"}`, `"00:00" | "23:59"`, `"24:00" | "23:60" | "1:05" | "2024-02-29" | true`,
			TimeExpected, "Please enter a time such as 23:15."),
		one("EMAIL", required, `{}`, `"a@b.c"`, nothing, Required, pleaseAnswer),
		one("EMAIL", string(EmailExpected), `{}`, `"a@b.c" | "a.b+c@d-e.example.com" | "`+strings.Repeat("a", 64)+`@b.c" | "`+longEmail(254)+`"`,
			`"a" | "a@b" | "@b.c" | "a..b@c.d" | "a@b..c" | "a@-b.c" | "é@b.c" | "`+strings.Repeat("a", 65)+`@b.c" | "`+longEmail(255)+
				`" | {} | "a@b.c d"`, EmailExpected, "Please enter an email address such as name@example.com."),
		one("FILE", required, `{}`, `"a.pdf"`, nothing+` | [] | [""]`, Required, pleaseAnswer),
		one("FILE", string(InvalidInput), `{}`, `{"name":"a","size":0} | ["a"]`,
			`{} | 1 | {"name":""} | {"name":"a","size":-1} | {"name":"a","size":1.5} | {"name":"a","size":"1"}`, InvalidInput, pleaseCheck),
		one("FILE", "multiple", `{}`, `"a" | ["a"]`, `["a","b"]`, TooManyFiles, "Number of files allowed: 1."),
		{kind: "FILE", constraint: "multiple", config: `{"multiple":true}`, accepted: []string{`["a","b"]`}},
		one("FILE", "maxFiles", `{"multiple":true,"maxFiles":2}`, `["a"] | ["a","b"]`, `["a","b","c"]`, TooManyFiles,
			"Number of files allowed: 2."),
		one("FILE", "maxSize", `{"multiple":true,"maxSize":1572864}`, `{"name":"a","size":1572864} | "a"`,
			`{"name":"a","size":1572865} | ["b",{"name":"a","size":1e400}]`, TooBigFile, "Each file may have up to 1.5 MB."),
		one("FILE", "extensions", `{"multiple":true,"extensions":[".PDF","txt"]}`, `"a.pdf" | "a.b.TXT"`,
			`"a" | "pdf" | "a.png" | ["a.pdf","a.png"] | {"name":"a","type":"application/pdf"}`, FileTypeRefused,
			"Types of files allowed: .pdf, txt."),
		one("FILE", "extensions", `{"extensions":["pdf"],"categories":["IMAGE"]}`, `"a.pdf" | "a.png"`, `"a.txt"`, FileTypeRefused,
			"Types of files allowed: pdf."),
		one("FILE", "categories", `{"multiple":true,"categories":["IMAGE","ARCHIVE"]}`, `"a.PNG" | "a.tar.gz" | {"name":"a","type":"image/x-new"}`,
			`"a" | "a.pdf" | "a.mp3" | "a.mp4" | {"name":"a.pdf","type":"image/png"} | ["a.png","a.txt"]`, FileTypeRefused,
			"Types of files allowed: image, archive."),
		one("LEGAL", required, `{}`, `true | "true"`, nothing+` | false | "false"`, AcceptanceRequired, "Please accept this to continue."),
		one("LEGAL", string(BooleanExpected), `{}`, `true`, `"on" | 1 | []`, BooleanExpected, "Please answer yes or no."),
		one("NUMBER", required, `{}`, `0 | "0"`, nothing, Required, pleaseAnswer),
		one("NUMBER", string(NumberExpected), `{}`, `"1" | "-1.5" | "1,5" | ".5" | "5." | "1e3"`,
			`"x" | "1.2.3" | "1,000.5" | "." | "-" | "1e" | "1e+-1" | "0x10" | "NaN" | "Infinity" | "1 000" | true | [] | "٣"`,
			NumberExpected, "Please enter a number."),
		one("NUMBER", "min_value", `{"min_value":-1.50}`, `-1.5 | "-1,5" | 0`, `-1.51 | -1.5000000000000000000001 | -1e400`, TooSmall,
			"Please enter a number that is at least -1.50."),
		one("NUMBER", "max_value", `{"max_value":1e1}`, `10 | -11 | "10.0"`, `10.0000000000000000001 | 11 | 1e400`, TooBig,
			"Please enter a number that is at most 10."),
		one("PAYMENT", required, `{}`, `"pm_1"`, nothing+` | {} | {"card_number":""}`, Required, pleaseAnswer),
		one("PAYMENT", string(InvalidInput), `{}`, `"pm_1"`, `1 | true | []`, InvalidInput, pleaseCheck),
		one("PAYMENT", string(MissingCardInfo), `{}`,
			`{"card_number":"5555-5555-5555-4444","expiration_date":"12/2031","security_code":"1234"} | {"payment_method_id":"pm_1"}`,
			`{"card_number":"4242424242424242"} | {"payment_method_id":""} | "4242 4242 4242 4242"`, MissingCardInfo,
			"Please complete the details of your card."),
		one("PAYMENT", string(InvalidCard), `{}`, `{"card_number":"4242424242424242","expiration_date":"01/31","security_code":"123"}`,
			`{"card_number":"4242424242424241","expiration_date":"01/31","security_code":"123"} | {"expiration_date":"13/31"} | `+
				`{"expiration_date":"00/31"} | {"security_code":"12"} | {"security_code":"12345"} | {"card_number":"18"}`, InvalidCard,
			"Please check the details of your card."),
		one("PAYMENT", string(CurrencyExpected), `{}`, `{"payment_method_id":"pm_1","amount":0.01}`,
			`{"payment_method_id":"pm_1","amount":0.0099} | {"payment_method_id":"pm_1","amount":"1"}`, CurrencyExpected,
			"Please enter an amount of at least 0.01."),
		one("RECAPTCHA", required, `{}`, `true | {"success":true}`, nothing+` | {} | false | {"success":false}`, Required, pleaseAnswer),
		one("RECAPTCHA", string(InvalidInput), `{}`, `true | {"success":true,"score":0.9}`, `1 | "x" | [] | {"score":1}`, InvalidInput, pleaseCheck),
		one("SERVICE_VERIFIABLE_CREDENTIALS", required, `{}`, `"honored" | {"state":"x"}`, nothing+` | {}`, Required, pleaseAnswer),
		one("SERVICE_VERIFIABLE_CREDENTIALS", string(InvalidInput), `{}`, `"honored"`, `1 | true | [] | {"state":""} | {"reason":"x"}`,
			InvalidInput, pleaseCheck),
		one("MAPS_ADDRESS", required, `{}`, `"Ulm"`, nothing+` | {}`, Required, pleaseAnswer),
		one("MAPS_ADDRESS", string(InvalidInput), `{}`, `{"properties":{"geocoding":{"city":"Ulm"}}}`,
			`1 | [] | true | {"properties":{}} | {"properties":{"geocoding":{}}}`, InvalidInput, pleaseCheck),
		one("SOCIAL", required, `{}`, `"google"`, nothing+` | {}`, Required, pleaseAnswer),
		one("SOCIAL", string(InvalidInput), `{}`, `"google"`, `1 | [] | {"accessToken":"t"}`, InvalidInput, pleaseCheck),
		one("TEL", required, `{}`, `"1"`, nothing, Required, pleaseAnswer),
		one("TEL", required, `{"country_picker":true}`, `"+491"`, nothing+` | {}`, Required, pleaseAnswer),
		one("TEL", string(PhoneExpected), `{}`, `"+49 (30) 1-2/3.4" | 1234 | "123x4"`, `"abc" | "+" | "-" | {} | []`, PhoneExpected,
			"Please enter a telephone number."),
		one("TEL", string(PhoneExpected), `{"country_picker":true}`, `"+491" | "+4912345678901 23" | "030"`,
			`"abc" | "+" | "+999123" | "+49" | "+491234567890 1234" | [] | {"country_code_iso":"DE"} | `+
				`{"country_code_number":"999","national_number":"1"}`, PhoneExpected, "Please enter a telephone number."),
		one("TEL", "min_length", `{"country_picker":true,"min_length":3}`, `"+49123"`, `"+4912"`, TooShort,
			"Please enter 3 or more characters."),
		one("URL", required, `{}`, `"example.com"`, nothing, Required, pleaseAnswer),
		one("URL", string(URLExpected), `{}`,
			`"http://example.com" | "HTTPS://é.example.com:8080/a?b#c" | "example.com" | "http://127.0.0.1/" | "http://[::1]:65535" | "http://a_b.c"`,
			`"x" | "http://x" | "ftp://example.com" | "javascript://example.com" | "http://a b.c" | "http://" | "http://a..b" | `+
				`"http://a.b:65536" | "http://-a.b" | {} | "mailto:a@b.c:x"`, URLExpected, "Please enter a web address such as https://example.com."),
	}
	for _, kind := range []string{"TEXT", "PASSWORD"} {
		all = append(all,
			one(kind, required, `{}`, `"a" | "0"`, nothing, Required, pleaseAnswer),
			one(kind, string(InvalidInput), `{}`, `"a" | 1`, `[] | {} | ["a"]`, InvalidInput, pleaseCheck),
			one(kind, "min_length", `{"min_length":3.0}`, `"ééé" | "a b" | "aaaa"`, `"éé" | "  a  "`, TooShort,
				"Please enter 3 or more characters."),
			one(kind, "max_length", `{"max_length":3}`, `"ééé" | " abc " | "👍👍👍"`, `"éééé" | "a  b"`, TooLong,
				"Please enter no more than 3 characters."),
		)
	}
	all = append(all,
		one("TEL", "min_length", `{"min_length":3}`, `"123"`, `"12"`, TooShort, "Please enter 3 or more characters."),
		one("TEL", "max_length", `{"max_length":3}`, `"123" | "1"`, `"1234" | "1-23"`, TooLong, "Please enter no more than 3 characters."),
		one("PASSWORD", "complexity", `{"complexity":true}`, `"aA1!" | "éÉ1€"`, `"aA1" | "aA!" | "a1!" | "A1!" | "aA1 x"`, TooWeak,
			"Please use upper-case and lower-case letters, digits and symbols."),
		one("PASSWORD", "nist", `{"nist":true}`, `"kx7-rmbz" | "correct horse"`,
			`"kx7-rmb" | "password" | "Password123!" | "12345678" | "hgfedcba" | "aaaaaaaa" | "abcabcabc" | "qwertyuiop"`, TooGuessable,
			"This password is easy to guess. Please choose another one of at least 8 characters."),
	)
	for _, amount := range []string{`0.01`, `"0.01"`, `"{{vars.amount}}"`} {
		all = append(all, constraintCase{kind: "PAYMENT", constraint: "charge", config: fmt.Sprintf(chargeOf, amount), accepted: []string{`"pm_1"`}})
	}
	for _, amount := range []string{`0.009`, `"0.009"`, `"ten"`, `true`} {
		all = append(all, constraintCase{
			"PAYMENT", "charge", fmt.Sprintf(chargeOf, amount), nil,
			[]string{`"pm_1"`},
			WrongFormConfig,
			"This payment is not set up correctly.",
		})
	}
	for _, kind := range []string{"CARDS", "CHOICE", "DROPDOWN"} {
		all = append(all,
			one(kind, required, `{`+ab+`}`, `"a" | ["b"]`, nothing+` | []`, NoOptionChosen, "Please choose an option."),
			one(kind, required, `{"multiple":true,`+ab+`}`, `"a" | ["a","b"]`, nothing+` | [] | [""]`, ZeroOptionsChosen,
				"Please choose one or more options."),
			one(kind, string(InvalidOption), `{`+ab+`}`, `"a"`, `"A" | "c" | 1 | {} | [["a"]] | ["c","a"] | [null]`, InvalidOption,
				"Please choose one of the options shown."),
			one(kind, string(TooManyOptions), `{`+ab+`}`, `"a" | ["a","a"]`, `["a","b"]`, TooManyOptions, "Please choose only one option."),
			one(kind, string(TooManyOptions), `{"multiple":true,`+ab+`}`, `["a","b"]`, `["a","c"]`, InvalidOption,
				"Please choose one of the options shown."),
		)
	}
	return append(all,
		one("CHOICE", string(InvalidOption), `{"multiple":true,"allow_other":{"enabled":true},`+ab+`}`, `["a","c"] | "c"`, `["c","d"] | {}`,
			InvalidOption, "Please choose one of the options shown."),
	)
}

// longEmail returns an address of n bytes.
func longEmail(n int) string {
	s := "a@"
	for len(s)+62 < n-3 {
		s += strings.Repeat("b", 60) + "."
	}
	return s + strings.Repeat("c", n-len(s)-2) + ".d"
}

// TestConstraints checks every constraint of every kind on both sides, with the text of its refusal.
func TestConstraints(t *testing.T) {
	type sides struct{ accepted, refused int }
	tested := map[string]sides{}
	count := sides{}
	for _, c := range constraintCases() {
		for _, isRequired := range []bool{true, false} {
			comp := component(t, c.kind, c.config, isRequired)
			for _, given := range c.accepted {
				got, refusal := Judge(comp, value(t, given), nil)
				if refusal != nil || got == nil {
					t.Errorf("%s with %s, given %s: %v, refused %+v", c.kind, c.config, given, got, refusal)
				}
			}
			if c.constraint == required && !isRequired {
				continue
			}
			for _, given := range c.refused {
				got, refusal := Judge(comp, value(t, given), nil)
				if refusal == nil || got != nil || refusal.Key != c.key || refusal.Text != c.text || refusal.Component != "c" {
					t.Errorf("%s %s with %s, given %s: %v, refused %+v, want %s %q", c.kind, c.constraint, c.config, given, got, refusal, c.key, c.text)
				}
			}
		}
		name := c.kind + " " + c.constraint
		s := tested[name]
		s.accepted += len(c.accepted)
		if wanted(c) {
			s.refused += len(c.refused)
		}
		tested[name] = s
		count.accepted += len(c.accepted)
		count.refused += len(c.refused)
	}
	all := constraints()
	for _, name := range all {
		if s := tested[name]; s.accepted == 0 || s.refused == 0 {
			t.Errorf("%s is tested with %d accepted and %d refused values", name, s.accepted, s.refused)
		}
		delete(tested, name)
	}
	if len(tested) > 0 {
		t.Errorf("the table has no constraints %q", slices.Sorted(maps.Keys(tested)))
	}
	t.Logf("%d constraints of %d kinds, %d accepted and %d refused values", len(all), len(kinds), count.accepted, count.refused)
}

// wanted reports whether the refusals of a case are those of its constraint.
func wanted(c constraintCase) bool {
	row := rowOf(c.kind)
	for _, r := range row.rules {
		if r.property == c.constraint {
			return r.key == c.key
		}
	}
	return c.constraint == required || c.constraint == string(c.key)
}

func rowOf(name string) *kind {
	return &kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })]
}

// constraints names all constraints of the table.
func constraints() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name+" "+required)
		for _, key := range k.faults {
			names = append(names, k.name+" "+string(key))
		}
		for _, r := range k.rules {
			names = append(names, k.name+" "+r.property)
		}
	}
	return names
}

// TestBoundsOfAnotherTypeAreIgnored covers forms with problems, which run as far as they can.
func TestBoundsOfAnotherTypeAreIgnored(t *testing.T) {
	for _, c := range []struct{ kind, config, given string }{
		{"TEXT", `{"min_length":"9","max_length":null}`, `"a"`},
		{"NUMBER", `{"min_value":"9","max_value":{}}`, `1`},
		{"PASSWORD", `{"complexity":"true","nist":1}`, `"a"`},
		{"FILE", `{"maxFiles":"0","maxSize":[],"extensions":{},"categories":1}`, `{"name":"a","size":9}`},
		{"CUSTOM", `{"schema":[]}`, `1`},
		{"CUSTOM", `{}`, `1`},
		{"PAYMENT", `{"charge":{"type":"SUBSCRIPTION","subscription":{}}}`, `"pm_1"`},
		{"PAYMENT", `{"charge":[]}`, `"pm_1"`},
	} {
		if got, refusal := Judge(component(t, c.kind, c.config, true), value(t, c.given), nil); got == nil || refusal != nil {
			t.Errorf("%s with %s: %v, refused %+v", c.kind, c.config, got, refusal)
		}
	}
}

func TestOptionalComponentsNeedNoAnswer(t *testing.T) {
	for _, k := range kinds {
		for _, given := range []string{`null`, `""`, `" \n"`} {
			got, refusal := Judge(component(t, k.name, `{"min_length":1,"min_value":1}`, false), value(t, given), nil)
			if got != nil || refusal != nil {
				t.Errorf("%s given %s: %v, refused %+v", k.name, given, got, refusal)
			}
		}
	}
	for given, want := range map[string]Key{`""`: Required, `false`: ""} {
		_, refusal := Judge(component(t, "LATER", `{}`, true), value(t, given), nil)
		if got := refusal; (got == nil) != (want == "") {
			t.Errorf("an unknown kind given %s: %+v", given, got)
		}
	}
}

func TestInvalidUTF8IsReplaced(t *testing.T) {
	comp := component(t, "CHOICE", `{"multiple":true,"allow_other":{"enabled":true}}`, false)
	for _, given := range []any{"a\xff", []any{"a\xff"}} {
		if got, _ := Judge(comp, given, nil); !schema.Equal(got, []any{"a\ufffd"}) {
			t.Errorf("%q is %q", given, got)
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, c := range constraintCases() {
		for _, given := range slices.Concat(c.accepted, c.refused) {
			f.Add(uint8(slices.IndexFunc(kinds, func(k kind) bool { return k.name == c.kind })), c.config, given)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, config, given string) {
		v, problems := schema.Decode([]byte(given))
		if len(problems) > 0 {
			v = given
		}
		if c, problems := schema.Decode([]byte(config)); len(problems) > 0 {
			config = `{}`
		} else if _, ok := c.(*schema.Object); !ok {
			config = `{}`
		}
		for _, isRequired := range []bool{true, false} {
			comp := component(t, kinds[int(i)%len(kinds)].name, config, isRequired)
			answer, refusal := Judge(comp, v, nil)
			switch {
			case refusal != nil && (answer != nil || refusal.Text == "" || refusal.Key == ""):
				t.Fatalf("%v with %+v", answer, refusal)
			case answer == nil:
				continue
			}
			again, refusal := Judge(comp, value(t, string(schema.Encode(answer))), nil)
			if refusal != nil || !schema.Equal(again, answer) {
				t.Fatalf("%s: %s was accepted as %s, and then as %s, %+v", comp.Type, given, schema.Encode(answer), schema.Encode(again), refusal)
			}
		}
	})
}
