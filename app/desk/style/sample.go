package style

import (
	"slices"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// screen returns what the frame shows.
func (p *Page) screen() preview.Screen {
	texts := answer.In(p.form.Form)
	s := preview.Screen{Node: "style", Language: texts.Language(), Title: "Style"}
	if n, _ := p.form.Node(p.subject); n != nil {
		s.Node = n.ID
		for i := range n.Parts() {
			if c := n.Component(i); c != nil {
				s.Items = append(s.Items, p.item(model.ReadComponent(texts.Component(c))))
			}
		}
		return s
	}
	for _, c := range samples() {
		s.Items = append(s.Items, p.item(c))
	}
	return s
}

func (p *Page) item(c *model.Component) preview.Item {
	it := preview.Item{Component: c}
	if p.faulty && c.Category == model.Field {
		it.Problem = (*answer.Texts)(nil).Error(answer.Required)
	}
	return it
}

// first are the types of the components that are shown first: those by which a style is judged.
var first = []string{"RICH_TEXT", "TEXT", "NEXT_BUTTON"}

// samples returns a component of each kind, with the values of a new one. Before one that does not show what it is, a caption says so.
var samples = func() func() []*model.Component {
	var list []*model.Component
	return func() []*model.Component {
		if list != nil {
			return list
		}
		kinds := make([]*model.Kind, 0, len(model.Kinds))
		for i := range model.Kinds {
			kinds = append(kinds, &model.Kinds[i])
		}
		slices.SortStableFunc(kinds, func(a, b *model.Kind) int { return rank(a) - rank(b) })
		for i, k := range kinds {
			id := "c" + string(rune('a'+i%26)) + string(rune('a'+i/26))
			o := model.NewComponent(k, model.SpecDialect, id)
			if k.Category == model.Field {
				o = o.With("hint", "A hint").With("required", i%2 == 0)
			}
			if k.Type == "HTML" { // a new one is empty
				o = o.With("config", schema.NewObject(schema.Member{Key: "content", Value: "<p>" + k.Doc + "</p>"}))
			}
			c := model.ReadComponent(o)
			if caption.Component(c) != k.Label || k.Category == model.Block {
				list = append(list, captionOf(id, k.Label))
			}
			list = append(list, c)
		}
		return list
	}
}()

// rank returns the place of a kind among the samples, relative to the others.
func rank(k *model.Kind) int {
	if i := slices.Index(first, k.Type); i >= 0 {
		return i
	}
	return len(first)
}

// captionOf returns the caption of a sample: a block with markup of ours, since forms have no captions.
func captionOf(id, label string) *model.Component {
	config := schema.NewObject(schema.Member{Key: "content", Value: `<small class="fg-caption">` + label + `</small>`})
	return model.ReadComponent(schema.NewObject(schema.Member{Key: "id", Value: id + "_caption"}, schema.Member{Key: "category", Value: string(model.Block)},
		schema.Member{Key: "type", Value: "HTML"}, schema.Member{Key: "config", Value: config}))
}
