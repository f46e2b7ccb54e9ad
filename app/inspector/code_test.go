package inspector_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model/schema"
)

func TestUnshown(t *testing.T) {
	for html, want := range map[string]string{
		"":                                  "",
		"plain & simple, 1 < 2":             "",
		"one {brace}, {/, {! and a < at <":  "",
		"<h2>Heading</h2><p>Text</p>":       "",
		"<P>a<br>b<br/></P>\n<p></p>":       "",
		"<p><b>a</b> <em><i>b</i></em></p>": "",
		`<p><a href="https://a.example/?a=1&amp;b">x</a><a href="/terms">y</a><a href="mailto:a@b.example">z</a></p>`: "",
		`<a href="{{vars.terms}}">terms</a> of {{client.name | default: "us"}}`:                                       "",
		"<ul>\n<li>a</li>\n<li><p>b</p><ol><li>c</li></ol></li></ul>":                                                 "",
		`<p class="x">a</p>`:                      "the attribute class",
		`<p hidden>a</p>`:                         "the attribute hidden",
		`<a href="/x" target=_blank>a</a>`:        "the attribute target",
		`<a class="b" href="/x">a</a>`:            "the attribute class",
		`<a href='/x'>a</a>`:                      "the attribute href",
		`<a href="javascript:alert(1)">a</a>`:     "a link to javascript:alert(1)",
		`<a href="java&#9;script:alert(1)">a</a>`: "a link to java&#9;script:alert(1)",
		"<a href=\"java\tscript:a\">a</a>":        "a link to java\tscript:a",
		`<a href="x>y">a</a>`:                     "an address with >",
		"<table><tr><td>a</td></tr></table>":      "<table>, <tr>, <td>",
		"<script>alert(1)</script>":               "<script>",
		"<img src=x onerror=alert(1)>":            "the attribute src, <img>",
		"a <!-- b --> c":                          "a comment",
		"<?xml?>":                                 "a comment",
		"<p>a":                                    "<p> without its end",
		"<p>a</b></p>":                            "</b> without its beginning",
		"a</p>":                                   "</p> without its beginning",
		"<b><p>a</p></b>":                         "<p> in <b>",
		"<p><ul><li>a</li></ul></p>":              "<ul> in <p>",
		"<p>a<p>b</p></p>":                        "<p> in <p>",
		"<li>a</li>":                              "<li> in <>",
		"<ul>a<li>b</li></ul>":                    "text between the items of a list",
		"{{a < b}}":                               "a template with <, > or &",
		"{{a && b}}":                              "a template with <, > or &",
		"{{a":                                     "",
		"<p":                                      "a tag without its end",
		"<div>a</div>":                            "<div>",
		"<x-y>a</x-y><b style='x'>b</b><u>c</u><s>d": "<x-y>, the attribute style, <u>",
	} {
		got := strings.Join(inspector.Unshown(html), ", ")
		if got != want {
			t.Errorf("%q: %q, want %q", html, got, want)
		}
	}
}

func TestMistakesInCode(t *testing.T) {
	for css, want := range map[string]string{
		"a { b: c }":                 "",
		"a { b: \"}\"; /* { */ }":    "",
		"a { content: '\\'}' }":      "",
		"a {\n b: c\n":               "Line 1: there is no } for this {.",
		"@media x {\na { b: c }\n\n": "Line 1: there is no } for this {.",
		"a { }\n}":                   "Line 2: there is no { for this }.",
		"a { }\n/* b":                "Line 2: the comment does not end.",
		"a {\n content: \"b\n }":     "Line 2: the text does not end on its line.",
		"a { content: \"b\\\nc\" }":  "",
		".\\{ { b: c }":              "",
	} {
		e := edit(t, step(`{"id":"c","category":"FIELD","type":"CUSTOM","config":{"schema":{},"code":"x","css":`+text(css)+`}}`), part("c"))
		r := row(t, e, one+".config.css")
		if got := r.Source().Mistake(); got != want || r.Language() != schema.CSS {
			t.Errorf("%q: %q, want %q", css, got, want)
		}
		if (r.Source().Line() > 0) != (want != "") {
			t.Errorf("%q: the line is %d", css, r.Source().Line())
		}
	}
	// Half a JSON value has its line.
	e := edit(t, step(`{"id":"c","category":"FIELD","type":"CUSTOM","label":"x","config":{"schema":{},"code":"x"}}`), part("c"))
	r := enter(t, e, one+".config.schema", "{\n  \"a\": 1,\n  b\n}")
	if got := r.Problems[0].Detail; r.Source().Line() != 3 || !strings.HasPrefix(got, "is not valid JSON: line 3, column 3: ") {
		t.Errorf("line %d: %s", r.Source().Line(), got)
	}
	if r.Language() != schema.JSON {
		t.Errorf("the language is %q", r.Language())
	}
}
