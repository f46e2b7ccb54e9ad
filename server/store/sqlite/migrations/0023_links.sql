-- +goose Up
-- Links to look at forms without an account. version is 0 for the newest one, and opened is 0 for never.
CREATE TABLE links (
  id        TEXT NOT NULL PRIMARY KEY,
  tenant    TEXT NOT NULL,
  form      TEXT NOT NULL,
  label     TEXT NOT NULL,
  version   INTEGER NOT NULL,
  author_id TEXT NOT NULL,
  author    TEXT NOT NULL,
  created   INTEGER NOT NULL,
  expires   INTEGER NOT NULL,
  opened    INTEGER NOT NULL,
  times     INTEGER NOT NULL
);
CREATE INDEX links_by_form ON links (tenant, form);

-- +goose Down
DROP TABLE links;
