package model_test

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answer"
)

func init() {
	rows := func(choices []run.Choice) (rows [][2]string) {
		for _, c := range choices {
			rows = append(rows, [2]string{c.Subject, c.Choice})
		}
		return rows
	}
	var answers [][2]string
	for _, c := range answer.Choices {
		answers = append(answers, [2]string{c.Subject, c.Choice})
	}
	model.Choices = slices.Concat(model.Choices, []model.ChoiceTable{
		{Title: "Runs", Text: "What buttons, flows, routers and hidden fields do.", Rows: rows(run.Behaviour)},
		{Title: "Answers", Text: "What a field accepts, and what its answer is.", Rows: answers},
		{Title: "Templates and conditions", Text: "What `{{...}}` and the operators of conditions mean.", Rows: rows(run.Choices)},
	})
}
