package drafts

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/ui/vault"
)

// The texts of a form are found among those of all forms; the oldest of too many, and those that cannot be read, are deleted.
func TestTextsOfAForm(t *testing.T) {
	part := func(id string, text draft.Text) vault.Part {
		return vault.Part{Draft: id, Name: draft.TextPart, Text: text.Content()}
	}
	parts := []vault.Part{
		part("1", draft.Text{Form: "f", Key: "oldest", Text: "gone", Changed: changed}),
		{Draft: "2", Name: draft.TextPart, Text: []byte("?")},
		part("3", draft.Text{Form: "f", Key: "reply a", Text: "Yes", Changed: changed.Add(time.Hour)}),
	}
	for i := range draft.MaxStored - 1 {
		parts = append(parts, part(fmt.Sprint("g", i), draft.Text{Form: "g", Key: "k", Text: "other", Changed: changed.Add(time.Minute)}))
	}
	kept, old := split(parts, "f")
	if slices.Sort(old); !maps.Equal(kept, map[string]string{"reply a": "Yes"}) || !slices.Equal(old, []string{"1", "2"}) {
		t.Errorf("kept are %v, deleted %v", kept, old)
	}
}

// People who share a browser do not overwrite each other's texts.
func TestTextsHaveIDsOfTheirOwn(t *testing.T) {
	ids := map[string]bool{}
	for _, of := range [][3]string{{"ana", "f", "k"}, {"bo", "f", "k"}, {"ana", "g", "k"}, {"ana", "f", "l"}, {"an", "af", "k"}} {
		ids[texts{person: of[0]}.id(of[1], of[2])] = true
	}
	if len(ids) != 5 || !ids[texts{person: "ana"}.id("f", "k")] {
		t.Errorf("the ids are %v", ids)
	}
}

func TestBrowserWithoutStorageKeepsNoTexts(t *testing.T) {
	for _, d := range []*Keeping{nil, {}} {
		if got := d.Texts(context.Background(), "f", "ana"); got != nil {
			t.Errorf("kept are %v", got)
		}
	}
}
