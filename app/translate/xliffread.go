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

// ReadXLIFF reads what XLIFF wrote and a translators' program has completed. Segments of a unit are joined. A unit with a segment that has
// no target, or an empty one, counts as not translated. Errors name the line, and the unit if it is known. Document types, and with them entities, are
// refused.
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
	language string
	unitID   string            // of the unit that is being read
	data     map[string]string // of the unit, by id
}

// Mistakes in XLIFF files.
var (
	errDoctype  = errors.New("must not have a document type")
	errDeep     = fmt.Errorf("must nest at most %d deep", maxXMLDepth)
	errNotXLIFF = errors.New("must be XLIFF 2.0 or 2.1; save it in one of these versions")
	errNoTarget = errors.New("must name the source and the target language")
	errVersion  = errors.New("must be XML 1.0")
	errCut      = errors.New("must not end before its elements do; get the whole file again")
	errBroken   = errors.New("must be well-formed XML up to here; save it again with the program that wrote it")
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
		if token == nil || err != nil {
			if err == nil && !begun {
				return errNotXLIFF
			}
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch name := coreName(start); {
		case !begun && (name != "xliff" || !strings.HasPrefix(attribute(start, "version"), "2.")):
			return errNotXLIFF
		case !begun:
			begun = true
			r.file.Source, r.language = attribute(start, "srcLang"), attribute(start, "trgLang")
			if r.file.Source == "" || r.language == "" {
				return errNoTarget
			}
		case name == "unit":
			if err := r.unit(start); err != nil {
				return err
			}
		case name != "file" && name != "group":
			if err := r.skip(); err != nil {
				return err
			}
		}
	}
}

// coreName returns the name of an element of XLIFF itself, "" for one of another namespace.
func coreName(e xml.StartElement) string {
	if e.Name.Space != xliffSpace {
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
		switch coreName(e) {
		case "originalData":
			return r.children(r.datum, nil)
		case "segment", "ignorable":
			source, translation, err := r.segment()
			item.Text += source
			switch {
			case translation != nil && (*translation != "" || source == ""):
				target += *translation
			case coreName(e) == "ignorable":
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
		switch coreName(e) {
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

// content reads the text of an element, with the templates of placeholders.
func (r *xliffReader) content() (string, error) {
	var b strings.Builder
	var inside func(e xml.StartElement) error
	add := func(s string) { b.WriteString(s) }
	inside = func(e xml.StartElement) error {
		switch name := coreName(e); name {
		case "ph":
			id := attribute(e, "dataRef")
			text, ok := r.data[id]
			if !ok {
				return fmt.Errorf("the placeholder %q has no original data %q", attribute(e, "id"), id)
			}
			add(text)
		case "cp":
			code, err := strconv.ParseUint(attribute(e, "hex"), 16, 16)
			if r := rune(code & 0xffff); err == nil && !inXML(r) {
				add(string(r))
			} else {
				return fmt.Errorf("the character %q is not one that XML lacks", attribute(e, "hex"))
			}
		case "mrk":
			return r.children(inside, add)
		case "sm", "em":
		default:
			return fmt.Errorf("the element %q is not one of the export", e.Name.Local)
		}
		return r.skip()
	}
	err := r.children(inside, add)
	return schema.WellFormed(b.String()), err
}
