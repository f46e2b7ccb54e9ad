package comments

import (
	"maps"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// drafts are the comments that are being written.
type drafts struct {
	of     map[string]*draft // by key
	sent   map[string]sent   // the last text that was sent from a field, by key
	unsent *schema.Object    // as Unsent last returned them
}

// draft is a comment that is being written. It stays until it is sent, whatever else the person looks at.
type draft struct {
	text    string
	caret   int // where the page puts the caret, in UTF-16 units; negative for nowhere
	wrong   string
	sending bool
}

// sent is a text that was sent from a field, and how many have been. The field has their number as data-in, so that each input says whether it
// was made before the text was sent.
type sent struct {
	times int
	call  call
}

// after returns what somebody wrote in a field while a call sent its text: what follows the text that was sent, or all of it if that was changed
// or is an edit; "" for nothing.
func (c call) after(text string) string {
	rest, continued := strings.CutPrefix(strings.TrimSpace(text), c.text)
	if rest = strings.TrimSpace(rest); continued && (rest == "" || !strings.HasPrefix(c.draft, editKey)) {
		return rest
	}
	return text
}

// Keys of drafts.
const (
	newKey   = "new "
	replyKey = "reply "
	editKey  = "edit "
)

func (p place) key() string { return newKey + p.node + "\t" + p.component }

// placeOf returns the place of a new comment.
func placeOf(key string) place {
	node, component, _ := strings.Cut(strings.TrimPrefix(key, newKey), "\t")
	return place{node, component}
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// draft returns the draft of a key, a new one if there is none.
func (p *Page) draft(key string) *draft {
	d := p.drafts.of[key]
	if d == nil {
		d = &draft{caret: -1}
		if r := p.edited(key); r != nil {
			d.text = r.text
		}
		p.drafts.of[key] = d
	}
	return d
}

// edited returns the comment that a draft changes, nil for none.
func (p *Page) edited(key string) *remark {
	id, ok := strings.CutPrefix(key, editKey)
	if !ok {
		return nil
	}
	_, r := p.remark(id)
	return r
}

// Unsent implements desk.Writer. An edit that has changed nothing is not one.
func (p *Page) Unsent() *schema.Object {
	var members []schema.Member
	for _, key := range slices.Sorted(maps.Keys(p.drafts.of)) {
		d := p.drafts.of[key]
		if r := p.edited(key); !blank(d.text) && (r == nil || r.text != d.text) {
			members = append(members, schema.Member{Key: key, Value: d.text})
		}
	}
	if slices.Equal(members, p.drafts.unsent.Members()) {
		return p.drafts.unsent
	}
	p.drafts.unsent = schema.NewObject(members...)
	return p.drafts.unsent
}

// restore takes the drafts of an earlier visit. Those that the person has begun anew since stay.
func (p *Page) restore(o *schema.Object) {
	for _, m := range o.Members() {
		text, _ := m.Value.(string)
		if p.drafts.of[m.Key] != nil || blank(text) {
			continue
		}
		p.drafts.of[m.Key] = &draft{text: text, caret: -1}
		if p.place == nil && strings.HasPrefix(m.Key, newKey) {
			at := placeOf(m.Key)
			p.place = &at
		}
	}
	p.prune()
}

// prune forgets the drafts of replies and edits whose thread or comment is gone: nothing shows them anymore.
func (p *Page) prune() {
	if !p.read {
		return
	}
	maps.DeleteFunc(p.drafts.of, func(key string, d *draft) bool {
		id, reply := strings.CutPrefix(key, replyKey)
		gone := reply && p.thread(id) == nil
		if strings.HasPrefix(key, editKey) {
			r := p.edited(key)
			gone = r == nil || r.gone()
		}
		return gone && !d.sending
	})
}
