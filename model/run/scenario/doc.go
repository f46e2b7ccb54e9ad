// Package scenario reads, replays and writes the scenarios of a form: recorded journeys with the path that each is expected to take.
// model/run/SCENARIOS.md describes the file.
//
// The package does no I/O: bytes in, values out.
package scenario
