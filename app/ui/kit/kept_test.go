package kit_test

import (
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// keeping is a page with a kept part.
type keeping struct {
	app.Compo
	key   string
	drawn int
	ctx   app.Context
}

// OnPreRender is the method that go-app calls outside a browser.
func (k *keeping) OnPreRender(ctx app.Context) { k.ctx = ctx }

func (k *keeping) Render() app.UI {
	return kit.El("div").Body(kit.Kept(k.key, func() app.UI {
		k.drawn++
		return kit.El("p")
	}))
}

func TestKeptIsDrawnOncePerKey(t *testing.T) {
	k := &keeping{key: "a"}
	e := app.NewTestEngine()
	if err := e.Load(k); err != nil {
		t.Fatal(err)
	}
	e.ConsumeNext()
	for _, test := range []struct {
		key  string
		want int
	}{{"a", 1}, {"a", 1}, {"b", 2}, {"b", 2}, {"a", 3}} {
		k.key = test.key
		k.ctx.Update()
		e.ConsumeNext()
		if k.drawn != test.want {
			t.Errorf("key %s: drawn %d times, want %d", test.key, k.drawn, test.want)
		}
	}
}
