package picture_test

import (
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/picture"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/waittest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

const form = `{"name":"Sign-up & <more>","start":{"next_node":"ask","coordinates":{"x":0,"y":0}},"ending":{"coordinates":{"x":1000,"y":0}},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","coordinates":{"x":160,"y":0},"config":{"next_node":"which","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail","required":true},{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"<b>Continue</b>"}}]}},
	{"id":"which","type":"ROUTER","coordinates":{"x":560,"y":0},"config":{"fallback":"run","rules":[
		{"id":"low","alias":"Safe","condition":{"operator":"AND","operands":[{"operator":"LT","operands":["{{fields.age}}","50"]}]},"next_node":"$ending"}]}},
	{"id":"run","type":"FLOW","alias":"Send","coordinates":{"x":560,"y":200},"config":{"flow_id":"af_1","next_node":"$ending"}},
	{"id":"odd","type":"NEW","coordinates":{"x":160,"y":300}}]}`

// parse reads a picture as XML and returns its texts.
func parse(tb testing.TB, svg string) (texts []string) {
	tb.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			tb.Fatalf("the picture is not XML: %v\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.CharData:
			texts = append(texts, string(token))
		case xml.StartElement:
			switch token.Name.Local {
			case "svg", "title", "rect", "path", "circle", "text", "tspan":
			default:
				tb.Fatalf("the picture has an element %s", token.Name.Local)
			}
		}
	}
}

func themedOf(t *testing.T, f *model.Form) string {
	t.Helper()
	svg, err := picture.Themed(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return svg
}

// The context is asked between edges and between cards.
func TestPictureEnds(t *testing.T) {
	f := formtest.Worst("chain", 1000)
	all := &waittest.Asked{Context: t.Context(), Left: 1000}
	if _, err := picture.Themed(all, f); err != nil || all.Left > 1000-20 {
		t.Errorf("%v, and the context was asked %d times for 2,000 edges and cards", err, 1000-all.Left)
	}
	for left := range 1000 - all.Left {
		ctx := &waittest.Asked{Context: t.Context(), Left: left}
		if svg, err := picture.Themed(ctx, f); !errors.Is(err, context.Canceled) || svg != "" || ctx.Left < -2 {
			t.Errorf("%d bytes, %v, and the context was asked %d times after it was done", len(svg), err, -1-ctx.Left)
		}
	}
}

func TestPicture(t *testing.T) {
	got := picture.SVG(formtest.Parse(t, form))
	parse(t, got)
	const file = "testdata/form.svg"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("the picture differs from %s (%v); see it, then rewrite it with -update:\n%s", file, err, got)
	}
	if svg := picture.SVG(model.New("")); len(parse(t, svg)) == 0 {
		t.Errorf("the picture of an empty form is %s", svg)
	}
}

// The picture has the colors of the light theme.
func TestColorsAreThoseOfThePage(t *testing.T) {
	css, err := os.ReadFile("../../web/static/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	light, _, _ := strings.Cut(string(css), `[data-theme="dark"]`)
	for name, color := range picture.Colors {
		m := regexp.MustCompile(`--` + name + `: (#[0-9a-f]+);`).FindStringSubmatch(light)
		if m == nil || m[1] != color {
			t.Errorf("%s is %s, but %v in tokens.css", name, color, m)
		}
	}
}

// No text of a form becomes markup, and the picture is XML whatever they are.
func FuzzPicture(f *testing.F) {
	for _, s := range []string{"plain", "<script>alert(1)</script>", "]]>", `"><svg onload="x`, "\x00\x01\ufffe\uffff\xff", "&amp;&#0;", "--><!--", "a\r\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tree := schema.NewObject(schema.Member{Key: "name", Value: s}, schema.Member{Key: "nodes", Value: []any{
			schema.NewObject(schema.Member{Key: "id", Value: s}, schema.Member{Key: "type", Value: "STEP"}, schema.Member{Key: "alias", Value: s},
				schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: "components", Value: []any{
					schema.NewObject(schema.Member{Key: "id", Value: s}, schema.Member{Key: "type", Value: s}, schema.Member{Key: "label", Value: s}),
				}})}),
			schema.NewObject(schema.Member{Key: "id", Value: "r"}, schema.Member{Key: "type", Value: "ROUTER"},
				schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: "rules", Value: []any{
					schema.NewObject(schema.Member{Key: "id", Value: s}, schema.Member{Key: "alias", Value: s}, schema.Member{Key: "condition", Value: s}),
				}})}),
			schema.NewObject(schema.Member{Key: "id", Value: "f"}, schema.Member{Key: "type", Value: "FLOW"},
				schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: "flow_id", Value: s})}),
		}})
		parse(t, picture.SVG(model.FromTree(tree)))
	})
}

// A themed picture has the colors and icons of the page, and otherwise the shapes of a picture without a theme.
func TestThemed(t *testing.T) {
	f := formtest.Parse(t, `{"name":"<b>","start":{"next_node":"a"},"nodes":[{"id":"a","type":"STEP","alias":"<script>","config":{"components":[
		{"id":"x","category":"FIELD","type":"TEXT","label":"X","required":true}]}},{"id":"r","type":"ROUTER","config":{"rules":[{"id":"one"}]}}]}`)
	themed := themedOf(t, f)
	for name, color := range picture.Colors {
		themed = strings.ReplaceAll(themed, `"var(--`+name+`)"`, `"`+color+`"`)
	}
	if strings.Contains(themed, "var(") {
		t.Errorf("a color is not one of the style sheet: %s", themed)
	}
	for _, icon := range []string{"step", "router", "text"} {
		if strings.Count(themed, `href="#i-`+icon+`"`) != 1 {
			t.Errorf("the icon %s is not drawn exactly once", icon)
		}
	}
	for _, part := range []string{"<path ", "<circle ", "<text ", "<tspan "} {
		if x, y := strings.Count(themed, part), strings.Count(picture.SVG(f), part); x != y {
			t.Errorf("%s: %d, want %d", part, x, y)
		}
	}
}

// Texts end within their card, with the sign of a cut, and the line below a title goes from side to side.
func TestTextsFit(t *testing.T) {
	long := strings.Repeat("Create your account ", 4)
	svg := themedOf(t, formtest.Parse(t, `{"name":"f","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","alias":"`+long+`","config":{"components":[{"id":"x","category":"FIELD","type":"TEXT","label":"`+long+`","required":true},
			{"id":"y","category":"FIELD","type":"TEXT","label":"Short"}]}},
		{"id":"b","type":"FLOW","config":{"flow_id":"af_1"}}]}`))
	for _, want := range []string{`>Create your account Create yo…<`, `>Create your account Create your…<`, ">Short<", ">Run flow<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %s:\n%s", want, svg)
		}
	}
	if strings.Contains(svg, "af_1") {
		t.Error("people who look see the id of a flow")
	}
	if n := strings.Count(svg, `width="280" height="1" rx="0" fill="var(--line)"></rect><svg `); n != 2 { // before what is cut off
		t.Errorf("%d lines below titles", n)
	}
}
