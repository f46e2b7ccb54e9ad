package answer

import (
	"iter"
	"strings"
)

// Country is a country with its calling code.
type Country struct {
	ISO  string // of ISO 3166-1, such as DE
	Code string // of ITU-T E.164, without a plus sign, such as 49
}

// Countries returns the countries that a telephone number can have, in the order of their codes.
func Countries() iter.Seq[Country] {
	return func(yield func(Country) bool) {
		for c := range strings.FieldsSeq(callingCodes) {
			if !yield(Country{c[:2], c[2:]}) {
				return
			}
		}
	}
}
