package graph

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
)

// Kind tells what a card stands for; it is the contract's data-kind, section 5.
// A node of a type that we do not know has that type's text, or "".
type Kind string

// The kinds of cards.
const (
	StepKind   Kind = "STEP"
	FlowKind   Kind = "FLOW"
	RouterKind Kind = "ROUTER"
	StartKind  Kind = "START"
	EndingKind Kind = "ENDING"
)

// Card is a node, or one of the two ends, on the canvas. A Scene owns its cards
// and moves them; callers only read them. One node keeps one *Card as long as
// it is in the form.
type Card struct {
	Key   string // unique in the scene; the node's of model.Form.Keys, or that of an end
	ID    string // the node's id, model.StartID or model.EndingID
	Place int    // in the form's nodes, -1 for the two ends
	Rect  Rect
	Auto  bool // placed here because the form has no coordinates for it
	*Content

	node  *model.Node
	slot  int32   // in Scene.cards
	edges []*Edge // one for each of Outs; nil where it leads nowhere
	ins   []*Edge
}

// Broken reports whether the form has something else than an object in the node's place. No command can name it.
func (c *Card) Broken() bool { return c.node != nil && c.node.Tree() == nil }

// Order returns the place in the drawing order; a card covers those of less.
func (c *Card) Order() int { return int(c.slot) }

// InAt returns where edges end.
func (c *Card) InAt() Vec { return Vec{c.Rect.X, c.Rect.Y + c.InY} }

// OutAt returns where the edge of the i-th way out begins.
func (c *Card) OutAt(i int) Vec { return Vec{c.Rect.Right(), c.Rect.Y + c.Outs[i].Y} }

// Out returns the place in Outs of a port, or -1.
func (c *Card) Out(port model.Port) int {
	for i := range c.Outs {
		if c.Outs[i].Port == port {
			return i
		}
	}
	return -1
}

// Edges returns the edges that begin here; nil stands for a way out that leads
// nowhere. The caller must not change the slice.
func (c *Card) Edges() []*Edge { return c.edges }

// Ins returns the edges that end here. The caller must not change the slice.
func (c *Card) Ins() []*Edge { return c.ins }

// RowAt returns the place in Rows at a height in form units, or -1.
func (c *Card) RowAt(y float64) int {
	i := int((y - c.Rect.Y - HeaderHeight - ListPadding) / RowHeight)
	if y < c.Rect.Y+HeaderHeight+ListPadding || i >= len(c.Rows) {
		return -1
	}
	return i
}

// RowOf returns the place in Rows of the i-th component or rule: the row that
// stands for the rest when it is folded away, -1 when there is no such item.
func (c *Content) RowOf(i int) int {
	switch {
	case i < 0 || i >= c.Items:
		return -1
	case c.Items > FoldAfter:
		return min(i, FoldAfter)
	}
	return i
}

// Content is what a card shows, apart from its place. It is immutable: as long
// as the pointer is the same, so is the look.
type Content struct {
	Kind   Kind
	Title  string
	Icon   string
	Rows   []Row
	Outs   []Out
	Items  int // components or rules, those folded away included
	HasIn  bool
	InY    float64 // of the input below the card's upper side
	Width  float64
	Height float64

	config model.Config
}

// Out is a way out of a card.
type Out struct {
	Port model.Port
	To   model.Pointer // "" when it leads nowhere
	Y    float64       // of its handle below the card's upper side
	Row  int           // that the handle stands on, -1 for the header

	lane int // how many handles stand below it; loops of one card nest by it
}

// RowKind tells rows apart.
type RowKind uint8

// The kinds of rows.
const (
	ComponentRow RowKind = iota
	RuleRow
	FallbackRow
	FlowRow
	MoreRow // stands for the rows folded away
	EmptyRow
)

// Word is a piece of a row's text; values are set apart from words.
type Word = flow.Word

// Row is one line of a card.
type Row struct {
	Kind      RowKind
	ID        string // of the component or rule
	Index     int    // among the node's components or rules, from 0
	Icon      string
	Words     []Word // nil where Said makes them
	Note      string // stands at the right, an id
	Required  bool
	Sensitive bool
	Warn      bool // the row says what is missing

	component *model.Component
	rule      *model.Rule
}

// Said returns the row's words. Those of components and rules are made when they are asked for: most
// rows of a large form are never in sight.
func (r *Row) Said() []Word {
	switch {
	case r.Words != nil:
		return r.Words
	case r.component != nil:
		return []Word{{Text: ComponentName(r.component)}}
	case r.rule != nil:
		return ruleWords(r.rule)
	}
	return nil
}

