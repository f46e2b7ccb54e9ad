package trial

import (
	"context"
	"slices"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// kept is a run that was made a scenario by the last command.
type kept struct {
	scenario *scenario.Scenario // nil for none
	differs  string             // why a replay takes another path
}

// unkept says why the run cannot be kept as a scenario, "" if it can.
func (s *Session) unkept() string {
	switch {
	case len(s.moments) == 0:
		return errNoRun.Error()
	case s.input.From != "":
		return "a scenario begins at the start of the form, and this run did not"
	}
	return ""
}

// keep makes the run, up to the moment that is shown, a scenario. For "" it chooses a name.
func (s *Session) keep(name string) error {
	if why := s.unkept(); why != "" {
		return errorText(why)
	}
	r := s.moments[s.at]
	made := scenario.Record(name, s.input, r)
	if name == "" {
		made.Name = explore.Name(s.program.Form(), &made, scenario.Edges(r))
	}
	s.kept = kept{scenario: &made}
	if o := scenario.Replay(s.program, &made); !slices.Equal(o.Path(), made.Expect) {
		s.kept.differs = o.Reason
		if o.Reason == "" {
			s.kept.differs = "its path depends on the time or on random values"
		}
	}
	return nil
}

// errorText is an error without more than its text.
type errorText string

func (e errorText) Error() string { return string(e) }

// play replays a scenario. The moments of the replay become those of the session, which is at the last one.
func (s *Session) play(tree *schema.Object) error {
	file, err := read(string(schema.Encode(schema.NewObject(
		schema.Member{Key: "version", Value: schema.IntNumber(scenario.Version)}, schema.Member{Key: "scenarios", Value: []any{tree}}))))
	if err != nil {
		return err
	}
	of := &file.Scenarios[0]
	for _, p := range of.Faults {
		if p.Code != schema.CodeRequired { // without an expected path it can be replayed
			return p
		}
	}
	s.input = run.Input{Context: of.Context, Hidden: of.Hidden, Vars: of.Vars}
	if of.Language != "" {
		s.input.Languages = []string{of.Language}
	}
	o := scenario.Replay(s.program, of)
	s.moments = o.Run.Moments()
	s.at, s.shown, s.fresh = len(s.moments)-1, "", true
	if o.Missing != "" {
		return errorText(o.Missing)
	}
	return nil
}

// errNoWay is shown when a journey of the analysis of paths, which assumes that every way may be taken, cannot be played.
const errNoWay = errorText("No answers were found that lead here, so the run begins here.")

// travel plays a journey along edges. The moments on the way become those of the session, which is at the last one.
func (s *Session) travel(c message.Command) error {
	in, r, err := explore.Along(context.Background(), s.program, c.Along)
	if err != nil || r == nil {
		s.begin(message.Command{Do: message.Begin, From: c.From, Language: c.Language})
		return errNoWay
	}
	s.input, s.moments = in, r.Moments()
	s.at, s.shown, s.fresh = len(s.moments)-1, "", true
	return nil
}
