package atlas

import (
	"strings"
	"testing"
)

func TestSheetsAreTranslatedForAShadowRoot(t *testing.T) {
	for css, want := range map[string]string{
		// The elements of a document.
		":root { --primary-color: #3b5bdb }":        ".fg-root{--primary-color: #3b5bdb;}",
		"html > BODY.x, body a { color: red }":      "fg-html > fg-body.x, fg-body a{color: red;}",
		".html #body [html=body] a:body { top: 0 }": ".html #body [html=body] a:body{top: 0;}",
		":host, ::slotted(*), slot { top: 0 }":      ":fg-none, ::fg-none(*), fg-none{top: 0;}",
		"ht\\6d l { top: 0 }":                       "fg-html{top: 0;}",
		// The viewport.
		"@media (max-width: 600px) { a { top: 0 } }":                                  "@container (max-width: 600px){a{top: 0;}}",
		"@media screen and (width >= 600px) { a { top: 0 } }":                         "@container (width >= 600px){a{top: 0;}}",
		"@media only screen and (min-width:1px) and (max-width:2px) { a { top: 0 } }": "@container (min-width:1px) and (max-width:2px){a{top: 0;}}",
		"@media print { a { top: 0 } }":                                               "@media print{a{top: 0;}}",
		"@media (min-width: 1px), print { a { top: 0 } }":                             "@media (min-width: 1px), print{a{top: 0;}}",
		"@media (prefers-color-scheme: dark) { a { top: 0 } }":                        "@media (prefers-color-scheme: dark){a{top: 0;}}",
		"a { height: 100vh; width: calc(50VW - 1px); top: -.5dvh }":                   "a{height: 640px;width: calc(50cqw - 1px);top: -3.2px;}",
		// Themes.
		`:root[data-theme="dark"] { top: 0 }`: "@media screen and (prefers-color-scheme:dark){.fg-root:is(*){top: 0;}}",
		`html[data-theme=light] a { top: 0 }`: "@media screen and (prefers-color-scheme:light){fg-html:is(*) a{top: 0;}}",
		// What is kept.
		"@layer a, b; @layer a { b { top: 0 } }":                           "@layer a, b;@layer a{b{top: 0;}}",
		"@keyframes k { from { top: 0 } 50% { top: 1px } }":                "@keyframes k{from{top: 0;}50%{top: 1px;}}",
		"@supports (display: grid) { a { top: 0; &:hover { top: 1px } } }": "@supports (display: grid){a{top: 0;&:hover{top: 1px;}}}",
		"a { content: \"}</style>\\\"\" }":                                 "a{content: \"}<\\/style>\\\"\";}",
		"a { background: url(data:image/png;base64,AAAA) }":                `a{background: url("data:image/png;base64,AAAA");}`,
		"a { top: 0 } /* } b { */ c { top: 1px }":                          "a{top: 0;}c{top: 1px;}",
		// What is dropped, and what is closed.
		`@import "x"; @charset "x"; @namespace svg url(x); a { top: 0 }`: "a{top: 0;}",
		`@\69mport "x"; a { top: 0 }`:                                    "a{top: 0;}",
		"@font-face { src: url(x) } @page { size: A4 } a { top: 0 }":     "a{top: 0;}",
		"a { background: url(https://x/y) }":                             `a{background: url("data:,");}`,
		"a { background: U\\52L( 'https://x/y' ) }":                      `a{background: url("data:,");}`,
		"} } a { top: 0":                        "a{top: 0;}",
		"a { content: \"x\ny: z } b { top: 0 }": "a{content: \"x\" y: z;}b{top: 0;}",
		"<!-- a { top: 0 } -->":                 "a{top: 0;}",
		"a { top: 0 } b":                        "a{top: 0;}",
	} {
		got := sheet(css)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", css, got, want)
		}
		if again := sheet(got); again != got {
			t.Errorf("%s: the second time %s, after %s", css, again, got)
		}
	}
}

func TestDeclarationsStayInTheirAttribute(t *testing.T) {
	for css, want := range map[string]string{
		"color: red; background: url(https://x)": `color: red; background: url("data:,")`,
		"color: red } a { top: 0":                "color: red",
		"height: 50vh":                           "height: 320px",
	} {
		if got := declarations(css); got != want {
			t.Errorf("%s: got %s, want %s", css, got, want)
		}
	}
}

func TestDeepRulesAreDropped(t *testing.T) {
	const deep = 10_000
	got := sheet(strings.Repeat("a{", deep) + "top:0" + strings.Repeat("}", deep) + "b{top:1px}")
	if strings.Count(got, "{") != maxNesting+1 || !strings.HasSuffix(got, "}b{top:1px;}") {
		t.Errorf("got %d rules: %s", strings.Count(got, "{"), got)
	}
}

// A style sheet of an author is stable, cannot end its element, and contains no address but data.
func FuzzSheet(f *testing.F) {
	for _, s := range []string{
		"a { top: 0 }", "@media (max-width: 6px) { a { b: url('c') } }", "a{b:\"\\", "\\", "@", "a{--b:{c:d}}", "url(", "1e", "--", "-\\2d", "#\\31",
		"a{b:url(\"\\\n)}", "[data-theme=dark]{", "@media{", "@layer;", "</style>", "a{content:'\\", "\\0", "\\ffffff z", "@container a{",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, css string) {
		got := sheet(css)
		if again := sheet(got); again != got {
			t.Errorf("%q becomes %q, then %q", css, got, again)
		}
		if strings.Contains(got, "</") {
			t.Errorf("%q becomes %q, which can end its element", css, got)
		}
		for _, x := range tokens(got) {
			if x.kind == urlToken && !strings.HasPrefix(strings.ToLower(x.text), `url("data:`) && !strings.HasPrefix(strings.ToLower(x.text), `url('data:`) {
				t.Errorf("%q becomes %q, which has an address", css, got)
			}
		}
		once := declarations(css)
		if again := declarations(once); again != once {
			t.Errorf("the declarations %q become %q, then %q", css, once, again)
		}
	})
}
