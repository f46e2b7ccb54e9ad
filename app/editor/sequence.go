package editor

import "github.com/formgraph/formgraph/app/verb"

// Sequence runs commands one after another as one undo step, all or none.
type Sequence struct {
	Name     verb.Phrase // the label; zero means that of the last command
	Key      string      // see MergeKey
	Commands []Command
}

// MergeKey is Key: without one, the step is never merged.
func (c Sequence) MergeKey() string { return c.Key }

// Label names the step.
func (c Sequence) Label() verb.Phrase {
	if c.Name == (verb.Phrase{}) && len(c.Commands) > 0 {
		return c.Commands[len(c.Commands)-1].Label()
	}
	return c.Name
}

// Do runs each command on the result of the previous one. The selection is that of
// the last.
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
