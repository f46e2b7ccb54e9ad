package atlas

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// cleaned returns the text of what clean returns.
func cleaned(markup string) string {
	top := element("div")
	for _, n := range clean(markup) {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
		top.AppendChild(n)
	}
	return inner(top)
}

func TestCleanKeepsWhatIsShownAlone(t *testing.T) {
	const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
	for _, x := range []struct{ markup, want string }{
		{
			`<h2 class="a">Hi <b>you</b></h2><p style="color: red">x<br>y</p>`,
			`<h2 class="a">Hi <b>you</b></h2><p style="color: red">x<br/>y</p>`,
		},
		{
			`<p>not <i>closed`,
			`<p>not <i>closed</i></p>`,
		},
		{
			`a &lt; b &amp; c`,
			`a &lt; b &amp; c`,
		},
		{
			`<a href="https://x/y" target=_top>x</a>`,
			`<a title="https://x/y">x</a>`,
		},
		{
			`<a href="javascript:x" ping="https://x">x`,
			`<a>x</a>`,
		},
		{
			`<form action="https://x"><input name=a type=submit value=x></form>`,
			`<input value="x" type="button"/>`,
		},
		{
			`<button formaction="https://x" onclick=x>x</button>`,
			`<button type="button">x</button>`,
		},
		{
			`<input type=image src="https://x"><input type=hidden><input autofocus>`,
			`<input/>`,
		},
		{
			`<img src="` + pixel + `" alt=x onerror=x>`,
			`<img src="` + pixel + `" alt="x"/>`,
		},
		{
			`<img src="https://pictures.example/a.png">`,
			`<span class="fg-picture">pictures.example</span>`,
		},
		{
			`<img srcset="https://x/a 1x" alt="A hat">`,
			`<span class="fg-picture">A hat</span>`,
		},
		{
			`<iframe src="https://film.example/a"></iframe>`,
			`<span class="fg-picture">film.example</span>`,
		},
		{
			`<script>x</script><link rel=prefetch href=x><meta http-equiv=refresh content="0;url=x"><base href=x>y`,
			`y`,
		},
		{
			`<style>body { top: 0 } @import "x";</style>`,
			`<style>fg-body{top: 0;}</style>`,
		},
		{
			`<style>a{}</style></template><p>x</p>`,
			`<style>a{}</style><p>x</p>`,
		},
		{
			`<x-element onclick=x>x</x-element>`,
			`x`,
		},
		{
			`<template><p>x</p></template>y`,
			`y`,
		},
		{
			`<svg viewBox="0 0 1 1"><path d="M0 0" fill="url(#a)" onclick=x /><script>x</script></svg>`,
			`<svg viewBox="0 0 1 1"><path d="M0 0" fill="url(#a)"></path></svg>`,
		},
		{
			`<svg><use href="#a"/><use href="x#a"/><use xlink:href="#b"/><rect fill="url(x#g)"/></svg>`,
			`<svg><use href="#a"></use><use></use><use href="#b"></use><rect></rect></svg>`,
		},
		{
			`<svg><foreignObject><p>x</p></foreignObject><style>*{}</style><image href=x /></svg>`,
			`<svg></svg>`,
		},
		{
			`<math><mtext><style><!--</style><img title="--&gt;&lt;img src=x onerror=y&gt;">`,
			``,
		},
	} {
		if got := cleaned(x.markup); got != x.want {
			t.Errorf("%s\n got %s\nwant %s", x.markup, got, x.want)
		}
	}
	deep := strings.Repeat("<div>", 2000) + "x"
	if got := cleaned(deep); got != "x" {
		t.Errorf("markup that is too deep becomes %.80s", got)
	}
}

// What is cleaned is stable, stays in its element, and has only elements and attributes of the lists.
func FuzzClean(f *testing.F) {
	for _, s := range []string{
		"<p>x", "<a><div><a>y", "<table><td><style>", "<svg><title><style>", "<math><mi><p>", "<select><option><p>", "</div></main><p>x",
		"<object><a><object><a>", "<button><object><button>", "<plaintext>", "<textarea>\n\n</textarea>", "<pre>\n\nx", "<!--", "<![CDATA[", "<p style='}'>",
		"<form><math><mtext></form><form><mglyph><style></math>", "<noscript><p title='</noscript>'>", "<frameset>", "<body class=x>", "\x00<p\x00>",
		"<svg><p><style><a title='</style>'>", "<ruby><rt>x", "<li><table><li>", "<nobr><div><nobr>", "<option><optgroup>", "<a\x0chref=x>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, markup string) {
		got := cleaned(markup)
		if again := cleaned(got); again != got {
			t.Errorf("%q becomes %q, then %q", markup, got, again)
		}
		page, err := html.Parse(strings.NewReader(`<!doctype html><div id="first">` + got + `</div><div id="second"></div>`))
		if err != nil {
			t.Fatal(err)
		}
		body := page.LastChild.LastChild
		divs := children(body)
		if len(divs) != 2 || attr(divs[0], "id") != "first" || attr(divs[1], "id") != "second" {
			t.Errorf("%q becomes %q, which leaves its element", markup, got)
		}
		each(divs[0], func(e *html.Node) {
			if e.Namespace == "" && !elements[e.Data] && e.Data != "style" || e.Namespace == "svg" && !svgElements[e.Data] || e.Namespace == "math" {
				t.Errorf("%q becomes %q with the element %s", markup, got, e.Data)
			}
			for _, a := range e.Attr {
				if a.Key == "href" && !strings.HasPrefix(a.Val, "#") || strings.HasPrefix(a.Key, "on") || a.Key == "src" && !strings.HasPrefix(a.Val, "data:image/") ||
					a.Key == "action" || a.Key == "formaction" || a.Key == "ping" || a.Key == "target" || a.Key == "srcset" || a.Key == "slot" {
					t.Errorf("%q becomes %q with the attribute %s", markup, got, a.Key)
				}
			}
		})
	})
}
