package translate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/app/translate/sources"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// small is a form with a reachable step, an unreachable one, messages, and German texts in every state but stale.
const small = `{"name":"f","languages":{"primary":"en","default":"fr"},
	"messages":{"custom":{"hi":"Hi"}},
	"nodes":[
		{"id":"lost","type":"STEP","config":{"components":[{"id":"x","category":"BLOCK","type":"DIVIDER","config":{"text":"Nobody"}}]}},
		{"id":"b","type":"STEP","alias":"Second","config":{"components":[
			{"id":"colour","category":"FIELD","type":"CHOICE","label":"Colour","config":{
				"options":[{"value":"r","label":"Red"},{"value":"g","label":"Green"}]}},
			{"id":"end","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"OK"}}],"next_node":"$ending"}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":true,"next_node":"b"}],"fallback":"$ending"}},
		{"id":"a","type":"STEP","config":{"components":[
			{"id":"line","category":"BLOCK","type":"DIVIDER","config":{"text":"Hello {{ fields.colour }}"}},
			{"id":"name","category":"FIELD","type":"TEXT","label":"Name","hint":"In full"},
			{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}],"next_node":"r"}}],
	"start":{"next_node":"a"},"ending":{"resume_flow":true},
	"translations":{"de":{"components":{
			"line":{"config":{"text":"Hallo {{fields.color}}"}},"end":{"config":{"text":"OK"}},
			"name":{"label":"Name der Person","hint":"` + longHint + `"},"colour":{"config":{"options":[{"value":"g","label":"Grün"}]}}},
		"messages":{"custom":{},"errors":{}},"ending":null}}}`

const longHint = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" +
	"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" +
	"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" +
	"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" +
	"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789x"

func parse(tb testing.TB, src string) *model.Form {
	tb.Helper()
	v, problems := schema.Decode([]byte(src))
	if len(problems) > 0 {
		tb.Fatalf("%v in %s", problems, src)
	}
	return model.FromTree(v.(*schema.Object))
}

// tableOf returns the table of a form, made by a new builder.
func tableOf(f *model.Form, s *sources.Records) *translate.Table {
	return new(translate.Builder).Table(f, s)
}

func text(f *model.Form) string { return string(schema.Encode(f.Tree())) }

// nasty are parts of texts that a file may lose.
var nasty = []string{
	"a", "Straße", " ", "  ", "\n", "\r\n", "\r", "\t", `"`, `""`, "'", "''", ",", ";", "=", "+", "-", "@", "=1+1", "＝", "\ufeff",
	"שלום", "مرحبا", "\u200f", "😀", "👩‍👩‍👧", "e\u0301", "{{fields.name}}",
	"{{ t('a, \"b\"') }}", "{{vars.x\n}}", "{{", "}}", "{{{a}}}", "{{\x01}}",
	"<p>", "</p>", "<a href=\"x\">", "&amp;", "&", "<", "]]>", "<!--",
	"\x00", "\x01", "\x1f", "\x7f", "\u0085", "\u2028", "\ufffe", "\uffff", "\\", "\\n",
}

func nastyText(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(nasty[r.IntN(len(nasty))])
	}
	return b.String()
}

func object(pairs ...any) *schema.Object {
	var members []schema.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, schema.Member{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return schema.NewObject(members...)
}

// randomForm returns a form with so many steps of three components each, and no translation.
func randomForm(steps int, say func() string) *model.Form {
	nodes := make([]any, steps)
	for i := range nodes {
		id := func(what string) string { return fmt.Sprintf("%s%d", what, i) }
		next := model.EndingID
		if i+1 < steps {
			next = fmt.Sprintf("s%d", i+1)
		}
		nodes[i] = object("id", id("s"), "type", "STEP", "alias", say(), "config", object("components", []any{
			object("id", id("text"), "category", "FIELD", "type", "TEXT", "label", say(), "hint", say(), "config", object("placeholder", say())),
			object("id", id("choice"), "category", "FIELD", "type", "CHOICE", "label", say(), "config", object("options", []any{
				object("value", "=1", "label", say()), object("value", say(), "label", say()), object("value", "c", "label", say()),
			})),
			object("id", id("next"), "category", "BLOCK", "type", "NEXT_BUTTON", "config", object("text", say())),
		}, "next_node", next))
	}
	return model.FromTree(object("name", "f", "languages", object("primary", "en"),
		"messages", object("errors", object("ERR_REQUIRED_PROPERTY", say()), "custom", object("a", say(), "=b", say(), "c "+say(), say())),
		"start", object("next_node", "s0"), "nodes", nodes, "ending", object("resume_flow", true)))
}

// languages returns the names of so many languages.
func languages(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("l%d-XX", i)
	}
	return list
}

// translated returns the form with translations of a share of the texts into so many languages, and all languages.
func translated(tb testing.TB, f *model.Form, n int, r *rand.Rand, share float64, say func() string) *model.Form {
	tb.Helper()
	s := editor.State{Form: f}
	for _, l := range languages(n) {
		var err error
		if s, err = (translate.AddLanguage{Language: l}).Do(s); err != nil {
			tb.Fatal(err)
		}
	}
	t := tableOf(s.Form, nil)
	var w translate.Write
	for _, row := range t.Rows {
		for _, l := range t.Languages {
			if r.Float64() < share {
				w.Changes = append(w.Changes, translate.Change{Row: row, Language: l, Text: say(), Source: row.Text})
			}
		}
	}
	s, err := w.Do(s)
	if err != nil {
		tb.Fatal(err)
	}
	return s.Form
}
