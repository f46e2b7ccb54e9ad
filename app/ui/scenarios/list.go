package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// list is a list of scenarios, the trees of a file. It does not change: its methods return another one.
type list []*schema.Object

// maxName is the maximum number of characters of a name.
const maxName = 255

var (
	errNotScenarios = errors.New("this is not a file of scenarios")
	errNoName       = errors.New("a scenario needs a name")
	errLongName     = fmt.Errorf("a name has at most %d characters", maxName)
)

// parse returns the scenarios of a file. The server checks what is in them when they are saved.
func parse(text string) (list, error) {
	v, problems := schema.Decode([]byte(text))
	if len(problems) > 0 {
		return nil, problems[0]
	}
	file, _ := v.(*schema.Object)
	return read(file)
}

func read(file *schema.Object) (list, error) {
	if !file.Has("scenarios") {
		return nil, errNotScenarios
	}
	var l list
	for _, v := range file.List("scenarios") {
		s, ok := v.(*schema.Object)
		if !ok || s.Text("name") == "" {
			return nil, errNotScenarios
		}
		l = append(l, s)
	}
	return l, nil
}

// text returns the text of the file.
func (l list) text() string { return string(schema.EncodeIndent(l.file())) }

func (l list) file() *schema.Object {
	all := make([]any, len(l))
	for i, s := range l {
		all[i] = s
	}
	return schema.NewObject(schema.Member{Key: "version", Value: schema.IntNumber(1)}, schema.Member{Key: "scenarios", Value: all})
}

// index returns the index of a scenario, -1 for none.
func (l list) index(name string) int {
	return slices.IndexFunc(l, func(s *schema.Object) bool { return s.Text("name") == name })
}

// unique returns the name, with a number if a scenario has it.
func (l list) unique(name string) string {
	unique := name
	for i := 2; l.index(unique) >= 0; i++ {
		unique = fmt.Sprintf("%s (%d)", name, i)
	}
	return unique
}

// with returns the list with another scenario at its end, and the name that it got.
func (l list) with(s *schema.Object) (list, string) {
	name := l.unique(s.Text("name"))
	return append(slices.Clone(l), s.With("name", name)), name
}

func (l list) without(name string) list {
	return slices.DeleteFunc(slices.Clone(l), func(s *schema.Object) bool { return s.Text("name") == name })
}

// set returns the list with another value of a property of a scenario.
func (l list) set(name, key string, v any) list {
	next := slices.Clone(l)
	if i := l.index(name); i >= 0 {
		next[i] = next[i].With(key, v)
	}
	return next
}

// renamed returns the list with another name of a scenario.
func (l list) renamed(name, to string) (list, error) {
	to = strings.TrimSpace(to)
	switch {
	case to == name:
		return l, nil
	case to == "":
		return nil, errNoName
	case utf8.RuneCountInString(to) > maxName:
		return nil, errLongName
	case l.index(to) >= 0:
		return nil, errors.New("another scenario is called " + schema.Quote(to))
	}
	return l.set(name, "name", to), nil
}

// including returns the list with the scenarios of a file. Those of the same name are replaced.
func (l list) including(file list) (next list, added, replaced int) {
	next = slices.Clone(l)
	for _, s := range file {
		if i := next.index(s.Text("name")); i >= 0 {
			next[i] = s
			replaced++
			continue
		}
		next = append(next, s)
		added++
	}
	return next, added, replaced
}

// merge returns my list with what others changed since the base. Scenarios are compared by name. If both changed one, mine stays.
func merge(base, mine, theirs list) list {
	var merged list
	for _, s := range mine {
		name := s.Text("name")
		was, is := base.index(name), theirs.index(name)
		switch {
		case was < 0 || !schema.Equal(base[was], s): // I added or changed it
			merged = append(merged, s)
		case is >= 0:
			merged = append(merged, theirs[is])
		}
	}
	for _, s := range theirs {
		name := s.Text("name")
		if was := base.index(name); mine.index(name) < 0 && (was < 0 || !schema.Equal(base[was], s)) {
			merged = append(merged, s)
		}
	}
	return merged
}
