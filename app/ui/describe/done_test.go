package describe

import "testing"

func TestDone(t *testing.T) {
	for label, want := range map[string]string{
		"Delete": "Deleted", "Move 2 nodes": "Moved 2 nodes", "Edit alias": "Changed alias", "Tidy up": "Tidied up", "Cut": "Cut",
		"Take what Ann wrote": "Took what Ann wrote", "Delete node and close the gap": "Deleted node and closed the gap", "Paste 4 nodes": "Pasted 4 nodes",
	} {
		if got := Done(label); got != want {
			t.Errorf("%s: got %q, want %q", label, got, want)
		}
	}
}
