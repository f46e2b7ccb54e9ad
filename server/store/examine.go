package store

import "context"

// Finding is something about a database that its operator should know.
type Finding struct {
	Severe bool   // something does not work, or will not
	Detail string // what was found, without a final period
	Remedy string // what to do, in sentences
}

// Examination examines one aspect of a database and changes nothing.
type Examination struct {
	Name string
	// Fine says what was examined, for the case that there are no findings.
	Fine string
	Run  func(ctx context.Context) ([]Finding, error)
}
