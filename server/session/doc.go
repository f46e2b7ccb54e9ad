// Package session knows who is signed in at the editor and keeps their tokens.
// The browser holds one random secret in a cookie; everything else is a sealed
// row of store.Sessions. Store is a gorilla/sessions Store, and nothing of that
// library's own stores is used: they keep tokens in cookies or in plain files.
//
// It must not know how tokens are got: it is handed a function that refreshes.
package session
