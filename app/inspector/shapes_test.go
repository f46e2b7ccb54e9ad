package inspector_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/scope"
)

func BenchmarkHintsShapes(b *testing.B) {
	formtest.BenchmarkShapes(b, func(f *model.Form) { inspector.Hints(scope.Analyze(f)) })
}
