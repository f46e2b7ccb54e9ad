package preview

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/contrast"
	"github.com/formgraph/formgraph/model/schema"
)

func drawDivider(f *field) *element {
	words := f.config.Text("text")
	if words == "" {
		return el("hr", "af-divider-block")
	}
	return el("div", "af-divider-block fg-divider", span("", words))
}

func drawHTML(f *field) *element {
	return el("div", "af-html-block").set("data-html", f.config.Text("content"))
}

func drawRichText(f *field) *element {
	return el("div", "af-rich-text-block").set("data-html", f.config.Text("content"))
}

func drawImage(f *field) *element {
	e := el("div", "af-image-block fg-"+strings.ToLower(or(f.position("position"), "CENTER")), f.picture(f.config.Text("src"), f.pictureWord))
	v, _ := f.config.Get("height")
	if n, ok := v.(schema.Number); ok {
		e.set("style", "--fg-height:"+pixels(string(n)))
	}
	return e
}

// position returns the value of a property for alignment, "" if it is not one.
func (f *field) position(property string) string {
	if p := f.config.Text(property); member("LEFT CENTER RIGHT", p) {
		return p
	}
	return ""
}

// picture returns a picture, or what stands for it while pictures of other sites are not loaded. name is its accessible name, "" if
// there is another.
func (f *field) picture(src, name string) *element {
	if f.screen.Images || strings.HasPrefix(src, "data:image/") {
		return el("img", "").set("src", src).set("alt", name).set("referrerpolicy", "no-referrer")
	}
	box := el("span", "fg-picture", icon("image"), span("", host(src))).set("title", f.noPictures)
	if name == "" {
		return box.set("aria-hidden", "true")
	}
	return box.set("role", "img").set("aria-label", name)
}

// host returns the site of an address.
func host(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// button returns a button in the element that the vendor's classes describe.
func (f *field) button(words, outer, inner string) *element {
	b := el("button", inner, span("af-button-text", words)).set("type", "button").set("data-button", f.c.ID)
	return el("div", strings.Join(strings.Fields("af-button af-step-button "+outer), " "), b.when(f.it.Disabled, "disabled"))
}

func drawNext(f *field) *element {
	e := f.button(f.config.Text("text"), "af-step-next", "af-nextButton")
	e.kids[0].set("data-submit", "")
	return e
}

func drawPrevious(f *field) *element {
	return f.button(f.config.Text("text"), "af-step-previous", "af-previousButton")
}

func drawJump(f *field) *element {
	e := f.button(f.config.Text("text"), "af-step-jump", "af-jumpButton")
	if c := f.config.Object("style").Text("background_color"); c != "" {
		if ink := inkOn(c); ink != "" {
			e.kids[0].set("style", "background-color:"+c+";border-color:"+c+";color:"+ink)
		}
	}
	return e
}

// inkOn returns black or white, whichever has more contrast on a background, "" if that is not a colour of the tables. The luminance is
// that of WCAG 2.2; where it is 0.179, both have the same contrast.
func inkOn(hex string) string {
	parts, ok := contrast.Hex(hex)
	if !ok {
		return ""
	}
	if contrast.Luminance(parts) > 0.179 {
		return "#000000"
	}
	return "#ffffff"
}

func drawResend(f *field) *element {
	e := el("div", "af-resend fg-"+strings.ToLower(or(f.position("text_alignment"), "CENTER")))
	b := el("button", "fg-link", text(f.config.Text("button_text"))).set("type", "button").set("data-button", f.c.ID)
	e.add(span("fg-active", f.config.Text("active_text")), text(" "), b.when(f.it.Disabled || f.it.Wait > 0, "disabled"))
	if f.it.Wait > 0 && !f.it.Disabled {
		e.set("data-wait", strconv.Itoa(f.it.Wait)).set("data-waiting", f.config.Text("waiting_text"))
		e.add(el("span", "fg-waiting", text(waiting(f.config.Text("waiting_text"), f.it.Wait))))
	}
	return e
}

// waiting returns the text of a button that waits, with the seconds in their place.
func waiting(words string, seconds int) string {
	before, rest, ok := strings.Cut(words, "{{")
	name, after, closed := strings.Cut(rest, "}}")
	if !ok || !closed || strings.TrimSpace(name) != "remaining_seconds" {
		return words
	}
	return before + strconv.Itoa(seconds) + after
}
