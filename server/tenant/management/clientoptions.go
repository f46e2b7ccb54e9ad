package management

import (
	"net/url"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/hosts"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// Members of a client that configure token flows, by the vendor's names.
const (
	keyLogout   = "oidc_logout"
	keyChannels = "backchannel_logout_urls"
	keyPushed   = "require_pushed_authorization_requests"
	keyProof    = "require_proof_of_possession"
	keyAllowed  = "allowed_origins"
	keyWeb      = "web_origins"
)

// optionRows are the table rows of these members in the body of a client.
func optionRows() schema.Table {
	page := schema.String{Min: 1, Max: 300, Format: originFormat()} // a host has at most 253 characters
	channel := schema.String{Min: 1, Max: 2000, Format: channelFormat()}
	return schema.Table{
		{Name: keyLogout, Spec: schema.Nullable{Spec: schema.Table{{Name: keyChannels, Spec: schema.List{Item: channel}}}}},
		{Name: keyPushed, Spec: schema.Bool{}},
		{Name: keyProof, Spec: schema.Bool{}},
		{Name: keyAllowed, Spec: schema.List{Item: page}},
		{Name: keyWeb, Spec: schema.List{Item: page}},
	}
}

// originFormat is an origin as browsers write it: https, or http on this machine. A looser text would be stored but never match. RFC 6454,
// section 6.1.
func originFormat() *schema.Format {
	return &schema.Format{Name: "origin", Detail: "must be an origin such as https://app.example: https, or http on this machine, " +
		"a host in lower case, and a port only if it is not the default", Check: func(s string) bool {
		u, err := url.Parse(s)
		if err != nil || u.Hostname() == "" || !hosts.Plain(u.Host) || strings.HasSuffix(u.Host, ":") {
			return false
		}
		if s != u.Scheme+"://"+u.Host || strings.ToLower(s) != s {
			return false
		}
		return u.Scheme == "https" && u.Port() != "443" || u.Scheme == "http" && u.Port() != "80" && hosts.Loopback(u.Hostname())
	}}
}

// channelFormat is an address to which the tenant itself may send: https, or http on this machine, and not a host at which clouds hand out
// credentials. OpenID Connect Back-Channel Logout 1.0, section 2.2; the choice of hosts is ours.
func channelFormat() *schema.Format {
	return &schema.Format{
		Name:   "backchannel-url",
		Detail: "must be an https address, or http on this machine, without a fragment or user name", Check: func(s string) bool {
			u, err := url.Parse(s)
			if err != nil || u.Hostname() == "" || u.User != nil || strings.ContainsAny(s, "#*\\ ") || hosts.Callable(u.Hostname()) != nil {
				return false
			}
			return u.Scheme == "https" || u.Scheme == "http" && hosts.Loopback(u.Hostname())
		},
	}
}

// oneChannel checks a rule that a table cannot express: only one address is stored, and a second one must not be dropped silently.
func oneChannel(o *schema.Object) schema.Problems {
	if len(o.Object(keyLogout).List(keyChannels)) < 2 {
		return nil
	}
	return schema.Problems{api.Fault(schema.CodeItems, "must hold at most one address", schema.Key(keyLogout), schema.Key(keyChannels),
		schema.Index(1))}
}

// changeOptions sets the members of a checked body in a client.
func changeOptions(x store.Client, o *schema.Object) store.Client {
	x.RequirePushed, x.RequireDPoP = flag(o, keyPushed, x.RequirePushed), flag(o, keyProof, x.RequireDPoP)
	if v, ok := o.Get(keyLogout); ok {
		logout, _ := v.(*schema.Object)
		if v == nil || logout.Has(keyChannels) {
			x.BackchannelURI = ""
		}
		for _, address := range strs(logout.List(keyChannels)) {
			x.BackchannelURI = address
		}
	}
	return x
}

// logoutBody holds the addresses at which a client is notified of sign-outs.
type logoutBody struct {
	Channels []string `json:"backchannel_logout_urls"`
}
