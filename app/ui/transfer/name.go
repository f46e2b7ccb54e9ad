package transfer

import "github.com/formgraph/formgraph/app/caption"

// FileName returns the name of the file that a form is exported to.
func FileName(name string) string { return caption.FileName(name) + ".form.json" }
