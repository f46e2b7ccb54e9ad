package trial

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// reason returns why a replay differs as a sentence. The command line names places as the file has them: `steps[1]: there is no node "minor"`
// is "Step 2 needs the node “minor”, which the form does not have." See scenario.Outcome.
func reason(text string) string {
	at, rest, _ := strings.Cut(text, "]")
	if i, err := strconv.Atoi(strings.TrimPrefix(at, "steps[")); err == nil && !strings.HasPrefix(rest, ".") {
		if node, ok := strings.CutPrefix(rest, `: there is no node "`); ok {
			rest = " needs the node " + schema.Quote(strings.TrimSuffix(node, `"`)) + ", which the form does not have"
		}
		text = "step " + strconv.Itoa(i+1) + rest
	}
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}
