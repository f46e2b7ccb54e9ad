package graph

import (
	"slices"
	"sort"
	"strconv"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
)

// Kind is the kind of a card, also used in the attribute data-kind. For a node of an unknown type it is the text of that type, or "".
type Kind string

// The kinds of cards.
const (
	StepKind   Kind = "STEP"
	FlowKind   Kind = "FLOW"
	RouterKind Kind = "ROUTER"
	StartKind  Kind = "START"
	EndingKind Kind = "ENDING"
)

// Card is a node, or one of the two ends, on the canvas. A Scene owns its cards and moves them; callers only read them. A node keeps its
// *Card as long as it is in the form.
type Card struct {
	Key   string // unique in the scene: the node's key in model.Form.Keys, or that of an end
	ID    string // the node's id, model.StartID or model.EndingID
	Place int    // in the form's nodes, -1 for the two ends
	Rect  Rect
	Auto  bool // placed automatically, because the form has no coordinates for it
	*Content

	node  *model.Node
	slot  int32   // in Scene.cards
	rank  int     // in the flow, from Start at 0; -1 for a node that cannot be reached. See Scene.rank.
	edges []*Edge // one for each of Outs; nil if it has no target
	ins   []*Edge
	all   *Scene
}

// Broken reports whether the node is not a JSON object. No command can name it then.
func (c *Card) Broken() bool { return c.node != nil && c.node.Tree() == nil }

// Order returns the position in the drawing order. A card covers the cards before it.
func (c *Card) Order() int { return int(c.slot) }

// InAt returns the point where edges end.
func (c *Card) InAt() Vec { return Vec{c.Rect.X, c.Rect.Y + c.InY} }

// OutAt returns the point where the edge of the i-th way out begins.
func (c *Card) OutAt(i int) Vec { return Vec{c.Rect.Right(), c.Rect.Y + c.Outs[i].Y} }

// Out returns the index in Outs of a port, or -1.
func (c *Card) Out(port model.Port) int {
	for i := range c.Outs {
		if c.Outs[i].Port == port {
			return i
		}
	}
	return -1
}

// Edges returns the edges that begin here; nil stands for a way out without a target. The caller must not change the slice.
func (c *Card) Edges() []*Edge { return c.edges }

// Ins returns the edges that end here. The caller must not change the slice.
func (c *Card) Ins() []*Edge { return c.ins }

// RowAt returns the index in Rows of the row at a height in form units, or -1.
func (c *Card) RowAt(y float64) int {
	y -= c.Rect.Y
	return slices.IndexFunc(c.Rows, func(r Row) bool { return y >= r.Top && y < r.Top+r.Height })
}

// RowOf returns the index in Rows of the i-th component or rule. For a folded one it is the row that stands for the folded ones, and -1 if
// there is no i-th.
func (c *Content) RowOf(i int) int {
	switch {
	case i < 0 || i >= c.Items:
		return -1
	case c.Items > FoldAfter:
		return min(i, FoldAfter)
	}
	return i
}

// Content is what a card shows, apart from its place. It is immutable: as long as the pointer is the same, so is the content.
type Content struct {
	Kind   Kind
	Title  string
	Icon   string
	Rows   []Row
	Outs   []Out
	Items  int // components or rules, including folded ones
	HasIn  bool
	InY    float64 // of the input, below the card's upper side
	Width  float64
	Height float64

	config model.Config
	fields *model.Fields // the names in the rules of a router; nil for other nodes
}

// Out is a way out of a card.
type Out struct {
	Port model.Port
	To   model.Pointer // "" if it has no target
	Y    float64       // of its handle, below the card's upper side
	Row  int           // the row of the handle, -1 for the header

	// Lane is how many handles are below it. It determines how the loops of one card nest.
	Lane int
}

// RowKind is the kind of a row's content.
type RowKind uint8

// The kinds of rows.
const (
	ComponentRow RowKind = iota
	RuleRow
	FallbackRow
	FlowRow
	MoreRow // stands for the folded rows
	EmptyRow
)

// Word is a piece of a row's text. Values look different from other words.
type Word = flow.Word

// Row is one line of a card, or two for a rule with a name.
type Row struct {
	Top       float64 // below the card's upper side
	Height    float64
	Kind      RowKind
	ID        string // of the component or rule
	Index     int    // among the node's components or rules, from 0
	Icon      string
	Words     []Word // nil if Said makes them on demand
	Flow      string // id of the flow that it runs
	Required  bool
	Sensitive bool
	Warn      bool // the row reports that something is missing

	component *model.Component
	rule      *model.Rule
	fields    *model.Fields // of a rule
}

// Said returns the row's words. Those of components and rules are made on demand: most
// rows of a large form are never shown.
func (r *Row) Said() []Word {
	switch {
	case r.Words != nil:
		return r.Words
	case r.component != nil:
		return []Word{{Text: caption.Component(r.component)}}
	case r.rule != nil:
		return ruleWords(r.fields, r.rule)
	}
	return nil
}

// Text returns the row's words in one string.
func (r *Row) Text() string { return caption.Join(r.Said()) }

// What returns the kind of a component in plain words, "" for other rows and unknown kinds.
func (r *Row) What() string {
	if r.component == nil || r.component.Kind == nil {
		return ""
	}
	return r.component.Kind.Label
}

// Below returns the words of the row's second line: the condition of a rule with a name. nil means that there is only one line.
func (r *Row) Below() []Word {
	if !r.two() {
		return nil
	}
	return flow.Words(r.fields, r.rule.Condition)
}

