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
