package observe_test

import (
	"context"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/server/observe"
)

type key struct{}

func TestNoObserver(t *testing.T) {
	f := observe.All(nil, nil)
	if f != nil {
		t.Fatal("All of nothing is not nil")
	}
	if n := testing.AllocsPerRun(100, func() {
		_, end := f.Begin(t.Context(), observe.Save, "form_saved")
		end("saved")
		f.Count(t.Context(), observe.Limit, "login", "refused")
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAllReportsToEach(t *testing.T) {
	var told []string
	note := func(name string) observe.Func {
		return func(ctx context.Context, k observe.Kind, detail string) (context.Context, func(string)) {
			before, _ := ctx.Value(key{}).(string)
			told = append(told, name+" "+string(k)+" "+detail+" after "+before)
			return context.WithValue(ctx, key{}, name), func(outcome string) { told = append(told, name+" "+outcome) }
		}
	}
	f := observe.All(note("a"), nil, note("b"))
	ctx, end := f.Begin(t.Context(), observe.Save, "form_saved")
	if ctx.Value(key{}) != "b" {
		t.Errorf("the work has the context of %v", ctx.Value(key{}))
	}
	end("saved")
	want := []string{"a save form_saved after ", "b save form_saved after a", "a saved", "b saved"}
	if !slices.Equal(told, want) {
		t.Errorf("reported %q, want %q", told, want)
	}
}
