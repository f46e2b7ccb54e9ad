package session

import "net/http"

// cookies makes the cookies of a session and of pending sign-ins.
type cookies struct {
	session string // the name of the session cookie; the names of the others begin with it
	secure  bool
}

func newCookies(plain bool) cookies {
	if plain {
		return cookies{session: "fg"}
	}
	return cookies{session: "__Host-Http-fg", secure: true}
}

func (c cookies) cookie(name, value string, maxAge int, site http.SameSite) *http.Cookie {
	//nolint:gosec // Secure is dropped only for plain http, see Config.Plain
	return &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: maxAge, Secure: c.secure, HttpOnly: true, SameSite: site}
}
