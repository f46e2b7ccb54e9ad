package translate

// Coverage is how much of a form a language covers. A text counts as covered if its State is Done.
type Coverage struct {
	Texts  int
	States [states]int // how many texts are in each state
	// Weight is the sum of the weights of the texts, and Covered that of the covered ones. A text weighs by how many people can see it; see
	// Row.Weight.
	Weight, Covered float64
}

// Share returns the covered share of the texts, from 0 to 1. It is 1 if there are none.
func (c Coverage) Share() float64 {
	if c.Texts == 0 {
		return 1
	}
	return float64(c.States[Same]+c.States[Translated]) / float64(c.Texts)
}

// Seen returns the covered share of what people see: each text counts by its weight. It is 1 if people see no text.
func (c Coverage) Seen() float64 {
	if c.Weight == 0 {
		return 1
	}
	return min(1, c.Covered/c.Weight)
}

// Coverage returns the coverage of a language of the table.
func (t *Table) Coverage(column int) Coverage {
	c := Coverage{Texts: len(t.Rows)}
	for _, r := range t.Rows {
		state := r.Cells[column].State
		c.States[state]++
		c.Weight += r.Weight
		if state.Done() {
			c.Covered += r.Weight
		}
	}
	return c
}
