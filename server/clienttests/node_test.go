package clienttests

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// node runs a program of the folder that FORMGRAPH_NODE_CLIENTS names, trusting the local authority.
func node(t testing.TB, s *server, env []string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Dir = os.Getenv("FORMGRAPH_NODE_CLIENTS")
	if cmd.Dir == "" {
		t.Fatal("FORMGRAPH_NODE_CLIENTS names no folder: run make test-clients")
	}
	cmd.Env = append(os.Environ(), append(env, "NODE_EXTRA_CA_CERTS="+s.authority(), "NO_COLOR=1")...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("node %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// files reads all files below a folder.
func files(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		out[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// auth0-deploy-cli 8.44.0: export, change, import, export: the exported files equal the imported ones.
func TestDeployCLI(t *testing.T) {
	s := start(t, "--tls-local")
	env := []string{
		"AUTH0_DOMAIN=" + s.host(), "AUTH0_CLIENT_ID=" + s.Client.ID, "AUTH0_CLIENT_SECRET=" + s.Client.Secret,
		`AUTH0_INCLUDED_ONLY=["forms","flows"]`, "AUTH0_ALLOW_DELETE=false",
	}
	const cli = "node_modules/auth0-deploy-cli/lib/index.js"
	first, second := t.TempDir(), t.TempDir()
	node(t, s, env, cli, "export", "--format", "directory", "--output_folder", first)
	exported := files(t, first)
	changed := 0
	for name, text := range exported {
		next := bytes.ReplaceAll(text, []byte(`"Continue"`), []byte(`"Carry on"`))
		if !strings.HasPrefix(name, "forms/") || bytes.Equal(next, text) {
			continue
		}
		if err := os.WriteFile(filepath.Join(first, name), next, 0o600); err != nil {
			t.Fatal(err)
		}
		exported[name] = next
		changed++
	}
	if changed == 0 {
		t.Fatalf("no form with a text to change was exported: %d files", len(exported))
	}
	out := node(t, s, env, cli, "import", "--input_file", first)
	if !strings.Contains(out, "Import Successful") {
		t.Errorf("import: %s", out)
	}
	node(t, s, env, cli, "export", "--format", "directory", "--output_folder", second)
	again := files(t, second)
	if len(again) != len(exported) {
		t.Errorf("%d files, then %d", len(exported), len(again))
	}
	for name, text := range exported {
		if !bytes.Equal(again[name], text) {
			t.Errorf("%s is another file after import and export:\n%s\nwant\n%s", name, again[name], text)
		}
	}
}

// The vendor's SDK for Node.
func TestNodeSDK(t *testing.T) {
	s := start(t, "--tls-local")
	script := filepath.Join(t.TempDir(), "sdk.cjs")
	if err := os.WriteFile(script, []byte(sdkScript), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{
		"HOST=" + s.host(), "ID=" + s.Client.ID, "SECRET=" + s.Client.Secret,
		"NODE_PATH=" + filepath.Join(os.Getenv("FORMGRAPH_NODE_CLIENTS"), "node_modules"),
	}
	if got := strings.TrimSpace(node(t, s, env, script)); got != "made, renamed, listed 4, gone 404" {
		t.Errorf("the script says %q", got)
	}
}

const sdkScript = `
const { ManagementClient } = require("auth0");
(async () => {
  const api = new ManagementClient({ domain: process.env.HOST, clientId: process.env.ID, clientSecret: process.env.SECRET });
  const made = await api.forms.create({ name: "By a client" });
  await api.forms.update(made.id, { name: "Another name" });
  const got = await api.forms.get(made.id);
  if (got.name !== "Another name") throw new Error("name is " + got.name);
  let count = 0;
  for await (const form of await api.forms.list()) count++;
  await api.forms.delete(made.id);
  let gone = "still there";
  try { await api.forms.get(made.id); } catch (e) { gone = e.statusCode; }
  console.log("made, renamed, listed " + count + ", gone " + gone);
})().catch((e) => { console.error(e); process.exit(1); });
`
