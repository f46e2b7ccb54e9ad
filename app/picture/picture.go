// Package picture draws the graph of a form as one SVG file, with the geometry of the canvas and the colors of the light theme. It is pure,
// and its texts cannot become markup.
package picture

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Colors are the colors of the picture by their names in tokens.css.
var Colors = map[string]string{
	"canvas": "#f5f5f3", "raised": "#ffffff", "ink": "#1c1c1a", "ink-2": "#55554f", "ink-3": "#6c6c65", "line": "#e5e5e0", "edge": "#8f8f87", "bad": "#c92a2a",
	"step": "#2f6fdb", "step-soft": "#e6effd", "flow": "#7a4fd0", "flow-soft": "#f0eafc", "router": "#a86200", "router-soft": "#fdf1dc",
	"start": "#1f7a4d", "start-soft": "#e2f4ea", "ending": "#525a66", "ending-soft": "#eceef1",
}

const (
	margin = 40
	sans   = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
)

// SVG returns the picture of a form.
func SVG(f *model.Form) string {
	text, _ := draw(context.Background(), f, painter{color: func(name string) string { return Colors[name] }})
	return text
}

// Themed returns the picture of a form for a page with the style sheet tokens.css and the icon set: its colors are those of the theme of the
// page, and kinds have their icons. An error is that of the context: a form of 40,000 nodes takes seconds.
func Themed(ctx context.Context, f *model.Form) (string, error) {
	return draw(ctx, f, painter{icons: true, color: func(name string) string {
		if name == "" {
			return ""
		}
		return "var(--" + name + ")"
	}})
}

// askEvery is how many edges or cards are drawn before the context is looked at again.
const askEvery = 100

func draw(ctx context.Context, f *model.Form, p painter) (string, error) {
	scene := graph.New(f)
	all := scene.Bounds().Grown(margin)
	w := &p.Writer
	w.Open("svg xmlns=http://www.w3.org/2000/svg width=% height=% viewBox=% font-family=% font-size=13", number(all.W), number(all.H),
		number(all.X)+" "+number(all.Y)+" "+number(all.W)+" "+number(all.H), sans)
	w.Leaf("title", clean(f.Name))
	p.rect(all, 0, "canvas", "")
	drawn, ended := 0, false
	goesOn := func() bool {
		drawn++
		ended = ended || drawn%askEvery == 0 && ctx.Err() != nil
		return !ended
	}
	scene.Edges(func(e *graph.Edge) {
		if goesOn() {
			p.edge(e)
		}
	})
	for _, c := range scene.Cards() {
		if !goesOn() {
			break
		}
		p.card(c)
	}
	if ended {
		return "", ctx.Err()
	}
	w.Close()
	return w.String() + "\n", nil
}

type painter struct {
	markup.Writer

	color func(name string) string
	icons bool // whether the page has the icon set
}

// icon draws an icon in a color, 16 units wide and high, with its left upper corner at a point. It returns false if the page has no icons, or if the
// name is empty.
func (p *painter) icon(x, y float64, name, color string) bool {
	if !p.icons || name == "" {
		return false
	}
	p.Open("svg x=% y=% width=16 height=16 viewBox=% fill=none stroke=% stroke-width=1.5 stroke-linecap=round stroke-linejoin=round", number(x), number(y), "0 0 16 16", p.color(color))
	p.Open("use href=%", "#i-"+name)
	p.Close()
	return true
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// clean replaces the characters that XML does not allow, on one line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, caption.Line(s))
}

func (p *painter) rect(r graph.Rect, radius float64, fill, stroke string) {
	p.Open("rect x=% y=% width=% height=% rx=% fill=% stroke=%", number(r.X), number(r.Y), number(r.W), number(r.H), number(radius), p.color(fill), p.color(stroke)).Close()
}

func (p *painter) text(x, y float64, spec, text string, values ...string) {
	p.Leaf("text x=% y=% "+spec, clean(text), append([]string{number(x), number(y)}, values...)...)
}

func (p *painter) edge(e *graph.Edge) {
	dash := ""
	if e.Dashed() {
		dash = "8 5"
	}
	width := "2"
	if e.Back() {
		width = "1.25"
	}
	path := string(e.Curve.AppendPath(nil, e.Gaps()))
	p.Open("path fill=none stroke=% stroke-width=% stroke-dasharray=% d=%", p.color("edge"), width, dash, path).Close()
}

