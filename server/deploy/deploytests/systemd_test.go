package deploytests

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// unit holds the lines of a unit file, by section and name.
type unit map[string][]string

func parseUnit(t *testing.T, text string) unit {
	t.Helper()
	u, section := unit{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[]")
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || section == "" {
			t.Fatalf("not a directive: %q", line)
		}
		u[section+"."+name] = append(u[section+"."+name], value)
	}
	return u
}

func TestSystemdUnit(t *testing.T) {
	u := parseUnit(t, read(t, "systemd", "formgraph.service"))
	for name, want := range map[string]string{
		"Service.Type": "exec", "Service.DynamicUser": "yes", "Service.StateDirectory": "formgraph", "Service.StateDirectoryMode": "0700",
		"Service.Restart": "on-failure", "Service.ProtectSystem": "strict", "Service.NoNewPrivileges": "yes", "Service.CapabilityBoundingSet": "",
		// The exit code of a wrong configuration.
		"Service.RestartPreventExitStatus": "2",
	} {
		if !slices.Equal(u[name], []string{want}) {
			t.Errorf("%s=%q, want %q", name, u[name], want)
		}
	}
	stop, err := time.ParseDuration(u["Service.TimeoutStopSec"][0])
	if err != nil || stop <= drain {
		t.Errorf("the service is killed after %v (%v), and drains for %v", stop, err, drain)
	}
	if !strings.Contains(read(t, "..", "main.go"), "exitUnusable = 2\n") {
		t.Error("the exit code of a wrong configuration has changed")
	}
}

// environment returns the variables of units, with systemd's abbreviations written out.
func environment(t *testing.T, units ...unit) settings {
	t.Helper()
	env := settings{}
	for _, u := range units {
		for _, line := range u["Service.Environment"] {
			name, value, _ := strings.Cut(line, "=")
			env[name] = strings.NewReplacer("%S", "/var/lib", "%d", "/run/credentials/formgraph.service").Replace(value)
		}
	}
	return env
}

func TestSystemdEnvironment(t *testing.T) {
	text := read(t, "systemd", "formgraph.service")
	service, postgres := parseUnit(t, text), parseUnit(t, read(t, "systemd", "postgres.conf"))
	if c := environment(t, service).check(t, nil); c.Data != "/var/lib/"+service["Service.StateDirectory"][0] {
		t.Errorf("the data folder is %s", c.Data)
	}
	// The example at the top.
	behind := environment(t, service, postgres)
	for line := range strings.Lines(text) {
		if example, ok := strings.CutPrefix(line, "#   "); ok {
			name, value, _ := strings.Cut(strings.TrimSpace(example), "=")
			behind[name] = value
		}
	}
	files := map[string]string{}
	for _, line := range postgres["Service.LoadCredential"] {
		name, _, _ := strings.Cut(line, ":")
		files["/run/credentials/formgraph.service/"+name] = "postgres://formgraph:secret@localhost/formgraph"
	}
	c := behind.check(t, files)
	if c.Editor.URL != "https://forms.example.com" || len(c.TrustedProxies) != 2 || c.Database == "" {
		t.Errorf("the example gives %+v", c)
	}
	if _, ok := files[c.Keys]; !ok {
		t.Errorf("no credential is loaded for FORMGRAPH_KEYS=%s", c.Keys)
	}
}

// Where systemd is installed, it checks the unit itself, with this test in place of the program.
func TestSystemdVerifies(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("this machine has no systemd-analyze: only the tests above check the unit")
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	drop := filepath.Join(folder, "formgraph.service.d")
	if err := os.Mkdir(drop, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		filepath.Join(folder, "formgraph.service"): strings.Replace(read(t, "systemd", "formgraph.service"), "/usr/local/bin/formgraph", self, 1),
		filepath.Join(drop, "postgres.conf"):       read(t, "systemd", "postgres.conf"),
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(folder, "formgraph.service")
	out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", "--recursive-errors=no", file).CombinedOutput()
	if err != nil || strings.Contains(string(out), folder) {
		t.Errorf("%v\n%s", err, out)
	}
}
