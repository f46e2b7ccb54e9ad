package access

// The paths of the audiences of the tenant's own resources. They have the slashes that clients of the vendor's tenants send. The path of
// user info is our choice.
const (
	managementPath  = "/api/v2/"
	selfServicePath = "/me/"
	userInfoPath    = "/userinfo"
)

// ManagementAudience returns the audience of the management API of an issuer without a trailing slash.
func ManagementAudience(issuer string) string { return issuer + managementPath }

// SelfServiceAudience returns the audience of the self-service account API of an issuer without a trailing slash.
func SelfServiceAudience(issuer string) string { return issuer + selfServicePath }

// UserInfoAudience returns the audience of a token for no API, from an issuer without a trailing slash.
func UserInfoAudience(issuer string) string { return issuer + userInfoPath }

// Domain is one address of the tenant: the canonical domain or the custom one. Policies, grants, permissions and consents are stored once,
// under the canonical address. A token is requested, issued and used at one domain and has the audience of that domain. Addresses have no
// trailing slash.
type Domain struct {
	Issuer    string // this address
	Canonical string // of the canonical domain; equal to Issuer there
	Other     string // of the other domain; "" if there is none
}

// Key identifies the domain in stored rows. It is "" for the canonical domain, whatever its address, and otherwise the address: a custom
// domain that replaces another does not take over its rows.
func (d Domain) Key() string {
	if d.Issuer == d.Canonical {
		return ""
	}
	return d.Issuer
}

// Identifier returns the access model's name for an audience of the domain, and false for an audience of the other domain. Audiences that
// do not depend on an address are unchanged.
func (d Domain) Identifier(audience string) (identifier string, ok bool) {
	for _, path := range []string{managementPath, selfServicePath, userInfoPath} {
		switch {
		case audience == d.Issuer+path:
			return d.Canonical + path, true
		case d.Other != "" && audience == d.Other+path:
			return "", false
		}
	}
	return audience, true
}

// Audience is the inverse of Identifier: it returns the domain's audience for a name of the access model.
func (d Domain) Audience(identifier string) string {
	for _, path := range []string{managementPath, selfServicePath, userInfoPath} {
		if identifier == d.Canonical+path {
			return d.Issuer + path
		}
	}
	return identifier
}
