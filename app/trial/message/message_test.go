package message_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model/schema"
)

var trees = cmp.Comparer(func(a, b *schema.Object) bool { return (a == nil) == (b == nil) && schema.Equal(a, b) })

func TestMessagesArriveAsSent(t *testing.T) {
	o := schema.NewObject(schema.Member{Key: "a", Value: "b"})
	for _, c := range []message.Command{
		{},
		{Do: message.Wait},
		{
			Do: message.Begin, Form: o, From: "a", Language: "de", Context: o, Hidden: o, Vars: o, Event: "{}", Result: schema.NewObject(), Detail: "d",
			Port: "rule:x", Moment: 7, Scenario: o, Along: []string{"$start:next", "a:next"},
		},
	} {
		got, err := message.ParseCommand(c.Text())
		if diff := cmp.Diff(c, got, trees); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	}
	for _, v := range []message.View{
		{},
		{
			State: "asking", Node: "n", Reason: "r", Language: "en", Languages: []string{"en", "de"}, Show: "{}",
			Entries: []message.Entry{{Node: "n", Title: "t", Lines: []string{"a", ""}, Moment: 3}, {}}, At: 1, Visited: []string{"n"},
			Edges: []string{"n:next"}, Choices: []message.Choice{{Port: "p", Label: "l"}},
			Proposals: []message.Proposal{{Variable: "v", Label: "l", Result: schema.NewObject()}, {Variable: "v", Label: "No value"}}, Hidden: []string{"h"}, Fault: "f",
			Unkept: "u", Scenario: o, Answers: o, Differs: "d", Left: true, Rules: []message.Rule{{Subject: "s", Text: "t"}},
		},
	} {
		got, err := message.ParseView(v.Text())
		if diff := cmp.Diff(v, got, trees); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	}
}

func TestJobsArriveAsSent(t *testing.T) {
	o := schema.NewObject(schema.Member{Key: "a", Value: "b"})
	j := message.Job{Do: message.Compare, Form: o, Before: o, Scenarios: "{}"}
	if got, ok := message.ParseJob(j.Text()); !ok || cmp.Diff(j, got, trees) != "" {
		t.Error(cmp.Diff(j, got, trees))
	}
	for _, text := range []string{"", "[]", (message.Command{Do: message.Load, Form: o}).Text()} {
		if _, ok := message.ParseJob(text); ok {
			t.Errorf("%q is a job", text)
		}
	}
	for _, r := range []message.Report{
		{},
		{Percent: 7},
		{
			Done: true, Fault: "f", Coverage: 50, Scenarios: "{}", Added: []string{"a"}, Limited: true,
			Results:     []message.Result{{Name: "n", Status: "ok", Expected: []string{"a"}, Taken: []string{"b"}, Reason: "r"}, {}},
			Taken:       []message.Taken{{Edge: "a:next", Times: 2}, {}},
			Untaken:     []message.Untaken{{Edge: "a:next", Never: true, Reason: "r"}, {}},
			Removed:     []message.Removed{{Name: "n", Reason: "r"}},
			Differences: []message.Difference{{Kind: "k", Node: "n", Text: "t", Story: []string{"s"}, Scenario: o}},
			Flaws:       []message.Flaw{{Path: "p", Text: "t", Example: "e", Moves: true, Before: 3}, {Removes: true}},
		},
	} {
		got, err := message.ParseReport(r.Text())
		if diff := cmp.Diff(r, got, trees); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	}
}

func TestMessagesThatAreNotJSON(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "1"} {
		if _, err := message.ParseCommand(text); err == nil {
			t.Errorf("the command %q is accepted", text)
		}
		if _, err := message.ParseView(text); err == nil {
			t.Errorf("the view %q is accepted", text)
		}
		if _, err := message.ParseReport(text); err == nil {
			t.Errorf("the report %q is accepted", text)
		}
	}
}
