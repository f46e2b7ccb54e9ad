package trial

import (
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answer"
)

// rules returns what we chose where the documentation of forms is silent: about runs, about answers, and about templates and conditions.
func rules() []message.Rule {
	var all []message.Rule
	for _, c := range run.Behaviour {
		all = append(all, message.Rule{Subject: c.Subject, Text: c.Choice})
	}
	for _, c := range answer.Choices {
		all = append(all, message.Rule{Subject: c.Subject, Text: c.Choice})
	}
	for _, c := range run.Choices {
		all = append(all, message.Rule{Subject: c.Subject, Text: c.Choice})
	}
	return all
}
