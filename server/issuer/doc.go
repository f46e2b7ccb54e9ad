// Package issuer finds the endpoints of an authorization server (OpenID Connect Discovery 1.0) and calls them within limits. It also keeps
// tokens and codes out of the errors of these calls. It knows no flow: its users sign people in or fetch tokens of their own.
package issuer
