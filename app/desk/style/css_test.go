package style

import (
	"strings"
	"testing"
)

func TestFaults(t *testing.T) {
	for css, want := range map[string]string{
		"":                                     "",
		".a { color: red }":                    "",
		".a { color: red":                      "1 this { is never closed",
		".a { color: red } }":                  "1 this } closes nothing",
		"\n/* open":                            "2 this comment is never closed",
		".a { content: \"x }":                  "1 this quotation mark is never closed; 1 this { is never closed",
		".a { color red }":                     `1 "color red" is not a declaration such as color: red`,
		"{ color: red }":                       "1 a selector is missing before {",
		"@import url(x.css);":                  "1 @import has no effect: forms load no other style sheets",
		"@media print { .a { color: red } }":   "",
		".a { background: url(a;b) }":          "",
		".a { content: \"{\" } /* } */ .b { }": "",
	} {
		var got []string
		for _, f := range parse(css).faults {
			got = append(got, string(rune('0'+f.line))+" "+f.text)
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%q: %q, want %q", css, s, want)
		}
	}
}

func TestContrast(t *testing.T) {
	white, _ := colorOf("white")
	for s, want := range map[string]float64{"#000": 21, "#777777": 4.48, "rgb(255, 255, 255)": 1} {
		c, ok := colorOf(s)
		if got := contrastOf(c, white); !ok || got < want-0.01 || got > want+0.01 {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
	}
	for _, s := range []string{"", "#12", "#12345", "rgb(1,2)", "var(--x)"} {
		if _, ok := colorOf(s); ok {
			t.Errorf("%q is a color", s)
		}
	}
	for _, of := range presets {
		p := Page{sheet: parse(of.css)}
		if low := p.contrasts(); len(low) > 0 || len(p.sheet.faults) > 0 || len(of.css) > 5000 {
			t.Errorf("%s: %v %v", of.name, low, p.sheet.faults)
		}
	}
}

// FuzzParse checks that tokens are within the text, and that a variable has the value to which it is set.
func FuzzParse(f *testing.F) {
	for _, of := range presets {
		f.Add(of.css)
	}
	for _, s := range []string{"{", "}", "/*", "'", "\\", "a{b:c", ":root{--font-size:1px;--font-size:2px}", ":root{/*--font-size:1px*/}", "a{--font-size:1}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, css string) {
		s := parse(css)
		for _, token := range s.tokens {
			if token.from < 0 || token.to > len(css) || token.from >= token.to {
				t.Fatalf("token %v of %d bytes", token, len(css))
			}
		}
		if len(s.faults) > 0 {
			return // browsers and we may understand the rest differently
		}
		set := withVariable(css, "--font-size", "7px")
		if d, ok := parse(set).variable("--font-size"); !ok || d.value != "7px" {
			t.Errorf("%q: set in %q, but read as %q", css, set, d.value)
		}
		if _, ok := parse(withoutVariable(set, "--font-size")).variable("--font-size"); ok {
			t.Errorf("%q: the variable is still there", set)
		}
	})
}
