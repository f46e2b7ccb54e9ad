package previewer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"id":"ap_test","name":"Contact","languages":{"primary":"en"},"start":{"next_node":"ask","hidden_fields":[{"key":"plan","value":"free"}]},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","config":{"components":[{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"check"}},
	{"id":"check","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}]}`

func onPanel(t *testing.T, f func(ctx app.Context, p *Panel, c *uitest.Canvas)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, c := uitest.Workspace(t, form)
		p := New(w)
		p.look.side = true
		p.Open(ctx, "")
		f(ctx, p, c)
	})
}

func html(p *Panel) string { return app.HTMLString(p.Draw()) + app.HTMLString(p.Journey()) }

// TestEachStateIsShown checks what the panel draws for what the worker says.
func TestEachStateIsShown(t *testing.T) {
	entries := []message.Entry{{Node: "ask", Title: "About you", Lines: []string{"Your age: 7"}}}
	for _, tt := range []struct {
		name string
		view message.View
		want []string
	}{
		{"starting", message.View{}, []string{"Starting the preview…"}},
		{"a step", message.View{State: "asking", Node: "ask", Entries: entries}, []string{`data-state="asking"`, `data-node="ask"`, "Your age: 7"}},
		{"a flow", message.View{State: "flow", Node: "check"}, []string{"Success", "Error", "How does this one end?"}},
		{
			"a flow with proposals",
			message.View{State: "flow", Node: "check", Proposals: []message.Proposal{
				{Variable: "code", Label: "right"}, {Variable: "code", Label: "Something else"}, {Variable: "by", Label: "Any value"},
			}},
			[]string{`aria-label="code"`, ">right</button>", `data-arg="2"`, "Success"},
		},
		{"a router", message.View{State: "router", Node: "ask", Choices: []message.Choice{{Port: "rule:x", Label: "Adults"}}}, []string{`data-arg="rule:x"`, "Adults"}},
		{"stopped", message.View{State: "stopped", Node: "ask", Reason: "the way leads nowhere"}, []string{"The way leads nowhere."}},
		{"ended", message.View{State: "ended", Answers: schema.NewObject(schema.Member{Key: "<a>", Value: schema.Number("7")})}, []string{
			`">&lt;a&gt;</dt>`, "<dd>7</dd>", "Copy as JSON", ">Start again</button>",
		}},
		{"ended at once", message.View{State: "ended"}, []string{"Nobody was asked anything."}},
		{"a fault", message.View{State: "asking", Fault: "no <b>"}, []string{`role="alert"`, "no &lt;b&gt;"}},
		{"hidden fields", message.View{State: "asking", Hidden: []string{"plan", "other"}}, []string{`id="pv-hidden:plan"`, `placeholder="free"`, `placeholder="Empty"`}},
		{"languages", message.View{State: "asking", Languages: []string{"en", "de"}, Language: "de"}, []string{`aria-label="Language"`, ">de<"}},
	} {
		onPanel(t, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if tt.name != "starting" {
				p.take(ctx, tt.view.Text())
			}
			got := html(p)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s: %q is not in %s", tt.name, want, got)
				}
			}
		})
	}
}

// The form has the appearance of the system until the person chooses another one.
func TestAppearance(t *testing.T) {
	onPanel(t, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		chosen := func() (names []string) {
			for _, it := range p.MenuItems() {
				if it.Act == "pv-theme" && it.Chosen {
					names = append(names, it.Name)
				}
			}
			return names
		}
		got := chosen()
		for _, theme := range []string{"dark", "system"} {
			p.Act(ctx, "pv-theme", theme)
			got = append(got, chosen()...)
		}
		if want := []string{"System", "Dark", "System"}; !slices.Equal(got, want) {
			t.Errorf("chosen are %q, want %q", got, want)
		}
	})
}

