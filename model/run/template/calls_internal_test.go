package template

import "testing"

func TestEveryFunctionIsImplemented(t *testing.T) {
	for _, f := range Functions {
		if implementation(f.Name) == nil {
			t.Errorf("%s does nothing", f.Name)
		}
	}
	if implementation("later") != nil {
		t.Error("an unknown function does something")
	}
}
