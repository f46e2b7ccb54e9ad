package preview

// icons are the paths of our icons in a box of 16 by 16.
var icons = map[string]string{
	"bad":    "M8 2 1.8 13h12.4zM8 6.2v3.3M8 11.4v.1",
	"caret":  "m4 6 4 4 4-4",
	"check":  "m3 8.5 3.2 3.2L13 4.8",
	"done":   "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M5 8.2l2.1 2.1L11 6.2",
	"upload": "M8 10.5v-8M4.8 5.5 8 2.3l3.2 3.2M2.5 10.5v3h11v-3",
	"image":  "M2 3h12v10H2zM2 11l3.5-3.5L8 10l2.5-2.5L14 11M10.5 5.8v.1",
	"card":   "M1.5 3.5h13v9h-13zM1.5 6.5h13M4 10h3",
	"pin":    "M8 14.5s5-4.4 5-8a5 5 0 0 0-10 0c0 3.6 5 8 5 8M8 6.5v.1",
	"person": "M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 14c.5-3 2.7-4.5 5.5-4.5s5 1.5 5.5 4.5",
}

// icon returns a decorative icon.
func icon(name string) *element {
	path := el("path", "").set("d", icons[name])
	svg := el("svg", "fg-icon", path).set("viewBox", "0 0 16 16").set("aria-hidden", "true")
	return svg.set("fill", "none").set("stroke", "currentColor").set("stroke-width", "1.5").set("stroke-linecap", "round").
		set("stroke-linejoin", "round")
}
