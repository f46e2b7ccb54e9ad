package schema

import "math/bits"

// Measure returns how many values a tree has, as MaxValues counts them, and how deep its containers nest, as MaxDepth counts them: 0 for a
// tree that is not a container.
func Measure(tree any) (values, depth int) {
	values = 1
	add := func(v any) {
		n, d := Measure(v)
		values, depth = values+n, max(depth, d)
	}
	switch v := tree.(type) {
	case *Object:
		for _, m := range v.Members() {
			add(m.Value)
		}
	case []any:
		for _, e := range v {
			add(e)
		}
	default:
		return values, 0
	}
	return values, depth + 1
}

// SizeBeside returns about how many bytes a tree takes in memory beside another one, with which it may share containers. An element of a list is
// compared with all of the other list, a member with the one of its name.
func SizeBeside(tree, other any) int {
	const word = 8
	switch v := tree.(type) {
	case *Object:
		o, _ := other.(*Object)
		if v == o {
			return 0
		}
		size := 6 * word
		for _, m := range v.Members() {
			was, _ := o.Get(m.Key)
			size += 4*word + SizeBeside(m.Value, was)
		}
		return size
	case []any:
		o, _ := other.([]any)
		if len(v) == 0 || len(v) == len(o) && &v[0] == &o[0] {
			return 0
		}
		return 2*word*len(v) + elementsBeside(v, o)
	case string:
		if v != other {
			return len(v)
		}
	case Number:
		return len(v)
	}
	return 0
}

// elementsBeside is SizeBeside of the elements of a list.
func elementsBeside(list, other []any) (size int) {
	var had map[*Object]bool
	for i, v := range list {
		var was any
		if i < len(other) {
			was = other[i]
		}
		o, ok := v.(*Object)
		if w, is := was.(*Object); ok && is && o == w {
			continue
		}
		if ok && had == nil {
			had = make(map[*Object]bool, len(other))
			for _, w := range other {
				if w, ok := w.(*Object); ok {
					had[w] = true
				}
			}
		}
		if !ok || !had[o] {
			size += SizeBeside(v, was)
		}
	}
	return size
}

// Digest returns a number that is the same for trees that are Equal, and most likely another one for others. Whoever wants to can make
// different trees with the same number.
func Digest(tree any) uint64 { return DigestOf(tree, func(s string) string { return s }) }

// DigestOf is Digest of the tree with another text for each text in it.
func DigestOf(tree any, text func(string) string) uint64 {
	switch v := tree.(type) {
	case *Object:
		h := fold(digestSeed, '{')
		sum := uint64(0) // the order of members does not count
		for _, m := range v.Members() {
			sum += mixed(foldAll(foldText(digestSeed, m.Key), DigestOf(m.Value, text)))
		}
		return mixed(foldAll(foldAll(h, sum), uint64(v.Len()))) //nolint:gosec // it is not negative
	case []any:
		h := fold(digestSeed, '[')
		for _, e := range v {
			h = foldAll(h, DigestOf(e, text))
		}
		return mixed(foldAll(h, uint64(len(v))))
	case string:
		return mixed(foldText(fold(digestSeed, '"'), text(v)))
	case Number:
		d := v.decimal()
		h := foldAll(foldText(fold(digestSeed, '0'), d.digits), uint64(d.exp)) //nolint:gosec // the bits count, not the sign
		if d.neg {
			h = fold(h, '-')
		}
		return mixed(h)
	case bool:
		if v {
			return fold(digestSeed, 't')
		}
		return fold(digestSeed, 'f')
	}
	return fold(digestSeed, 'n')
}

// The constants of FNV-1a with 64 bits.
const digestSeed, digestPrime = 14695981039346656037, 1099511628211

func fold(h uint64, b byte) uint64 { return (h ^ uint64(b)) * digestPrime }

func foldText(h uint64, s string) uint64 {
	for i := range len(s) {
		h = fold(h, s[i])
	}
	return h
}

func foldAll(h, v uint64) uint64 {
	for ; v > 0; v >>= 8 {
		h = fold(h, byte(v))
	}
	return fold(h, 0)
}

// mixed spreads a number over all bits, so that sums of several do not meet by accident.
func mixed(h uint64) uint64 {
	hi, lo := bits.Mul64(h^h>>32, 0x9e3779b97f4a7c15)
	return hi ^ lo
}
