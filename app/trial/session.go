// Package trial runs the form under edit for the person who edits it. A Session carries out the commands of the editor's page and answers
// each with what the page shows. It runs in a worker of the browser, apart from the page; package message has the messages.
package trial

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/schema"
)

// Session is a run with the moments to which the person can return. It is not safe for concurrent use.
type Session struct {
	program *run.Program
	moments []*run.Run // in order; empty before a run begins
	at      int        // index of the moment that is shown
	input   run.Input  // what the run began with, without a clock
	kept    kept
	explain bool // the last command asked for the rules
	left    bool // the last command was that the person left the frame
	theme   preview.Theme
	images  bool
	shown   string // the message that the frame has, "" if it has none
	fresh   bool   // whether the next screen discards what was typed
}

var (
	errNoForm = errors.New("no form is loaded")
	errNoRun  = errors.New("no run has begun")
)

// Do carries out a command and returns what to show.
func (s *Session) Do(c message.Command) message.View {
	s.kept, s.explain, s.left = kept{}, false, false
	focus, err := s.carryOut(c)
	v := s.view(focus)
	if err != nil {
		v.Fault = err.Error()
	}
	return v
}

// carryOut returns what the frame is to focus.
func (s *Session) carryOut(c message.Command) (focus string, err error) {
	if c.Do == message.Load {
		s.load(c.Form)
		return preview.FocusStep, nil
	}
	if s.program == nil {
		return "", errNoForm
	}
	switch c.Do {
	case message.Begin, message.Record:
		s.begin(c)
		return preview.FocusStep, nil
	case message.Play:
		return preview.FocusStep, s.play(c.Scenario)
	case message.Travel:
		return preview.FocusStep, s.travel(c)
	default:
	}
	if len(s.moments) == 0 {
		if c.Do == message.Frame {
			return "", nil // the frame is ready before a run begins
		}
		return "", errNoRun
	}
	switch c.Do {
	case message.Frame:
		return s.frame(c.Event)
	case message.Succeed:
		return preview.FocusStep, s.event(run.Result{Values: c.Result})
	case message.Fail:
		return preview.FocusStep, s.event(run.Failure{Detail: c.Detail})
	case message.Choose:
		return preview.FocusStep, s.event(run.Choose{Port: model.Port(c.Port)})
	case message.Wait:
		return preview.FocusStep, s.event(run.Wait{})
	case message.Speak:
		return preview.FocusStep, s.event(run.Speak{Language: c.Language})
	case message.Theme:
		s.theme = preview.Theme(c.Detail)
	case message.Images:
		s.images = c.Moment == 1
	case message.Recall:
		if c.Moment < 0 || c.Moment >= len(s.moments) {
			return "", fmt.Errorf("there is no moment %d", c.Moment)
		}
		s.at, s.fresh = c.Moment, true
	case message.Explain:
		s.explain = true
	case message.Keep:
		return preview.FocusStep, s.keep(c.Detail)
	case message.Load, message.Begin, message.Record, message.Play, message.Travel:
	default:
		return "", fmt.Errorf("the command %q is unknown", c.Do)
	}
	return preview.FocusStep, nil
}

// begin begins a run. A recorded one has the clock and the random numbers of a replay.
func (s *Session) begin(c message.Command) {
	s.input = run.Input{From: c.From, Context: c.Context, Hidden: c.Hidden, Vars: c.Vars}
	if c.Language != "" {
		s.input.Languages = []string{c.Language}
	}
	in := s.input
	if c.Do == message.Begin {
		in.Now = time.Now
	}
	s.moments, s.at, s.shown, s.fresh = []*run.Run{s.program.Begin(in)}, 0, "", true
}

func (s *Session) load(form *schema.Object) {
	s.program = run.NewProgram(model.FromTree(form))
	if len(s.moments) == 0 {
		return
	}
	moved, _ := s.moments[s.at].Edited(s.program)
	s.moments = moved.Moments()
	s.at = len(s.moments) - 1
}

// event applies an event to the moment that is shown. Later moments are forgotten.
func (s *Session) event(e run.Event) error {
	next, err := s.moments[s.at].Do(e)
	if err != nil {
		return err
	}
	s.fresh = next.Node() != s.moments[s.at].Node()
	s.moments = append(s.moments[:s.at+1:s.at+1], next)
	s.at++
	return nil
}

