package translate

import "encoding/xml"

// XLIFF 1.2, https://docs.oasis-open.org/xliff/v1.2/os/xliff-core.html, which many programs write whatever they read.
const olderSpace = "urn:oasis:names:tc:xliff:document:1.2"

// olderUnit reads a unit of version 1.2. Its key is the name of the resource, which programs that convert files make of the name of a unit.
func (r *xliffReader) olderUnit(start xml.StartElement) error {
	r.unitID = attribute(start, "id")
	item := Item{Key: attribute(start, "resname"), Where: "unit " + r.unitID, HasText: true}
	if item.Key == "" {
		item.Key = r.unitID
	}
	target, prepared := "", false
	err := r.children(func(e xml.StartElement) (err error) {
		switch r.coreName(e) {
		case "source":
			item.Text, err = r.content()
			return err
		case "target":
			state := attribute(e, "state")
			prepared = state == "new" || state == "needs-translation"
			target, err = r.content()
			return err
		}
		return r.skip() // notes, other translations, and the source in segments
	}, nil)
	if err != nil {
		return err
	}
	// A program may prepare the target as a copy of the source.
	if target != "" && (!prepared || target != item.Text) {
		item.Translations = []Translation{{r.language, target}}
	}
	r.unitID = ""
	return r.file.add(item)
}

// older reads an inline element of version 1.2. Elements with the original code contain it; of the others only an equivalent text is known.
func (r *xliffReader) older(e xml.StartElement, name string, add func(string), within func() error) error {
	text, ok := exact(attribute(e, "equiv-text"))
	switch name {
	case "ph", "bpt", "ept", "it":
		has := false
		err := r.children(func(sub xml.StartElement) error {
			if r.coreName(sub) != "sub" {
				return lost(sub)
			}
			has = true
			return within()
		}, func(s string) {
			has = has || s != ""
			add(s)
		})
		if err != nil || has {
			return err
		}
	case "mrk":
		return within()
	case "x", "bx", "ex":
		if ok {
			if err := r.skip(); err != nil {
				return err
			}
		}
	default:
		ok = false
	}
	if !ok {
		return lost(e)
	}
	add(text)
	return nil
}
