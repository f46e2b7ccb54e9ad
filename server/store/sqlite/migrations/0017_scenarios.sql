-- +goose Up
-- Files of scenarios, by the IDs of their forms, which may be forms of another tenant.
CREATE TABLE scenarios (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  name    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  body    BLOB NOT NULL
);

-- +goose Down
DROP TABLE scenarios;
