package translate

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/charset"
	"github.com/formgraph/formgraph/model/schema"
)

// maxXMLDepth bounds how deep the elements of a file nest.
const maxXMLDepth = 32

// ReadXLIFF reads what XLIFF wrote and a translators' program has completed, also if that made it a file of version 1.2. Segments of a unit
// are joined. A unit with a segment that has no target, or an empty one, counts as not translated. Errors name the line, and the unit if it is
// known. Document types, and with them entities, are refused.
func ReadXLIFF(src []byte) (*File, error) {
	if len(src) > MaxBytes {
		return nil, ErrTooLarge
	}
	text, err := charset.XML(src)
	if err != nil {
		return nil, err
	}
	r := xliffReader{d: xml.NewDecoder(strings.NewReader(text)), file: &File{}}
	r.d.CharsetReader = func(_ string, decoded io.Reader) (io.Reader, error) { return decoded, nil }
	if err := r.document(); err != nil {
		line, _ := r.d.InputPos()
		if r.unitID != "" {
			return nil, fmt.Errorf("line %d, unit %s: %w", line, r.unitID, err)
		}
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	return r.file, nil
}

type xliffReader struct {
	d        *xml.Decoder
	depth    int
	file     *File
	space    string // the namespace of XLIFF's own elements
	language string
	unitID   string            // of the unit that is being read
	data     map[string]string // of the unit, by id
}

// Mistakes in XLIFF files.
var (
	errDoctype   = errors.New("must not have a document type")
	errDeep      = fmt.Errorf("must nest at most %d deep", maxXMLDepth)
	errNotXLIFF  = errors.New("must be XLIFF 1.2, 2.0 or 2.1; save it in one of these versions")
	errNoTarget  = errors.New("must name the source and the target language")
	errLanguages = errors.New("must have the same source and target language in all its parts; send each language as a file of its own")
	errVersion   = errors.New("must be XML 1.0")
	errCut       = errors.New("must not end before its elements do; get the whole file again")
	errBroken    = errors.New("must be well-formed XML up to here; save it again with the program that wrote it")
)

// next returns the next start, end or text. At the end of the file it returns nil.
func (r *xliffReader) next() (xml.Token, error) {
	for {
		token, err := r.d.Token()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, broken(err)
		}
		switch token.(type) {
		case xml.Directive:
			return nil, errDoctype
		case xml.StartElement:
			if r.depth++; r.depth > maxXMLDepth {
				return nil, errDeep
			}
		case xml.EndElement:
			r.depth--
		case xml.CharData:
		default:
			continue // comments and instructions
		}
		return token, nil
	}
}

// broken says what is wrong with a file that is not XML, which its reader says in words for programmers.
func broken(err error) error {
	_, entity, named := strings.Cut(err.Error(), "invalid character entity ")
	switch {
	case named:
		return errors.New("must not have the character entity " + entity)
	case strings.Contains(err.Error(), "unsupported version"):
		return errVersion
	case strings.Contains(err.Error(), "unexpected EOF"):
		return errCut
	}
	return errBroken
}

func (r *xliffReader) document() error {
	begun := false
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		switch start, ok := token.(xml.StartElement); {
		case token == nil && !begun:
			return errNotXLIFF
		case token == nil && r.language == "":
			return errNoTarget
		case token == nil:
			return nil
		case !ok:
		case !begun:
			begun = true
			err = r.begin(start)
		default:
			err = r.part(start)
		}
		if err != nil {
			return err
		}
	}
}

// begin reads the start of the root.
func (r *xliffReader) begin(root xml.StartElement) error {
	version, space := attribute(root, "version"), root.Name.Space
	switch {
	case root.Name.Local != "xliff":
		return errNotXLIFF
	case version == "1.2" && (space == olderSpace || space == ""):
		r.space = space // each file names its languages
		return nil
	case strings.HasPrefix(version, "2.") && space == xliffSpace:
		r.space = space
		return r.languages(attribute(root, "srcLang"), attribute(root, "trgLang"))
	}
	return errNotXLIFF
}

// languages sets the languages of the file, which are the same in all its parts.
func (r *xliffReader) languages(source, target string) error {
	switch {
	case source == "" || target == "":
		return errNoTarget
	case r.language != "" && (r.file.Source != source || r.language != target):
		return errLanguages
	}
	r.file.Source, r.language = source, target
	return nil
}

// part reads an element between the root and the units.
func (r *xliffReader) part(e xml.StartElement) error {
	switch name := r.coreName(e); {
	case name == "unit":
		return r.unit(e)
	case name == "trans-unit":
		return r.olderUnit(e)
	case name == "file" && r.space != xliffSpace:
		return r.languages(attribute(e, "source-language"), attribute(e, "target-language"))
	case name != "file" && name != "body" && name != "group":
		return r.skip()
	}
	return nil
}

