package run

import (
	"fmt"
	"maps"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/schema"
)

// Decision is a rule that a router judged.
type Decision struct {
	Rule *model.Rule
	condition.Judgement
}

// Begin returns the first moment of a run, which has moved on to the first step, flow or undecided router. The input must not be
// changed later.
func (p *Program) Begin(in Input) *Run {
	t := turn{&Run{
		program: p, input: &in, texts: answer.In(p.form, in.Languages...),
		data: data{fields: map[string]any{}, vars: in.Vars},
		at:   place{node: model.StartID},
		now:  in.now(),
	}}
	if t.data.vars == nil {
		t.data.vars = schema.NewObject()
	}
	for _, h := range p.form.Start.Hidden {
		if v, ok := resolve(h.Value, t.env()); ok && v != "" {
			t.data.fields[h.Key] = v
		}
	}
	for _, m := range in.Hidden.Members() {
		t.data.fields[m.Key] = m.Value
	}
	hop := Hop{From: model.StartID, Port: model.NextPort, To: string(p.form.Start.Next)}
	if in.From != "" && in.From != model.StartID {
		hop.Port, hop.To = "", in.From
	}
	t.follow(hop)
	return t.Run
}

func (in *Input) now() time.Time {
	if in.Now == nil {
		return Epoch
	}
	return in.Now()
}

// follow moves the run along a way, and on through all routers that can be judged.
func (t turn) follow(hop Hop) {
	judged := map[string]bool{} // routers change nothing, so a second visit would go on forever
	for {
		reason := t.program.blocked(hop, judged)
		if reason != "" {
			hop.To = ""
		}
		t.hop(hop)
		if reason != "" {
			t.halt(hop.From, reason)
			return
		}
		router := t.arrive(hop.To)
		if router == nil {
			return
		}
		judged[hop.To] = true
		port, decisions, open := t.route(router)
		if len(open) > 0 {
			t.hop(Hop{From: hop.To, Rules: decisions})
			t.at.state, t.at.choices = Routing, open
			return
		}
		hop = Hop{From: hop.To, Port: port, To: string(targetOf(router, port)), Rules: decisions}
	}
}

func (t turn) hop(h Hop) {
	t.past.hops = append(t.past.hops, h)
	t.past.ways++
}

// blocked says why a way cannot be taken, or returns "".
func (p *Program) blocked(hop Hop, judged map[string]bool) string {
	switch {
	case hop.To == "" && hop.Port == model.FallbackPort:
		return "no rule applies, and there is no fallback"
	case hop.To == "":
		return "the way leads nowhere"
	case judged[hop.To]:
		return "the routers lead back to each other without a step between them"
	case hop.To != model.EndingID && p.Node(hop.To) == nil:
		return fmt.Sprintf("there is no node %q", hop.To)
	}
	return ""
}

// arrive makes a node, or the ending, the place of the run. It returns the node's config if it is a router.
func (t turn) arrive(node string) *model.Router {
	back := t.at.back
	t.at = place{node: node, back: back}
	if node == model.EndingID {
		t.at.state = Ended
		return nil
	}
	switch config := t.program.Node(node).Config.(type) {
	case *model.Step:
		t.ask(config)
	case *model.Flow:
		t.at.state = Flowing
	case *model.Router:
		return config
	default:
		t.halt(node, "the type of the node is unknown")
	}
	return nil
}

// ask shows a step. A component that was never shown contains its answer from outside, or else its default value.
func (t turn) ask(step *model.Step) {
	t.at.state = Asking
	given, own := t.data.given, false // own: it is not shared with an earlier state
	for _, c := range step.Components {
		if _, shown := given[c.ID]; shown || answertype.Of(c) == answertype.None || c.ID == "" {
			continue
		}
		v, ok := t.data.fields[c.ID]
		if !ok {
			v, _ = resolve(answer.Default(c), t.env())
		}
		if !own {
			given, own = make(map[string]any, len(given)+len(step.Components)), true
			maps.Copy(given, t.data.given)
		}
		given[c.ID] = v
	}
	t.data.given = given
}

func (t turn) halt(node, reason string) {
	t.at = place{node: node, state: Stopped, reason: reason, back: t.at.back}
}

// route judges the rules of a router. It returns the way to take, or the ways that may be taken if a condition cannot be judged.
func (r *Run) route(router *model.Router) (port model.Port, decisions []Decision, open []model.Port) {
	env := r.env()
	for _, rule := range router.Rules {
		c := r.program.rules[rule]
		if c == nil {
			continue
		}
		d := Decision{rule, c.Judge(env)}
		decisions = append(decisions, d)
		switch {
		case d.Verdict == condition.False:
			continue
		case d.Verdict == condition.True && open == nil:
			return model.RulePort(rule.ID), decisions, nil
		}
		open = append(open, model.RulePort(rule.ID))
		if d.Verdict == condition.True {
			return "", decisions, open
		}
	}
	if open != nil {
		return "", decisions, append(open, model.FallbackPort)
	}
	return model.FallbackPort, decisions, nil
}

func targetOf(router *model.Router, port model.Port) model.Pointer {
	for _, rule := range router.Rules {
		if port == model.RulePort(rule.ID) {
			return rule.Next
		}
	}
	return router.Fallback
}
