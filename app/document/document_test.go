package document_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/document"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

const form = `{"name":"Sign-up *now*","languages":{"primary":"en"},"start":{"next_node":"ask","hidden_fields":[{"key":"plan"}]},
	"ending":{"redirection":{"target":"https://example.com"},"after_submit":{"flow_id":"af_2"}},"nodes":[
	{"id":"lost","type":"STEP","config":{"components":[]}},
	{"id":"run","type":"FLOW","alias":"Send","config":{"flow_id":"af_1","next_node":"$ending"}},
	{"id":"which","type":"ROUTER","alias":"Who?","config":{"fallback":"run","rules":[
		{"id":"low","alias":"Safe","condition":{"operator":"AND","operands":[{"operator":"LT","operands":["{{fields.age}}","50"]}]},"next_node":"$ending"},
		{"id":"odd","next_node":"nobody"}]}},
	{"id":"ask","type":"STEP","alias":"1. About\nyou","config":{"next_node":"which","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail <b>","required":true},
		{"id":"back","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","step_id":"lost"}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}],
	"translations":{"de":{"x":"1"}}}`

var update = flag.Bool("update", false, "rewrite the files in testdata")

func TestMarkdown(t *testing.T) {
	const file = "testdata/form.md"
	got := document.Markdown(formtest.Parse(t, form))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || got != string(want) {
		t.Errorf("the outline differs from %s (%v); read it, then rewrite it with -update:\n%s", file, err, got)
	}
	if got := document.Markdown(model.New("")); !strings.Contains(got, "0 nodes") {
		t.Errorf("an empty form is\n%s", got)
	}
}

// A text of a form stays on its line, and is no sign of Markdown.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"plain", "# a\n## b", "``` x", "<script>", "![x](y)", "1. a", "- b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, err := model.New(s).Insert(model.NodePath(0), model.NewNode(model.StepNode, s, model.Point{}).With("alias", s))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(document.Markdown(g), "\n")
		if len(lines) != 10 {
			t.Fatalf("%d lines: %q", len(lines), lines)
		}
		for _, l := range []string{lines[0], lines[6]} {
			head := strings.TrimLeft(l, "#")
			for i := range head {
				if strings.IndexByte("`<[*_", head[i]) >= 0 && head[i-1] != '\\' {
					t.Fatalf("%q is not plain", l)
				}
			}
		}
	})
}
