package deploytests

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The build copies what it needs by name, and nothing else: neither .git nor a data folder.
func TestDockerfileCopiesTheSources(t *testing.T) {
	text := read(t, "..", "..", "Dockerfile")
	var copied []string
	for _, m := range regexp.MustCompile(`(?m)^COPY ([^-\n].*) \S+$`).FindAllStringSubmatch(text, -1) {
		copied = append(copied, strings.Fields(m[1])...)
	}
	for _, name := range copied {
		if _, err := os.Stat(filepath.Join("..", "..", "..", name)); err != nil || name == "." {
			t.Errorf("COPY %s: %v", name, err)
		}
	}
	for _, name := range []string{"Makefile", "go.mod", "go.sum", "app", "server", "web", "model"} {
		if !slices.Contains(copied, name) {
			t.Errorf("%s is not copied", name)
		}
	}
}

func TestDockerfileImage(t *testing.T) {
	text := read(t, "..", "..", "Dockerfile")
	for _, m := range regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(text, -1) {
		if m[1] != "scratch" && !pinned(m[1]) {
			t.Errorf("image %s has no exact version", m[1])
		}
	}
	id := strconv.Itoa(user)
	for _, want := range []string{
		"\nUSER " + id + ":" + id + "\n", "--chown=" + id + ":" + id, `CMD ["/formgraph", "health"]`, `ENTRYPOINT ["/formgraph"]`,
		`-m 700 /empty/data /empty/keys`, "org.opencontainers.image.version=", "org.opencontainers.image.revision=",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the Dockerfile does not contain %q", want)
		}
	}
	if !strings.Contains(read(t, "..", "main.go"), `{"health", `) {
		t.Error("formgraph has no command health")
	}
	// The image alone serves with TLS, as CONFIGURATION.md says.
	image := imageVariables(t)
	image["FORMGRAPH_TLS_LOCAL"] = "true"
	if c := image.check(t, nil); c.Data != "/data" {
		t.Errorf("the data folder of the image is %s", c.Data)
	}
}
