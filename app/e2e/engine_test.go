//go:build e2e && !js

package e2e

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/childtest"
)

// engine is a browser with one page, driven in a way that its engine has.
type engine interface {
	name() string
	// open navigates to an address and waits until it is loaded.
	open(address string) error
	// eval evaluates an expression, or the promise that is its value, in the page, or in the frame of the preview.
	eval(expression string, inPreview bool) (json.RawMessage, error)
	// act performs actions as the Actions API of WebDriver has them (https://www.w3.org/TR/webdriver2/#actions).
	act(sources []source) error
	// picture returns what the window shows, as a PNG.
	picture() ([]byte, error)
}

// source is a device of input with what it does, one step after another.
type source struct {
	Type       string            `json:"type"`
	ID         string            `json:"id"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Actions    []action          `json:"actions"`
}

// action is one step of a device. Its fields are those of WebDriver.
type action struct {
	Type     string `json:"type"`
	Value    string `json:"value,omitempty"`
	Button   *int   `json:"button,omitempty"`
	X        *int   `json:"x,omitempty"`
	Y        *int   `json:"y,omitempty"`
	Duration *int   `json:"duration,omitempty"`
	Origin   string `json:"origin,omitempty"`
}

// Keys of WebDriver that type no text (https://www.w3.org/TR/webdriver2/#keyboard-actions).
const (
	enterKey   = "\uE007"
	controlKey = "\uE009"
	escapeKey  = "\uE00C"
)

// typing presses keys one after another, while held is down if it is not empty.
func typing(held, text string) []source {
	var all []action
	if held != "" {
		all = append(all, action{Type: "keyDown", Value: held})
	}
	for _, r := range text {
		all = append(all, action{Type: "keyDown", Value: string(r)}, action{Type: "keyUp", Value: string(r)})
	}
	if held != "" {
		all = append(all, action{Type: "keyUp", Value: held})
	}
	return []source{{Type: "key", ID: "keyboard", Actions: all}}
}

// mouse presses the left button at the first point, moves to each of the others, and releases it.
func mouse(points ...[2]float64) []source {
	left, moves := 0, make([]action, len(points))
	for i, p := range points {
		x, y, lasts := int(p[0]), int(p[1]), 0
		moves[i] = action{Type: "pointerMove", X: &x, Y: &y, Duration: &lasts, Origin: "viewport"}
	}
	all := append([]action{moves[0], {Type: "pointerDown", Button: &left}}, moves[1:]...)
	all = append(all, action{Type: "pointerUp", Button: &left})
	return []source{{Type: "pointer", ID: "mouse", Parameters: map[string]string{"pointerType": "mouse"}, Actions: all}}
}

// program starts a program of an engine, and ends it and its children with the test.
func program(tb testing.TB, env []string, name string, args ...string) *exec.Cmd {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		tb.Fatalf("%v: run make engine-tools", err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), env...)
	childtest.Tie(cmd, 9)
	return cmd
}

// started starts a program, and returns what read finds when it is ready.
func started(tb testing.TB, cmd *exec.Cmd, read func() (string, bool)) string {
	tb.Helper()
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	found := ""
	until(time.Minute, func() bool {
		text, ok := read()
		found = text
		return ok
	}, func() { tb.Fatalf("%s does not start", cmd.Path) })
	return found
}

// screen starts an X server without a screen, and returns its display and the file in which it keeps the picture.
func screen(tb testing.TB) (display, file string) {
	tb.Helper()
	dir := tb.TempDir()
	number := filepath.Join(dir, "display")
	out, err := os.Create(number)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = out.Close() })
	cmd := program(tb, nil, "Xvfb", "-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-fbdir", dir)
	cmd.ExtraFiles = []*os.File{out}
	display = started(tb, cmd, func() (string, bool) {
		b, _ := os.ReadFile(number)
		return string(bytes.TrimSpace(b)), bytes.HasSuffix(b, []byte("\n"))
	})
	return ":" + display, filepath.Join(dir, "Xvfb_screen0")
}

// screenPicture turns the file of a screen into a PNG. It is in the format XWD: 25 numbers, of which some are the sizes of the header and of
// what is in it, and then the pixels, 32 bits each.
func screenPicture(file string) ([]byte, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if len(b) < 100 {
		return nil, errors.New("no picture")
	}
	field := func(i int) int { return int(binary.BigEndian.Uint32(b[4*i:])) }
	const colorSize = 12
	head, wide, high, order, line := field(0)+field(19)*colorSize, field(4), field(5), field(7), field(12)
	if field(11) != 32 || len(b) < head+high*line {
		return nil, fmt.Errorf("pixels of %d bits in %d bytes", field(11), len(b))
	}
	out := image.NewRGBA(image.Rect(0, 0, wide, high))
	for y := range high {
		for x := range wide {
			p := b[head+y*line+4*x:]
			c := color.RGBA{p[2], p[1], p[0], 255}
			if order == 1 {
				c = color.RGBA{p[1], p[2], p[3], 255}
			}
			out.SetRGBA(x, y, c)
		}
	}
	var coded bytes.Buffer
	err = png.Encode(&coded, out)
	return coded.Bytes(), err
}

// soon returns a context for a call to an engine.
func soon() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), waittest.Limit(time.Minute))
}
