//go:build js

// Package account is the page where people look after their own account.
package account

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Page is the page at /account.
type Page struct{ app.Compo }

// Render draws the page.
func (p *Page) Render() app.UI { return app.Div() }
