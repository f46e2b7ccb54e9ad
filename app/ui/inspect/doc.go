// Package inspect is the right panel, which shows the properties of the selection as package inspector
// provides them.
package inspect
