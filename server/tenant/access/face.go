package access

// What the audiences of the tenant's own resources end in, behind its address. The slashes are those that
// clients of the vendor's tenants send; that of user info is our choice.
const (
	managementPath  = "/api/v2/"
	selfServicePath = "/me/"
	userInfoPath    = "/userinfo"
)

// ManagementAudience returns the audience of the management API at an address without a trailing slash.
func ManagementAudience(issuer string) string { return issuer + managementPath }

// SelfServiceAudience returns the audience of the self-service account API at an address without a
// trailing slash: the host that is called, under the scheme it is called by.
func SelfServiceAudience(issuer string) string { return issuer + selfServicePath }

// UserInfoAudience returns the audience of a token that was asked for no API at an address without a
// trailing slash. The choice is ours.
func UserInfoAudience(issuer string) string { return issuer + userInfoPath }

// Face is one address at which the tenant is reached: the canonical one, or the custom domain. Policies,
// grants, permissions and consents are kept once, under the canonical address, while tokens carry the
// audiences of the face they were asked at: a token is asked for, issued and used at one face.
// Addresses have no trailing slash.
type Face struct {
	Issuer    string // this address
	Canonical string // that of the canonical face; equal to Issuer there
	Other     string // that of the other face; empty when there is none
}

// Key names the face in what is kept of it. It is empty for the canonical one, whatever its address, and
// the address of a custom domain: another domain is another face.
func (f Face) Key() string {
	if f.Issuer == f.Canonical {
		return ""
	}
	return f.Issuer
}

// Identifier returns the name under which the access model knows an audience that is asked for at the
// face; false for one that belongs to the other face. Audiences that follow no address are their own names.
func (f Face) Identifier(audience string) (identifier string, ok bool) {
	for _, path := range []string{managementPath, selfServicePath, userInfoPath} {
		switch {
		case audience == f.Issuer+path:
			return f.Canonical + path, true
		case f.Other != "" && audience == f.Other+path:
			return "", false
		}
	}
	return audience, true
}

// Audience undoes Identifier: what the face's tokens say for a name of the access model.
func (f Face) Audience(identifier string) string {
	for _, path := range []string{managementPath, selfServicePath, userInfoPath} {
		if identifier == f.Canonical+path {
			return f.Issuer + path
		}
	}
	return identifier
}
