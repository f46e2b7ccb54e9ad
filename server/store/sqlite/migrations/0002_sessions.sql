-- +goose Up
-- Sessions of the backend-for-frontend. Data is sealed; times are milliseconds since 1970 in UTC.
CREATE TABLE sessions (
  id          BLOB PRIMARY KEY,
  data        BLOB NOT NULL,
  version     INTEGER NOT NULL,
  created     INTEGER NOT NULL,
  seen        INTEGER NOT NULL,
  lease_owner TEXT NOT NULL DEFAULT '',
  lease_until INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX sessions_seen ON sessions (seen);

-- +goose Down
DROP TABLE sessions;
