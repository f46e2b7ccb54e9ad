package trial

import "testing"

// What the command line says of a file's places is told in words. The texts on the left are those of scenario.Replay.
func TestReasons(t *testing.T) {
	for text, want := range map[string]string{
		`steps[1]: there is no node "שם"`:                   "Step 2 needs the node “\u2068שם\u2069”, which the form does not have.",
		`steps[1]: there is no node "minor"`:                "Step 2 needs the node “minor”, which the form does not have.",
		`steps[9]: node "ask" has no field "mail"`:          `Step 10: node "ask" has no field "mail".`,
		`steps[1] is for "b", but the run is at "ask"`:      `Step 2 is for "b", but the run is at "ask".`,
		`there is no further step, and the run is at "ask"`: `There is no further step, and the run is at "ask".`,
		`steps[0]: the answer of "age" is refused: No.`:     `Step 1: the answer of "age" is refused: No.`,
		`steps[0].press: must be a string`:                  "Steps[0].press: must be a string.",
		"":                                                  "",
	} {
		if got := reason(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}
