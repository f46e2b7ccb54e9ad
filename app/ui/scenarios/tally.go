package scenarios

// Count returns how many scenarios the form has.
func (p *Panel) Count() int { return len(p.list) }
