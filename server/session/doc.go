// Package session stores the signed-in users of the editor, and their tokens. The browser holds one random secret in a cookie; everything
// else is an encrypted row of store.Sessions. Store implements the Store of gorilla/sessions. That library's own stores are not used: they
// keep tokens in cookies or in plain files.
//
// The package does not know how to obtain tokens: its caller passes a function that refreshes them.
package session
