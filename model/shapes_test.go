package model_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

func BenchmarkCheckShapes(b *testing.B) {
	formtest.BenchmarkShapes(b, func(f *model.Form) {
		model.CheckGraph(f)
		model.CheckResponse(f.Tree())
		model.Warnings(f)
		f.Flows()
		f.Languages()
	})
}
