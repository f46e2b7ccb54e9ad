// Package charsettest has files as people have them, for the tests of all that read files. Only tests import it.
package charsettest

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
)

// Kind is what a file holds.
type Kind int

// The kinds of files. CSV, XLIFF and JSON are translations.
const (
	Form Kind = iota
	Scenarios
	CSV
	XLIFF
	JSON
)

// Ending is the end of the name of a file of the kind.
func (k Kind) Ending() string {
	return []string{".json", ".scenarios.json", ".csv", ".xlf", ".json"}[k]
}

// Case is a file that is read exactly or refused.
type Case struct {
	Name string
	Kind Kind
	File []byte
	// Text is what is read: the name of the form or of the scenario, or the translation of Key into Spanish. Refused is a part of what is said
	// instead, "" for a file that is read.
	Text, Refused string
}

// Key names the text that the files translate: the label of a component with the id mail, which is Source.
const (
	Key    = "components.mail.label"
	Source = "E-mail"
)

// What the files say: in any script, in western Europe, and in ASCII.
const (
	every   = "Ñandú — 日本 😀 שלום e\u0301"
	western = "Señoría “ok” €"
	latin   = "Señoría"
	ascii   = "Senoria"
)

// Of returns the cases of some kinds.
func Of(kinds ...Kind) []Case {
	var out []Case
	for _, c := range cases() {
		if slices.Contains(kinds, c.Kind) {
			out = append(out, c)
		}
	}
	return out
}

func form(name string) string {
	return `{"name":"` + name + `","start":{"next_node":"a"},"nodes":[{"id":"a","type":"STEP","config":{"components":[` +
		`{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}],"next_node":"$ending"}}],"ending":{}}`
}

func scenarios(name string) string {
	return `{"version":1,"scenarios":[{"name":"` + name + `","steps":[],"path":["a"]}]}`
}

func csv(text string) string {
	return "key;context;source;es\r\n" + Key + ";;" + Source + ";" + text + "\r\n"
}

func json(text string) string { return `{"` + Key + `":{"en":"` + Source + `","es":"` + text + `"}}` }

const space = ` xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="es"`

func xliff(text string) string {
	return `<xliff` + space + `><file id="f"><unit id="1" name="` + Key + `"><segment><source>` + Source + `</source><target>` + text +
		`</target></segment></unit></file></xliff>`
}

func says(encoding, text string) string {
	return `<?xml version="1.0" encoding="` + encoding + `"?>` + "\n" + xliff(text)
}

// byteEach returns a text in windows-1252.
func byteEach(text string) []byte {
	var b []byte
	for _, r := range text {
		switch r {
		case '“':
			r = 0x93
		case '”':
			r = 0x94
		case '€':
			r = 0x80
		}
		b = append(b, byte(r))
	}
	return b
}

