package preview

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// drawFile draws a place for files. Only their names, sizes and types are read; nothing is uploaded.
func drawFile(f *field) control {
	k := control{collect: CollectFiles, kept: f.it.Answer}
	input := el("input", "").set("type", "file").when(f.flag("multiple"), "multiple").some("accept", f.accepted())
	words := f.chooseFile
	if f.flag("multiple") {
		words = f.chooseFiles
	}
	limits := el("small", "", text(strings.Join(f.fileLimits(), " · ")))
	drop := el("div", "fg-drop", icon("upload"), el("div", "", span("", words), limits), input)
	k.body = []*element{drop, el("ul", "fg-files").set("data-files", f.remove)}
	input.set("aria-label", f.name()+": "+words)
	return f.only(input, k)
}

// fileTypes maps the categories of files to media types and to words.
var fileTypes = []struct{ category, accept, words string }{
	{"AUDIO", "audio/*", "audio"},
	{"VIDEO", "video/*", "video"},
	{"IMAGE", "image/*", "pictures"},
	{"DOCUMENT", ".pdf,.doc,.docx,.odt,.rtf,.txt,.md,.csv,.xls,.xlsx,.ods,.ppt,.pptx,.odp", "documents"},
	{"ARCHIVE", ".zip,.tar,.gz,.7z,.rar", "archives"},
}

// accepted returns the value of the attribute accept.
func (f *field) accepted() string {
	var list []string
	for _, t := range fileTypes {
		if slices.Contains(texts(f.config.List("categories")), t.category) {
			list = append(list, t.accept)
		}
	}
	for _, e := range texts(f.config.List("extensions")) {
		list = append(list, "."+strings.TrimPrefix(e, "."))
	}
	return strings.Join(list, ",")
}

// texts returns the strings of a list.
func texts(list []any) []string {
	var all []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// fileLimits returns what the config allows, in words.
func (f *field) fileLimits() []string {
	var types, limits []string
	for _, t := range fileTypes {
		if slices.Contains(texts(f.config.List("categories")), t.category) {
			types = append(types, t.words)
		}
	}
	for _, e := range texts(f.config.List("extensions")) {
		types = append(types, strings.ToUpper(strings.TrimPrefix(e, ".")))
	}
	if len(types) > 0 {
		words := strings.Join(types, ", ")
		limits = append(limits, strings.ToUpper(words[:1])+words[1:])
	}
	size, _ := f.config.Get("maxSize")
	if n, ok := size.(schema.Number); ok {
		limits = append(limits, f.upTo+answer.SizeText(n)+f.each)
	}
	count, _ := f.config.Get("maxFiles")
	if n, ok := count.(schema.Number); ok && f.flag("multiple") {
		limits = append(limits, f.upTo+string(n)+f.files)
	}
	return limits
}
