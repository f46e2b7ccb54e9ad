package model

import (
	"strconv"
	"strings"
)

// keyMark separates the id and the number in a key.
const keyMark = "\x00"

// Keys returns a unique name for every node, in the order of the form, even if nodes share an id or have none, as in a broken file. The key
// of the first node with an id, to which pointers lead, is the id itself. The key of any other node is the id, a zero byte and its number
// among the nodes with that id, starting at 2; StartID and EndingID count as taken. Nodes without an id, or with a zero byte in it, are
// numbered from 1 as nodes with the id "". Form.Node resolves a key.
func (f *Form) Keys() []string {
	keys := make([]string, len(f.Nodes))
	seen := make(map[string]int, len(f.Nodes)+2)
	seen[StartID], seen[EndingID] = 1, 1
	for i, n := range f.Nodes {
		id := keyID(n.ID)
		seen[id]++
		keys[i] = id
		if k := seen[id]; k > 1 || id == "" {
			keys[i] += keyMark + strconv.Itoa(k)
		}
	}
	return keys
}

// KeyID returns the id in a key, or "" for a node that has none. Messages use it to name the node, since keys are not meant for people.
func KeyID(key string) string {
	id, _, _ := strings.Cut(key, keyMark)
	return id
}

// keyID returns the id under which a node is numbered.
func keyID(id string) string {
	if strings.Contains(id, keyMark) {
		return ""
	}
	return id
}

// keyParts returns the id in a key and how many nodes with that id precede the one it names. It returns false for a text that is not a key.
func keyParts(key string) (id string, before int, ok bool) {
	id, number, numbered := strings.Cut(key, keyMark)
	if !numbered {
		return id, 0, id != ""
	}
	before, err := strconv.Atoi(number)
	if err != nil || before < 1 || before == 1 && id != "" {
		return "", 0, false
	}
	before--
	if id == StartID || id == EndingID {
		before--
	}
	return id, before, true
}
