package graph

// add adds a region to a list. Above a number of regions they are united, so the list covers more than was added to it, and never less.
func add(list []Rect, r Rect, most int) []Rect {
	for i := 0; i < len(list); i++ {
		switch {
		case holds(list[i], r):
			return list
		case holds(r, list[i]):
			list[i] = list[len(list)-1]
			list = list[:len(list)-1]
			i--
		}
	}
	if len(list) < most {
		return append(list, r)
	}
	best, least := 0, 0.0
	for i, o := range list {
		u := o.Union(r)
		if more := u.W*u.H - o.W*o.H; i == 0 || more < least {
			best, least = i, more
		}
	}
	list[best] = list[best].Union(r)
	return list
}

// holds reports whether s lies in r.
func holds(r, s Rect) bool {
	return r.X <= s.X && s.Right() <= r.Right() && r.Y <= s.Y && s.Bottom() <= r.Bottom()
}