// handles draws the points where edges begin and end at a card.
func (p *painter) handles(c *graph.Card) {
	var points []graph.Vec
	if c.Kind != graph.StartKind {
		points = append(points, c.InAt())
	}
	for i := range c.Outs {
		points = append(points, c.OutAt(i))
	}
	for _, at := range points {
		p.Open("circle cx=% cy=% r=4 fill=% stroke=% stroke-width=1.5", number(at.X), number(at.Y), p.color("raised"), p.color("edge")).Close()
	}
}

// tint returns the name of the color of a card.
func tint(c *graph.Card) string {
	switch c.Kind {
	case graph.StepKind, graph.FlowKind, graph.RouterKind, graph.StartKind, graph.EndingKind:
		return strings.ToLower(string(c.Kind))
	}
	return "ending"
}

func (p *painter) card(c *graph.Card) {
	defer p.handles(c)
	color := tint(c)
	r := c.Rect
	if c.Kind == graph.StartKind || c.Kind == graph.EndingKind {
		p.rect(r, r.H/2, color+"-soft", color)
		p.text(r.X+r.W/2, r.Y+r.H/2+4.5, "text-anchor=middle font-weight=600 fill=%", c.Title, p.color(color))
		return
	}
	p.rect(r, 10, "raised", "line")
	if len(c.Rows) > 0 {
		p.rect(graph.Rect{X: r.X, Y: r.Y + graph.HeaderHeight, W: r.W, H: 1}, 0, "line", "")
	}
	// An element of its own cuts off what is too wide.
	p.Open("svg x=% y=% width=% height=% overflow=hidden", number(r.X), number(r.Y), number(r.W-8), number(r.H))
	p.rect(graph.Rect{X: 8, Y: 8, W: 24, H: 24}, 6, color+"-soft", "")
	if !p.icon(12, 12, color, color) {
		p.rect(graph.Rect{X: 15, Y: 15, W: 10, H: 10}, 3, color, "")
	}
	p.text(40, 24.5, "font-weight=600 fill=%", fit(c.Title, r.W-8-40, titleSize), p.color("ink"))
	for i := range c.Rows {
		p.row(&c.Rows[i], r.W-8, color)
	}
	p.Close()
}

func (p *painter) row(r *graph.Row, width float64, color string) {
	y := r.Top + r.Height/2 + 4.5
	below := r.Below()
	if below != nil {
		y = r.Top + 18
	}
	if r.Kind == graph.RuleRow {
		p.text(14, y, "font-size=11 fill=%", strconv.Itoa(r.Index+1), p.color(color))
	} else if r.Kind != graph.FallbackRow && !p.icon(10, y-12.5, r.Icon, "ink-3") {
		p.rect(graph.Rect{X: 14, Y: y - 8, W: 7, H: 7}, 2, color+"-soft", color)
	}
	room := width - 32
	if r.Required {
		room -= 14
	}
	p.Open("text x=32 y=% fill=%", number(y), p.color("ink-2")).Text(clean(fit(r.Text(), room, textSize)))
	if r.Required {
		p.Leaf("tspan dx=6 fill=%", "•", p.color("bad"))
	}
	p.Close()
	if below != nil {
		p.text(32, y+16, "font-size=12 fill=%", fit(caption.Join(below), width-32, 12), p.color("ink-3"))
	}
}

// Sizes of the text, in units: that of rows, and that of titles, which are bold and so a little wider.
const (
	textSize  = 13
	titleSize = 14
)

// fit shortens a text so that it fits into a width at a size of the font. It assumes a wide font, since nobody knows which font a viewer has.
func fit(text string, width, size float64) string {
	used, fits := 0.0, 0 // fits counts the characters that leave room for the sign of the cut
	for n, r := range []rune(text) {
		if used += size * em(r); used <= width-size {
			fits = n + 1
		}
	}
	if used <= width {
		return text
	}
	return schema.Shorten(text, fits+1)
}

// em returns about how wide a character is in a wide font, in parts of its size.
func em(r rune) float64 {
	switch {
	case strings.ContainsRune(" fijlrtI.,:;'!|()[]/-", r):
		return .36
	case strings.ContainsRune("mwMW@%", r):
		return .96
	case r >= 'A' && r <= 'Z':
		return .7
	case r < 0x2e80:
		return .61
	}
	return 1
}