// A line says where the run is, by its last nodes, and opens the journey until a node is chosen.
func TestTrail(t *testing.T) {
	onPanel(t, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		v := message.View{State: "asking", Node: "d", At: 3}
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			v.Entries = append(v.Entries, message.Entry{Node: name, Title: strings.ToUpper(name)})
		}
		p.take(ctx, v.Text())
		shown := strings.NewReplacer("\n", "", " ", "").Replace(app.HTMLString(p.Draw()))
		const want = `<spanclass="pv-names"><spanclass="dim">…›</span><span>B</span><spanclass="dim">›</span><span>C</span><spanclass="dim">›</span><b>D</b></span>`
		if !strings.Contains(shown, want) || strings.Contains(shown, "pv-moment") {
			t.Errorf("the line is not %s in %s", want, shown)
		}
		p.Act(ctx, "pv-trail", "")
		if n := strings.Count(app.HTMLString(p.Draw()), `data-act="pv-moment"`); n != 5 {
			t.Errorf("the journey has %d nodes", n)
		}
		p.Act(ctx, "pv-moment", "1")
		if strings.Contains(app.HTMLString(p.Draw()), "pv-moment") {
			t.Error("the journey stays open")
		}
	})
}

// TestCanvasFollows checks that the canvas shows the journey, and that closing the panel removes it.
func TestCanvasFollows(t *testing.T) {
	onPanel(t, func(ctx app.Context, p *Panel, c *uitest.Canvas) {
		p.take(ctx, message.View{State: "flow", Node: "check", Visited: []string{"ask", "check"}, Edges: []string{"ask:next"}}.Text())
		p.take(ctx, message.View{State: "flow", Node: "check"}.Text())
		p.Act(ctx, "pv-close", "")
		want := []string{"Hold", "Mark ask check ask:next check", "FitPath check $start $ending", "Mark check", "Mark ", "Release"}
		if !slices.Equal(c.Calls, want) || p.Opened() {
			t.Errorf("calls %q, want %q", c.Calls, want)
		}
		if strings.Contains(html(p), "data-testid") {
			t.Error("the closed panel is drawn")
		}
	})
}

// TestValues checks the JSON that a person writes beside the form.
func TestValues(t *testing.T) {
	onPanel(t, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		for text, fault := range map[string]string{"": "", ` {"a": 1} `: "", "{": "not valid JSON", "1": "Write a JSON object"} {
			p.Input("pv-context", text)
			p.begin(message.Begin)
			if got := p.given.faults[contextControl]; fault == "" && got != "" || !strings.Contains(got, fault) {
				t.Errorf("%q: %q, want %q", text, got, fault)
			}
		}
		p.Input("pv-context", "{")
		p.begin(message.Begin)
		if got := html(p); !strings.Contains(got, `aria-describedby="pv-context-fault"`) {
			t.Errorf("the fault is not at its control: %s", got)
		}
		if p.Input("name", "x") || p.Input("pv-other", "x") || p.Act(ctx, "delete", "") {
			t.Error("the panel takes controls of others")
		}
	})
}

// What is entered beside the form is shut until it is asked for, or has a fault.
func TestValuesAreShut(t *testing.T) {
	onPanel(t, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		shut := func() bool { return !strings.Contains(html(p), `class="pv-side"`) }
		if shut() {
			t.Error("an open side is not drawn")
		}
		if p.Act(ctx, sideAct, ""); !shut() {
			t.Error("the side stays open")
		}
		p.Input("pv-context", "{")
		if p.begin(message.Begin); shut() {
			t.Error("a fault is hidden")
		}
		if other := New(p.Workspace); other.look.side {
			t.Error("a new preview is open at the side")
		}
	})
}

