package inspector

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// follower is a value of an option that follows the option's label.
type follower struct {
	path  schema.Path // of the value
	value string
	all   taken       // the values of all options
	marks schema.Path // of the default value that is this option, nil for none
}

// followers finds the values that follow their labels: those that their label makes, as long as no condition compares with them. Once a
// person has changed a value, it stays.
func (rd reader) followers(r *Row) {
	if len(r.keys) < 2 || r.keys[0] != "label" || r.keys[1] != "value" {
		return
	}
	r.options = true
	r.defaults, _ = schema.Lookup(rd.form.Tree(), defaultPath(r.Path))
	all := newTaken()
	for _, of := range r.Rows {
		all.add(of.Rows[1].Text())
	}
	var compared map[string]bool
	for i := range r.Rows {
		cells := r.Rows[i].Rows
		value := cells[1].Text()
		f := &follower{path: cells[1].Path, value: value, all: all}
		if !all.follows(value, slug(cells[0].Text())) {
			continue
		}
		if compared == nil {
			compared = map[string]bool{}
			for _, n := range rd.form.Nodes {
				if router, ok := n.Config.(*model.Router); ok {
					for _, rule := range router.Rules {
						textsIn(rule.Condition, compared)
					}
				}
			}
		}
		if value == "" || !compared[value] {
			cells[0].follower = f
		}
		if value != "" && r.defaults == value {
			f.marks = defaultPath(r.Path)
		}
	}
}

// defaultPath returns the path of the default value beside a list of options.
func defaultPath(list schema.Path) schema.Path { return list[:len(list)-1].Key("default_value") }

// textsIn adds every string in a value to a set.
func textsIn(v any, to map[string]bool) {
	switch v := v.(type) {
	case string:
		to[v] = true
	case []any:
		for _, e := range v {
			textsIn(e, to)
		}
	case *schema.Object:
		for _, m := range v.Members() {
			textsIn(m.Value, to)
		}
	}
}

// edit returns the command for a label that its value follows.
func (f follower) edit(label editor.Set) editor.Command {
	text, _ := label.Value.(string)
	value := slug(text)
	if f.all.follows(f.value, value) {
		return label
	}
	value = f.all.free(value)
	all := []editor.Command{label, editor.Set{Path: f.path, Value: value}}
	if f.marks != nil && value != "" {
		all = append(all, editor.Set{Path: f.marks, Value: value})
	}
	return editor.Sequence{Name: label.Label(), Key: label.MergeKey(), Commands: all}
}

// slug returns the value that the label of an option makes: its words in lower case, joined by underscores.
func slug(label string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(label) {
		if i := strings.IndexRune(accented, r); i >= 0 {
			b.WriteByte(plain[len([]rune(accented[:i]))])
			continue
		}
		switch {
		case r == 'ß':
			b.WriteString("ss")
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r > '\u00bf' && (r < '\u2000' || r > '\u303f'): // the rest is punctuation
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	slug := strings.TrimSuffix(b.String(), "_")
	if slug == "" && strings.TrimSpace(label) != "" {
		slug = "option"
	}
	return slug
}

// The letters of plain stand for those of accented.
const (
	accented = "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿ"
	plain    = "aaaaaaceeeeiiiinoooooouuuuyy"
)

// taken are the texts that others have.
type taken struct {
	count map[string]int // of those who have a text
	next  map[string]int // a number before which each numbered form of a text is taken
}

func newTaken() taken { return taken{map[string]int{}, map[string]int{}} }

func (t taken) add(text string) { t.count[text]++ }

// free returns a text that nobody has: the text itself, or with a number. The text "" may be had by many.
func (t taken) free(text string) string {
	if text == "" {
		return ""
	}
	n := max(t.next[text], 1)
	for t.count[numbered(text, n)] > 0 {
		n++
	}
	t.next[text] = n
	return numbered(text, n)
}

// follows reports whether a text that somebody has is what free would return if they did not have it.
func (t taken) follows(own, text string) bool {
	if own == "" || text == "" {
		return own == text
	}
	t.free(text)
	n := 1
	if number, ok := strings.CutPrefix(own, text+"_"); ok {
		n, _ = strconv.Atoi(number)
	}
	return n > 0 && own == numbered(text, n) && t.count[own] == 1 && n < t.next[text]
}

// numbered returns a text with a number, but for the first.
func numbered(text string, n int) string {
	if n == 1 {
		return text
	}
	return text + "_" + strconv.Itoa(n)
}

// IsDefault reports whether an option of the list is the default, or one of the defaults.
func (l List) IsDefault(i int) bool {
	value := l.OptionValue(i)
	list, _ := l.defaults.([]any)
	return value != "" && (l.defaults == value || slices.Contains(list, any(value)))
}

// OptionValue returns the value of an option.
func (l List) OptionValue(i int) string { return l.Rows[i].Rows[1].Text() }

// DefaultPath returns the path of the default value of options.
func (l List) DefaultPath() schema.Path { return defaultPath(l.Path) }

// HasDefault reports whether one of the list's options can be the default.
func (l List) HasDefault() bool { return l.options }

// Cell returns the list and the element in it to which a text belongs, and false if the row is not below a list.
func (r Row) Cell() (list schema.Path, i int, ok bool) {
	for n := len(r.Path) - 1; n > 0 && n >= len(r.Path)-2; n-- {
		if r.Path[n].Index >= 0 && r.Path[n].Key == "" {
			return r.Path[:n], r.Path[n].Index, true
		}
	}
	return nil, 0, false
}

// AddAt returns the command that inserts an element before the element i of Items.
func (l List) AddAt(i int) editor.Command {
	return editor.InsertItem{Path: l.Path.Index(i), Value: l.Element.New, Name: l.Element.Noun}
}

// EmptyAt reports whether every text of the element i is empty.
func (l List) EmptyAt(i int) bool {
	return strings.Join(l.cells(i), "") == ""
}

// CellPath returns the path of the first text of an element.
func (l List) CellPath(i int) schema.Path {
	if l.keys[0] == "" {
		return l.Path.Index(i)
	}
	return l.Path.Index(i).Key(l.keys[0])
}

// cells returns the texts of the element i.
func (l List) cells(i int) []string {
	el := l.Rows[i]
	if el.Input == Text {
		return []string{el.Text()}
	}
	var out []string
	for _, c := range el.Rows {
		out = append(out, c.Text())
	}
	return out
}
