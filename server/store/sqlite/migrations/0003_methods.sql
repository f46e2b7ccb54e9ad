-- +goose Up
-- Passkeys, one-time passwords and recovery codes of people. Times are milliseconds since 1970 in UTC; used is 0 until the first use.
CREATE TABLE methods (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  type    TEXT NOT NULL,
  name    TEXT NOT NULL,
  key     BLOB UNIQUE,
  data    BLOB NOT NULL,
  count   INTEGER NOT NULL,
  created INTEGER NOT NULL,
  used    INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX methods_user ON methods(user_id);
CREATE TABLE auth_sessions (
  hash      BLOB PRIMARY KEY,
  purpose   TEXT NOT NULL,
  client_id TEXT NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
  user_id   TEXT NOT NULL,
  data      BLOB NOT NULL,
  expires   INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX auth_sessions_expires ON auth_sessions(expires);
CREATE INDEX sign_ins_user ON sign_ins(user_id);
CREATE INDEX families_user ON families(user_id);

-- +goose Down
DROP INDEX families_user;
DROP INDEX sign_ins_user;
DROP TABLE auth_sessions;
DROP TABLE methods;
