package schema

import (
	"strconv"
	"strings"
)

// decimal is an exact number: 0.digits times ten to the power of exp. digits
// has neither leading nor trailing zeros and is "" for zero. A float64 could not
// distinguish 0.009999999999999999999 from 0.01, and cannot hold 1e400.
type decimal struct {
	neg    bool
	digits string
	exp    int64
}

// maxExp bounds the exponent so that 1e99999999999999999999 costs no more than
// 1e9. Numbers beyond it compare only by sign, which makes no difference to any bound.
const maxExp = 1 << 40

// ParseNumber returns the number that a text spells by the grammar of JSON, or false.
func ParseNumber(s string) (Number, bool) {
	if s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return "", false
	}
	d := decoder{s: s}
	n, ok := d.number()
	if !ok || d.i < len(s) {
		return "", false
	}
	return n.(Number), true
}

func (n Number) decimal() decimal {
	s := string(n)
	var d decimal
	if strings.HasPrefix(s, "-") {
		d.neg, s = true, s[1:]
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.ParseInt(strings.TrimPrefix(s[i+1:], "+"), 10, 64)
		switch {
		case err == nil && -maxExp < e && e < maxExp:
			d.exp = e
		case strings.HasPrefix(s[i+1:], "-"):
			d.exp = -maxExp
		default:
			d.exp = maxExp
		}
		s = s[:i]
	}
	whole, frac, _ := strings.Cut(s, ".")
	d.exp += int64(len(whole))
	d.digits = whole + frac
	trimmed := strings.TrimLeft(d.digits, "0")
	d.exp -= int64(len(d.digits) - len(trimmed))
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// short returns the value of a plain integer of at most 18 digits. It parses by
// hand for speed: it runs twice for each bound of every coordinate of a form.
func (n Number) short() (int64, bool) {
	s, neg := string(n), false
	if s != "" && s[0] == '-' {
		s, neg = s[1:], true
	}
	if s == "" || len(s) > 18 {
		return 0, false
	}
	var i int64
	for k := range len(s) {
		c := s[k]
		if c < '0' || c > '9' {
			return 0, false
		}
		i = i*10 + int64(c-'0')
	}
	if neg {
		i = -i
	}
	return i, true
}

// Compare returns -1, 0 or +1 as n is less than, equal to or greater than m.
// The comparison is exact, whatever the size of the exponents.
func (n Number) Compare(m Number) int {
	if a, ok := n.short(); ok {
		if b, ok := m.short(); ok {
			switch {
			case a < b:
				return -1
			case a > b:
				return 1
			}
			return 0
		}
	}
	a, b := n.decimal(), m.decimal()
	if s, t := a.sign(), b.sign(); s != t {
		if s < t {
			return -1
		}
		return 1
	}
	c := a.compareSize(b)
	if a.neg {
		return -c
	}
	return c
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func (d decimal) compareSize(e decimal) int {
	switch {
	case d.digits == "" || e.digits == "":
		return len(d.digits) - len(e.digits)
	case d.exp < e.exp:
		return -1
	case d.exp > e.exp:
		return 1
	}
	return strings.Compare(d.digits, e.digits)
}

// Integer reports whether n has no fraction, as 1, 1.0 and 10e-1.
func (n Number) Integer() bool {
	if _, ok := n.short(); ok {
		return true
	}
	d := n.decimal()
	return int64(len(d.digits)) <= d.exp || d.digits == ""
}

// Int returns the value of an integer and true, or false when n has a fraction
// or does not fit, or is the zero Number.
func (n Number) Int() (int, bool) {
	if n == "" {
		return 0, false
	}
	if i, ok := n.short(); ok {
		return int(i), true
	}
	d := n.decimal()
	if d.digits == "" {
		return 0, true
	}
	if int64(len(d.digits)) > d.exp || d.exp > 18 {
		return 0, false
	}
	i, err := strconv.Atoi(d.digits + strings.Repeat("0", int(d.exp)-len(d.digits)))
	if d.neg {
		i = -i
	}
	return i, err == nil
}

// IntNumber returns the number of an integer.
func IntNumber(i int) Number { return Number(strconv.Itoa(i)) }
