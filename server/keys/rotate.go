package keys

import "time"

// Lead is how long a new signing key is published before it signs: longer than the minute for which published keys may be cached, the time
// until a process notices a changed file, and the time to copy the file to other replicas. The value is our choice.
const Lead = 5 * time.Minute

// Keep is how long a signing key is published after another has replaced it: longer than the life of every token, and of a sign-in, whose
// ID token may return at sign-out. The value is our choice.
const Keep = 24 * time.Hour

// RotateSigning adds a signing key to the keys file at path and returns it. The key signs from Lead after now; keys whose tokens have all
// expired are removed. Processes that follow the file need no restart, and the master secrets stay. If two processes rotate at once, only
// one rotation may take effect. That does no harm, since the other key has not signed anything yet.
func RotateSigning(path string, now time.Time) (Signing, error) {
	s, err := Read(path)
	if err != nil {
		return Signing{}, err
	}
	k, err := newSigning(now)
	if err != nil {
		return Signing{}, err
	}
	k.From = k.Created.Add(Lead)
	next := &Set{Signing: append([]Signing{k}, s.Published(now)...), Master: s.Master}
	return k, replace(path, next)
}

// from returns when a key begins to sign.
func (k Signing) from() time.Time {
	if k.From.IsZero() {
		return k.Created
	}
	return k.From
}

// Signer returns the key that signs at a time: the newest one that has begun to sign, or the oldest if none has, since a wrong clock must
// not stop the tenant.
func (s *Set) Signer(now time.Time) Signing {
	for _, k := range s.Signing {
		if !now.Before(k.from()) {
			return k
		}
	}
	return s.Signing[len(s.Signing)-1]
}

// Published returns the keys that verify tokens at a time, newest first: those that will sign, the current one, and those that signed
// within Keep. The caller may append to the slice.
func (s *Set) Published(now time.Time) []Signing {
	n := 1
	// A key ends Keep after the next newer one has begun.
	for n < len(s.Signing) && now.Before(s.Signing[n-1].from().Add(Keep)) {
		n++
	}
	return s.Signing[:n:n]
}
