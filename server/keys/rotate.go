package keys

import "time"

// Lead is how long a new signing key is published before it signs: above the minute for which the
// published keys may be cached, the time in which a process sees a changed file, and what it takes to
// bring the file to other replicas. The choice is ours.
const Lead = 5 * time.Minute

// Keep is how long a signing key is published after another has taken over: above the life of every
// token, and of a sign-in, whose ID token may come back at sign-out. The choice is ours.
const Keep = 24 * time.Hour

// RotateSigning adds a signing key to the keys file at path and returns it. It signs from Lead after
// now on; keys whose tokens are all over are dropped. Processes that follow the file need no restart,
// and the master secrets stay. Of two that rotate at once one may win alone, which costs nothing: the
// other's key has signed nothing yet.
func RotateSigning(path string, now time.Time) (Signing, error) {
	s, err := read(path)
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

// Signer returns the key that signs at a time: the newest one that has begun to, or the oldest when
// none has, since a clock that is wrong must not stop the tenant.
func (s *Set) Signer(now time.Time) Signing {
	for _, k := range s.Signing {
		if !now.Before(k.from()) {
			return k
		}
	}
	return s.Signing[len(s.Signing)-1]
}

// Published returns the keys that check tokens at a time, newest first: those that will sign, the one
// that does, and those that did within Keep. The caller may append to it.
func (s *Set) Published(now time.Time) []Signing {
	n := 1
	// A key ends Keep after the next newer one has begun.
	for n < len(s.Signing) && now.Before(s.Signing[n-1].from().Add(Keep)) {
		n++
	}
	return s.Signing[:n:n]
}
