//go:build js

// Package admin is the page of the tenant's administration.
package admin

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Page is the page at /admin.
type Page struct{ app.Compo }

// Render draws the page.
func (p *Page) Render() app.UI { return app.Div() }
