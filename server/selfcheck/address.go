package selfcheck

import (
	"context"
	"strings"
)

// address judges whether browsers keep the editor's cookies at its public address.
func (c Config) address(context.Context) Result {
	switch {
	case c.PublicURL == "":
		return unknownAddress()
	case strings.HasPrefix(c.PublicURL, "https:"):
		return Result{Status: OK, Detail: c.PublicURL + ", with Secure cookies"}
	}
	// Plain http is on loopback: the options allow no other.
	return Result{Status: OK, Detail: c.PublicURL + ", for browsers on this machine"}
}

// unknownAddress is the result of a check that needs the editor's address.
func unknownAddress() Result {
	const remedy = "Set --public-url, or a port in --listen."
	return Result{Status: Skip, Detail: "the editor's address is not known before it starts", Remedy: remedy}
}

// proxy judges whether the proxy that an https address implies is trusted.
func (c Config) proxy(context.Context) Result {
	trusted := make([]string, 0, len(c.Options.TrustedProxies))
	for _, p := range c.Options.TrustedProxies {
		trusted = append(trusted, p.String())
	}
	switch {
	case len(trusted) > 0:
		return Result{Status: OK, Detail: "trusted: " + strings.Join(trusted, " ")}
	case c.Options.TLS.On() || !strings.HasPrefix(c.PublicURL, "https:"):
		return Result{Status: OK, Detail: "none is expected"}
	}
	return Result{
		Status: Warn, Detail: "--public-url is https and the listener speaks plain http, so a proxy is in front, but none is trusted",
		Remedy: "Name the proxy's network with --trusted-proxy. Until then, everybody behind it shares the limits of one address.",
	}
}
