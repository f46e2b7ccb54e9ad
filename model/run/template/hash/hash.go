// Package hash has the hashes that templates can compute. It is apart from package template because the implementations are large: the
// editor's program parses templates and computes none.
package hash

import (
	"crypto/md5"  //nolint:gosec // a documented function, not a protection
	"crypto/sha1" //nolint:gosec // a documented function, not a protection
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
)

// Hex returns the hash of a text in hexadecimal digits by the name of the template function: md5, sha1, sha256 or sha512. It returns "" for
// any other name.
func Hex(name, text string) string {
	data := []byte(text)
	switch name {
	case "md5":
		sum := md5.Sum(data) //nolint:gosec // a documented function, not a protection
		return hex.EncodeToString(sum[:])
	case "sha1":
		sum := sha1.Sum(data) //nolint:gosec // a documented function, not a protection
		return hex.EncodeToString(sum[:])
	case "sha256":
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	case "sha512":
		sum := sha512.Sum512(data)
		return hex.EncodeToString(sum[:])
	}
	return ""
}
