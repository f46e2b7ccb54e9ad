package translate

import (
	"testing"

	"github.com/formgraph/formgraph/model/run/answer"
)

// Every text that refuses answers has a name of its own, and an unknown key is put into words.
func TestRefusalName(t *testing.T) {
	taken := map[string]answer.Key{}
	for _, m := range answer.Messages {
		name := refusals[m.Key]
		if other := taken[name]; name == "" || other != "" {
			t.Errorf("%s is named %q, as is %q", m.Key, name, other)
		}
		taken[name] = m.Key
	}
	for key, want := range map[string]string{"ERR_URL_EXPECTED": "Not a web address", "ERR_OF_OURS": "Of ours", "ERR_": "ERR_", "own": "Own"} {
		if got := RefusalName(key); got != want {
			t.Errorf("%s is named %q, want %q", key, got, want)
		}
	}
}
