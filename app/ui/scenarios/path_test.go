package scenarios

import (
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/formtest"
)

// A deleted node has the name of the saved form, or its id.
func TestNames(t *testing.T) {
	now, saved := formtest.Parse(t, `{"name":"f","nodes":[{"id":"a","type":"STEP","alias":"Ask"}]}`), formtest.Parse(t, `{"name":"f","nodes":[{"id":"b","type":"STEP","alias":"Parents"}]}`)
	if got, want := joined(names(now, saved, []string{"a", "b", "c", "$ending"})), "Ask → Parents (deleted) → a deleted node (c) → Ending"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A long path is shown from the place on where it differs from all others, so that rows can be told apart.
func TestShorten(t *testing.T) {
	for _, tt := range []struct{ name, paths, want string }{
		{"none", "", "nothing"},
		{"short ones are whole", "A B C D E|A B", "A → B → C → D → E|A → B"},
		{"one has nothing in common", "A B C D E F", "A → B → C → … → F"},
		{"so have equal ones", "A B C D E F|A B C D E F", "A → B → C → … → F|A → B → C → … → F"},
		{
			"the beginning is in common", "A B C D E F Z|A B C X E F Z|A B C D Y F Z",
			"… → D → E → F → Z|… → C → X → E → … → Z|… → D → Y → F → Z",
		},
		{"one is the beginning of another", "A B C D E F|A B C D E F G H", "… → D → E → F|… → F → G → H"},
		{"another beginning", "A B C D E F|X B C D E F", "A → B → C → … → F|X → B → C → … → F"},
	} {
		var paths [][]string
		for path := range strings.SplitSeq(tt.paths, "|") {
			paths = append(paths, strings.Fields(path))
		}
		if got := strings.Join(shorten(paths), "|"); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		slices.Reverse(paths)
		got := shorten(paths)
		slices.Reverse(got)
		if got := strings.Join(got, "|"); got != tt.want {
			t.Errorf("%s, in another order: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
