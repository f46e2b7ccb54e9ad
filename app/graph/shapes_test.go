package graph_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

func BenchmarkThumbnailShapes(b *testing.B) {
	formtest.BenchmarkShapes(b, func(f *model.Form) { graph.New(f).Thumbnail(88, 48) })
}
