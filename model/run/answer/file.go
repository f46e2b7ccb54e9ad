package answer

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// parseFiles reads files as objects with name, size and type, or as their names.
func parseFiles(_ *schema.Object, given any) (any, Key) {
	list := asList(given)
	files := make([]any, 0, len(list))
	for _, v := range list {
		if blank(v) {
			continue
		}
		if s, ok := v.(string); ok {
			v = schema.NewObject(schema.Member{Key: "name", Value: strings.TrimSpace(s)})
		}
		o, _ := v.(*schema.Object)
		if strings.TrimSpace(o.Text("name")) == "" {
			return nil, InvalidInput
		}
		if size, ok := o.Get("size"); ok {
			n, isNumber := size.(schema.Number)
			if !isNumber || !n.Integer() || n.Compare("0") < 0 {
				return nil, InvalidInput
			}
		}
		files = append(files, o)
	}
	if len(files) == 0 {
		return nil, ""
	}
	return files, ""
}

// anyFile reports whether bad is true for one of the files.
func anyFile(answer any, bad func(*schema.Object) bool) bool {
	files, _ := answer.([]any)
	return slices.ContainsFunc(files, func(v any) bool { o, _ := v.(*schema.Object); return bad(o) })
}

func severalFiles(bound, answer any, _ *schema.Object) bool {
	files, _ := answer.([]any)
	return bound != true && len(files) > 1
}

func tooManyFiles(bound, answer any, _ *schema.Object) bool {
	n, ok := bound.(schema.Number)
	files, _ := answer.([]any)
	return ok && schema.IntNumber(len(files)).Compare(n) > 0
}

// tooBigFile reports whether a file is larger than the bound. A file of unknown size is not.
func tooBigFile(bound, answer any, _ *schema.Object) bool {
	n, ok := bound.(schema.Number)
	return ok && anyFile(answer, func(o *schema.Object) bool {
		size, _ := o.Get("size")
		bytes, known := size.(schema.Number)
		return known && bytes.Compare(n) > 0
	})
}

// otherExtension reports whether a file has neither a listed extension nor a listed category.
func otherExtension(bound, answer any, config *schema.Object) bool {
	extensions, _ := bound.([]any)
	return len(extensions) > 0 && anyFile(answer, func(o *schema.Object) bool {
		has := slices.ContainsFunc(extensions, func(v any) bool {
			s, _ := v.(string)
			return strings.EqualFold(strings.TrimPrefix(s, "."), extension(o))
		})
		return !has && !inCategory(o, config.List("categories"))
	})
}

// otherCategory reports whether a file has none of the listed categories. If there are extensions too, otherExtension judges both.
func otherCategory(bound, answer any, config *schema.Object) bool {
	categories, _ := bound.([]any)
	return len(categories) > 0 && len(config.List("extensions")) == 0 &&
		anyFile(answer, func(o *schema.Object) bool { return !inCategory(o, categories) })
}

// extension returns what follows the last point of a file's name, in lower case, "" if there is none.
func extension(o *schema.Object) string {
	name := strings.TrimSpace(o.Text("name"))
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return strings.ToLower(name[i+1:])
}

// category has the extensions and media types of a category of files.
type category struct {
	name       string
	mediaTypes []string // one that ends in a slash covers all below it
	extensions string   // separated by spaces
}

var categories = []category{
	{"AUDIO", []string{"audio/"}, "mp3 wav ogg oga m4a flac aac opus wma aiff mid"},
	{"VIDEO", []string{"video/"}, "mp4 m4v mov avi mkv webm mpeg mpg ogv wmv 3gp"},
	{"IMAGE", []string{"image/"}, "png jpg jpeg gif webp svg bmp tif tiff heic heif avif ico"},
	{"DOCUMENT", []string{
		"text/", "application/pdf", "application/rtf", "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint",
		"application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument.",
	}, "pdf doc docx odt rtf txt md csv tsv xls xlsx ods ppt pptx odp pages numbers key epub"},
	{
		"ARCHIVE",
		[]string{"application/zip", "application/gzip", "application/x-tar", "application/x-7z-compressed", "application/vnd.rar"},
		"zip tar gz tgz bz2 xz 7z rar zst",
	},
}

// inCategory reports whether a file has one of the named categories, by its extension, or by its media type if no category has the
// extension.
func inCategory(o *schema.Object, names []any) bool {
	byExtension := func(c category) bool { return slices.Contains(strings.Fields(c.extensions), extension(o)) }
	byType := func(c category) bool {
		return slices.ContainsFunc(c.mediaTypes, func(t string) bool {
			return strings.HasPrefix(strings.ToLower(o.Text("type")), t)
		})
	}
	is := byExtension
	if !slices.ContainsFunc(categories, byExtension) {
		is = byType
	}
	return slices.ContainsFunc(categories, func(c category) bool { return slices.Contains(names, any(c.name)) && is(c) })
}

// list returns the strings of a list for a text, in lower case.
func list(bound any) string {
	all, _ := bound.([]any)
	names := make([]string, 0, len(all))
	for _, v := range all {
		if s, ok := v.(string); ok {
			names = append(names, strings.ToLower(s))
		}
	}
	return strings.Join(names, ", ")
}

// maxSizeText returns the maximum size of a file for its refusal.
func maxSizeText(bound any) string {
	n, _ := bound.(schema.Number)
	return SizeText(n)
}

// SizeText returns a number of bytes for people, in KB and MB of 1024, rounded down to a tenth.
func SizeText(n schema.Number) string {
	bytes, ok := n.Int()
	if !ok {
		return string(n) + " bytes"
	}
	unit, name := 1<<10, " KB"
	if bytes >= 1<<20 {
		unit, name = 1<<20, " MB"
	}
	text := plain(schema.IntNumber(bytes / unit))
	if tenth := bytes % unit * 10 / unit; tenth > 0 {
		text += "." + plain(schema.IntNumber(tenth))
	}
	return text + name
}