// frame handles an event of the frame.
func (s *Session) frame(text string) (focus string, err error) {
	e, err := preview.ParseEvent(text)
	if err != nil {
		return "", err
	}
	switch e.Type {
	case preview.Ready:
		s.shown = ""
	case preview.Answer:
		return "", s.event(run.Fill{Answers: e.Answers})
	case preview.Press:
		if err := s.event(run.Press{Button: e.ID, Answers: e.Answers}); err != nil {
			return "", err
		}
		if len(s.moments[s.at].Refusals()) > 0 {
			return preview.FocusProblem, nil
		}
	case preview.Leave:
		s.left = true
	case preview.Size:
	}
	return preview.FocusStep, nil
}

// view returns what to show at the moment.
func (s *Session) view(focus string) message.View {
	v := message.View{}
	if s.program == nil {
		return v
	}
	f := s.program.Form()
	for _, h := range f.Start.Hidden {
		v.Hidden = append(v.Hidden, h.Key)
	}
	v.Languages = f.Languages()
	if len(s.moments) == 0 {
		return v
	}
	r := s.moments[s.at]
	v.State, v.Node, v.Reason, v.Language = string(r.State()), r.Node(), r.Reason(), r.Language()
	if show, ok := s.show(r); ok {
		if plain := show.Message(); plain != s.shown || s.fresh || focus != "" {
			s.shown = plain
			show.Focus, show.Fresh = focus, s.fresh
			v.Show = show.Message()
		}
		s.fresh = false
	}
	v.Unkept, v.Left = s.unkept(), s.left
	if s.explain {
		v.Rules = rules()
	}
	if s.kept.scenario != nil {
		v.Scenario, v.Differs = s.kept.scenario.Tree(), s.kept.differs
	}
	if r.State() == run.Ended {
		v.Answers = answers(f, r.Fields())
	}
	s.journey(&v)
	for _, port := range r.Choices() {
		v.Choices = append(v.Choices, message.Choice{Port: string(port), Label: s.name(r.Node(), string(port))})
	}
	if r.State() == run.Flowing {
		v.Proposals = proposals(f, r.Node())
	}
	return v
}

// answers returns the answers of a run in the order of the form. Secrets are masked.
func answers(f *model.Form, fields *schema.Object) *schema.Object {
	sent := schema.NewObject()
	for _, n := range f.Nodes {
		step, ok := n.Config.(*model.Step)
		if !ok {
			continue
		}
		for _, c := range step.Components {
			if v, ok := fields.Get(c.ID); ok {
				if secret(c) {
					v = mask
				}
				sent = sent.With(c.ID, v)
			}
		}
	}
	return sent
}

// show returns what the frame is to show, and false while no screen belongs to the moment.
func (s *Session) show(r *run.Run) (preview.Show, bool) {
	f := s.program.Form()
	of := preview.Show{CSS: f.Tree().Object("style").Text("css"), Theme: s.theme}
	switch r.State() {
	case run.Asking:
		n := s.program.Node(r.Node())
		screen := preview.Screen{Node: n.ID, Language: r.Language(), Title: n.Name(), Images: s.images}
		for _, i := range r.Items() {
			item := preview.Item{Component: i.Component, Answer: i.Given, Problem: i.Refusal, Disabled: i.Spent}
			if i.Waiting {
				item.Wait, _ = i.Component.Config().Int("waiting_time")
			}
			screen.Items = append(screen.Items, item)
		}
		of.HTML = screen.Render()
	case run.Ended:
		of.HTML = preview.Ending{Language: r.Language(), Target: r.Redirection(), Resume: f.Ending.ResumeFlow}.Render()
	default:
		return of, false
	}
	return of, true
}

