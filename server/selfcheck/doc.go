// Package selfcheck tries the configuration of a server. It checks the tenant's discovery and keys, the callback, tokens, the lists of
// forms and flows, the clocks, and the public address. Each check says what is wrong and what to do. The command formgraph check and the
// page /check run the same checks. No result contains a secret, a token or the words of the tenant.
package selfcheck