// Text returns the row's words in one string.
func (r *Row) Text() string {
	words := r.Said()
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// contentOf lays a node out. was is what the card showed before; it is returned
// when it still holds, as for a node that only moved.
func contentOf(n *model.Node, was *Content) *Content {
	title := NodeName(n)
	if was != nil && was.config == n.Config && n.Config != nil && was.Title == title && was.Kind == Kind(n.Type) {
		return was
	}
	c := &Content{
		Kind: Kind(n.Type), Title: title, Icon: "warn", HasIn: true, InY: HeaderHeight / 2,
		Width: CardWidth, config: n.Config,
	}
	switch cfg := n.Config.(type) {
	case *model.Step:
		c.Icon = "step"
		c.step(cfg)
	case *model.Flow:
		c.Icon = "flow"
		c.flow(cfg)
	case *model.Router:
		c.Icon = "router"
		c.router(cfg)
	}
	c.Height = HeaderHeight
	if len(c.Rows) > 0 {
		c.Height += 2*ListPadding + float64(len(c.Rows))*RowHeight
	}
	for i := range c.Outs {
		for j := range c.Outs {
			if c.Outs[j].Y > c.Outs[i].Y {
				c.Outs[i].lane++
			}
		}
	}
	return c
}

func (c *Content) step(s *model.Step) {
	c.Items = len(s.Components)
	c.Rows = make([]Row, 0, min(max(c.Items, 1), FoldAfter+1))
	for i, comp := range s.Components {
		row, shown := c.fold(i, len(s.Components))
		if shown {
			c.Rows = append(c.Rows, componentRow(comp, i))
		}
		if comp.Type == "JUMP_BUTTON" {
			c.out(model.JumpPort(comp.ID), model.Pointer(comp.Config().Text("next_node")), row)
		}
	}
	if len(s.Components) == 0 {
		c.Rows = append(c.Rows, Row{Kind: EmptyRow, Icon: "plus", Words: []Word{{Text: "Add a component"}}})
	}
	c.out(model.NextPort, s.Next, -1)
}

func (c *Content) flow(f *model.Flow) {
	row := Row{Kind: FlowRow, Icon: "flow", Words: []Word{{Text: "Run flow"}}, Note: f.FlowID}
	if f.FlowID == "" {
		row.Words, row.Warn = []Word{{Text: "No flow chosen"}}, true
	}
	c.Rows = append(c.Rows, row)
	c.out(model.NextPort, f.Next, -1)
}

func (c *Content) router(r *model.Router) {
	c.Items = len(r.Rules)
	c.Rows = make([]Row, 0, min(c.Items, FoldAfter+1)+1)
	c.Outs = make([]Out, 0, c.Items+1)
	for i, rule := range r.Rules {
		row, shown := c.fold(i, len(r.Rules))
		if shown {
			c.Rows = append(c.Rows, Row{Kind: RuleRow, ID: rule.ID, Index: i, rule: rule})
		}
		c.out(model.RulePort(rule.ID), rule.Next, row)
	}
	c.Rows = append(c.Rows, Row{Kind: FallbackRow, Words: []Word{{Text: "Otherwise"}}})
	c.out(model.FallbackPort, r.Fallback, len(c.Rows)-1)
}

func ruleWords(r *model.Rule) []Word {
	if r.Alias != "" {
		return []Word{{Text: r.Alias}}
	}
	return flow.Words(r.Condition)
}

// fold returns the row that the i-th of n items stands on and whether it is shown
// there. For the first that is not, it adds the row that stands for the rest. Handles of folded items stand
// on that row: an edge always begins at something that can be seen.
func (c *Content) fold(i, n int) (row int, shown bool) {
	if n <= FoldAfter || i < FoldAfter {
		return i, true
	}
	if i == FoldAfter {
		c.Rows = append(c.Rows, Row{Kind: MoreRow, Index: i, Words: []Word{{Text: "+" + strconv.Itoa(n-FoldAfter) + " more"}}})
	}
	return FoldAfter, false
}

func (c *Content) out(p model.Port, to model.Pointer, row int) {
	y := HeaderHeight / 2.0
	if row >= 0 {
		y = HeaderHeight + ListPadding + (float64(row)+.5)*RowHeight
	}
	c.Outs = append(c.Outs, Out{Port: p, To: to, Y: y, Row: row})
}

// excerpts are the properties of a config that may say what a component is, in
// the order they are asked.
var excerpts = []string{"text", "content", "button_text", "alternate_text", "placeholder"}

func componentRow(comp *model.Component, i int) Row {
	row := Row{Kind: ComponentRow, ID: comp.ID, Index: i, Icon: "warn", Required: comp.Required, Sensitive: comp.Sensitive, component: comp}
	if comp.Kind != nil {
		row.Icon = comp.Kind.Icon
	}
	return row
}

// NodeName returns what a node is called wherever it is named: its alias, else its
// id, else the kind of node it is.
func NodeName(n *model.Node) string {
	if name := cmp.Or(n.Alias, n.ID); name != "" {
		return name
	}
	switch n.Type {
	case model.StepNode:
		return "Step"
	case model.FlowNode:
		return "Flow"
	case model.RouterNode:
		return "Router"
	}
	return cmp.Or(string(n.Type), "Unknown node")
}

// ComponentName returns what a component is called where people see it: its
// label, else a text of its own, else its kind.
func ComponentName(comp *model.Component) string {
	text := Excerpt(comp.Label)
	for _, key := range excerpts {
		if text != "" {
			return text
		}
		text = Excerpt(comp.Config().Text(key))
	}
	switch {
	case text != "":
		return text
	case comp.Kind != nil:
		return comp.Kind.Label
	case comp.Type != "":
		return comp.Type
	}
	return "Unknown component"
}

// startContent and endingContent are the looks of the two ends.
func startContent(next model.Pointer, was *Content) *Content {
	if was != nil && was.Outs[0].To == next {
		return was
	}
	return &Content{
		Kind: StartKind, Title: "Start", Icon: "start", Width: PillWidth, Height: PillHeight,
		Outs: []Out{{Port: model.NextPort, To: next, Y: PillHeight / 2, Row: -1}},
	}
}

func endingContent(was *Content) *Content {
	if was != nil {
		return was
	}
	return &Content{
		Kind: EndingKind, Title: "Ending", Icon: "ending", Width: PillWidth, Height: PillHeight,
		HasIn: true, InY: PillHeight / 2,
	}
}
