package flow_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
)

func BenchmarkWarningsShapes(b *testing.B) {
	formtest.BenchmarkShapes(b, func(f *model.Form) { _ = flow.Warnings(f) })
}
