package flow_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/flow"
)

// A comparison that is false is told in words of its own, without a double negation.
func TestOtherwise(t *testing.T) {
	want := map[string]string{
		"EQ": "is different from", "NEQ": "equals", "GT": "is not greater than", "GTE": "is not at least", "LT": "is not less than",
		"LTE": "is not at most", "BETWEEN": "is not between", "NOT_BETWEEN": "is between", "INCLUDES": "does not include",
		"NOT_INCLUDES": "includes", "CONTAINS": "does not contain", "NOT_CONTAINS": "contains", "IN": "is not one of", "NOT_IN": "is one of",
		"STARTS_WITH": "does not start with", "NOT_STARTS_WITH": "starts with", "ENDS_WITH": "does not end with",
		"NOT_ENDS_WITH": "ends with", "MATCHES": "does not match", "NOT_MATCHES": "matches", "EXISTS": "does not exist",
		"NOT_EXISTS": "exists", "IS_EMPTY": "is not empty", "IS_NOT_EMPTY": "is empty",
	}
	for _, o := range flow.Operators {
		if got := o.Otherwise(); got != want[o.Name] {
			t.Errorf("%s is false: %q, want %q", o.Name, got, want[o.Name])
		}
		if o.Negates == "" && o.Otherwise() == o.Words || strings.Count(o.Otherwise(), "not ") > 1 {
			t.Errorf("%s: %q", o.Name, o.Otherwise())
		}
	}
}
