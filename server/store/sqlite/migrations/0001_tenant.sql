-- +goose Up
-- Times are milliseconds since 1970 in UTC; lists of words are JSON arrays.
CREATE TABLE forms (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  name    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  body    BLOB NOT NULL
);
CREATE TABLE flows (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  name    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  body    BLOB NOT NULL
);
CREATE TABLE clients (
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL,
  secret_hash  BLOB,
  public       INTEGER NOT NULL,
  first_party  INTEGER NOT NULL,
  global       INTEGER NOT NULL,
  grant_types  TEXT NOT NULL,
  callbacks    TEXT NOT NULL,
  logout_urls  TEXT NOT NULL,
  created      INTEGER NOT NULL,
  secret_since INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE apis (
  id            TEXT PRIMARY KEY,
  identifier    TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  scopes        TEXT NOT NULL,
  user_policy   TEXT NOT NULL,
  client_policy TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE client_grants (
  client_id TEXT NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
  api_id    TEXT NOT NULL REFERENCES apis(id) ON DELETE CASCADE,
  subject   TEXT NOT NULL,
  scopes    TEXT NOT NULL,
  PRIMARY KEY (client_id, api_id, subject)
) WITHOUT ROWID;
CREATE TABLE users (
  id            TEXT PRIMARY KEY,
  email         TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  created       INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE permissions (
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  api_id  TEXT NOT NULL REFERENCES apis(id) ON DELETE CASCADE,
  scope   TEXT NOT NULL,
  PRIMARY KEY (user_id, api_id, scope)
) WITHOUT ROWID;
CREATE TABLE sign_ins (
  hash      BLOB PRIMARY KEY,
  id        TEXT NOT NULL UNIQUE,
  user_id   TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  auth_time INTEGER NOT NULL,
  expires   INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_ins_expires ON sign_ins(expires);
CREATE TABLE families (
  id         TEXT PRIMARY KEY,
  client_id  TEXT NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  sign_in_id TEXT NOT NULL,
  auth_time  INTEGER NOT NULL,
  audience   TEXT NOT NULL,
  scope      TEXT NOT NULL,
  expires    INTEGER NOT NULL,
  revoked    INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX families_expires ON families(expires);
CREATE TABLE codes (
  hash         BLOB PRIMARY KEY,
  family_id    TEXT NOT NULL REFERENCES families(id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  challenge    TEXT NOT NULL,
  nonce        TEXT NOT NULL,
  expires      INTEGER NOT NULL,
  uses         INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX codes_family ON codes(family_id);
CREATE TABLE refresh_tokens (
  hash      BLOB PRIMARY KEY,
  family_id TEXT NOT NULL REFERENCES families(id) ON DELETE CASCADE,
  expires   INTEGER NOT NULL,
  used      INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX refresh_tokens_family ON refresh_tokens(family_id);
CREATE TABLE marks (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
