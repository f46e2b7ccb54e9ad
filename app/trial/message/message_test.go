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
			Port: "rule:x", Moment: 7,
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
			Edges: []string{"n:next"}, Choices: []message.Choice{{Port: "p", Label: "l"}}, Hidden: []string{"h"}, Fault: "f",
		},
	} {
		got, err := message.ParseView(v.Text())
		if diff := cmp.Diff(v, got); diff != "" || err != nil {
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
	}
}
