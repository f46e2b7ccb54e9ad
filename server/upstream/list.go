package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of a list that is reduced while it is read. Memory is bounded by an item and by what is kept.
const (
	// maxItem bounds an item in bytes.
	maxItem = maxAnswer
	// maxList bounds the answer in bytes: a page of 100 forms of the largest size.
	maxList = 100 * maxAnswer / 2
)

// summarize reads a list and keeps the scalar members of its items, in an array or in an object around arrays. It builds no tree.
func summarize(body io.Reader) ([]byte, error) {
	src := &meter{from: body, left: maxList, item: maxItem}
	var out bytes.Buffer
	s := summary{
		src: src, in: jsontext.NewDecoder(src, jsontext.AllowDuplicateNames(true)),
		to: jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true)), kept: &out,
	}
	err := s.whole()
	switch {
	case src.err != nil && !errors.Is(src.err, io.EOF):
		return nil, src.err
	case err != nil:
		return nil, fmt.Errorf("%w: a list with invalid JSON", ErrAnswer)
	}
	return out.Bytes(), nil
}

type summary struct {
	src  *meter
	in   *jsontext.Decoder
	to   *jsontext.Encoder
	kept *bytes.Buffer
}

var errNotAlone = errors.New("more follows the value")

// whole copies the only value of the answer. An empty answer stays empty.
func (s *summary) whole() error {
	var err error
	switch s.in.PeekKind() {
	case '[':
		err = s.items()
	case '{':
		err = s.object(func() error {
			if s.in.PeekKind() == '[' {
				return s.items()
			}
			return s.copy()
		})
	default:
		if err = s.copy(); errors.Is(err, io.EOF) {
			return nil
		}
	}
	if err != nil {
		return err
	}
	if _, err := s.in.ReadToken(); !errors.Is(err, io.EOF) {
		return errNotAlone
	}
	return nil
}

// items copies an array. Of objects in it, it copies only members that are neither objects nor arrays.
func (s *summary) items() error {
	if err := s.token(); err != nil {
		return err
	}
	for s.in.PeekKind() != ']' {
		s.src.item = maxItem
		if s.kept.Len() > maxAnswer {
			s.src.err = fmt.Errorf("%w: a list over %d bytes", ErrAnswer, maxAnswer)
			return s.src.err
		}
		var err error
		if s.in.PeekKind() == '{' {
			err = s.object(nil)
		} else {
			err = s.copy()
		}
		if err != nil {
			return err
		}
	}
	return s.token()
}

// object copies an object, each value by value; nil means to keep scalars only.
func (s *summary) object(value func() error) error {
	if err := s.token(); err != nil {
		return err
	}
	for s.in.PeekKind() != '}' {
		name, err := s.in.ReadToken()
		if err != nil {
			return err
		}
		name = name.Clone()
		if kind := s.in.PeekKind(); value == nil && (kind == '{' || kind == '[') {
			if err := s.in.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if err := s.to.WriteToken(name); err != nil {
			return err
		}
		if value == nil {
			err = s.copy()
		} else {
			err = value()
		}
		if err != nil {
			return err
		}
	}
	return s.token()
}

func (s *summary) token() error {
	t, err := s.in.ReadToken()
	if err != nil {
		return err
	}
	return s.to.WriteToken(t)
}

func (s *summary) copy() error {
	v, err := s.in.ReadValue()
	if err != nil {
		return err
	}
	return s.to.WriteValue(v)
}

// meter counts what is read of a list, in all and of an item, and remembers why reading ended.
type meter struct {
	from       io.Reader
	left, item int
	err        error
}

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	if m.left < 0 || m.item < 0 {
		m.err = fmt.Errorf("%w: a list over %d bytes, or an item over %d", ErrAnswer, maxList, maxItem)
		return 0, m.err
	}
	n, err := m.from.Read(p)
	m.left -= n
	m.item -= n
	m.err = err
	return n, err
}
