package deploytests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/config"
)

const (
	// drain is drainTime and tasksTime in server/serve.go, in which the server ends after SIGTERM.
	drain = 14 * time.Second
	// user is the user of the image.
	user = 65532
)

func read(t *testing.T, name ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(append([]string{".."}, name...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The constant above must follow the server's.
func TestDrainIsThatOfServer(t *testing.T) {
	if !strings.Contains(read(t, "..", "serve.go"), "\tdrainTime, tasksTime = 8 * time.Second, 6 * time.Second\n") {
		t.Error("drainTime in server/serve.go has changed: change drain here too, and the grace periods")
	}
}

// settings are the environment of a server. A value that only the platform knows is "".
type settings map[string]string

// check reports variables that are not options, and values that serve refuses. files maps the paths of mounted secrets to their content.
func (s settings) check(t *testing.T, files map[string]string) *config.Config {
	t.Helper()
	known := map[string]bool{}
	for _, o := range config.Options() {
		known[o.Env()] = true
		known[o.Env()+"_FILE"] = o.Secret
	}
	for name := range s {
		if !known[name] {
			t.Errorf("%s is not an option of formgraph serve", name)
		}
	}
	c, err := config.Load(config.Input{
		Args:   []string{"--print-ready"},
		Lookup: func(name string) (string, bool) { v, ok := s[name]; return v, ok },
		ReadFile: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		},
	})
	if err != nil {
		t.Fatalf("formgraph serve would refuse the environment: %v", err)
	}
	return c
}

// pinned reports whether an image has an exact version.
func pinned(image string) bool {
	name, tag, ok := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	return ok && name != "" && strings.Count(tag, ".") >= 1 && tag[0] >= '0' && tag[0] <= '9'
}

func TestPinned(t *testing.T) {
	for image, want := range map[string]bool{
		"postgres:17.10-bookworm": true, "registry.example:5000/a/b:1.0.0": true,
		"postgres": false, "postgres:latest": false, "postgres:17": false, "registry.example:5000/a": false,
	} {
		if pinned(image) != want {
			t.Errorf("pinned(%s) = %v", image, !want)
		}
	}
}
