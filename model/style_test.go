package model_test

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model"
)

// The style of a component is how it looks and behaves, never what it says, asks, leads to or keeps.
func TestStyleRows(t *testing.T) {
	for typ, want := range map[string][]string{
		"TEXT": {"required", "multiline", "min_length", "max_length"}, "IMAGE": {"position", "height"}, "BOOLEAN": {"required"}, "RICH_TEXT": nil,
		"JUMP_BUTTON": {"style"}, "RESEND_BUTTON": {"text_alignment", "max_attempts", "waiting_time"}, "CHOICE": {"required", "multiple"},
		"FILE": {"required", "multiple", "categories", "extensions", "maxSize", "maxFiles"}, "MAPS_ADDRESS": {"required"},
		"CARDS": {"required", "hide_labels", "multiple"}, "CUSTOM": {"required"}, "TEL": {"required", "min_length", "max_length", "country_picker"},
	} {
		own, config := model.KindOf(typ).StyleRows()
		var got []string
		for _, r := range append(slices.Clip(own), config...) {
			got = append(got, r.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the style of %s is %q, want %q", typ, got, want)
		}
	}
}
