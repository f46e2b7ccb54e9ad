// Package files makes files of a form in the worker of the desk, for people to keep: pictures of its graph, and its outline.
package files

import (
	"cmp"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/document"
	"github.com/formgraph/formgraph/app/picture"
	"github.com/formgraph/formgraph/model"
)

// Make implements desk.Maker. The text of a bitmap is the picture that the page's script paints.
func Make(f *model.Form, kind string) (name, mime, text string) {
	name = cmp.Or(caption.FileName(f.Name), "form") + "." + kind
	switch kind {
	case message.Bitmap:
		return name, "image/png", picture.SVG(f)
	case message.Document:
		return name, "text/markdown", document.Markdown(f)
	}
	return name, "image/svg+xml", picture.SVG(f)
}
