package account

import (
	"fmt"
	"strings"
	"testing"
)

// modules turns a path back into a picture: rows of # and spaces.
func modules(t *testing.T, path string, width int) []string {
	t.Helper()
	rows := make([][]byte, width)
	for y := range rows {
		rows[y] = []byte(strings.Repeat(" ", width))
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(path, "z"), "z") {
		var x, y, run, back int
		if n, err := fmt.Sscanf(part, "M%d %dh%dv1h-%d", &x, &y, &run, &back); n != 4 || err != nil || run < 1 || run != back {
			t.Fatalf("part %q: %v", part, err)
		}
		for i := range run {
			if rows[y][x+i] == '#' {
				t.Fatalf("module %d, %d is drawn twice", x+i, y)
			}
			rows[y][x+i] = '#'
		}
	}
	out := make([]string, width)
	for y := range rows {
		out[y] = string(rows[y])
	}
	return out
}

// A code has a margin, the three finder patterns, and the timing patterns of alternating modules
// between them. ISO/IEC 18004, section 5.3.
func TestQRPath(t *testing.T) {
	text := "otpauth://totp/Formgraph:ana@example.com?algorithm=SHA1&digits=6&issuer=Formgraph&period=30" +
		"&secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	path, width, err := qrPath(text)
	if err != nil || (width-2*quiet-17)%4 != 0 || width > 60 {
		t.Fatalf("width = %d, %v", width, err)
	}
	if quiet != 4 {
		t.Errorf("the margin is %d modules, want 4", quiet)
	}
	rows := modules(t, path, width)
	empty := strings.Repeat(" ", width)
	for i := range quiet {
		if rows[i] != empty || rows[width-1-i] != empty {
			t.Errorf("row %d of the margin is not empty", i)
		}
	}
	for y, row := range rows {
		if strings.Trim(row[:quiet]+row[width-quiet:], " ") != "" {
			t.Errorf("row %d has something in the margin", y)
		}
	}
	square := []string{"#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"}
	far := width - quiet - len(square)
	for _, at := range [][2]int{{quiet, quiet}, {far, quiet}, {quiet, far}} {
		for i, want := range square {
			if got := rows[at[1]+i][at[0] : at[0]+len(want)]; got != want {
				t.Errorf("square at %v, row %d = %q, want %q", at, i, got, want)
			}
		}
	}
	for x := quiet + 8; x < far-1; x++ {
		want := byte(' ')
		if (x-quiet)%2 == 0 {
			want = '#'
		}
		if rows[quiet+6][x] != want || rows[x][quiet+6] != want {
			t.Errorf("the line between the squares is wrong at %d", x)
		}
	}
	other, _, err := qrPath(text[:len(text)-1] + "2")
	if err != nil || other == path {
		t.Errorf("another text has the same picture, %v", err)
	}
	if _, small, err := qrPath("A"); err != nil || small != 21+2*quiet {
		t.Errorf("one letter is %d wide, %v", small, err)
	}
	if _, _, err := qrPath(strings.Repeat("x", 3000)); err == nil {
		t.Error("a text too long for any code has a picture")
	}
}
