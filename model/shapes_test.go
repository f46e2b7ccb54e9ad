package model_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

func BenchmarkCheckShapes(b *testing.B) {
	formtest.BenchmarkShapes(b, func(f *model.Form) {
		_ = model.CheckGraph(f)
		_ = model.CheckResponse(f.Tree())
		_ = model.Warnings(f)
		f.Flows()
		f.Languages()
	})
}
