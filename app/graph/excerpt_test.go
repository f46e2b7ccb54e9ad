package graph_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
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
		if got := graph.Excerpt(tt.html); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
