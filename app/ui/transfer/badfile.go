package transfer

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// problemLimit is the maximum number of a file's problems in the list.
const problemLimit = 300

// BadFile is a refused file with its problems.
type BadFile struct {
	Name     string
	Problems schema.Problems
	text     string
}

// badFile lists the problems of a file.
func (p *Transfer) badFile() []app.UI {
	return append(p.refused.Body(), kit.El("div.buttons").Body(kit.TextButton("cancel", "Close", "primary")))
}

// Title is the title of the dialog about the file.
func (b *BadFile) Title() string { return kit.Quote(b.Name) + " is not a valid form" }

// Body lists the problems, with their places.
func (b *BadFile) Body() []app.UI {
	places := schema.NewPositioner([]byte(b.text))
	var items []app.UI
	for i, pr := range b.Problems {
		if i == problemLimit {
			items = append(items, kit.El("li.quiet-text").Text(fmt.Sprintf("and %d more", len(b.Problems)-i)))
			break
		}
		place := ""
		if pr.Offset >= 0 {
			line, column := places.Position(pr.Offset)
			place = fmt.Sprintf("Line %d, column %d", line, column)
		}
		path := pr.Path.String() // "" for the whole file, which needs no name and no room for one
		items = append(items, kit.Tree("li.conflict { @warn span.grow { code hidden=% { % } span { % } small.dim { % } } }",
			[]string{kit.Yes(path == ""), path, " " + kit.AsSentence(pr.Detail), place}))
	}
	return []app.UI{
		kit.El("p").Text(kit.Several(len(items), "Nothing was changed. Fix this in the file first:",
			"Nothing was changed. Fix these %d in the file first:")),
		kit.El("ul.targets.bad-file").Body(items...),
	}
}
