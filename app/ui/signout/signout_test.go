package signout

import "testing"

func TestQuestionNamesWhatIsUnsaved(t *testing.T) {
	const (
		one     = ". If you keep it in this browser, only you can open it, by signing in here again."
		several = ". If you keep them in this browser, only you can open them, by signing in here again."
	)
	for of, want := range map[[2]int]string{
		{1, 0}: "You have unsaved work on one form" + one,
		{3, 0}: "You have 3 drafts with unsaved work" + several,
		{0, 1}: "You have an unsent comment" + one,
		{0, 2}: "You have 2 unsent comments" + several,
		{1, 1}: "You have unsaved work on one form and an unsent comment" + several,
	} {
		if got := question(of[0], of[1]); got != want {
			t.Errorf("%v asks %q", of, got)
		}
	}
}
