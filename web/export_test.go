package web

import "io/fs"

// NewSite lets tests serve their own file tree.
func NewSite(tree fs.FS, o Options) (*Site, error) {
	assets, err := readAssets(tree)
	if err != nil {
		return nil, err
	}
	return newSite(assets, o)
}

// ForTokens and ForIcons replace tokens.css and icons.svg.
const ForTokens = "x {}\n:root {\n  --ink-3: #111; --ink-2: #222; --step: #01f; --flow: #02f; --router: #03f; --start: #04f; --ending: #05f; --bad: #f00; --warn: #ff0; --accent: #06f; --accent-ink: #fff;\n}\n" +
	"[data-theme=\"dark\"] {\n  --ink-3: #eee; --ink-2: #ddd; --step: #a1f; --flow: #a2f; --router: #a3f; --start: #a4f; --ending: #a5f; --bad: #faa; --warn: #ffa; --accent: #a6f; --accent-ink: #000;\n}\n"

func ForIcons(names ...string) string {
	s := `<svg xmlns="http://www.w3.org/2000/svg">`
	for _, n := range names {
		s += `<symbol id="` + n + `" viewBox="0 0 16 16"><path d="M1 1" fill="currentColor"/></symbol>`
	}
	return s + `</svg>`
}
