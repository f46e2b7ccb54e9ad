package model

import (
	"strconv"
	"strings"
)

// keyMark is between the id and the number of a key.
const keyMark = "\x00"

// Keys returns a name for every node, in the form's order, that no other node has: not even where two nodes
// have one id or none, as in a broken file. The key of the first node of an id is the id, and that is the node
// that pointers lead to. The others have the id, a zero byte and their number among the nodes of that id, from
// 2 on; StartID and EndingID count as taken. Nodes without an id, or with a zero byte in it, are numbered from
// 1 on as nodes of the id "". Form.Node resolves a key.
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

// KeyID returns the id in a key, "" for a node that has none: what a message names the node by. Keys themselves are
// not for people.
func KeyID(key string) string {
	id, _, _ := strings.Cut(key, keyMark)
	return id
}

// keyID returns the id by which a node is numbered.
func keyID(id string) string {
	if strings.Contains(id, keyMark) {
		return ""
	}
	return id
}

// keyParts returns the id of a key and how many nodes of that id are before the one it names; false for a
// text that is not a key.
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
