package versions

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// BenchmarkVersions records small edits of a form with 200 nodes, and then opens every version. It reports the size of the stored versions as
// percent of whole copies, how long blame takes, and the opening of the slowest, the better of two tries. With -benchtime 10000x, it is a form of the maximum age.
func BenchmarkVersions(b *testing.B) {
	h, r := newHistory(b), rand.New(rand.NewPCG(9, 10))
	form := formtest.Large(200)
	copies, i := 0, 0
	for b.Loop() {
		b.StopTimer()
		body := saved(form, i)
		copies += len(schema.Encode(form))
		b.StartTimer()
		if err := h.record(b.Context(), "f", body, ann, false); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		form = edit(b, r, i, form)
		i++
		b.StartTimer()
	}
	b.StopTimer()
	stored, slowest := 0, time.Duration(0)
	list, err := h.Stored.Changes(b.Context(), "f", 1000)
	if err != nil {
		b.Fatal(err)
	}
	for _, v := range list {
		chain, err := h.Stored.Chain(b.Context(), "f", v.Number)
		if err != nil {
			b.Fatal(err)
		}
		stored += len(chain[len(chain)-1].Body) + len(v.Summary) + len(v.Hash) + len(v.Author) + len(v.AuthorID) + len(v.Changed)
		took := time.Hour
		for range 2 { // whatever else the machine does meanwhile
			began := time.Now()
			if _, _, err := h.Open(b.Context(), "f", v.Number); err != nil {
				b.Fatal(err)
			}
			took = min(took, time.Since(began))
		}
		slowest = max(slowest, took)
	}
	began := time.Now()
	if _, err := h.Blame(b.Context(), "f"); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "blame-ms")
	b.ReportMetric(100*float64(stored)/float64(copies), "%-of-copies")
	b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-open-ms")
	b.ReportMetric(float64(copies)/float64(i), "B/copy")
	b.ReportMetric(float64(stored)/float64(i), "B/version")
}
