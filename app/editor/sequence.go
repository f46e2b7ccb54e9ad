package editor

// Sequence runs commands one after the other as one undo step: all or none.
type Sequence struct {
	Name     string // the label; "" is that of the last command
	Commands []Command
}

// Label names the step.
func (c Sequence) Label() string {
	if c.Name == "" && len(c.Commands) > 0 {
		return c.Commands[len(c.Commands)-1].Label()
	}
	return c.Name
}

// Do runs each command on what the one before it made. The selection is the last
// one's.
func (c Sequence) Do(s State) (State, error) {
	next := s
	for _, cmd := range c.Commands {
		var err error
		if next, err = cmd.Do(next); err != nil {
			return s, err
		}
	}
	return next, nil
}