// Values are entered by name, each in a row. A value is JSON or else plain text, and names with dots stand for nested objects.
func TestRowsOfValues(t *testing.T) {
	onPanel(t, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		p.Act(ctx, addAct, contextControl)
		p.Act(ctx, addAct, contextControl)
		p.Act(ctx, addAct, contextControl)
		for id, text := range map[string]string{"0-name": "user.email", "0-value": "ann@example.com", "1-name": " user.age ", "1-value": "34", "2-value": "no name"} {
			if !p.Input("pv-context-"+id, text) {
				t.Errorf("%s is not a control", id)
			}
		}
		const want = `{"user":{"email":"ann@example.com","age":34}}`
		if got := string(schema.Encode(p.object(contextControl))); got != want {
			t.Errorf("the context is %s, want %s", got, want)
		}
		p.Act(ctx, rawAct, contextControl)
		if got := html(p); !strings.Contains(got, `id="pv-context"`) || !strings.Contains(got, "Edit as rows") {
			t.Errorf("no JSON in %s", got)
		}
		p.Input("pv-context", "{")
		if p.Act(ctx, rawAct, contextControl); !p.given.context.raw || p.given.faults[contextControl] == "" {
			t.Error("faulty JSON is discarded")
		}
		p.Input("pv-context", `{"a":{"b":"1","c":[1,2]},"d":"true","e":{"x.y":1},"f":{},"g":"plain"}`)
		if p.Act(ctx, rawAct, contextControl); fmt.Sprint(p.given.context.rows) != `[{a.b "1"} {a.c [1,2]} {d "true"} {e {"x.y":1}} {f {}} {g plain}]` {
			t.Errorf("the rows are %v", p.given.context.rows)
		}
		if got := string(schema.Encode(p.object(contextControl))); got != `{"a":{"b":"1","c":[1,2]},"d":"true","e":{"x.y":1},"f":{},"g":"plain"}` {
			t.Errorf("the rows give %s", got)
		}
		p.Act(ctx, dropAct, contextControl+" 1")
		if got := html(p); strings.Contains(got, "a.c") || !strings.Contains(got, "a.b") {
			t.Errorf("the wrong row is gone: %s", got)
		}
		for _, id := range []string{"pv-context-9-name", "pv-context-x-name", "pv-other-0-name", "pv-context-0"} {
			if p.Input(id, "x") {
				t.Errorf("%s is taken", id)
			}
		}
	})
}

// TestFlowTakesItsTime checks the delay of a flow's reply.
func TestFlowTakesItsTime(t *testing.T) {
	w, _ := uitest.Workspace(t, form)
	p := New(w)
	flow := message.View{State: "flow", Node: "check"}.Text()
	uitest.Play(t,
		func(ctx app.Context) {
			p.Open(ctx, "")
			p.take(ctx, flow)
			for text, faulty := range map[string]bool{"": false, "0": false, " 60 ": false, "61": true, "-1": true, "x": true, "1.5": true} {
				p.Input("pv-delay", text)
				p.Act(ctx, "pv-success", "")
				if got := p.given.faults[delayControl] != ""; got != faulty || faulty != strings.Contains(html(p), "Write a number of seconds") {
					t.Errorf("%q: fault %q", text, p.given.faults[delayControl])
				}
				p.run.reply = nil
			}
			p.Input("pv-delay", "5")
			p.Act(ctx, "pv-error", "")
			if got := html(p); !strings.Contains(got, "The flow is running…") || !strings.Contains(got, "Reply now") || p.run.reply == nil {
				t.Errorf("while it runs: %s", got)
			}
			p.Act(ctx, "pv-now", "")
			if p.run.reply != nil {
				t.Error("the reply is still waited for")
			}
			p.Act(ctx, "pv-success", "")
		},
		func(ctx app.Context) {
			if p.run.reply != nil {
				t.Error("the reply did not come")
			}
			p.Act(ctx, "pv-success", "")
			p.Act(ctx, "pv-restart", "") // nothing waits for the reply any more
			if p.run.reply != nil {
				t.Error("a reply is waited for after the form started again")
			}
		},
	)
}

// TestWarm checks that the worker and the frame are there before the panel is opened, and stay when it is closed.
func TestWarm(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, form)
		p := New(w)
		if got := html(p); strings.Contains(got, "iframe") {
			t.Errorf("before anybody asked: %s", got)
		}
		p.Warm(ctx)
		worker := p.run.worker
		if got := html(p); worker == nil || p.Opened() || !strings.Contains(got, "iframe") || strings.Contains(got, "data-testid") {
			t.Errorf("warm: worker %v, %s", worker, got)
		}
		p.take(ctx, message.View{State: "asking", Node: "ask"}.Text())
		if p.run.view.State != "" {
			t.Error("the closed panel shows a run")
		}
		p.Open(ctx, "")
		p.take(ctx, message.View{State: "asking", Node: "ask"}.Text())
		p.Close()
		if p.run.worker != worker || p.run.view.State != "" || !p.warm {
			t.Errorf("closed: worker %v, view %+v", p.run.worker, p.run.view)
		}
		p.Open(ctx, "")
		p.Close() // before the worker has answered: it may be broken
		if p.run.worker != nil || p.warm {
			t.Error("a worker that never answered stays")
		}
		p.Open(ctx, "")
		p.End()
		if p.run.worker != nil || p.Opened() {
			t.Error("the worker has not ended")
		}
	})
}