// coreName returns the name of an element of XLIFF itself, "" for one of another namespace.
func (r *xliffReader) coreName(e xml.StartElement) string {
	if e.Name.Space != r.space {
		return ""
	}
	return e.Name.Local
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// skip reads to the end of the element that has begun.
func (r *xliffReader) skip() error {
	return r.children(func(xml.StartElement) error { return r.skip() }, nil)
}

// children reads to the end of the element that has begun. do must read each element inside it to its end. text, if not nil, gets the text.
func (r *xliffReader) children(do func(xml.StartElement) error, text func(string)) error {
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if err := do(token); err != nil {
				return err
			}
		case xml.CharData:
			if text != nil {
				text(string(token))
			}
		default:
			return nil
		}
	}
}

func (r *xliffReader) unit(start xml.StartElement) error {
	r.unitID, r.data = attribute(start, "id"), map[string]string{}
	item := Item{Key: attribute(start, "name"), Where: "unit " + r.unitID, HasText: true}
	if item.Key == "" {
		return errors.New("must have the name that it was exported with")
	}
	target, complete := "", true
	err := r.children(func(e xml.StartElement) error {
		switch r.coreName(e) {
		case "originalData":
			return r.children(r.datum, nil)
		case "segment", "ignorable":
			source, translation, err := r.segment()
			item.Text += source
			switch {
			case translation != nil && (*translation != "" || source == ""):
				target += *translation
			case r.coreName(e) == "ignorable":
				target += source
			default:
				complete = false
			}
			return err
		}
		return r.skip()
	}, nil)
	if err != nil {
		return err
	}
	if complete && target != "" {
		item.Translations = []Translation{{r.language, target}}
	}
	r.unitID = ""
	return r.file.add(item)
}

// datum reads the text of a placeholder.
func (r *xliffReader) datum(e xml.StartElement) error {
	text, err := r.content()
	r.data[attribute(e, "id")] = text
	return err
}

// segment reads a segment. target is nil if it has none.
func (r *xliffReader) segment() (source string, target *string, err error) {
	err = r.children(func(e xml.StartElement) error {
		switch r.coreName(e) {
		case "source":
			source, err = r.content()
			return err
		case "target":
			if attribute(e, "order") != "" {
				return errors.New("must not have segments in another order")
			}
			text, err := r.content()
			target = &text
			return err
		}
		return r.skip()
	}, nil)
	return source, target, err
}

// content reads the text of an element, with the templates of placeholders and the markup of other inline elements.
func (r *xliffReader) content() (string, error) {
	var b strings.Builder
	var inside func(e xml.StartElement) error
	add := func(s string) { b.WriteString(s) }
	within := func() error { return r.children(inside, add) }
	inside = func(e xml.StartElement) error {
		name := r.coreName(e)
		if r.space != xliffSpace {
			return r.older(e, name, add, within)
		}
		switch name {
		case "ph", "sc", "ec":
			text, err := r.original(e, "dataRef", "equiv")
			if err != nil {
				return err
			}
			add(text)
		case "pc":
			opening, err := r.original(e, "dataRefStart", "equivStart")
			if err != nil {
				return err
			}
			closing, err := r.original(e, "dataRefEnd", "equivEnd")
			if err != nil {
				return err
			}
			add(opening)
			err = within()
			add(closing)
			return err
		case "cp":
			code, err := strconv.ParseUint(attribute(e, "hex"), 16, 16)
			if r := rune(code & 0xffff); err == nil && !inXML(r) {
				add(string(r))
			} else {
				return fmt.Errorf("the character %q is not one that XML lacks", attribute(e, "hex"))
			}
		case "mrk":
			return within()
		case "sm", "em":
		default:
			return lost(e)
		}
		return r.skip()
	}
	err := within()
	return schema.WellFormed(b.String()), err
}

// original returns the text that an inline element stands for: the original data that an attribute names, or an equivalent.
func (r *xliffReader) original(e xml.StartElement, data, equivalent string) (string, error) {
	if id := attribute(e, data); id != "" {
		if text, ok := r.data[id]; ok {
			return text, nil
		}
		return "", fmt.Errorf("the placeholder %q has no original data %q", attribute(e, "id"), id)
	}
	if text, ok := exact(attribute(e, equivalent)); ok {
		return text, nil
	}
	return "", lost(e)
}

// exact reports whether an equivalent text is what an inline element stands for: a template or a tag. Other ones are names for people.
func exact(text string) (string, bool) {
	return text, strings.HasPrefix(text, "{{") && strings.HasSuffix(text, "}}") || strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">")
}

// lost returns the refusal of an inline element whose text the file does not have.
func lost(e xml.StartElement) error {
	return fmt.Errorf("the text has the element <%s id=%q>, and the file does not say what that stands for; "+
		"save the file with the original text of tags and placeholders", e.Name.Local, attribute(e, "id"))
}
