// Command formgraph serves the editor with its backend and, unless a remote tenant is configured, the embedded tenant. This
// package only connects the parts: it reads the configuration, opens the state, and starts and stops the listeners.
package main
