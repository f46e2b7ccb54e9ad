package graph

// CardAt returns the topmost card at a point of the form, nil if there is none. front has the meaning that it has in Hit.
func (s *Scene) CardAt(at Vec, front func(key string) bool) (top *Card) {
	for _, i := range s.cardAt.query(Rect{X: at.X, Y: at.Y}) {
		if c := s.cards[i]; c.Rect.Contains(at) && (top == nil || above(c, top, front)) {
			top = c
		}
	}
	return top
}

// Part reports whether the row is a component or a rule.
func (r *Row) Part() bool { return r.Kind == ComponentRow || r.Kind == RuleRow }

// Between returns the place between the card's components or rules that is nearest to a height of the form: the index of the one before which
// it is, Items for the end, and where the line that shows it begins. Above the rows it is the beginning, and below them the end. The row that
// stands for folded ones has them all.
func (c *Card) Between(y float64) (before int, line Vec) {
	line = Vec{X: c.Rect.X, Y: c.Rect.Y + HeaderHeight + ListPadding}
	for i := range c.Rows {
		r := &c.Rows[i]
		if !r.Part() && r.Kind != MoreRow {
			break
		}
		if y < c.Rect.Y+r.Top+r.Height/2 {
			return before, line
		}
		if before = r.Index + 1; r.Kind == MoreRow {
			before = c.Items
		}
		line.Y = c.Rect.Y + r.Top + r.Height
	}
	return before, line
}
