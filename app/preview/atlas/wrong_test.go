package atlas

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
)

// Each kind with bounds or a format has a wrong answer, whose refusal is another than that of no answer.
func TestWrongAnswersAreRefused(t *testing.T) {
	without := []string{
		"verifiable credentials", "address", "reCAPTCHA", "boolean", "switch", "cards", "cards without labels", "choice", "several choices",
		"dropdown", "long dropdown", "several of a dropdown", "legal", "social", "unknown kind",
	}
	for _, s := range previewtest.Samples() {
		c := s.Item.Component
		if c.Category == model.Block {
			continue
		}
		v := wrongAnswer(c)
		if (v == nil) != slices.Contains(without, s.Name) {
			t.Errorf("%s: the wrong answer is %v", s.Name, v)
		}
		if v == nil {
			continue
		}
		_, none := answer.Judge(c, nil, nil)
		_, refusal := answer.Judge(c, v, nil)
		if refusal == nil || none != nil && refusal.Key == none.Key {
			t.Errorf("%s: the wrong answer %v is refused with %v", s.Name, v, refusal)
		}
	}
}
