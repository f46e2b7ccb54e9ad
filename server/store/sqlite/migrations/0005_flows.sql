-- +goose Up
-- Keys that codes and refresh tokens are bound to, requests that were sent ahead, consents, and how
-- clients take part in flows.
ALTER TABLE codes ADD COLUMN dpop_key TEXT NOT NULL DEFAULT '';
ALTER TABLE refresh_tokens ADD COLUMN dpop_key TEXT NOT NULL DEFAULT '';
CREATE INDEX families_person ON families(user_id, client_id);
CREATE TABLE pushed_requests (
  hash      BLOB PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
  query     TEXT NOT NULL,
  opened    INTEGER NOT NULL DEFAULT 0,
  expires   INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX pushed_requests_expires ON pushed_requests(expires);
CREATE TABLE consents (
  id        TEXT NOT NULL UNIQUE,
  user_id   TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  client_id TEXT NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
  audience  TEXT NOT NULL,
  scope     TEXT NOT NULL,
  given     INTEGER NOT NULL,
  PRIMARY KEY (user_id, client_id, audience)
) WITHOUT ROWID;
CREATE TABLE client_options (
  client_id       TEXT PRIMARY KEY REFERENCES clients(id) ON DELETE CASCADE,
  backchannel_uri TEXT NOT NULL,
  require_pushed  INTEGER NOT NULL,
  require_dpop    INTEGER NOT NULL
) WITHOUT ROWID;
