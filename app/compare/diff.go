package compare

import (
	"slices"
	"strings"
)

// A Piece is a part of two texts: in both, only in the earlier one, or only in the later one.
type Piece struct {
	Kind PieceKind
	Text string
}

// PieceKind says in which texts a piece is.
type PieceKind int

// The kinds of pieces.
const (
	Kept PieceKind = iota
	Cut
	New
)

// mostWords bounds the words of texts that are compared word by word.
const mostWords = 400

// Texts compares two texts word by word. Long texts are compared as a whole.
func Texts(was, is string) []Piece {
	a, b := strings.SplitAfter(was, " "), strings.SplitAfter(is, " ")
	if len(a) > mostWords || len(b) > mostWords {
		return []Piece{{Cut, was}, {New, is}}
	}
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i, left := range slices.Backward(a) {
		for j, right := range slices.Backward(b) {
			if strings.TrimSpace(left) == strings.TrimSpace(right) {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var list []Piece
	add := func(kind PieceKind, text string) {
		if n := len(list); n > 0 && list[n-1].Kind == kind {
			list[n-1].Text += text
			return
		}
		list = append(list, Piece{kind, text})
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && strings.TrimSpace(a[i]) == strings.TrimSpace(b[j]):
			add(Kept, b[j])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			add(Cut, a[i])
			i++
		default:
			add(New, b[j])
			j++
		}
	}
	return list
}
