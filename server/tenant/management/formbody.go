package management

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// Bounds of a form-urlencoded body, in addition to those of every document. A form of hundreds of nodes has some thousands of values, and
// no table has keys deeper than these.
const (
	maxPairs    = 20_000
	maxBrackets = 32
)

// decodeForm reads a form-urlencoded body into the tree of the equivalent JSON body. The notation is our choice: brackets, nodes[0][id]=a,
// where brackets around 0, 1, 2 in order make an array and empty ones append to it, and a whole property as JSON text, nodes=[{"id":"a"}].
//
// A form body contains only texts, so the table determines the meaning of each: if it wants a string, the text is the string; otherwise it
// is parsed as JSON and, if that fails, stays a string for the checker to report. Below an object that the table leaves open there is nothing to
// determine it: a text stays a text, even 2026, true and null, and what stands in brackets is the name of a member, even 0; only empty brackets
// make an array. Values of other types are sent as the JSON text of the whole object. If there are problems, no tree is returned.
func decodeForm(body string, table schema.Spec) (any, schema.Problems) {
	root := &branch{top: true}
	pairs := 0
	for body != "" {
		var pair string
		if pair, body, _ = strings.Cut(body, "&"); pair == "" {
			continue
		}
		if pairs++; pairs > maxPairs {
			return refuse(schema.CodeLimit, "must hold at most %d values", maxPairs)
		}
		rawKey, rawText, _ := strings.Cut(pair, "=")
		key, err1 := url.QueryUnescape(rawKey)
		text, err2 := url.QueryUnescape(rawText)
		if err1 != nil || err2 != nil {
			return refuse(schema.CodeSyntax, "must be form-urlencoded")
		}
		if !utf8.ValidString(key) || !utf8.ValidString(text) {
			return refuse(schema.CodeSyntax, "must be UTF-8")
		}
		steps, problem := splitKey(key)
		if problem == nil {
			problem = root.put(steps, text)
		}
		if problem != nil {
			return nil, schema.Problems{*problem}
		}
	}
	tree, ok := root.tree(table, false)
	if !ok {
		return refuse(schema.CodeSyntax, "must number the elements of an array from 0 without gaps")
	}
	// JSON texts inside brackets can together be deeper and larger than one document may be.
	return schema.Decode(schema.Encode(tree))
}

func refuse(code schema.Code, detail string, args ...any) (any, schema.Problems) {
	return nil, schema.Problems{*problem(code, detail, args...)}
}

func problem(code schema.Code, detail string, args ...any) *schema.Problem {
	return &schema.Problem{Code: code, Detail: fmt.Sprintf(detail, args...), Offset: -1}
}

// splitKey splits nodes[0][id] into nodes, 0, id.
func splitKey(key string) ([]string, *schema.Problem) {
	head, rest, found := strings.Cut(key, "[")
	steps := []string{head}
	if head == "" {
		return nil, problem(schema.CodeSyntax, "must name a property before the first bracket")
	}
	for found {
		if len(steps) > maxBrackets {
			return nil, problem(schema.CodeLimit, "must nest at most %d brackets", maxBrackets)
		}
		step, after, closed := strings.Cut(rest, "]")
		if !closed || strings.Contains(step, "[") {
			return nil, problem(schema.CodeSyntax, "must close every bracket of a key")
		}
		steps = append(steps, step)
		if after == "" {
			return steps, nil
		}
		if rest, found = strings.CutPrefix(after, "["); !found {
			return nil, problem(schema.CodeSyntax, "must have nothing between the brackets of a key")
		}
	}
	return steps, nil
}

// branch is one place of the body: a text, or children in the order in which they came.
type branch struct {
	text     string
	leaf     bool
	top      bool // the whole body
	appended int  // how many children came with empty brackets
	keys     []string
	children map[string]*branch
}

// put stores text at the place to which steps lead.
func (b *branch) put(steps []string, text string) *schema.Problem {
	for i, step := range steps {
		if b.leaf {
			return problem(schema.CodeSyntax, "must not have both a value and brackets")
		}
		if step == "" {
			if i < len(steps)-1 {
				return problem(schema.CodeSyntax, "must have empty brackets at the end of a key only")
			}
			step = strconv.Itoa(len(b.keys))
			b.appended++
		}
		next := b.children[step]
		if next == nil {
			if b.children == nil {
				b.children = map[string]*branch{}
			}
			next = &branch{}
			b.children[step] = next
			b.keys = append(b.keys, step)
		} else if i == len(steps)-1 {
			p := problem(schema.CodeDuplicateKey, "must be sent once")
			for _, s := range steps {
				p.Path = append(p.Path, schema.Key(s))
			}
			return p
		}
		b = next
	}
	b.text, b.leaf = text, true
	return nil
}

// tree returns the value of b as spec requires, or false if an array has a gap. open reports that b is below an object that the table leaves
// open; then spec does not count.
func (b *branch) tree(spec schema.Spec, open bool) (any, bool) {
	switch {
	case b.leaf && open:
		return b.text, true
	case b.leaf:
		return scalar(b.text, spec), true
	}
	if open && b.appended == len(b.keys) || !open && b.isList(spec) {
		list := make([]any, len(b.keys))
		for key, child := range b.children {
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(list) || strconv.Itoa(i) != key {
				return nil, false
			}
			v, ok := child.tree(itemSpec(spec), open)
			if !ok {
				return nil, false
			}
			list[i] = v
		}
		return list, true
	}
	members := make([]schema.Member, 0, len(b.keys))
	for _, key := range b.keys {
		child := b.children[key]
		of := b.memberSpec(spec, key)
		whole := b.top && child.leaf // which may be JSON text
		v, ok := child.tree(of, open || of == nil && isOpen(spec) && !whole)
		if !ok {
			return nil, false
		}
		members = append(members, schema.Member{Key: key, Value: v})
	}
	return schema.NewObject(members...), true
}

// isList reports whether brackets make an array here: if the table has a list, or if it allows any value and all brackets contain numbers.
func (b *branch) isList(spec schema.Spec) bool {
	switch s := spec.(type) {
	case schema.List:
		return true
	case schema.Nullable:
		return b.isList(s.Spec)
	case schema.Any, nil:
		for _, key := range b.keys {
			if _, err := strconv.ParseUint(key, 10, 31); err != nil {
				return false
			}
		}
		return len(b.keys) > 0
	default:
		return false
	}
}
