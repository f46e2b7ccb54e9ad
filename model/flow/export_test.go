package flow

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Node returns the id of the node or end that a finding is about, "" for a node without one.
func (f Finding) Node() string {
	switch {
	case f.analysis == nil:
		return ""
	case f.site.code == schema.CodeNoEnding:
		return model.EndingID
	}
	return f.analysis.graph.id(f.site.at)
}

// Port returns the way of a dead end, "" for other findings.
func (f Finding) Port() model.Port { return f.site.dead.Port }

// Round returns how many of the last edges of Witness go around a trap or a loop.
func (f Finding) Round() int { return len(f.round()) }