// two reports whether the row has a second line.
func (r *Row) two() bool { return r.rule != nil && r.rule.Alias != "" }

// contentOf returns the content of a node's card. was is its previous content, which is returned if it is still right, for example when the
// node has only moved.
func contentOf(n *model.Node, fields *model.Fields, was *Content) *Content {
	title := n.Name()
	if was != nil && was.config == n.Config && n.Config != nil && was.Title == title && was.Kind == Kind(n.Type) && !was.reworded(fields) {
		return was
	}
	c := &Content{
		Kind: Kind(n.Type), Title: title, Icon: "warn", HasIn: true, InY: HeaderHeight / 2,
		Width: CardWidth, config: n.Config,
	}
	if k := model.NodeKindOf(n.Type); k != nil {
		c.Icon = k.Icon
	}
	switch cfg := n.Config.(type) {
	case *model.Step:
		c.step(cfg)
	case *model.Flow:
		c.flow(cfg)
	case *model.Router:
		c.fields = fields
		c.router(cfg)
	}
	c.Height = HeaderHeight
	if len(c.Rows) > 0 {
		c.Height = c.stack() + ListPadding
	}
	n.Pointers(func(r model.Ref) {
		port, row := n.Port(r), c.RowOf(r.Part)
		if port == model.FallbackPort {
			row = len(c.Rows) - 1
		}
		c.out(port, model.Pointer(r.ID), row)
	})
	c.lanes()
	return c
}

// lanes gives each way out the number of those that leave below it.
func (c *Content) lanes() {
	heights := make([]float64, len(c.Outs))
	for i := range c.Outs {
		heights[i] = -c.Outs[i].Y
	}
	sort.Sort(sort.Float64Slice(heights)) //nolint:staticcheck // a sort of its own takes 13 KB of the browser's program; this one is there for others
	for i := range c.Outs {
		c.Outs[i].Lane, _ = slices.BinarySearch(heights, -c.Outs[i].Y)
	}
}

// reworded reports whether the words of a router's rules may differ with other fields.
func (c *Content) reworded(fields *model.Fields) bool {
	r, ok := c.config.(*model.Router)
	return ok && c.fields != fields && slices.ContainsFunc(r.Rules, func(r *model.Rule) bool { return !flow.SameWords(c.fields, fields, r.Condition) })
}

func (c *Content) step(s *model.Step) {
	c.items(len(s.Components), func(i int) Row { return componentRow(s.Components[i], i) })
	if c.Items == 0 {
		c.Rows = append(c.Rows, Row{Kind: EmptyRow, Icon: "plus", Words: []Word{{Text: "Add a component"}}})
	}
}

func (c *Content) flow(f *model.Flow) {
	row := Row{Kind: FlowRow, Icon: "flow", Words: []Word{{Text: "Run flow"}}, Flow: f.FlowID}
	if f.FlowID == "" {
		row.Words, row.Warn = []Word{{Text: "No flow chosen"}}, true
	}
	c.Rows = append(c.Rows, row)
}

func (c *Content) router(r *model.Router) {
	c.Outs = make([]Out, 0, len(r.Rules)+1)
	c.items(len(r.Rules), func(i int) Row {
		return Row{Kind: RuleRow, ID: r.Rules[i].ID, Index: i, rule: r.Rules[i], fields: c.fields}
	})
	c.Rows = append(c.Rows, Row{Kind: FallbackRow, Words: []Word{{Text: "Otherwise"}}})
}

func ruleWords(fields *model.Fields, r *model.Rule) []Word {
	if r.Alias != "" {
		return []Word{{Text: r.Alias}}
	}
	return flow.Words(fields, r.Condition)
}

// items adds the rows of n components or rules. If there are too many, the last row stands for the folded ones and has their handles, so
// that an edge always begins at something visible.
func (c *Content) items(n int, row func(i int) Row) {
	c.Items = n
	c.Rows = make([]Row, 0, min(n, FoldAfter+1)+1)
	shown := min(n, FoldAfter)
	for i := range shown {
		c.Rows = append(c.Rows, row(i))
	}
	if shown < n {
		c.Rows = append(c.Rows, Row{Kind: MoreRow, Index: shown, Words: []Word{{Text: "+" + strconv.Itoa(n-shown) + " more"}}})
	}
}

// stack places the rows below each other and returns the lower side of the last.
func (c *Content) stack() float64 {
	y := float64(HeaderHeight + ListPadding)
	for i := range c.Rows {
		r := &c.Rows[i]
		r.Top, r.Height = y, RowHeight
		if r.two() {
			r.Height = RuleHeight
		}
		y += r.Height
	}
	return y
}

func (c *Content) out(p model.Port, to model.Pointer, row int) {
	y := HeaderHeight / 2.0
	if row >= 0 {
		y = c.Rows[row].Top + c.Rows[row].Height/2
	}
	c.Outs = append(c.Outs, Out{Port: p, To: to, Y: y, Row: row})
}

func componentRow(comp *model.Component, i int) Row {
	row := Row{Kind: ComponentRow, ID: comp.ID, Index: i, Icon: "warn", Required: comp.Required, Sensitive: comp.Sensitive, component: comp}
	if comp.Kind != nil {
		row.Icon = comp.Kind.Icon
	}
	return row
}

// startContent and endingContent return the content of the two ends' cards.
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
