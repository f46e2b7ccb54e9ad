-- +goose Up
-- Files that name of which source each translation was made, by the IDs of their forms, which may be forms of another tenant.
CREATE TABLE sources (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  name    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  body    BLOB NOT NULL
);

-- +goose Down
DROP TABLE sources;
