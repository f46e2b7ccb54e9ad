package comments

import "github.com/formgraph/formgraph/app/face"

// crowd is everybody who has to do with the comments.
type crowd struct {
	me person
	// moderator means that the viewer may delete what others wrote.
	moderator bool
	people    []person       // who may be mentioned, without me
	here      []string       // the subjects of those who have the form open, with me
	hues      map[string]int // the color of each person, by subject
}

// color gives everybody a color. Those who are here have the colors that they have on the canvas.
func (c *crowd) color(threads []*thread) {
	subs := []string{c.me.sub}
	for _, who := range c.people {
		subs = append(subs, who.sub)
	}
	for _, t := range threads {
		for i := range t.remarks {
			subs = append(subs, t.remarks[i].by.sub)
		}
	}
	c.hues = face.Hues(c.here, subs)
}