// journey fills in the nodes that were visited, with what happened there.
func (s *Session) journey(v *message.View) {
	var visited []string
	last := -1 // the entry of the step or flow where the run is
	for i, m := range s.moments {
		if last >= 0 && i > 0 {
			v.Entries[last].Lines = append(v.Entries[last].Lines, s.happened(s.moments[i-1], m)...)
		}
		for _, h := range m.Hops() {
			if len(h.Rules) > 0 && last >= 0 {
				v.Entries[last].Lines = append(v.Entries[last].Lines, decisions(s.program.Form().Fields(), h)...)
			}
			if h.To == "" {
				continue
			}
			v.Entries = append(v.Entries, message.Entry{Node: h.To, Title: s.name(h.To, ""), Moment: i})
			last = len(v.Entries) - 1
			if i <= s.at {
				visited = append(visited, h.From, h.To)
				if h.Port != "" {
					v.Edges = append(v.Edges, h.From+":"+string(h.Port))
				}
			}
		}
		if i == s.at {
			v.At = max(0, last)
		}
	}
	slices.Sort(visited)
	v.Visited = slices.Compact(visited)
	slices.Sort(v.Edges)
	v.Edges = slices.Compact(v.Edges)
}

// happened describes an event: the answers with which a step was left, or what a flow returned.
func (s *Session) happened(before, after *run.Run) []string {
	switch e := after.Event().(type) {
	case run.Press:
		refused := map[string]string{}
		for _, refusal := range after.Refusals() {
			refused[refusal.Component] = refusal.Text
		}
		var lines []string
		for _, i := range before.Items() {
			line := caption.Component(i.Component)
			given := after.Given(i.Component.ID)
			if given != nil && given != "" {
				line = asLabel(line) + valueText(i.Component, given)
			}
			if why, ok := refused[i.Component.ID]; ok {
				lines = append(lines, line+" — refused: "+why)
			} else if given != nil && given != "" {
				lines = append(lines, line)
			}
		}
		return lines
	case run.Result:
		if e.Values.Len() == 0 {
			return []string{"Success"}
		}
		lines := []string{}
		for _, m := range e.Values.Members() {
			lines = append(lines, "vars."+m.Key+" = "+shorten(m.Value))
		}
		return lines
	case run.Failure:
		return []string{"Error: " + e.Detail}
	case run.Choose:
		return []string{"Chosen: " + s.name(before.Node(), string(e.Port))}
	}
	return nil
}

// asLabel returns the name of a field as it stands before an answer.
func asLabel(name string) string {
	if strings.HasSuffix(name, "?") || strings.HasSuffix(name, ":") {
		return name + " "
	}
	return name + ": "
}

// mask is shown in place of a secret.
var mask = strings.Repeat("•", 8)

// secret reports whether the answer to a component is not shown.
func secret(c *model.Component) bool { return c.Type == "PASSWORD" || c.Sensitive }

// valueText describes an answer. Secrets are masked.
func valueText(c *model.Component, given any) string {
	switch {
	case secret(c):
		return mask
	case given == true:
		return "yes"
	case given == false:
		return "no"
	}
	return shorten(given)
}

const longestValue = 60

func shorten(v any) string {
	if s, ok := v.(string); ok {
		return schema.Shorten(s, longestValue)
	}
	return schema.Shorten(string(schema.Encode(v)), longestValue)
}

// named returns a judgement with the names of fields in place of their variables.
func named(fields *model.Fields, j condition.Judgement) condition.Judgement {
	j.Facts = slices.Clone(j.Facts)
	for i := range j.Facts {
		operands := slices.Clone(j.Facts[i].Operands)
		for k := range operands {
			if name, ok := fields.Name(operands[k].Text); ok && operands[k].Template {
				operands[k].Text = name
			}
		}
		j.Facts[i].Operands = operands
	}
	return j
}

// decisions describes what a router decided and why.
func decisions(fields *model.Fields, h run.Hop) []string {
	var lines []string
	for i, d := range h.Rules {
		name := fmt.Sprintf("Rule %d", i+1)
		if d.Rule.Alias != "" {
			name += " (" + d.Rule.Alias + ")"
		}
		switch why := named(fields, d.Judgement).String(); {
		case h.Port == model.RulePort(d.Rule.ID):
			lines = append(lines, name+", because "+why)
		case d.Reason != "":
			lines = append(lines, name+" cannot be evaluated: "+d.Reason)
		default:
			lines = append(lines, "Not rule "+name[len("Rule "):]+": "+why)
		}
	}
	if h.Port == model.FallbackPort {
		lines = append(lines, "Otherwise")
	}
	return lines
}
