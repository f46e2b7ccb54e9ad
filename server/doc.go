// Command formgraph serves the editor with its backend and, unless a remote one
// is configured, the embedded tenant. This package only wires: it reads the
// configuration, opens what is needed, starts the listeners and ends them.
package main
