package caption_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
)

// written writes runs as text: links in brackets, bold in asterisks, blocks after a bar.
func written(list []caption.Run) string {
	var b strings.Builder
	for _, r := range list {
		text := r.Text
		if r.Strong {
			text = "*" + text + "*"
		}
		if r.Link {
			text = "[" + text + "]"
		}
		if r.Block {
			text = "|" + text
		}
		b.WriteString(text)
	}
	return b.String()
}

func TestRuns(t *testing.T) {
	for _, tt := range []struct{ name, html, want string }{
		{"nothing", "", ""},
		{"text", "How are you?", "How are you?"},
		{"blocks", "<h2>Create your account</h2>\n<p>It takes a minute.</p><p>Or two.</p>", "*Create your account*|It takes a minute.|Or two."},
		{"a link", `<p>I accept the <a href="https://example.com">terms  of use</a> of {{fields.shop}}.</p>`, "I accept the [terms of use] of {{fields.shop}}."},
		{"inline elements part no words", "<p>un<i>believ</i>able <b>bold</b></p>", "unbelievable *bold*"},
		{"a bold link", "<b>a <a>b</a></b> c", "*a *[*b*] c"},
		{"lines", "one<br>two<br/>three", "one|two|three"},
		{"a heading in a block", "<div><H1 class=x>One</H1></div>two", "*One*|two"},
		{"references", "<p>&lt;b&gt; &amp;&nbsp;&copy;</p>", "<b> & &copy;"},
		{"a comment", "a<!-- <p> -->b", "ab"},
		{"lone signs", "a < b <", "a < b <"},
		{"spaces", " <p> a <b> b </b> c </p> ", "a *b *c"},
		{"no text", "<p><img src=x></p>", ""},
		{"long", "<p>" + strings.Repeat("x", 61) + "</p>", strings.Repeat("x", 60)},
	} {
		if got := written(caption.Runs(tt.html, 60)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestFirstBlock(t *testing.T) {
	for _, tt := range []struct{ html, want string }{
		{"", ""},
		{"<h2>Create your account</h2><p>It takes a minute.</p>", "Create your account"},
		{"<p>I accept the <a>terms</a> of use.</p><p>All.</p>", "I accept the terms of use."},
		{"<p>" + strings.Repeat("x", 41) + "</p>", strings.Repeat("x", 39) + "…"},
		{strings.Repeat("x", 40) + "<br>y", strings.Repeat("x", 40)},
	} {
		if got := caption.FirstBlock(tt.html, 40); got != tt.want {
			t.Errorf("%q gives %q, want %q", tt.html, got, tt.want)
		}
	}
}

// A long name is shortened before what it is compared with.
func TestFit(t *testing.T) {
	words := []flow.Word{{Text: "What brings you here today, my friend", Name: true}, {Text: "equals"}, {Text: "A question", Name: true}}
	for n, want := range map[int]string{
		80: "What brings you here today, my friend equals A question",
		50: "What brings you here today, my… equals A question",
		40: "What brings you here… equals A question",
		28: "What brin… equals A question",
		24: "What … equals A question",
		20: "What … equals A que…",
	} {
		if got := caption.Fit(words, n); got != want {
			t.Errorf("in %d characters: %q, want %q", n, got, want)
		}
	}
}

// A rule without a name has room for all of its words in a text, and less in a line of a panel.
func TestRulesWithLongNames(t *testing.T) {
	f := formtest.Parse(t, `{"name":"f","nodes":[
		{"id":"ask","type":"STEP","config":{"components":[{"id":"why","category":"FIELD","type":"TEXT","label":"What brings you here today, my friend"}]}},
		{"id":"way","type":"ROUTER","config":{"rules":[{"id":"r","condition":{"operator":"EQ","operands":["{{fields.why}}","work"]}}]}}]}`)
	r := f.Nodes[1].Rule(0)
	if got, want := caption.Rule(f.Fields(), r, 0), "What brings you here today, my friend equals work"; got != want {
		t.Errorf("in a text: %q, want %q", got, want)
	}
	if got, want := caption.ShortRule(f.Fields(), r, 0, 44), "What brings you here today, my… equals work"; got != want {
		t.Errorf("in a line: %q, want %q", got, want)
	}
}
