package caption_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/caption"
)

func TestExcerpt(t *testing.T) {
	for _, tt := range []struct{ name, html, want string }{
		{"nothing", "", ""},
		{"text", "How are you?", "How are you?"},
		{"tags", "<p>How <b>are</b></p><p>you?</p>", "How are you?"},
		{"a tag parts words", "one<br>two<BR/>three", "one two three"},
		{"spaces", " \n a \t b\u00a0 c ", "a b c"},
		{"spaces at the ends", "&nbsp;a&nbsp;", "a"},
		{"references", "&lt;b&gt; &amp;amp; &quot;x&quot; &#39;y&#39; &copy;", `<b> &amp; "x" 'y' &copy;`},
		{"a lone sign", "a < b, 1<2 <3 <", "a < b, 1<2 <3 <"},
		{"signs that are no tag", "1 <2 and 3> 2, a < b > c", "1 <2 and 3> 2, a < b > c"},
		{"an open tag", "a <b", "a <b"},
		{"a comment", "a<!-- b > c -->d", "a d"},
		{"an open comment", "a <!-- b > c", "a"},
		{"a doctype", "<!DOCTYPE html>a", "a"},
		{"as long as may be", strings.Repeat("x", 80), strings.Repeat("x", 80)},
		{"longer", strings.Repeat("x", 81), strings.Repeat("x", 79) + "…"},
		{"long, of long characters", strings.Repeat("😀", 81), strings.Repeat("😀", 79) + "…"},
		{"long, of references", strings.Repeat("&hellip;", 81) + "x", strings.Repeat("…", 80)},
		{"very long", strings.Repeat("&amp;", 1000), strings.Repeat("&", 79) + "…"},
		{"long, with markup", strings.Repeat("<b>x</b>", 81), strings.Repeat("x ", 39) + "x…"},
	} {
		if got := caption.Excerpt(tt.html, 80); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestFromHTML(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing to do", "Hello you", "Hello you"},
		{"empty", "", ""},
		{"spaces", "  a \n\t b  ", "a b"},
		{"tags end words", "<h1>One</h1><p class=\"x\">Two</p>", "One Two"},
		{"comment", "a<!-- b > c -->d", "a d"},
		{"open comment", "a<!-- b", "a"},
		{"no tag", "a < b and c<3", "a < b and c<3"},
		{"open tag", "a <b", "a <b"},
		{"entities", "a&nbsp;b &amp; &lt;b&gt; &quot;&#39;&hellip;", `a b & <b> "'…`},
		{"unknown entity", "&euro; & co", "&euro; & co"},
		{"not twice", "&amp;lt;", "&lt;"},
		{"no UTF-8", "a\xffb", "a\ufffdb"},
	} {
		if got := caption.FromHTML(tt.in); got != tt.want {
			t.Errorf("%s: %q gives %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
	if got, want := caption.Line("if (a<b  && c>d) {}"), "if (a<b && c>d) {}"; got != want {
		t.Errorf("code gives %q, want %q", got, want)
	}
}

// A document of tags that never end is read once: else this would take minutes.
func TestFromHTMLIsLinear(t *testing.T) {
	for _, part := range []string{"<a", "<!-", "&", "</"} {
		text := strings.Repeat(part, 4<<20/len(part))
		if got := caption.FromHTML(text); got != text {
			t.Errorf("%q, many times, is not kept", part)
		}
	}
}
