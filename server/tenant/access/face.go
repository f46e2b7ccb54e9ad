package access

// The paths of the audiences of the tenant's own resources. They have the slashes that clients of the vendor's tenants
// send. The path of user info is ours.
const (
	managementPath  = "/api/v2/"
	selfServicePath = "/me/"
	userInfoPath    = "/userinfo"
)

// ManagementAudience returns the audience of the management API at an address without a trailing slash.
func ManagementAudience(issuer string) string { return issuer + managementPath }

// SelfServiceAudience returns the audience of the self-service account API at an address without a trailing slash.
func SelfServiceAudience(issuer string) string { return issuer + selfServicePath }

// UserInfoAudience returns the audience of a token for no API at an address without a trailing slash.
func UserInfoAudience(issuer string) string { return issuer + userInfoPath }

// Face is one address of the tenant: the canonical one or the custom domain. Policies, grants, permissions and consents are
// stored once, under the canonical address. A token is asked for, issued and used at one face and has the audience of that
// face. Addresses have no trailing slash.
type Face struct {
	Issuer    string // this address
	Canonical string // of the canonical face; equal to Issuer there
	Other     string // of the other face; "" if there is none
}

// Key names the face in stored rows. It is "" for the canonical face, whatever its address, and otherwise the address of the
// custom domain: another domain is another face.
func (f Face) Key() string {
	if f.Issuer == f.Canonical {
		return ""
	}
	return f.Issuer
}

// Identifier returns the name that the access model has for an audience of the face, and false for an audience of the other
// face. Audiences that do not depend on an address are their own names.
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

// Audience is the inverse of Identifier: it returns the audience in the face's tokens for a name of the access model.
func (f Face) Audience(identifier string) string {
	for _, path := range []string{managementPath, selfServicePath, userInfoPath} {
		if identifier == f.Canonical+path {
			return f.Issuer + path
		}
	}
	return identifier
}
