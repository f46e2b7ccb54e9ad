package canvas

import (
	"strconv"
	"syscall/js"
)

// pointerLayer shows the mice of other people, at a constant size on the screen.
type pointerLayer struct {
	el   js.Value
	list []Pointer
	zoom float64 // for which they have their size
}

// ShowPointers shows the mice of other people in place of those shown before.
func (s *overlay) ShowPointers(list []Pointer) {
	l := &s.pointers
	list = onceNamed(list, s.scene)
	if samePeople(l.list, list) {
		for i, p := range list {
			if p.At != l.list[i].At {
				l.el.Get("children").Index(i).Get("style").Set("translate", string(appendAt(nil, p)))
			}
		}
	} else {
		setHTML(l.el, string(appendPointers(nil, list)))
	}
	l.list = list
	l.fit(s.chart.Viewport().Zoom)
}

// fit keeps the size of the pointers when the view zooms.
func (l *pointerLayer) fit(zoom float64) {
	if len(l.list) > 0 && zoom != l.zoom {
		l.zoom = zoom
		l.el.Get("style").Call("setProperty", "--cv-back", strconv.FormatFloat(1/zoom, 'f', 4, 64))
	}
}
