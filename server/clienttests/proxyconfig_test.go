package clienttests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// proxy is a program that stands between people and servers.
type proxy struct {
	name    string
	version []string // the command that prints the version
	run     func(dir string) *exec.Cmd
	// whole makes a configuration of one for each pair of addresses.
	whole func(dir string, parts []string) string
	// hostile is the configuration of a pair that does what its users have reported: it compresses and changes tags, puts pages of its own in
	// place of errors, cuts what is idle for three seconds, and keeps streams back where it can. FROM is its address, TO the server's, and N
	// a number.
	hostile string
	public  string // in the configuration of server/CONFIGURATION.md: the line that says where the proxy listens, and the one to replace it
	local   string
}

// proxies are those of Debian's packages, which .ci/tools installs.
var proxies = []proxy{
	{
		name: "nginx", version: []string{"/usr/sbin/nginx", "-v"},
		run: func(dir string) *exec.Cmd {
			return exec.Command("/usr/sbin/nginx", "-e", "stderr", "-c", filepath.Join(dir, "proxy.conf"))
		},
		whole: func(dir string, parts []string) string {
			return "daemon off; worker_processes 1; error_log stderr; pid " + dir + `/pid; events { worker_connections 64; }
http {
	access_log off;
	client_body_temp_path ` + dir + "/b; proxy_temp_path " + dir + "/p; fastcgi_temp_path " + dir + "/f; uwsgi_temp_path " + dir +
				"/u; scgi_temp_path " + dir + "/s;\n\tproxy_cache_path " + dir + "/cache keys_zone=kept:1m;\n" + strings.Join(parts, "\n") + "}\n"
		},
		hostile: `server {
	listen FROM;
	gzip on; gzip_proxied any; gzip_min_length 1; gzip_types *;
	client_max_body_size 1m;
	location / {
		proxy_pass http://TO;
		proxy_set_header Host $http_host;
		proxy_set_header X-Forwarded-For $remote_addr;
		proxy_ignore_headers X-Accel-Buffering;
		proxy_cache kept; # which takes If-Match off requests
		proxy_read_timeout 30s; # one that keeps streams back must let those end that are asked for
		proxy_intercept_errors on;
		error_page 500 502 503 504 /broken.html;
	}
	location = /broken.html { internal; return 200 "<html>nginx</html>"; }
}`,
		public: "listen 443 ssl http2;", local: "listen FROM;",
	},
	{
		name: "Caddy", version: []string{"/usr/bin/caddy", "version"},
		run: func(dir string) *exec.Cmd {
			return exec.Command("/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", filepath.Join(dir, "proxy.conf"))
		},
		whole: func(_ string, parts []string) string {
			return "{\n\tadmin off\n\tauto_https off\n}\n" + strings.Join(parts, "\n")
		},
		hostile: `http://localhost:PORT {
	bind 127.0.0.1
	encode gzip {
		minimum_length 1
		match {
			header Content-Type *
		}
	}
	reverse_proxy TO {
		header_down ETag "^\"(.*)\"$" "W/\"$1-gzip\""
		transport http {
			read_timeout 3s
		}
		@broken status 5xx
		handle_response @broken {
			header Content-Type text/html
			respond "<html>Caddy</html>" 502
		}
	}
}`,
		public: "forms.example.com {", local: "http://localhost:PORT {\n\tbind 127.0.0.1",
	},
	{
		name: "Apache", version: []string{"/usr/sbin/apache2", "-v"},
		run: func(dir string) *exec.Cmd {
			return exec.Command("/usr/sbin/apache2", "-D", "FOREGROUND", "-d", dir, "-f", filepath.Join(dir, "proxy.conf"))
		},
		whole: func(dir string, parts []string) string {
			modules := ""
			for _, name := range strings.Fields("mpm_event authz_core headers filter deflate proxy proxy_http setenvif") {
				modules += "LoadModule " + name + "_module /usr/lib/apache2/modules/mod_" + name + ".so\n"
			}
			return modules + "ServerName localhost\nErrorLog \"|/bin/cat\"\nLogLevel error\nPidFile " + dir + "/pid\n" +
				"DefaultRuntimeDir " + dir + "\nMutex file:" + dir + "\n" + strings.Join(parts, "\n")
		},
		hostile: `Listen FROM
<VirtualHost FROM>
	SetOutputFilter DEFLATE
	ProxyPreserveHost On
	ProxyPass / http://TO/ timeout=3
	ProxyErrorOverride On 500 502 503 504
	ErrorDocument 502 "<html>Apache</html>"
	LimitRequestBody 1048576
</VirtualHost>`,
		public: "<VirtualHost *:443>", local: "Listen FROM\n<VirtualHost FROM>",
	},
	{
		name: "HAProxy", version: []string{"/usr/sbin/haproxy", "-v"},
		run: func(dir string) *exec.Cmd {
			return exec.Command("/usr/sbin/haproxy", "-db", "-q", "-f", filepath.Join(dir, "proxy.conf"))
		},
		whole: func(_ string, parts []string) string {
			return "global\n\th1-case-adjust etag ETag\n\th1-case-adjust x-csrf X-Csrf\n\th1-case-adjust x-etag X-eTaG\n\th1-case-adjust x-tab X-tAB\n" +
				strings.Join(parts, "\n") + "\n"
		},
		hostile: `frontend in-N
	mode http
	bind FROM
	option h1-case-adjust-bogus-client
	timeout client 3s
	default_backend out-N
backend out-N
	mode http
	timeout connect 5s
	timeout server 3s
	option h1-case-adjust-bogus-server
	compression algo gzip
	compression type application/json text/html text/event-stream
	http-response del-header ETag
	http-request del-header If-Match
	http-response del-header Cache-Control
	http-response return status 502 content-type text/html string "<html>HAProxy</html>" if { status ge 500 }
	server one TO`,
		public: "bind :443 ssl crt /etc/haproxy/forms.pem alpn h2,http/1.1", local: "bind FROM",
	},
}

