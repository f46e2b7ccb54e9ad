package desk

import (
	"errors"
	"testing"

	"github.com/formgraph/formgraph/app/client/formapi"
)

func TestVersionBeforeAnother(t *testing.T) {
	parts := [][]int{{9, 8, 5}, {4, 2}}
	list := func(part int) (list []formapi.Version, total int, err error) {
		if part >= len(parts) {
			return nil, 0, errors.New("there are no more parts")
		}
		for _, n := range parts[part] {
			list = append(list, formapi.Version{Number: n})
		}
		return list, 5, nil
	}
	for number, want := range map[string]string{"9": "8", "8": "5", "5": "4", "4": "2", "2": "", "3": ""} {
		if got, err := versionBefore(list, number); got != want || err != nil {
			t.Errorf("before %s is %q, %v, want %q", number, got, err, want)
		}
	}
	parts = nil
	if got, err := versionBefore(list, "9"); got != "" || err == nil {
		t.Errorf("without an answer it is %q, %v", got, err)
	}
}