// A proposed answer is returned with what the person has entered; one that returns nothing leaves only that.
func TestProposedAnswer(t *testing.T) {
	onPanel(t, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		level := schema.NewObject(schema.Member{Key: "level", Value: "gold"})
		p.take(ctx, message.View{State: "flow", Node: "check", Proposals: []message.Proposal{
			{Variable: "user.level", Label: "gold", Result: schema.NewObject(schema.Member{Key: "user", Value: level})}, {Variable: "user.level", Label: "No value"},
		}}.Text())
		p.Input("pv-delay", "60")
		p.Act(ctx, addAct, resultControl)
		p.Input("pv-result-0-name", "user.age")
		p.Input("pv-result-0-value", "7")
		for arg, want := range map[string]string{"0": `{"user":{"age":7,"level":"gold"}}`, "1": `{"user":{"age":7}}`, "2": "", "-1": "", "x": ""} {
			p.run.reply = nil
			got := ""
			if p.Act(ctx, proposeAct, arg); p.run.reply != nil {
				got = string(schema.Encode(p.run.reply.Result))
			}
			if got != want {
				t.Errorf("proposal %s returns %s, want %s", arg, got, want)
			}
		}
		p.Act(ctx, rawAct, resultControl)
		p.Input("pv-result", "{")
		p.run.reply = nil
		if p.Act(ctx, proposeAct, "0"); p.run.reply != nil || !strings.Contains(html(p), "not valid JSON") {
			t.Error("a proposal is taken with faulty values")
		}
	})
}

// A journey is a line until it has three entries.
func TestBriefJourney(t *testing.T) {
	onPanel(t, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		for n, brief := range []bool{true, true, true, false, false} {
			p.take(ctx, message.View{State: "asking", Node: "ask", Entries: make([]message.Entry, n)}.Text())
			if got := strings.Contains(html(p), `class="journey brief"`); got != brief || p.Brief() != brief {
				t.Errorf("with %d entries it is a line: %t", n, got)
			}
		}
	})
}

// Escape goes back from the full window, also out of the frame, and then to the graph.
func TestEscapeLeavesTheFullWindow(t *testing.T) {
	onPanel(t, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		full := func() bool { return strings.Contains(html(p), "data-full") && p.look.full }
		if p.LeaveFull() {
			t.Error("leaves a full window that is not there")
		}
		for name, leave := range map[string]func(){
			"in the panel": func() {
				if !p.LeaveFull() {
					t.Error("does not say so")
				}
			},
			"in the frame": func() { p.take(ctx, message.View{State: "asking", Node: "ask", Left: true}.Text()) },
		} {
			if p.Act(ctx, "pv-full", ""); !full() {
				t.Fatal("the window is not full")
			}
			if leave(); full() || !p.Opened() {
				t.Errorf("%s: the window is full: %t, open: %t", name, full(), p.Opened())
			}
		}
		p.Act(ctx, "pv-full", "")
		if p.Close(); p.LeaveFull() {
			t.Error("a closed preview takes the key")
		}
	})
}

// While a run is at a node, the nodes before and behind it are shown, too.
func TestAround(t *testing.T) {
	w, _ := uitest.Workspace(t, form)
	for _, tt := range []struct {
		at   message.View
		want string
	}{
		{message.View{Node: "ask", Entries: []message.Entry{{Node: "ask"}}}, "ask $start check"},
		{message.View{Node: "check", At: 1, Entries: []message.Entry{{Node: "ask"}, {Node: "check"}}}, "check ask $ending"},
		{message.View{Node: "$ending", At: 1, Entries: []message.Entry{{Node: "check"}, {Node: "$ending"}}}, "$ending check"},
		{message.View{Node: "gone"}, "gone $start"},
	} {
		if got := strings.Join(around(w.State().Form, &tt.at), " "); got != tt.want {
			t.Errorf("at %s shows %s, want %s", tt.at.Node, got, tt.want)
		}
	}
}
