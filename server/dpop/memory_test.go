package dpop_test

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
)

func proofID(n int) (id [32]byte) {
	binary.BigEndian.PutUint64(id[:], uint64(n))
	return id
}

// A full memory accepts the proofs of others and none twice, however many a stranger sends.
func TestFullMemoryServesOthersAndNeverAcceptsAReplay(t *testing.T) {
	m := dpop.Memory{Limit: 100}
	start := time.Unix(1_000_000, 0)
	type use struct {
		id  int
		end time.Time
	}
	var accepted []use
	for i := range 1_000 {
		now := start.Add(time.Duration(i/20) * time.Second) // twenty a second: the memory holds five seconds of them
		u := use{i, now.Add(301 * time.Second)}
		if err := m.Use(t.Context(), proofID(i), now, u.end); err != nil {
			t.Fatalf("proof %d: %v", i, err)
		}
		accepted = append(accepted, u)
	}
	now := start.Add(50 * time.Second)
	for _, u := range accepted {
		if err := m.Use(t.Context(), proofID(u.id), now, u.end); err == nil {
			t.Fatalf("proof %d is accepted twice", u.id)
		}
	}
	// One that is as old as what was forgotten may have been used.
	if err := m.Use(t.Context(), proofID(5_000), now, accepted[0].end); !errors.Is(err, dpop.ErrBusy) {
		t.Errorf("an old proof: %v, want ErrBusy", err)
	}
	if err := m.Use(t.Context(), proofID(5_001), now, now.Add(301*time.Second)); err != nil {
		t.Errorf("a new proof: %v", err)
	}
}

// A proof that was forgotten at its end stays used when the clock goes back.
func TestForgottenProofStaysUsedWhenTheClockGoesBack(t *testing.T) {
	var m dpop.Memory
	now := time.Unix(1_000_000, 0)
	end := now.Add(time.Minute)
	if err := m.Use(t.Context(), proofID(1), now, end); err != nil {
		t.Fatal(err)
	}
	if err := m.Use(t.Context(), proofID(2), now.Add(time.Hour), now.Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := m.Use(t.Context(), proofID(1), now, end); err == nil {
		t.Error("the proof is accepted twice")
	}
}

// An ID is used once while its proof could be accepted, also by a proof of another time.
func TestIDIsUsedOnceAmongProofsOfDifferentTimes(t *testing.T) {
	var m dpop.Memory
	now := time.Unix(1_000_000, 0)
	if err := m.Use(t.Context(), proofID(1), now, now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for _, end := range []time.Duration{50 * time.Second, 70 * time.Second} {
		if err := m.Use(t.Context(), proofID(1), now, now.Add(end)); !errors.Is(err, dpop.ErrProof) {
			t.Errorf("a proof with the same ID that ends after %v: %v, want ErrProof", end, err)
		}
	}
	if err := m.Use(t.Context(), proofID(1), now.Add(62*time.Second), now.Add(2*time.Minute)); err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
}

// After a clock was temporarily a day ahead, new proofs are accepted again, and proofs used before are still refused.
func TestMemoryServesAfterAClockThatWasAhead(t *testing.T) {
	var m dpop.Memory
	const window = 330 * time.Second
	now := time.Unix(1_000_000, 0)
	used := func(n int, at, end time.Time) bool { return m.Use(t.Context(), proofID(n), at, end) != nil }
	if used(1, now, now.Add(window)) {
		t.Fatal("a new proof is refused")
	}
	ahead := now.Add(24 * time.Hour)
	for n := range 20 {
		at := ahead.Add(time.Duration(n) * time.Minute)
		if used(100+n, at, at.Add(window)) {
			t.Errorf("ahead, minute %d: a new proof is refused", n)
		}
	}
	at := now.Add(time.Minute)
	if !used(1, at, now.Add(window)) {
		t.Error("a proof from before is accepted twice")
	}
	for n := range 60 {
		at = at.Add(time.Minute)
		if used(200+n, at, at.Add(window)) {
			t.Errorf("corrected, minute %d: a new proof is refused", n)
		}
		if !used(200+n, at, at.Add(window)) {
			t.Errorf("corrected, minute %d: a proof is accepted twice", n)
		}
	}
	for n := range 10 { // those that were forgotten while the clock was ahead
		end := ahead.Add(time.Duration(n)*time.Minute + window)
		if !used(100+n, ahead, end) {
			t.Errorf("a day later: proof %d is accepted twice", n)
		}
	}
}

// Proofs that arrive rarely leave many gaps. The memory bounds their number without accepting a proof twice.
func TestRareProofsStayUsed(t *testing.T) {
	var m dpop.Memory
	now := time.Unix(1_000_000, 0)
	const proofs = 500
	end := func(n int) time.Time { return now.Add(time.Duration(n)*time.Hour + time.Minute) }
	for n := range proofs {
		if err := m.Use(t.Context(), proofID(n), end(n).Add(-time.Minute), end(n)); err != nil {
			t.Fatalf("proof %d: %v", n, err)
		}
	}
	for n := range proofs {
		if err := m.Use(t.Context(), proofID(n), end(n).Add(-time.Minute), end(n)); err == nil {
			t.Errorf("proof %d is accepted twice", n)
		}
	}
}
