// Package inspect is the right panel: the properties of what is selected, as package inspector reads them.
package inspect
