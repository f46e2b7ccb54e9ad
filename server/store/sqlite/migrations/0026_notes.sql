-- +goose Up
-- Notes on the canvas, kept beside forms like scenarios.
CREATE TABLE notes (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL DEFAULT '',
  id      TEXT NOT NULL,
  name    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  body    BLOB NOT NULL,
  UNIQUE (tenant, id)
);

-- +goose Down
DROP TABLE notes;
