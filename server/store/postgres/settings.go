package postgres

import (
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// connectTimeout is how long one attempt to connect may take, unless the URL has connect_timeout.
const connectTimeout = 5 * time.Second

// The bounds of the number of connections, unless the URL has pool_max_conns. A server accepts 100 by default, for all replicas.
const minConns, maxConns = 4, 32

// settings are those of each connection that the URL may change.
func settings() map[string]string {
	return map[string]string{
		"application_name":                    "formgraph",
		"statement_timeout":                   "10s",
		"lock_timeout":                        "5s",
		"idle_in_transaction_session_timeout": "30s",
	}
}

// errURL describes the form of a database URL. It does not quote the URL: even a part that looks like a host may be a piece of a password
// with a character that has to be encoded.
var errURL = errors.New("not a URL like postgres://user:password@host:5432/database: " +
	"write special characters of the password as in a URL, such as %2F for / and %40 for @")

// parse returns the configuration of a pool for a URL.
func parse(text string) (*pgxpool.Config, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Fragment != "" || strings.Contains(u.Path, "@") {
		return nil, errURL
	}
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		// The text of the error is "cannot parse `URL`: reason".
		text := err.Error()
		return nil, fmt.Errorf("read the options of the database URL: %s", strings.TrimPrefix(text[strings.LastIndex(text, "`")+1:], ": "))
	}
	options := u.Query()
	if !options.Has("pool_max_conns") {
		config.MaxConns = int32(min(max(2*runtime.NumCPU()+2, minConns), maxConns))
	}
	c := config.ConnConfig
	if c.ConnectTimeout == 0 || !options.Has("connect_timeout") {
		c.ConnectTimeout = connectTimeout
	}
	for name, value := range settings() {
		if c.RuntimeParams[name] == "" {
			c.RuntimeParams[name] = value
		}
	}
	switch c.RuntimeParams["synchronous_commit"] {
	case "":
		c.RuntimeParams["synchronous_commit"] = "on" // the default of a server or a role may lose acknowledged writes
	case "on", "remote_apply":
	default:
		return nil, errors.New("synchronous_commit in the database URL must be on or remote_apply: anything else loses acknowledged writes")
	}
	c.RuntimeParams["default_transaction_isolation"] = "read committed" // see the package comment
	return config, nil
}
