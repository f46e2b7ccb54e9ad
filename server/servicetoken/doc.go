// Package servicetoken keeps the access token with which the server itself calls a management API. It comes from the client credentials
// grant (RFC 6749, section 4.4). It knows no people: its callers decide for whom they use the token.
package servicetoken
