package waittest

import "context"

// Asked is a context that ends after it was asked a number of times. It is not safe for concurrent use.
type Asked struct {
	context.Context

	Left int // how often it is asked before it ends; below zero, how often after, negated
}

// Err implements context.Context.
func (c *Asked) Err() error {
	if c.Left--; c.Left < 0 {
		return context.Canceled
	}
	return nil
}