// asDistributed is nginx as many set it up, with gzip for JSON.
const asDistributed = `server { listen FROM; gzip on; gzip_proxied any; gzip_types text/plain text/css application/json application/javascript;
	location / { proxy_pass http://TO; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
		proxy_set_header X-Forwarded-Proto $scheme; } }`

// documented returns the configuration of a proxy in server/CONFIGURATION.md.
func (p *proxy) documented(t testing.TB) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "CONFIGURATION.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```" + strings.ToLower(p.name) + "\n(.*?)```").FindSubmatch(page)
	if found == nil || !strings.Contains(string(found[1]), p.public) {
		t.Fatalf("CONFIGURATION.md has no configuration of %s with %q", p.name, p.public)
	}
	text := strings.NewReplacer(p.public, p.local, "127.0.0.1:8080", "TO", "forms.example.com", "localhost").Replace(string(found[1]))
	if p.name == "HAProxy" { // its names must differ
		text = strings.NewReplacer("frontend forms", "frontend forms-N", "formgraph", "formgraph-N").Replace(text)
	}
	return text
}

// pair is an address of a proxy, and the one to which it leads, both of this machine.
type pair struct{ from, to int }

// start runs the proxy with a configuration for each pair until the test ends.
func (p *proxy) start(t testing.TB, config string, pairs ...pair) {
	t.Helper()
	dir, err := os.MkdirTemp("", "proxy-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	var parts []string
	for i, at := range pairs {
		parts = append(parts, strings.NewReplacer("FROM", fmt.Sprint("127.0.0.1:", at.from), "PORT", fmt.Sprint(at.from),
			"TO", fmt.Sprint("127.0.0.1:", at.to), "-N", fmt.Sprint("-", i)).Replace(config))
	}
	if err := os.WriteFile(filepath.Join(dir, "proxy.conf"), []byte(p.whole(dir, parts)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := p.run(dir)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	said := &strings.Builder{}
	cmd.Stdout, cmd.Stderr = said, said
	if os.Getuid() == 0 { // the proxy needs no rights
		const nobody = 65534
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-gone:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-gone
		}
		if t.Failed() {
			t.Logf("%s:\n%s", p.name, said)
		}
	})
	for _, at := range pairs {
		for !accepts(at.from) {
			select {
			case err := <-gone:
				gone <- err
				t.Fatalf("%s: %v\n%s", p.name, err, said)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
}
