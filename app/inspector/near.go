package inspector

import (
	"github.com/formgraph/formgraph/model/schema"
)

// near are problems by the texts of the paths at and above their places, down from the part of the form that a panel shows.
type near map[string]schema.Problems

// nearTo returns those of the problems that are at or below a path.
func nearTo(root schema.Path, all schema.Problems) near {
	by := near{}
	for _, p := range all {
		if !p.Path.HasPrefix(root) {
			continue
		}
		for n := len(root); n <= len(p.Path); n++ {
			key := p.Path[:n].String()
			by[key] = append(by[key], p)
		}
	}
	return by
}

// below returns the problems at and below a path.
func (n near) below(at schema.Path) schema.Problems {
	if len(n) == 0 {
		return nil
	}
	return n[at.String()]
}

// at returns the problems at a path.
func (n near) at(at schema.Path) schema.Problems {
	return n.below(at).At(at)
}

// within returns a reader that knows the problems and warnings at and below a path.
func (rd reader) within(root schema.Path) reader {
	rd.wrong, rd.doubtful = nearTo(root, rd.problems), nearTo(root, rd.warnings())
	return rd
}
