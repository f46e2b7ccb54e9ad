package languages

import (
	"fmt"
	"path"
	"strings"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/translate"
)

// export gives the person a file of translations.
func (p *Page) export(t *desk.Turn, format, language string) {
	var text []byte
	var err error
	name := fileName(p.form.Name) + ".translations"
	kind := "application/json"
	switch format {
	case "csv":
		text, err = p.table.CSV()
		name, kind = name+".csv", "text/csv"
	case "json":
		text, err = p.table.JSON()
		name += ".json"
	default:
		text, err = p.table.XLIFF(p.table.Column(language), p.form.Name)
		name, kind = name+"."+language+".xlf", "application/xliff+xml"
	}
	p.close(t)
	if err != nil {
		t.Say(fmt.Sprintf("The file was not made: %v.", err))
		return
	}
	t.Download(name, kind, string(text))
}

// fileName returns a name of a file for a form.
func fileName(form string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, form)
	name = strings.Trim(name, "-")
	if name == "" {
		return "form"
	}
	return name
}

// readers read the formats of files, by the ending of their names.
var readers = map[string]func([]byte) (*translate.File, error){
	".csv": translate.ReadCSV, ".tsv": translate.ReadCSV, ".txt": translate.ReadCSV, ".json": translate.ReadJSON,
	".xlf": translate.ReadXLIFF, ".xliff": translate.ReadXLIFF,
}

// read reads a file and shows what it would change.
func (p *Page) read(t *desk.Turn, name string, src []byte) {
	p.fault, p.plan, p.open = "", nil, planned
	t.Focus(".dk-dialog .primary:enabled, .dk-dialog .secondary")
	reader := readers[strings.ToLower(path.Ext(name))]
	switch {
	case src == nil:
		p.fault = fmt.Sprintf("%s could not be read. Choose it again.", name)
		return
	case reader == nil:
		p.fault = fmt.Sprintf("%s: files of translations end in .csv, .xlf or .json.", name)
		return
	}
	f, err := reader(src)
	if err == nil {
		p.plan, err = p.table.Plan(f)
	}
	if err != nil {
		p.fault = fmt.Sprintf("%s: %v.", name, err)
	}
}
