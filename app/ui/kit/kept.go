package kit

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Kept draws a part of a page that changes only with key: while the key stays the same, the part is neither drawn nor compared. All calls must give
// an equivalent draw, because the first one given is used from then on.
func Kept(key string, draw func() app.UI) app.UI { return &kept{Key: key, draw: draw} }

// kept is a component, which go-app draws again if one of its exported fields has changed.
type kept struct {
	app.Compo
	Key  string
	draw func() app.UI
}

// Render draws the part.
func (k *kept) Render() app.UI { return k.draw() }