func units(order binary.AppendByteOrder, text string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func wide(order binary.AppendByteOrder, text string) []byte {
	var b []byte
	for _, r := range text {
		b = order.AppendUint32(b, uint32(r)) //nolint:gosec // characters are not negative
	}
	return b
}

const mark = "\ufeff"

var little, big = binary.LittleEndian, binary.BigEndian

func cases() []Case {
	out := texts(Form, form)
	out = append(out, texts(Scenarios, scenarios)...)
	out = append(out, texts(JSON, json)...)
	out = append(out, tables()...)
	return append(out, documents()...)
}

// texts are files of JSON, which is UTF-8 without a mark (RFC 8259, section 8.1).
func texts(k Kind, of func(string) string) []Case {
	return []Case{
		{"UTF-8", k, []byte(of(every)), every, ""},
		{"escapes", k, []byte(of(`\u00d1and\u00fa \u2014 \u65e5\u672c \ud83d\ude00 שלום e\u0301`)), every, ""},
		{"line ends of all systems and space", k, []byte(" \r\n\t" + strings.ReplaceAll(of(every), `",`, "\",\r") + "\n\r\n"), every, ""},
		{"a mark", k, []byte(mark + of(every)), "", "must not begin with a byte order mark"},
		{"UTF-16 with a mark", k, units(little, mark+of(every)), "", "must be UTF-8: save the file as UTF-8"},
		{"UTF-16, the high byte first, with a mark", k, units(big, mark+of(every)), "", "must be UTF-8: save the file as UTF-8"},
		{"UTF-16", k, units(little, of(every)), "", "must be UTF-8: save the file as UTF-8"},
		{"UTF-16, the high byte first", k, units(big, of(every)), "", "must be UTF-8: save the file as UTF-8"},
		{"UTF-32", k, wide(little, mark+of(every)), "", "must be UTF-8: save the file as UTF-8"},
		{"UTF-32, the high byte first", k, wide(big, of(every)), "", "must be UTF-8: save the file as UTF-8"},
		{"windows-1252", k, byteEach(of(western)), "", "must be UTF-8"},
		{"a character that is cut off", k, []byte(of("a\xe2\x82")), "", "must be UTF-8"},
		{"a surrogate in UTF-8", k, []byte(of("a\xed\xa0\x80")), "", "must be UTF-8"},
		{"half a character", k, []byte(of(`a\ud83d`)), "", "must not have a lone surrogate"},
		{"a zero byte", k, []byte(of("a\x00")), "", "must escape the control character U+0000"},
		{"a character of its own that replaces others", k, []byte(of("a\ufffdb")), "a\ufffdb", ""},
	}
}

// tables are files of spreadsheets.
func tables() []Case {
	const key, head = Key, "key,context,source,es"
	return []Case{
		{"UTF-8", CSV, []byte(csv(every)), every, ""},
		{"a mark", CSV, []byte(mark + csv(every)), every, ""},
		{"UTF-16 with a mark, as a spreadsheet writes Unicode text", CSV, units(little, mark+strings.ReplaceAll(csv(every), ";", "\t")), every, ""},
		{"UTF-16, the high byte first, with a mark", CSV, units(big, mark+csv(every)), every, ""},
		{"UTF-16", CSV, units(little, csv(every)), every, ""},
		{"UTF-16, the high byte first", CSV, units(big, csv(every)), every, ""},
		{"UTF-16 that is cut off", CSV, units(little, mark+csv(every))[:61], "", "line 2: must not end within a character of UTF-16LE"},
		{"UTF-16 with half a character", CSV, append(units(little, mark+csv("a")), 0x3d, 0xd8), "", "line 3: must not contain half a character"},
		{"UTF-32", CSV, wide(little, mark+csv(every)), "", "must not be UTF-32"},
		{"windows-1252", CSV, byteEach(csv(western)), "", "line 2: must be UTF-8; save the file as UTF-8, in a spreadsheet as CSV UTF-8"},
		{"Shift_JIS", CSV, []byte(csv("\x93\xfa\x96\x7b")), "", "line 2: must be UTF-8"},
		{"a line that names the separator", CSV, []byte("sep=;\r\n" + csv(every)), every, ""},
		{"a quoted line that names the separator", CSV, []byte(mark + "\"sep=;\"\r\n" + csv(every)), every, ""},
		{"a line that names a comma", CSV, []byte("sep=,\n" + head + "\n" + key + ",,E-mail,\"a, b\"\n"), "a, b", ""},
		{"a line that names a tab", CSV, []byte("SEP=\t\r\n" + strings.ReplaceAll(csv(every), ";", "\t")), every, ""},
		{"a mistake below a separator", CSV, []byte("sep=;\r\nkey;context;source;es\r\nk;x\r\n"), "", "line 3: must have 3 to 4 cells"},
		{"line breaks in cells", CSV, []byte(head + "\r\n" + key + ",\"a\nb\",E-mail,\"one\ntwo\"\r\n"), "one\ntwo", ""},
		{"line ends of old systems", CSV, []byte(strings.ReplaceAll(csv(every), "\r\n", "\r")), every, ""},
		{"cells and rows that are empty", CSV, []byte("key;context;source;es;;\r\n" + key + ";;E-mail;a;;\r\n;;;;;\r\n"), "a", ""},
		{"a quote that is not closed", CSV, []byte(head + "\n" + key + ",,E-mail,\"a\n"), "", "line 2: a quoted cell is not closed"},
		{"another separator", CSV, []byte(strings.ReplaceAll(csv(every), ";", "|")), "", "line 1: must begin with the columns"},
	}
}

// documents are files of translators' programs.
func documents() []Case {
	long := func(target string) []byte { return []byte(strings.Replace(xliff(every), every, target, 1)) }
	return []Case{
		{"UTF-8", XLIFF, []byte(xliff(every)), every, ""},
		{"a mark", XLIFF, []byte(mark + says("utf-8", every)), every, ""},
		{"references to characters", XLIFF, []byte(says("us-ascii", "Se&#xF1;or&#237;a &amp; &#x1f600;")), "Señoría & 😀", ""},
		{"ISO-8859-1", XLIFF, byteEach(says("ISO-8859-1", latin)), latin, ""},
		{"windows-1252", XLIFF, byteEach(says("Windows-1252", western)), western, ""},
		{
			"windows-1252 that says ISO-8859-1", XLIFF, byteEach(says("ISO-8859-1", western)), "",
			"line 2: must not contain the byte 0x93, which is not a character in ISO-8859-1",
		},
		{"a byte that windows-1252 lacks", XLIFF, byteEach(says("windows-1252", "a\u0081")), "", "must not contain the byte 0x81"},
		{"windows-1252 that says nothing", XLIFF, byteEach(xliff(western)), "", "line 1: must be UTF-8"},
		{"windows-1252 that says UTF-8", XLIFF, byteEach(says("UTF-8", western)), "", "line 2: must be UTF-8"},
		{"UTF-8 that says ASCII", XLIFF, []byte(says("US-ASCII", every)), "", "not a character in US-ASCII"},
		{"UTF-16 with a mark", XLIFF, units(little, mark+says("UTF-16", every)), every, ""},
		{"UTF-16, the high byte first, with a mark", XLIFF, units(big, mark+says("utf-16", every)), every, ""},
		{"UTF-16 by its name", XLIFF, units(little, says("UTF-16LE", every)), every, ""},
		{"UTF-16 that says UTF-8", XLIFF, units(little, mark+says("UTF-8", every)), "", "line 1: must be UTF-8, as it says, but is UTF-16LE"},
		{"UTF-8 that says UTF-16", XLIFF, []byte(says("utf-16", ascii)), "", "line 1: must be utf-16, as it says, but is UTF-8"},
		{"a mark of UTF-8 that says ISO-8859-1", XLIFF, []byte(mark + says("iso-8859-1", ascii)), "", "as it says, but is UTF-8"},
		{"UTF-32", XLIFF, wide(little, mark+says("UTF-32", every)), "", "must not be UTF-32"},
		{"another encoding", XLIFF, byteEach(says("ISO-8859-2", latin)), "", `must not have the encoding "ISO-8859-2"; save the file as UTF-8`},
		{"another version of XML", XLIFF, []byte(strings.Replace(says("utf-8", ascii), "1.0", "1.1", 1)), "", "must be XML 1.0"},
		{
			"another version of XLIFF", XLIFF, []byte(`<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.0"/>`), "",
			"must be XLIFF 1.2, 2.0 or 2.1; save it",
		},
		{"a prefix for the namespace", XLIFF, prefixed(), every, ""},
		{"CDATA", XLIFF, long("<![CDATA[a <b> & c]]>"), "a <b> & c", ""},
		{"notes, states and space of other programs", XLIFF, []byte(strings.NewReplacer("<segment>",
			`<notes><note>n</note></notes><x:y xmlns:x="urn:x"><x:z/></x:y><segment state="final" subState="x:ok">`,
			"<target>", `<target xml:space="preserve" xml:lang="es">`).Replace(xliff("  a \n b "))), "  a \n b ", ""},
		{"a target that is marked", XLIFF, long(`<mrk id="m1" type="term">a</mrk><sm id="s"/> b<em startRef="s"/><!-- c -->`), "a b", ""},
		{"no target", XLIFF, []byte(strings.Replace(xliff(""), "<target></target>", "", 1)), "", ""},
		{"an empty target", XLIFF, []byte(xliff("")), "", ""},
		{"a part without a translation", XLIFF, []byte(strings.Replace(xliff("a"), "</unit>",
			"<segment><source>.</source><target/></segment></unit>", 1)), "", ""},
		{"elements of other programs in a text", XLIFF, long(`<pc id="1">a</pc>`), "", `line 1, unit 1: the text has the element <pc id="1">`},
		{
			"tags as elements, with their text", XLIFF, []byte(strings.NewReplacer("<segment>",
				`<originalData><data id="o">&lt;b></data><data id="c">&lt;/b></data></originalData><segment>`, every,
				`<pc id="1" dataRefStart="o" dataRefEnd="c">a</pc> <sc id="2" dataRef="o"/>b<ec startRef="2" dataRef="c"/>`).Replace(xliff(every))),
			"<b>a</b> <b>b</b>", "",
		},
		{
			"a placeholder with an equivalent text", XLIFF, long(`<ph id="1" equiv="{{fields.name}}"/>, <ph id="2" equiv="&lt;br>"/>`),
			"{{fields.name}}, <br>", "",
		},
		{"a placeholder with a name", XLIFF, long(`<ph id="7" equiv="name" disp="{name}"/>`), "", `unit 1: the text has the element <ph id="7">`},
		{"version 1.2", XLIFF, older(every, ""), every, ""},
		{"version 1.2 in windows-1252", XLIFF, byteEach(`<?xml version="1.0" encoding="windows-1252"?>` + string(older(western, ""))), western, ""},
		{"version 1.2 that is translated", XLIFF, older("a", ` state="final" xml:lang="es"`), "a", ""},
		{"version 1.2 with a copy to translate", XLIFF, older(Source, ` state="needs-translation"`), "", ""},
		{"version 1.2 with a text to translate again", XLIFF, older("a", ` state="needs-translation"`), "a", ""},
		{
			"version 1.2 with original codes", XLIFF, older(`<mrk mtype="seg" mid="1">a <ph id="1">{{fields.name}}</ph></mrk>`+
				`<bpt id="2" rid="1">&lt;a title="<sub>t</sub>"></bpt>b<ept id="3" rid="1">&lt;/a></ept><it id="4" pos="open">&lt;p></it>`, ""),
			`a {{fields.name}}<a title="t">b</a><p>`, "",
		},
		{
			"version 1.2 with equivalent texts", XLIFF, older(`<x id="1" equiv-text="{{fields.name}}"/><bx id="2" equiv-text="&lt;b>"/>a`+
				`<ex id="3" equiv-text="&lt;/b>"/><ph id="4" equiv-text="&lt;br/>"/>`, ""), "{{fields.name}}<b>a</b><br/>", "",
		},
		{"version 1.2 with elements alone", XLIFF, older(`<g id="1" ctype="bold">a</g>`, ""), "", `unit 1: the text has the element <g id="1">`},
		{"version 1.2 with a number for a placeholder", XLIFF, older(`<x id="2" equiv-text="2"/>`, ""), "", `unit 1: the text has the element <x id="2">`},
		{"an entity", XLIFF, long("a&nbsp;b"), "", "unit 1: must not have the character entity &nbsp;"},
		{"a file that is cut off", XLIFF, []byte(xliff(every)[:120]), "", "must not end before its elements do"},
		{"elements that do not match", XLIFF, long("</b>"), "", "must be well-formed XML"},
		{"an attribute without quotes", XLIFF, []byte("<xliff version=2.0>"), "", "line 1: must be well-formed XML"},
		{"a control character", XLIFF, long("a\x01b"), "", "must be well-formed XML"},
	}
}

// older is a file of version 1.2 with a target and more of its start tag, and with what programs add.
func older(target, more string) []byte {
	return []byte(`<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file original="f" source-language="en" target-language="es" ` +
		`datatype="plaintext"><header><note>n</note></header><body><group id="g"><trans-unit id="1" resname="` + Key + `" approved="yes"><source>` +
		Source + `</source><seg-source><mrk mtype="seg" mid="1">` + Source + `</mrk></seg-source><target` + more + `>` + target +
		`</target><note from="x">n</note><alt-trans><source>x</source><target>y</target></alt-trans></trans-unit></group></body></file></xliff>`)
}

// prefixed is a file whose elements have a prefix.
func prefixed() []byte {
	return []byte(strings.NewReplacer("</", "</x:", "<", "<x:", "xmlns=", "xmlns:x=").Replace(xliff(every)))
}
