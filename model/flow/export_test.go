package flow

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Node returns the id of the node that a finding is about, or that of an end; "" for a node without one.
func (f Finding) Node() string {
	switch {
	case f.proof == nil:
		return ""
	case f.place.code == schema.CodeNoEnding:
		return model.EndingID
	}
	return f.proof.graph.id(f.place.at)
}

// Port returns the way that leads nowhere, of a dead end only.
func (f Finding) Port() model.Port { return f.place.dead.Port }

// Round returns how many of the last edges of Witness are the round of a trap.
func (f Finding) Round() int { return len(f.round()) }
