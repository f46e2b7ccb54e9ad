// Package refusal names what an authorization server refused of a sign-in, and says what an administrator must set. It judges by the error
// codes of RFC 6749, RFC 8707 and OpenID Connect, and by the words that tenants are known to add to them. It repeats none of these words:
// anyone can put them into a link.
package refusal
