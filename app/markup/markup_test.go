package markup_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/formgraph/formgraph/app/markup"
)

func TestWriter(t *testing.T) {
	var w markup.Writer
	w.Open("div.a.b role=row data-key=% title=%", `x"y`, "").Leaf("span", "1 < 2").Open("input type=text data-value=%", "").Icon("warn").Close()
	want := `<div class="a b" role="row" data-key="x&#34;y"><span>1 &lt; 2</span><input type="text" data-value="">` +
		`<svg class="i" aria-hidden="true"><use href="#i-warn"></svg></div>`
	if got := w.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAppend(t *testing.T) {
	for in, want := range map[string]string{
		"plain":       "plain",
		`<&>"'` + "`": "&lt;&amp;&gt;&#34;&#39;&#96;",
		"a\x00b\r":    "a\ufffdb&#13;",
		"\xff":        "\ufffd",
		"ä\n\t😀":      "ä\n\t😀",
	} {
		var b strings.Builder
		markup.Escape(&b, in)
		if got := string(markup.Append([]byte("x"), in)); got != "x"+want || b.String() != want {
			t.Errorf("%q: got %q and %q, want %q", in, got, b.String(), want)
		}
	}
}

// FuzzText puts any text into an element and an attribute, and parses the markup as a browser does.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", `"><script>alert(1)</script>`, "`'&lt;", "a\x00b\xff", "\r\n", "</textarea><img src=x onerror=y>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var w markup.Writer
		w.Open("p title=%", s).Text(s).Close()
		root, err := html.Parse(strings.NewReader(w.String()))
		if err != nil {
			t.Fatal(err)
		}
		body := root.FirstChild.LastChild
		p := body.FirstChild
		if p == nil || p.Data != "p" || p.NextSibling != nil || len(p.Attr) > 1 {
			t.Fatalf("%q became %s", s, w.String())
		}
		want := strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\ufffd"), "\ufffd")
		if len(s) != len(strings.ToValidUTF8(s, "")) {
			return // a run of invalid bytes becomes one mark or several
		}
		if s == "" {
			return
		}
		if got := p.Attr[0].Val; got != want {
			t.Errorf("attribute %q, want %q", got, want)
		}
		if c := p.FirstChild; c.Type != html.TextNode || c.Data != want || c.NextSibling != nil {
			t.Errorf("text %q, want %q", c.Data, want)
		}
	})
}
